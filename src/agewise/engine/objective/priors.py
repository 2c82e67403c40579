"""Prior distributions of the weights of a network."""

from abc import abstractmethod
from collections.abc import Callable
from math import e, lgamma, log, pi

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.types import Scalar

Vector = Float[Array | np.ndarray, " weight"]
"""One number for each weight."""

NODES = 16
"""Nodes of the quadrature: 0.002 nats off at most, for weights up to twice as wide as their
prior."""
FREEDOM = 3
"""Degrees of freedom of `student`: the fewest, among whole numbers, that have a variance."""
WIDE_SHARE = 0.5
"""Share of the weights in the wide part of `mixture` [1]."""
NARROW = 0.1
"""Standard deviation of the narrow part of `mixture`, over that of the wide one [1]."""


class AbstractPrior(eqx.Module):
    """The same distribution for every weight, centred at zero."""

    @property
    @abstractmethod
    def variance(self) -> float | Scalar:
        """Variance of a weight."""

    @abstractmethod
    def penalty(self, weights: Vector) -> Scalar:
        """Minus the logarithm of the density of weights [nats]."""

    @abstractmethod
    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """Kullback-Leibler divergence of independent normal weights from this prior [nats]."""


class Gaussian(AbstractPrior):
    """Normal with the given standard deviation."""

    scale: float | Scalar = 1.0
    """Standard deviation of a weight [1]."""

    @property
    def variance(self) -> float | Scalar:
        """The scale squared."""
        return self.scale**2

    def penalty(self, weights: Vector) -> Scalar:
        """Half the squares over the variance, and the constant."""
        constant = 0.5 * weights.size * jnp.log(2 * np.pi * self.variance)
        return 0.5 * jnp.sum(jnp.square(weights)) / self.variance + constant

    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """In closed form: between two normals."""
        # KL of N(m, s²) from N(0, v): half of (s² + m²)/v - 1 - log s² + log v.
        share = (jnp.exp(2 * log_std) + jnp.square(mean)) / self.variance
        return 0.5 * jnp.sum(share - 1 - 2 * log_std + jnp.log(self.variance))


class Laplace(AbstractPrior):
    """Double exponential: most weights are nearly nothing, a few are not."""

    scale: float | Scalar = 1.0
    """Mean size of a weight [1]."""

    @property
    def variance(self) -> float | Scalar:
        """Twice the scale squared."""
        return 2 * self.scale**2

    def penalty(self, weights: Vector) -> Scalar:
        """Absolute values over the scale, and the constant."""
        return jnp.sum(jnp.abs(weights)) / self.scale + weights.size * jnp.log(2 * self.scale)

    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """In closed form: the expected size of a normal weight is that of a folded normal."""
        size = expected_size(mean, log_std)
        return jnp.sum(size / self.scale + jnp.log(2 * self.scale) - entropy(log_std))


class Student(AbstractPrior):
    """Student's t with three degrees of freedom: most weights are small, some are far out."""

    scale: float | Scalar = 1.0
    """Width of the distribution [1], less than its standard deviation."""

    @property
    def variance(self) -> float | Scalar:
        """Three times the scale squared."""
        return self.scale**2 * FREEDOM / (FREEDOM - 2)

    def penalty(self, weights: Vector) -> Scalar:
        """Logarithms of one plus the squares, and the constant."""
        return jnp.sum(self._bend(jnp.asarray(weights))) + weights.size * self._constant()

    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """By quadrature, since it has no closed form."""
        expected = expectation(self._bend, mean, log_std) + self._constant()
        return jnp.sum(expected - entropy(log_std))

    def _bend(self, weights: Float[Array, "*weight"]) -> Float[Array, "*weight"]:
        """Minus the log density of each weight [nats], less its value at zero."""
        # By `log1p`, since most weights are small and one plus their squares would round to one.
        return (FREEDOM + 1) / 2 * jnp.log1p(jnp.square(weights / self.scale) / FREEDOM)

    def _constant(self) -> Scalar:
        """Minus the log density at zero [nats]."""
        # Γ(ν/2) / Γ((ν+1)/2) as logarithms, from the density of Student's t.
        shape = lgamma(FREEDOM / 2) - lgamma((FREEDOM + 1) / 2)
        return shape + jnp.log((pi * FREEDOM) ** 0.5 * self.scale)


class Mixture(AbstractPrior):
    """Two normals, one a tenth as wide: a weight is nearly nothing, or free.

    Blundell et al. (2015), "Weight uncertainty in neural networks", equation 7.
    """

    scale: float | Scalar = 1.0
    """Standard deviation of the wide part [1]."""

    @property
    def variance(self) -> float | Scalar:
        """The mean of the variances of both parts, by their shares."""
        return self.scale**2 * (WIDE_SHARE + (1 - WIDE_SHARE) * NARROW**2)

    def penalty(self, weights: Vector) -> Scalar:
        """That of the wide part, less what the narrow one adds."""
        # -log(share · wide · (1 + narrow part over wide part)): the last factor is the gain below.
        wide = Gaussian(self.scale).penalty(weights) - weights.size * log(WIDE_SHARE)
        return wide - jnp.sum(self._gain(jnp.asarray(weights)))

    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """That from the wide part in closed form, the gain of the narrow one by quadrature."""
        wide = Gaussian(self.scale).divergence(mean, log_std) - mean.size * log(WIDE_SHARE)
        # The gain is a narrow bell, so the nodes are put where the bell is.
        gain = expectation(self._gain, mean, log_std, decay=(NARROW * self.scale) ** -2)
        return wide - jnp.sum(gain)

    def _gain(self, weights: Float[Array, "*weight"]) -> Float[Array, "*weight"]:
        """Logarithm of the density over that of the wide part: a bell as wide as the narrow one."""
        at_zero = log((1 - WIDE_SHARE) / (WIDE_SHARE * NARROW))
        # Narrow over wide density falls as e^(-w² d/2), d the difference of their precisions.
        fall = 0.5 * (NARROW**-2 - 1) * jnp.square(weights / self.scale)
        # log(1 + e^x) by `softplus`, which neither overflows nor loses a small gain.
        return jax.nn.softplus(at_zero - fall)


def entropy(log_std: Vector) -> Float[Array, " weight"]:
    """Entropy of each normal weight [nats]."""
    return jnp.asarray(log_std) + 0.5 * log(2 * pi * e)


def expectation(
    function: Callable[[Float[Array, "weight node"]], Float[Array, "weight node"]],
    mean: Vector,
    log_std: Vector,
    *,
    decay: float | Scalar = 0.0,
) -> Float[Array, " weight"]:
    r"""Expected function of each normal weight, by Gauss and Hermite's rule.

    A function that dies away as $e^{-w^2 d/2}$ is seen by few nodes of a wide weight. With its
    `decay` $d$, nodes are those of the normal that is proportional to the weight's times that bell.
    """
    centre, std = jnp.asarray(mean)[:, None], jnp.exp(log_std)[:, None]
    # In the weights' own type, or the constants of the rule would promote them.
    nodes, shares = (rule.astype(std.dtype) for rule in np.polynomial.hermite_e.hermegauss(NODES))
    # Deviation of the product of the two bells, in units of the weight's own: 1/√(1 + d s²).
    shrunk = jax.lax.rsqrt(1 + decay * jnp.square(std))
    # The product's mean is at -d c s/(1 + d s²): between the weight's centre and the bell at zero.
    places = shrunk * nodes - decay * centre * std * shrunk**2
    # Density of a standard normal at the places over that at the nodes: what the move costs.
    density = shrunk * jnp.exp((nodes**2 - jnp.square(places)) / 2)
    # The rule's shares are those of e^(-z²/2), without the constant of the normal density.
    return (density * function(centre + std * places)) @ (shares / shares.sum())


Prior = Gaussian | Laplace | Student | Mixture
"""Any of the priors."""
PRIORS: dict[str, type[Prior]] = {
    "laplace": Laplace,
    "gaussian": Gaussian,
    "student": Student,
    "mixture": Mixture,
}
"""Every prior by the name that settings give it."""


@jax.custom_jvp
def expected_size(mean: Vector, log_std: Vector) -> Vector:
    r"""$E|w|$ of normal weights: $m\,\mathrm{erf}(m/s\sqrt2) + s\sqrt{2/\pi}\,e^{-m^2/2s^2}$."""
    slope, flat = _slope_and_flat(mean, log_std)
    return mean * slope + flat


@expected_size.defjvp
def _(values, changes):
    """Its derivatives along the mean and the logarithm of the deviation are its own two parts."""
    slope, flat = _slope_and_flat(*values)
    mean_change, log_std_change = changes
    return values[0] * slope + flat, slope * mean_change + flat * log_std_change


def _slope_and_flat(mean: Vector, log_std: Vector) -> tuple[Vector, Vector]:
    std = jnp.exp(log_std)
    ratio = mean / std
    # The root in the weights' own type: a double would promote all of a step to it.
    slope = jax.lax.erf(ratio / np.sqrt(2.0).astype(ratio.dtype))
    return slope, std * np.sqrt(2 / np.pi) * jnp.exp(-0.5 * ratio**2)
