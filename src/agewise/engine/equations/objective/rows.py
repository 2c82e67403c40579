"""Readings, residuals and prior as sums of squares: what a fit makes small."""

from collections.abc import Mapping

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.objective.collocation import Collocation
from agewise.engine.equations.objective.sensors import Sensor
from agewise.engine.problems.base import AbstractProblem, Residual
from agewise.engine.training import AbstractObjective, Rows
from agewise.engine.training.objective import Params
from agewise.types import Scalar


class EquationObjective(AbstractObjective):
    r"""Minus the logarithm of the posterior [nats], but for constants.

    $\sum_i (q_i - y_i)^2/(2 s_i^2) + \sum_r n \overline{r^2}/(2 c^2) + |w|^2/2$ with quantities
    $q_i$ that were read as $y_i$ with noise $s_i$, residuals $r$ of scale $c$ that weigh $n$
    observations, and numbers $w$ that are standard normal beforehand.
    """

    problem: AbstractProblem
    """Problem whose equations must hold."""
    unknown: Unknown
    """Functions and constants for every vector of numbers."""
    points: dict[str, np.ndarray]
    """Where each residual is taken."""
    weights: dict[str, np.ndarray]
    """What each residual is multiplied with, at each of its points."""
    places: dict[str, np.ndarray]
    """Where each sensor was read."""
    values: dict[str, np.ndarray]
    """What each sensor read."""
    quantities: tuple[tuple[str, Residual | None], ...] = eqx.field(static=True)
    """What each sensor reads, by its name; None for the first function. Not asked of the problem
    while it is compiled, since readings are made by NumPy."""

    @classmethod
    def of(
        cls,
        problem: AbstractProblem,
        unknown: Unknown,
        taken: Collocation,
        sensors: dict[str, Sensor],
    ) -> "EquationObjective":
        """The objective of a problem at points of its residuals."""
        return cls(
            problem,
            unknown,
            taken.points,
            {name: taken.weights(name) for name in taken.points},
            {name: sensor.points for name, sensor in sensors.items()},
            {name: sensor.values for name, sensor in sensors.items()},
            tuple((name, sensor.quantity) for name, sensor in sensors.items()),
        )

    prior_weight: float = 1.0
    """Weight of the prior [1]; 1 but for the first steps of a fit."""

    @property
    def ridge(self) -> float:
        """Every number is standard normal beforehand."""
        return float(self.prior_weight)

    def terms(self, params, aux, *, key):
        """Every sum of squares, and the prior's."""
        terms = half_squares(self.rows(aux, key=key), params)
        return terms | {"prior": 0.5 * self.prior_weight * jnp.sum(params**2)}

    def rows(self, aux, *, key):
        """Residuals over their scales and readings over their noise; the points stay."""
        groups = {}
        for name, residual in self.problem.residuals().items():
            # Defaults bind what the loop would change before the row is called.
            def row(params, item, residual=residual):
                point, weight = item
                return weight * residual(self.unknown.unknowns(params), point)

            groups[name] = Rows(row, (self.points[name], self.weights[name]))
        for name, quantity in self.quantities:

            def reading(params, item, quantity=quantity):
                point, value, inverse_std = item
                unknowns = self.unknown.unknowns(params)
                there = unknowns(point) if quantity is None else quantity(unknowns, point)
                return inverse_std * (there - value)

            inverse_std = 1 / jnp.sqrt(aux[name])
            items = (self.places[name], self.values[name], inverse_std)
            # A prefix, so that a sensor may have the name of an equation.
            groups[f"readings of {name}"] = Rows(reading, items)
        return groups


def half_squares(groups: Mapping[str, Rows], params: Params) -> dict[str, Scalar]:
    """Half the sum of squares of every group of rows [nats]."""
    return {
        name: 0.5 * jnp.sum(jnp.square(jax.vmap(row, (None, 0))(params, items)))
        for name, (row, items) in groups.items()
    }
