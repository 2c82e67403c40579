"""The posterior density of a fit, in numbers that are nearly independent of each other."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.linalg import solve_triangular

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.training.loop import with_arrays
from agewise.types import Scalar

White = Float[Array | np.ndarray, " number"]
"""Numbers of which the Gaussian about the most probable ones makes standard normal ones."""


class Density(eqx.Module):
    r"""Logarithm of the posterior density [nats], but for a constant, at the noise of a fit.

    It is written in $z$ with numbers $w = m + S z$, where $m$ are the most probable ones and
    $S S^T$ is their covariance there. So a linear problem is standard normal in $z$, and steps of
    one length suit all directions. The density itself is not approximated.
    """

    objective: EquationObjective
    """Minus the logarithm of the density of the numbers themselves."""
    variances: dict[str, np.ndarray]
    """Variance of every reading, by sensor, in the square of its unit."""
    centre: Float[Array | np.ndarray, " number"]
    """The most probable numbers."""
    spread: Float[Array | np.ndarray, "number number"]
    """Upper triangular root of their covariance."""

    @classmethod
    def of(cls, fitted: Fitted) -> "Density":
        """The density of a fit."""
        factor = fitted.gaussian().factor
        # Precision L Lᵀ: S = L⁻ᵀ is a root of the covariance, S Sᵀ = (L Lᵀ)⁻¹.
        spread = solve_triangular(factor, np.eye(len(factor)), lower=True, trans="T")
        return cls(with_arrays(fitted.objective), fitted.variances, fitted.numbers, spread)  # type: ignore[arg-type]

    def __call__(self, white: White) -> Scalar:
        """The logarithm at one vector."""
        # A linear map, whose determinant is constant and drops out of a chain's ratios.
        numbers = self.centre + self.spread @ white
        # The points stay, so whatever key there is changes nothing.
        terms = self.objective.terms(numbers, self.variances, key=jax.random.key(0))
        # Terms are half squares and the prior: minus the logarithm of the density.
        return -jnp.sum(jnp.stack(list(terms.values())))

    def numbers(self, white: Float[np.ndarray, "draw number"]) -> Float[np.ndarray, "draw number"]:
        """The numbers of drawn vectors."""
        # One draw a row, hence the transpose of S z.
        return np.asarray(self.centre) + white @ np.asarray(self.spread).T

    def white(self, numbers: Float[np.ndarray, " number"]) -> Float[np.ndarray, " number"]:
        """The vector that stands for these numbers."""
        return solve_triangular(np.asarray(self.spread), numbers - self.centre, lower=False)
