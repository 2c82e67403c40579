"""Unknown constants of an equation: what is known of them beforehand."""

from abc import abstractmethod

import equinox as eqx
import jax.numpy as jnp
from jax.scipy.stats import norm
from jaxtyping import Array, Float

from agewise.types import Scalar


class AbstractConstant(eqx.Module):
    """A distribution, written as a function of a standard normal number.

    So whatever the distribution, what is trained and drawn is one more number with the prior
    $N(0, 1)$, and every value that the constant can take is allowed in training.
    """

    @abstractmethod
    def value(self, standard: Scalar | Float[Array, " draw"]) -> Scalar | Float[Array, " draw"]:
        """The constant, given its standard normal number."""


class Normal(AbstractConstant):
    """A normal distribution: any value, most likely near the mean.

    Examples:
        >>> import agewise
        >>> float(agewise.Normal(0.5, 0.1).value(0.0))  # the middle of what is possible
        0.5
    """

    mean: float
    """Expected value."""
    std: float
    """Standard deviation, in the same unit."""

    def value(self, standard):
        """Mean plus standard deviations."""
        return self.mean + self.std * standard


class LogNormal(AbstractConstant):
    """A log-normal distribution: positive values, known to within a factor.

    Examples:
        >>> import agewise
        >>> float(agewise.LogNormal(350.0, 0.5).value(0.0))  # the middle of what is possible
        350.0
    """

    median: float
    """Value that the constant exceeds as likely as not."""
    log_std: float
    """Standard deviation of its natural logarithm [1]: 0.1 is about ten per cent."""

    def value(self, standard):
        """The median times a factor."""
        # At a standard number of zero the constant is its median, whatever the spread.
        return self.median * jnp.exp(self.log_std * standard)


class Uniform(AbstractConstant):
    """A uniform distribution: any value between two limits alike.

    Examples:
        >>> import agewise
        >>> float(agewise.Uniform(0.0, 2.0).value(0.0))  # the middle of what is possible
        1.0
    """

    low: float
    """Least value."""
    high: float
    """Largest value."""

    def value(self, standard):
        """The quantile of the normal number, between the limits."""
        # A normal number's distribution function is uniform on [0, 1], and gradients pass.
        return self.low + (self.high - self.low) * norm.cdf(standard)
