"""What the published networks make small: one noise for readings and residuals alike."""

from collections.abc import Mapping
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.mlp import AbstractNetwork
from agewise.engine.objective.families import AbstractFamily
from agewise.engine.objective.objective import (
    Batch,
    batch_of,
    negative_log_density,
    residual_values,
)
from agewise.engine.objective.trained import head_variance
from agewise.engine.problems.base import AbstractProblem, Residual
from agewise.engine.training import AbstractObjective
from agewise.types import Scalar

FIXED_STD = 0.01
"""Standard deviation of readings and residuals in the homoscedastic networks, scaled [1]."""

Noise = Literal["head", "fixed", "none"]
"""Where the noise comes from: `head` is the network's second output, `fixed` is `FIXED_STD`, and
`none` counts mean squares, which know no noise."""


class PublishedObjective(AbstractObjective):
    r"""$\lambda D + L(y) + \sum_r w_r L(r)$ of readings $y$ and residuals $r$ at fixed points.

    $L$ is minus the log likelihood of all points of a kind, estimated on a mini-batch, or their
    mean square; $D$ is the divergence of the weights from their prior.
    """

    problem: AbstractProblem
    """Equation whose residuals count."""
    network: AbstractNetwork
    """Function that is trained."""
    family: AbstractFamily
    """Distributions over its weights."""
    noise: Noise
    """Where the noise of readings and residuals comes from."""
    interior_weight: float
    """Weight on the equation itself [1]."""
    kl_weight: float
    """Weight on the divergence from the prior [1]."""
    points: Float[np.ndarray, "reading 2"]
    """Where each reading was taken, (x, t) in the unit square."""
    values: Float[np.ndarray, " reading"]
    """Readings, scaled to order one."""
    fixed: dict[str, np.ndarray]
    """Points at which each residual counts, by its name; none without physics."""
    batch: int
    """Points of each kind in a step."""
    own_noise: bool = False
    """Whether the equation's residual has a variance of its own, which is one, and not that of the
    network's second output. A fixed noise is that of readings and residuals alike."""
    residual_factor: float = 1.0
    """What the equation's residual is multiplied by [1]."""
    means: bool = False
    """Whether a kind counts by its mean, and not by its sum."""

    def terms(self, params, aux, *, key):
        """Divergence, readings and every residual, for one drawn function."""
        return self.terms_by(params, aux, self.chance(params, aux, key=key))

    def chance(self, params, aux, *, key):
        """What draws a function, the readings of the batch, and the points of every residual."""
        sample_key, batch_key, *region_keys = jax.random.split(key, 2 + len(self.fixed))
        rows = batch_of(self.values.size, self.batch, key=batch_key)
        columns = (self.points, self.values) if self.values.size else ()
        points = {}
        for region_key, name in zip(region_keys, self._residuals, strict=True):
            fixed = jnp.asarray(self.fixed[name])
            points[name] = fixed[batch_of(len(fixed), self.batch, key=region_key)]
        return Batch(
            family=self.family.chance(params, key=sample_key),
            readings=tuple(jnp.asarray(column)[rows] for column in columns),
            points=points,
        )

    def terms_by(self, params, aux, chance):
        """The terms of the function and the batch that were drawn."""
        weights = self.family.drawn(params, chance.family)
        result = {"divergence": self.kl_weight * self.family.divergence(params)}
        if chance.readings:
            points, values = chance.readings
            outputs = self.network.values(weights, points)
            squares = (outputs[:, 0] - values) ** 2
            result["readings"] = self._term(squares, outputs, self.values.size, 1.0)
        for name, residual in self._residuals.items():
            at, diffusion = chance.points[name], self.problem.diffusion()
            values, outputs = residual_values(residual, self.network, weights, at, diffusion)
            total = len(self.fixed[name])
            # The equation alone has a weight, a unit and perhaps a variance of its own.
            if self.problem.regions()[name].solid:
                result[name] = self._equation(values, outputs, total)
            else:
                result[name] = self._term(values**2, outputs, total, 1.0)
        return result

    def _equation(
        self, values: Float[Array, " point"], outputs: Float[Array, "point output"], total: int
    ) -> Scalar:
        """The term of the equation itself, in the unit and with the variance that it is read in."""
        squares = (self.residual_factor * values) ** 2
        if self.noise != "head" or not self.own_noise:
            return self._term(squares, outputs, total, self.interior_weight)
        # A variance of one: half the squares, and a logarithm of zero.
        return self.interior_weight * self._share(total, len(squares)) * 0.5 * jnp.sum(squares)

    def _share(self, total: int, batch: int) -> float:
        """What the sum over a batch is multiplied by, to stand for all points of its kind."""
        return 1 / batch if self.means else total / batch

    @property
    def _residuals(self) -> Mapping[str, Residual]:
        # In the problem's order: a dict of arrays comes back from JAX in that of the alphabet.
        return {name: r for name, r in self.problem.residuals().items() if name in self.fixed}

    def _term(
        self,
        squares: Float[Array, " point"],
        outputs: Float[Array, "point output"],
        total: int,
        weight: float | Scalar,
    ) -> Scalar:
        """The term that a batch of squares estimates, of `total` points with this weight [1]."""
        if self.noise == "none":
            return weight * jnp.mean(squares)
        fixed = jnp.full(len(squares), FIXED_STD**2)
        variance = head_variance(outputs) if self.noise == "head" else fixed
        # A batch stands for all points of its kind, so that its sum is unbiased.
        return weight * self._share(total, len(squares)) * negative_log_density(squares, variance)
