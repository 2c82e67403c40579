"""What a physics-informed network makes small: readings, residuals, distance to the prior."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.jet import JetField
from agewise.engine.networks.mlp import AbstractNetwork, Weights
from agewise.engine.objective.priors import AbstractPrior
from agewise.engine.objective.settings import Likelihood
from agewise.engine.problems.base import AbstractProblem, Residual
from agewise.engine.training import AbstractObjective, Rows
from agewise.types import Key, Scalar

FIXED_STD = 0.01
"""of readings and residuals, scaled, where the noise is fixed"""
SMALLEST = 1e-6
"""Variance that a head cannot go below."""
THIN = 8
"""Regions that do not fill the domain, such as walls, take so many times fewer points."""


class AbstractFamily(eqx.Module):
    """Which distributions over weights are allowed."""

    @property
    def certain(self) -> bool:
        """Whether there is one function only."""
        return False

    @abstractmethod
    def sample(self, params: Any, *, key: Key) -> Weights:
        """Weights of one function."""

    @abstractmethod
    def divergence(self, params: Any) -> Scalar:
        """The price of leaving the prior."""

    @abstractmethod
    def centre(self, params: Any) -> Weights:
        """Weights of the expected function."""


def residual_values(
    residual: Residual,
    network: AbstractNetwork,
    weights: Weights,
    points: Float[Array, "point dim"],
) -> tuple[Float[Array, " point"], Float[Array, "point output"]]:
    """What must vanish at points, all derivatives carried through the network at once; outputs."""
    jets, function = network.jet(weights, points), network.field(weights)

    def at(point: Float[Array, " dim"], jet: tuple[Scalar, ...]) -> Scalar:
        return residual(JetField(function, point, jet), point)

    return jax.vmap(at)(points, tuple(layer[:, 0] for layer in jets)), jets[0]


class NetworkObjective(AbstractObjective):
    """Minus the logarithm of the posterior, in expectation over the family."""

    problem: AbstractProblem
    network: AbstractNetwork
    family: AbstractFamily
    prior: AbstractPrior
    likelihood: Likelihood
    interior_weight: float
    """on the equation itself, when it shares the noise of the readings"""
    kl_weight: float
    points: Float[np.ndarray, "cell 2"]
    values: Float[np.ndarray, " cell"]
    fixed: dict[str, np.ndarray]
    """Points of each residual, where they stay as they are."""
    row_count: int

    @property
    def ridge(self) -> float:
        """A Gaussian prior of the same variance: squares are what Gauss-Newton can take."""
        return float(1 / self.prior.variance)

    def terms(self, params, aux, *, key):
        """Divergence, readings and every residual, for one drawn function."""
        drawn, picked, *spread = jax.random.split(key, 2 + len(self._residuals))
        weights = self.family.sample(params, key=drawn)
        result = {"divergence": self.kl_weight * self.family.divergence(params)}
        if self.values.size:
            result["readings"] = self._readings_term(weights, aux, picked)
        for one, (name, residual) in zip(spread, self._residuals.items(), strict=True):
            result[name] = self._residual_term(name, residual, weights, aux, one)
        return result

    def rows(self, aux, *, key):
        """Readings over their noise and residuals over their scales."""
        groups = {}
        if self.values.size:
            precision = 1 / jnp.sqrt(aux["variance"])
            groups["readings"] = Rows(self._reading_row, (self.points, self.values, precision))
        keys = jax.random.split(key, max(1, len(self._residuals)))
        for one, (name, residual) in zip(keys, self._residuals.items(), strict=False):
            region = self.problem.regions()[name]
            count = self.row_count if region.solid else max(1, self.row_count // THIN)
            points = region.points(count, key=one)
            weight = jnp.sqrt(self._count(name) / count) / self._scale(name, aux)

            def row(params, point, residual=residual, weight=weight):
                values, _ = residual_values(residual, self.network, params, point[None])
                return weight * values[0]

            groups[name] = Rows(row, points)
        return groups

    @property
    def _residuals(self) -> Mapping[str, Residual]:
        return self.problem.residuals() if self.likelihood.physics else {}

    def loosens(self, name: str) -> bool:
        """Whether these rows are the equation itself, whose discrepancy may be learned."""
        return name in self._residuals and self.problem.regions()[name].solid

    def _scale(self, name: str, aux) -> float | Scalar:
        """The declared discrepancy of a residual, times what was learned of the equation's own."""
        scale = self.problem.scales()[name]
        return scale * aux["looseness"] if "looseness" in aux and self.loosens(name) else scale

    def _count(self, name: str) -> float | Scalar:
        return self.problem.pseudo_observations()[name]

    def _reading_row(self, params, item) -> Scalar:
        point, value, precision = item
        return precision * (self.network.field(params)(point) - value)

    def _readings_term(self, weights: Weights, aux, key: Key) -> Scalar:
        size, total = min(self.likelihood.batch, self.values.size), self.values.size
        every = slice(None)
        picked = jax.random.randint(key, (size,), 0, total) if size < total else every
        points, values = jnp.asarray(self.points)[picked], jnp.asarray(self.values)[picked]
        outputs = self.network.values(weights, points)
        squares = (outputs[:, 0] - values) ** 2
        if self.likelihood.residual == "mean":
            return jnp.mean(squares)
        variance = self._variance(outputs, jnp.asarray(aux["variance"])[picked])
        return total / size * _negative_log(squares, variance)

    def _residual_term(
        self, name: str, residual: Residual, weights: Weights, aux, key: Key
    ) -> Scalar:
        points = self._batch(name, key)
        values, outputs = residual_values(residual, self.network, weights, points)
        if self.likelihood.residual == "own":
            scale = self._scale(name, aux)
            return 0.5 * self._count(name) * jnp.mean(values**2) / scale**2
        inside = self.problem.regions()[name].solid
        weight = self.interior_weight if inside else 1.0
        if self.likelihood.residual == "mean":
            return weight * jnp.mean(values**2)
        variance = self._variance(outputs, jnp.full(len(points), FIXED_STD**2))
        count = self.fixed[name].shape[0] if name in self.fixed else self._count(name)
        return weight * count / len(points) * _negative_log(values**2, variance)

    def _batch(self, name: str, key: Key) -> Float[Array, "point dim"]:
        size = self.likelihood.batch
        if name not in self.fixed:
            region = self.problem.regions()[name]
            return region.points(size if region.solid else max(1, size // THIN), key=key)
        fixed = jnp.asarray(self.fixed[name])
        if len(fixed) <= size:
            return fixed
        return fixed[jax.random.randint(key, (size,), 0, len(fixed))]

    def _variance(
        self, outputs: Float[Array, "point output"], told: Float[Array, " point"]
    ) -> Float[Array, " point"]:
        if self.likelihood.noise == "head":
            return head_variance(outputs)
        return told


def head_variance(outputs: Float[Array, "point output"]) -> Float[Array, " point"]:
    """The second output as a variance."""
    return jax.nn.softplus(outputs[:, 1]) + SMALLEST


def _negative_log(squares: Float[Array, " point"], variance: Float[Array, " point"]) -> Scalar:
    """of normal densities, without the constant"""
    return 0.5 * jnp.sum(squares / variance + jnp.log(variance))
