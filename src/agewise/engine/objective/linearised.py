"""The posterior of a network made linear at its most probable weights: closed-form, in few rows.

Near those weights the network is linear in them, so readings and residuals are Gaussian in the
weights: the precision is $J^T J + p$ with a row of $J$ for each of them. All is done in the space
of the rows, of which there are fewer than weights.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.linalg.blas import dsyrk

from agewise.engine.networks.mlp import AbstractNetwork, Weights
from agewise.engine.objective.objective import NetworkObjective
from agewise.engine.training.damped_step import Start, Terms, lowered
from agewise.engine.training.gauss_newton import half_squares, linearised
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.objective import Aux
from agewise.threads import one_thread
from agewise.types import Key

BATCH = 1000
"""Points at a time, since a Jacobian has a column for each of thousands of weights."""


@dataclass(frozen=True, eq=False)
class Linearised:
    """Weights, and how readings and residuals depend on them."""

    network: AbstractNetwork
    """Function that is made linear."""
    weights: Float[np.ndarray, " weight"]
    """The most probable weights, at which the network is made linear."""
    jacobian: Float[np.ndarray, "row weight"]
    """How readings and residuals, each over its standard deviation, depend on the weights."""
    precision: float
    """Precision of every weight before any data, one over the variance of its prior."""
    rows: Float[np.ndarray, " row"]
    """Readings and residuals at these weights, each over its standard deviation."""

    @classmethod
    def of(
        cls,
        objective: NetworkObjective,
        weights: Float[np.ndarray, " weight"],
        aux: Aux,
        *,
        key: Key,
        lots: int = 1,
    ) -> "Linearised":
        """The posterior of an objective, made linear at these weights in double precision.

        Args:
            objective: Gives the rows of readings and residuals.
            weights: Where the network is made linear.
            aux: Noise of the readings, and discrepancy where it was learned.
            key: Key of the points at which the residuals are taken.
            lots: How often so many points are taken; what was compiled for training then serves.
        """
        # Variances below are small differences of large numbers, lost in single precision.
        with jax.enable_x64(True):
            double = {name: np.asarray(value, dtype=float) for name, value in aux.items()}
            exact = np.asarray(weights, dtype=float)
            ready = with_arrays(objective)
            taken = [linearised(ready, exact, double, lot) for lot in lot_keys(key, lots)]
        rows, jacobian = (
            # Readings come first in every lot, and count once; lots share the equation's weight.
            np.concatenate(
                [parts[0][: objective.values.size]]
                + [part[objective.values.size :] / np.sqrt(lots) for part in parts]
            )
            for parts in zip(*taken, strict=True)
        )
        return cls(objective.network, exact, jacobian, objective.ridge, rows)

    @cached_property
    def shift(self) -> Float[np.ndarray, " weight"]:
        """Expected weights of the linear network, less those at which it is made linear.

        Training ends a little off the lowest point, since the points of the equation are new every
        step. Of the linear network that point is known; the network itself does not follow so far.
        """
        # Near these weights rows are J w - target, and at them they must be `rows`.
        target = self.jacobian @ self.weights - self.rows
        pull = cho_solve((self.factor, True), target)
        # (JᵀJ + p)⁻¹ Jᵀ y = Jᵀ (1 + J Jᵀ/p)⁻¹ y / p: the small matrix of the rows serves.
        return self.jacobian.T @ pull / self.precision - self.weights

    def rounded(self) -> "Linearised":
        """The same with a Jacobian in single precision, as it is stored."""
        # There and back: values of single precision, but products of them in double.
        return replace(self, jacobian=self.jacobian.astype(np.float32).astype(float))

    def correction(self, points: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, " point"]:
        """How far the expected function lies above that of `weights` at points."""
        with jax.enable_x64(True):
            points = np.asarray(points, dtype=float)
            return np.asarray(_along(self.network, self.weights, self.shift, points))

    @cached_property
    def factor(self) -> Float[np.ndarray, "row row"]:
        """Lower Cholesky factor of one plus the rows' prior covariance."""
        # Only the lower triangle is filled, the one that `cholesky` reads.
        gram = dsyrk(1 / self.precision, self.jacobian.T, trans=1, lower=1)
        with one_thread():
            return cholesky(gram + np.eye(len(gram)), lower=True, overwrite_a=True)

    @cached_property
    def information(self) -> Float[np.ndarray, " weight"]:
        """The diagonal of $J^T J$: precision that the rows add to each weight, the others held."""
        # Without the squares as a matrix of their own, which takes longer than the sum.
        return np.einsum("ij,ij->j", self.jacobian, self.jacobian)

    def gradients(self, points: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, "point weight"]:
        """How the function at points depends on the weights."""
        with jax.enable_x64(True):
            return np.asarray(_gradients(self.network, self.weights, np.asarray(points, float)))

    def variance(self, points: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, " point"]:
        """The epistemic variance of the function at points."""
        # One batch at the least: without points the result is empty, not an error.
        starts = range(0, max(len(points), 1), BATCH)
        return np.concatenate([self._variance(points[s : s + BATCH]) for s in starts])

    def _variance(self, points: np.ndarray) -> np.ndarray:
        gradients = self.gradients(points)
        # gᵀ (JᵀJ + p)⁻¹ g = |g|²/p - |L⁻¹ J g|²/p² (Woodbury), with L of `factor`.
        explained = solve_triangular(self.factor, self.jacobian @ gradients.T, lower=True)
        before = np.sum(gradients**2, axis=1) / self.precision
        # A difference of two large numbers, which rounding must not make negative.
        return np.maximum(before - np.sum(explained**2, axis=0) / self.precision**2, 1e-12 * before)

    def draws(self, count: int, *, rng: np.random.Generator) -> Float[np.ndarray, "draw weight"]:
        """Departures of drawn weights from the expected ones."""
        # Matheron's rule: a draw of the prior, moved by as much as noisy rows of zeros would move
        # it, is a draw of the posterior. It needs only the small matrix of the rows.
        prior = rng.standard_normal((len(self.weights), count)) / np.sqrt(self.precision)
        noise = rng.standard_normal((len(self.jacobian), count))
        pull = cho_solve((self.factor, True), self.jacobian @ prior + noise)
        return (prior - self.jacobian.T @ pull / self.precision).T


def polished(
    objective: NetworkObjective, weights: Weights, aux: Aux, *, key: Key, lots: int, damping: float
) -> tuple[Float[np.ndarray, " weight"], float]:
    """Weights after one more damped step of Gauss-Newton, on all lots of points at once.

    A step on one lot follows that lot: between its points the equation is off by more than at them.
    The last steps need not be as cheap as those before, which only have to come near.
    """
    linear = Linearised.of(objective, np.asarray(weights), aux, key=key, lots=lots)
    prior = objective.ridge

    def terms(trial: np.ndarray) -> Terms:
        with jax.enable_x64(True):
            double = {name: np.asarray(value, dtype=float) for name, value in aux.items()}
            ready, keys = with_arrays(objective), lot_keys(key, lots)
            halves = [half_squares(ready, trial, double, lot) for lot in keys]
        # Every lot holds all readings and stands for the whole equation, so their mean counts.
        means = {name: float(np.mean([half[name] for half in halves])) for name in halves[0]}
        return means | {"prior": 0.5 * prior * float(trial @ trial)}

    start = Start(linear.weights, linear.rows, linear.jacobian, prior, terms(linear.weights))
    weights, _, left = lowered(start, damping, terms)
    return weights, sum(left.values()) - left["prior"]


def lot_keys(key: Key, lots: int) -> list[Key]:
    """The keys of so many lots of points; that of the first is the key itself."""
    return [key, *(jax.random.fold_in(key, lot) for lot in range(1, lots))]


@eqx.filter_jit
def _gradients(network, weights, points):
    def mean(weights, point):
        return network.at(weights, point)[0]

    return jax.vmap(jax.grad(mean), (None, 0))(weights, points)


@eqx.filter_jit
def _along(network, weights, shift, points):
    """Change of the linear network at points by a shift of its weights."""

    def means(weights):
        return network.values(weights, points)[:, 0]

    # One forward pass along the shift, where the Jacobian would have thousands of columns.
    return jax.jvp(means, (weights,), (shift,))[1]
