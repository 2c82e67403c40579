"""`exact`: the closed form of a linear problem of one or two coordinates, on waves."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from agewise.engine.equations.check import Check
from agewise.engine.equations.collocation import collocation
from agewise.engine.equations.fitting import Fitted, rest
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.sensors import sensors_of, sizes_of
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.unknown import Unknown, waves
from agewise.engine.equations.weights import GaussianWeights
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.problems.linearity import refuse_nonlinear
from agewise.engine.training import Monitor, Stages
from agewise.errors import InputError
from agewise.types import Key

COUNTS = {1: 80, 2: 24}
"""Waves along each coordinate, by the number of coordinates."""
REACHES = (0.06, 0.12, 0.25, 0.4)
"""Shares of the waves from which coefficients fade [1]; that of the greatest evidence is taken."""


@dataclass(frozen=True)
class Exact(AbstractMethod):
    """A Gaussian over the coefficients of waves; nothing is approximated but the basis."""

    name: ClassVar[str] = "exact"
    summary: ClassVar[str] = (
        "The closed form, for linear equations of one or two coordinates without unknown "
        "constants; seconds, and the yardstick for all others."
    )

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The expected coefficients, for the reach that makes the data most likely."""
        if len(problem.coordinates()) not in COUNTS:
            raise InputError(
                f"`exact` serves one or two coordinates, and this problem has "
                f"{len(problem.coordinates())}.",
                hint='choose a method with a network, such as `method="laplace"`.',
            )
        refuse_nonlinear(problem)
        fits = []
        for share in REACHES:
            chosen = replace(self.settings, stretch=share, rate=1e12, steps=4, look=2)
            sensors = sensors_of(problem)
            unknown = self.unknown(problem, chosen, sizes_of(problem, sensors))
            stages = Stages(key, monitor)
            taken = collocation(problem, unknown, key=stages.key_of("points"))
            start = np.zeros(unknown.size)
            fits.append(
                rest(problem, unknown, taken, sensors, chosen, stages, start, f"reach {share} 1")
            )
        return max(fits, key=_log_evidence)

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[GaussianWeights, Check]:
        """The Gaussian over the coefficients."""
        return fitted.gaussian(), fitted.check

    @classmethod
    def unknown(cls, problem: AbstractProblem, settings: EquationSettings, sizes) -> Unknown:
        """Waves that fade beyond the reach, which stands in the place of the stretch."""
        count = COUNTS[len(problem.coordinates())]
        return waves(problem, count, settings.stretch * count, sizes)


def _log_evidence(fitted: Fitted) -> float:
    """Logarithm of the density of readings and residuals, but for what all fits share."""
    factor = fitted.gaussian().factor
    logs = sum(float(np.sum(np.log(v))) for v in fitted.variances.values())
    return -fitted.loss - float(np.sum(np.log(np.abs(np.diag(factor))))) - 0.5 * logs
