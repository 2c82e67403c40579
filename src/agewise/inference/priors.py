"""What is believed of a weight before any data."""

from abc import abstractmethod

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.types import Scalar

Vector = Float[Array | np.ndarray, " weight"]


class AbstractPrior(eqx.Module):
    """The same distribution for every weight, centred at zero."""

    @property
    @abstractmethod
    def variance(self) -> float | Scalar:
        """of a weight"""

    @abstractmethod
    def penalty(self, weights: Vector) -> Scalar:
        """Minus the logarithm of the density of weights."""

    @abstractmethod
    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """Kullback-Leibler divergence of independent normal weights from this prior."""


class Gaussian(AbstractPrior):
    """Normal with the given standard deviation."""

    scale: float = 1.0

    @property
    def variance(self) -> float | Scalar:
        """The scale squared."""
        return self.scale**2

    def penalty(self, weights: Vector) -> Scalar:
        """Half the squares over the variance, and the constant."""
        constant = 0.5 * weights.size * jnp.log(2 * np.pi * self.variance)
        return 0.5 * jnp.sum(jnp.square(weights)) / self.variance + constant

    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """Between normals."""
        share = (jnp.exp(2 * log_std) + jnp.square(mean)) / self.variance
        return 0.5 * jnp.sum(share - 1 - 2 * log_std + jnp.log(self.variance))


class Laplace(AbstractPrior):
    """Double exponential: most weights are nearly nothing, a few are not."""

    scale: float = 1.0

    @property
    def variance(self) -> float | Scalar:
        """Twice the scale squared."""
        return 2 * self.scale**2

    def penalty(self, weights: Vector) -> Scalar:
        """Absolute values over the scale, and the constant."""
        return jnp.sum(jnp.abs(weights)) / self.scale + weights.size * jnp.log(2 * self.scale)

    def divergence(self, mean: Vector, log_std: Vector) -> Scalar:
        """In closed form: the expected size of a normal weight is that of a folded normal."""
        std = jnp.exp(log_std)
        ratio = mean / std
        size = std * np.sqrt(2 / np.pi) * jnp.exp(-0.5 * ratio**2)
        size = size + mean * jax.lax.erf(ratio / np.sqrt(2.0).astype(ratio.dtype))
        entropy = log_std + 0.5 * np.log(2 * np.pi * np.e)
        return jnp.sum(size / self.scale + jnp.log(2 * self.scale) - entropy)


PRIORS: dict[str, type[Gaussian] | type[Laplace]] = {"laplace": Laplace, "gaussian": Gaussian}
