"""Numbers that are learned: what is believed of each before any reading."""

from abc import abstractmethod

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

Number = Float[Array, "..."]
"""One number, or one for each draw, possibly traced."""

DEGREES = 2.0
"""Degrees of freedom of a prior with heavy tails: a test report is right as a rule, but where the
guaranteed limit was printed instead of the measured value it is off by a quarter; then a week of
readings overrules it."""


class AbstractParameter(eqx.Module):
    """A number with a prior, as a function of one that is of order one."""

    name: eqx.AbstractVar[str]
    """Name of the number; of a nameplate's number the name there."""

    @abstractmethod
    def value(self, z: Number) -> Number:
        """The number, in its own unit, of a coordinate of order one."""

    @abstractmethod
    def log_prior(self, z: Number) -> Number:
        """Logarithm of the prior density of the coordinate [nats], without its constant."""


class Scale(AbstractParameter):
    """A positive number that is known to a factor, $l + (m - l) e^{sz}$."""

    name: str = eqx.field(static=True)
    """Name of the number."""
    median: float
    """Value that is as likely too low as too high."""
    share: float
    """Standard deviation of its logarithm, which for small ones is a share of the number."""
    least: float = 0.0
    """Value that it cannot fall below."""
    heavy: bool = eqx.field(static=True, default=False)
    """Whether the prior has heavy tails."""

    def value(self, z: Number) -> Number:
        """The number, in its own unit."""
        return self.least + (self.median - self.least) * jnp.exp(self.share * z)

    def log_prior(self, z: Number) -> Number:
        """Student's t with `DEGREES` where tails are heavy, else normal [nats]."""
        if self.heavy:
            return -(DEGREES + 1) / 2 * jnp.log1p(z**2 / DEGREES)
        return -0.5 * z**2


class Location(AbstractParameter):
    """A number of any sign with a normal prior, $m + sz$."""

    name: str = eqx.field(static=True)
    """Name of the number."""
    mean: float
    """Expected value, in the unit of the number."""
    std: float
    """Standard deviation, in the unit of the number."""

    def value(self, z: Number) -> Number:
        """The number, in its own unit."""
        return self.mean + self.std * z

    def log_prior(self, z: Number) -> Number:
        """Standard normal [nats]."""
        return -0.5 * z**2
