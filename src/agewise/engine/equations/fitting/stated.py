"""A problem with the functions, points and readings that it is fitted with, before any fit."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.unknown import Unknown, perceptrons
from agewise.engine.equations.objective.collocation import Collocation, collocation
from agewise.engine.equations.objective.noise import Noise
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.objective.sensors import Sensor, sizes_of, unsized
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Stages
from agewise.engine.training.objective import Aux


@dataclass(frozen=True, eq=False)
class Stated:
    """What a fit sets out from, but for the numbers."""

    problem: AbstractProblem
    """Problem to be fitted."""
    settings: EquationSettings
    """How its functions are represented and fitted."""
    unknown: Unknown
    """Functions and constants for every vector of numbers."""
    taken: Collocation
    """Points and scales of the residuals."""
    sensors: dict[str, Sensor]
    """What every sensor read, by its name."""
    determined: bool = False
    """Whether equations determine its functions but for a few numbers, which are for the readings
    to tell: gains are wide then, and none is learned."""

    def objective(self) -> EquationObjective:
        """Rows of residuals and readings."""
        return EquationObjective.of(self.problem, self.unknown, self.taken, self.sensors)

    @property
    def rows(self) -> int:
        """Residuals and readings altogether."""
        points = sum(len(points) for points in self.taken.points.values())
        return points + sum(len(sensor.values) for sensor in self.sensors.values())

    def first_variances(self) -> Aux:
        """Variance of every reading before anything is learned of it, by sensor."""
        return {name: sensor.first_variance() for name, sensor in self.sensors.items()}

    def fitted(
        self,
        numbers: Float[np.ndarray, " number"],
        variances: Aux,
        noises: dict[str, Noise],
        check: Check,
        stages: Stages,
    ) -> Fitted:
        """What a fit has found, with all that it set out from; arguments as `Fitted` has them."""
        return Fitted(
            self.problem,
            self.settings,
            self.unknown,
            numbers,
            self.taken,
            self.sensors,
            variances,
            noises,
            check,
            stages,
        )


def on_network(
    problem: AbstractProblem,
    settings: EquationSettings,
    sensors: dict[str, Sensor],
    stages: Stages,
    found: Mapping[str, float] | None = None,
) -> Stated:
    """A problem whose functions are networks of the layers and the stretch that settings give, and
    of these sizes where another fit has found them."""
    sizes = sizes_of(problem, sensors) | {name: (0.0, of) for name, of in (found or {}).items()}
    unknown = perceptrons(problem, settings.hidden, settings.stretch, sizes)
    # By one name: every start and attempt of a fit has the same key for its points.
    guessed = unsized(problem, sensors) == list(problem.functions())
    taken = collocation(problem, unknown, key=stages.key_of("points"), guessed=guessed)
    return Stated(problem, settings, unknown, taken, sensors)
