"""What a physics-informed network makes small: readings, residuals, distance to the prior."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.jet import Diffusion, JetField
from agewise.engine.networks.mlp import AbstractNetwork, Weights
from agewise.engine.objective.families import AbstractFamily
from agewise.engine.objective.priors import AbstractPrior
from agewise.engine.problems.base import AbstractProblem, Residual
from agewise.engine.training import AbstractObjective, Rows
from agewise.types import Key, Scalar

THIN = 8
"""Factor [1] by which regions that do not fill the domain, such as walls, take fewer points."""


def residual_values(
    residual: Residual,
    network: AbstractNetwork,
    weights: Weights,
    points: Float[Array, "point dim"],
    diffusion: Diffusion | None = None,
) -> tuple[Float[Array, " point"], Float[Array, "point output"]]:
    """A residual at points, all derivatives carried through the network at once.

    Args:
        residual: What must vanish at a point.
        network: The unknown function.
        weights: Its weights.
        points: Where it must vanish.
        diffusion: The sum in which alone it asks for the derivatives of which that is made.

    Returns:
        What must vanish at each point, and all outputs of the network there.
    """
    jets, function = network.jet(weights, points, diffusion), network.field(weights)

    def at(point: Float[Array, " dim"], jet: tuple[Scalar, ...]) -> Scalar:
        return residual(JetField(function, point, jet, diffusion), point)

    # The first output of every layer: equations are about the mean, another is the noise.
    return jax.vmap(at)(points, tuple(layer[:, 0] for layer in jets)), jets[0]


class Batch(NamedTuple):
    """All that chance decides in one step of training a network."""

    family: Any
    """What draws a function of the family."""
    readings: tuple[Float[Array, "..."], ...]
    """Points, values and variances of the readings of the batch; nothing where there are none."""
    points: dict[str, Float[Array, "point dim"]]
    """Points of every residual by its name."""


class NetworkObjective(AbstractObjective):
    r"""Minus the logarithm of the posterior, in expectation over a family of weights [nats].

    Readings $y_i$ with noise of variance $s_i^2$, residuals $r$ with the problem's scale $c$ and
    count $n$, and the divergence from the prior $D$ with its weight $\lambda$:
    $\lambda D + \sum_i [(u_i - y_i)^2/s_i^2 + \log s_i^2]/2 + \sum_r n \overline{r^2}/(2 c^2)$.
    """

    problem: AbstractProblem
    """Equation whose residuals count."""
    network: AbstractNetwork
    """Function that is trained."""
    family: AbstractFamily
    """Distributions over its weights."""
    prior: AbstractPrior
    """Prior of every weight, for the sums of squares of Gauss-Newton."""
    physics: bool
    """Whether the residuals of the problem count."""
    kl_weight: float
    """Weight on the divergence from the prior [1]."""
    points: Float[np.ndarray, "cell 2"]
    """Where each cell of readings lies, (x, t) in the unit square."""
    values: Float[np.ndarray, " cell"]
    """Mean of the readings of each cell, scaled to order one."""
    batch: int
    """Readings in a step, and as many points of the equation."""
    row_count: int
    """Points of the equation in a step of Gauss-Newton."""

    @property
    def ridge(self) -> float:
        """A Gaussian prior of the same variance: squares are what Gauss-Newton can take."""
        return float(1 / self.prior.variance)

    def terms(self, params, aux, *, key):
        """Divergence, readings and every residual, for one drawn function."""
        return self.terms_by(params, aux, self.chance(params, aux, key=key))

    def chance(self, params, aux, *, key):
        """What draws a function, the readings of the batch, and the points of every residual."""
        sample_key, batch_key, *region_keys = jax.random.split(key, 2 + len(self._residuals))
        picked = batch_of(self.values.size, self.batch, key=batch_key)
        cells = (self.points, self.values, aux["variance"]) if self.values.size else ()
        return Batch(
            family=self.family.chance(params, key=sample_key),
            readings=tuple(jnp.asarray(column)[picked] for column in cells),
            points={
                name: self.problem.regions()[name].points(
                    self._points_in(name, self.batch), key=region_key
                )
                for region_key, name in zip(region_keys, self._residuals, strict=True)
            },
        )

    def terms_by(self, params, aux, chance):
        """The terms of the function and the batch that were drawn."""
        weights = self.family.drawn(params, chance.family)
        result = {"divergence": self.kl_weight * self.family.divergence(params)}
        if chance.readings:
            result["readings"] = self._readings_term(weights, *chance.readings)
        for name, residual in self._residuals.items():
            result[name] = self._residual_term(name, residual, weights, aux, chance.points[name])
        return result

    def rows(self, aux, *, key):
        """Readings over their noise and residuals over their scales."""
        groups = {}
        if self.values.size:
            # Without the log variance that `terms` has: under Gauss-Newton it stays fixed.
            inverse_std = 1 / jnp.sqrt(aux["variance"])
            groups["readings"] = Rows(self._reading_row, (self.points, self.values, inverse_std))
        # Not strict below: without physics there is one key and no residual.
        keys = jax.random.split(key, max(1, len(self._residuals)))
        diffusion = self.problem.diffusion()
        for region_key, (name, residual) in zip(keys, self._residuals.items(), strict=False):
            count = self._points_in(name, self.row_count)
            points = self.problem.regions()[name].points(count, key=region_key)
            # Half the squares of all rows then sum to the term that `terms` has for the region.
            weight = jnp.sqrt(self._count(name) / count) / self._scale(name, aux)

            # Defaults bind what the loop would change before the row is called.
            def row(params, point, residual=residual, weight=weight):
                # A batch of one, since rows are written for one item and mapped over all.
                values, _ = residual_values(residual, self.network, params, point[None], diffusion)
                return weight * values[0]

            groups[name] = Rows(row, points)
        return groups

    def loosens(self, name: str) -> bool:
        """Whether these rows are the equation itself, whose discrepancy may be learned."""
        return name in self._residuals and self.problem.regions()[name].solid

    @property
    def _residuals(self) -> Mapping[str, Residual]:
        return self.problem.residuals() if self.physics else {}

    def _scale(self, name: str, aux) -> float | Scalar:
        """The declared discrepancy of a residual, times what was learned of the equation's own."""
        scale = self.problem.scales()[name]
        # Walls and first instants keep what was declared: readings inside say nothing of them.
        return scale * aux["looseness"] if "looseness" in aux and self.loosens(name) else scale

    def _count(self, name: str) -> float | Scalar:
        return self.problem.pseudo_observations()[name]

    def _points_in(self, name: str, wanted: int) -> int:
        """How many points a region takes of those wanted: thin regions need fewer."""
        return wanted if self.problem.regions()[name].solid else max(1, wanted // THIN)

    def _reading_row(self, params, item) -> Scalar:
        point, value, inverse_std = item
        return inverse_std * (self.network.field(params)(point) - value)

    def _readings_term(
        self,
        weights: Weights,
        points: Float[Array, "cell 2"],
        values: Float[Array, " cell"],
        variance: Float[Array, " cell"],
    ) -> Scalar:
        squares = (self.network.values(weights, points)[:, 0] - values) ** 2
        # Scaled up from the batch to all cells, so that the estimate of the sum is unbiased.
        return self.values.size / len(squares) * negative_log_density(squares, variance)

    def _residual_term(
        self, name: str, residual: Residual, weights: Weights, aux, points: Float[Array, "point 2"]
    ) -> Scalar:
        """An integral over the region: more points make it more exact, and no larger."""
        diffusion = self.problem.diffusion()
        values, _ = residual_values(residual, self.network, weights, points, diffusion)
        # The mean of squares times a count: however many points, the equation weighs as declared.
        return 0.5 * self._count(name) * jnp.mean(values**2) / self._scale(name, aux) ** 2


def batch_of(total: int, size: int, *, key: Key) -> slice | Array:
    """Numbers of `size` rows of `total`, drawn with replacement; all where there are no more."""
    # With replacement: drawing without it would sort all rows in every step.
    return jax.random.randint(key, (size,), 0, total) if size < total else slice(None)


def negative_log_density(
    squares: Float[Array, " point"], variance: Float[Array, " point"]
) -> Scalar:
    """Minus the log density of normal errors with these squares [nats], without the constant."""
    return 0.5 * jnp.sum(squares / variance + jnp.log(variance))
