"""What a fit has found, and the Gaussian about it."""

from dataclasses import dataclass, replace

import jax
import numpy as np
from jaxtyping import Float
from scipy.linalg import qr, solve_triangular

from agewise.engine.equations.functions.unknown import Unknown, gradients_at
from agewise.engine.equations.objective.collocation import Collocation, box_of
from agewise.engine.equations.objective.noise import Noise
from agewise.engine.equations.objective.quantity import quantity_and_gradient, quantity_at
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.objective.sensors import Sensor
from agewise.engine.equations.posterior.check import (
    Check,
    followed_remark,
    open_finding,
    prior_finding,
)
from agewise.engine.equations.posterior.weights import GaussianWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Stages
from agewise.engine.training.gauss_newton import linearised
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.objective import Aux
from agewise.types import Key

OPEN_POINTS = 400
"""Points of the box at which it is asked whether functions are left open."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """The most probable numbers of a problem, and all that is needed to say how sure they are."""

    problem: AbstractProblem
    """Problem that was fitted."""
    settings: EquationSettings
    """How its functions are represented, as this attempt had it."""
    unknown: Unknown
    """Functions and constants for every vector of numbers."""
    numbers: Float[np.ndarray, " number"]
    """The most probable numbers."""
    taken: Collocation
    """Points and scales of the residuals."""
    sensors: dict[str, Sensor]
    """What every sensor read, by its name."""
    variances: Aux
    """Variance of every reading, by sensor, as last learned."""
    noises: dict[str, Noise]
    """Law of the noise of every sensor."""
    check: Check
    """Whether the fit can be trusted."""
    stages: Stages
    """Stages of the fit that were run, with its key."""

    @property
    def objective(self) -> EquationObjective:
        """Rows of residuals and readings, as `loosened` has them."""
        return EquationObjective.of(self.problem, self.unknown, self.loosened, self.sensors)

    @property
    def loosened(self) -> Collocation:
        """Points and scales; a residual that the network could not bring down to its scale counts
        by what is left of it."""
        # Never tightened: what is looser than it turned out was declared so on purpose.
        factors = {name: max(1.0, size) for name, size in self.check.residuals.items()}
        scales = {name: scale * factors[name] for name, scale in self.taken.scales.items()}
        return replace(self.taken, scales=scales)

    @property
    def log_evidence(self) -> float:
        """Logarithm of the density of readings and residuals [nats], but for what all fits of a
        problem share: so at the declared scales, which loosened ones are not."""
        declared = EquationObjective.of(self.problem, self.unknown, self.taken, self.sensors)
        rows, upper = _triangular(declared, self.numbers, self.variances, self.stages.key)
        # The densities of readings have 1/s, without which the largest noise would always win.
        logs = sum(float(np.sum(np.log(v))) for v in self.variances.values())
        # So have those of residuals, each as often as its region counts: the scale of an exact
        # equation is a share of its terms, and these are larger for functions that change faster.
        counts, scales = self.taken.counts, self.taken.scales
        logs += 2 * sum(counts[name] * float(np.log(scale)) for name, scale in scales.items())
        loss = 0.5 * float(rows @ rows + self.numbers @ self.numbers)
        # Laplace: ½ log|JᵀJ + 1| is the sum of the logarithms on the triangle's diagonal.
        return -loss - float(np.sum(np.log(np.abs(np.diag(upper)[:-1])))) - 0.5 * logs

    def gaussian(self) -> GaussianWeights:
        """The Gaussian about the most probable numbers, of functions that are linear in them."""
        return gaussian(self.objective, self.numbers, self.variances, self.stages.key)

    def closed_form(self) -> GaussianWeights:
        """The posterior where functions are linear in their numbers.

        Its centre is not quite `numbers`: these were found before the noise was learned for the
        last time and before scales were loosened. One full step leads there.
        """
        _, upper = _triangular(self.objective, self.numbers, self.variances, self.stages.key)
        factor, turned = upper[:-1, :-1], upper[:-1, -1]
        # R δ = Qᵀ [rows, numbers]: a full Gauss-Newton step, exact where rows are linear.
        centre = self.numbers - solve_triangular(factor, turned)
        return GaussianWeights(centre, np.ascontiguousarray(factor.T))

    def checked(self, doubt: GaussianWeights) -> Check:
        """The check, with what this Gaussian says of how much was learned at all."""
        # A number's variance falls from one to zero as it is determined (MacKay).
        determined = float(np.sum(1 - doubt.variances))
        readings = sum(len(sensor.values) for sensor in self.sensors.values())
        exact = not (readings or any(self.problem.scales().values()))
        check = self.check.with_findings(
            prior_finding(determined, len(self.unknown.functions), exact=exact),
            *self._left_open(doubt),
        )
        return check.with_remarks(followed_remark(self.determined_by_readings(doubt), readings))

    def _left_open(self, doubt: GaussianWeights) -> list[str | None]:
        """What is wrong where exact equations, of which nothing is read, leave functions open."""
        # Of readings, loose equations and unknown constants wide doubt is an answer; and of a fit
        # that is not solved it says nothing.
        loose = any(self.problem.scales().values())
        meant = not (self.sensors or loose or self.problem.constants())
        if not meant or not self.check.sound:
            return []
        low, high = box_of(self.problem)
        points = np.random.default_rng(0).uniform(low, high, (OPEN_POINTS, len(low)))
        found = []
        for name, function in self.unknown.functions.items():
            with jax.enable_x64(True):
                gradients = np.asarray(gradients_at(self.unknown, self.numbers, name, points))
            std = np.sqrt(doubt.variance(gradients))
            found.append(open_finding(name, points, std / float(function.size)))
        return found

    def mean_square(self, sensor: str) -> float:
        """The mean squared error of a sensor's readings, in the square of their unit."""
        there = quantity_at(self.objective, self.numbers, sensor)
        return float(np.mean((self.sensors[sensor].values - there) ** 2))

    def determined_by_readings(self, doubt: GaussianWeights) -> float:
        """How many numbers the readings determine, and not the equations: by how much of itself
        each fitted reading moves with what was read there."""
        total, objective = 0.0, self.objective
        for name in self.sensors:
            _, gradients = quantity_and_gradient(objective, self.numbers, name)
            # The diagonal of the hat matrix, ∂q/∂y = Var(q)/s².
            total += float(np.sum(doubt.variance(gradients) / self.variances[name]))
        return total


def gaussian(
    objective: EquationObjective, numbers: np.ndarray, variances: Aux, key: Key
) -> GaussianWeights:
    """The precision of the numbers: one of the prior, and the rows' own."""
    _, upper = _triangular(objective, numbers, variances, key)
    return GaussianWeights(numbers, np.ascontiguousarray(upper[:-1, :-1].T))


def _triangular(
    objective: EquationObjective, numbers: np.ndarray, variances: Aux, key: Key
) -> tuple[Float[np.ndarray, " row"], Float[np.ndarray, "column column"]]:
    """Rows at these numbers; and the triangle that rows and prior are turned into, with what they
    leave as its last column."""
    with jax.enable_x64(True):
        rows, jacobian = linearised(with_arrays(objective), numbers, variances, key)
    # The factor of JᵀJ + 1 without making that product, whose rounding would drown the prior where
    # equations are tight.
    # The prior as rows of its own: every number over its standard deviation, which is one.
    prior = np.column_stack([np.eye(len(numbers)), numbers])
    stacked = np.concatenate([np.column_stack([jacobian, rows]), prior])
    # Signs of the diagonal are free: RᵀR is the same, and logarithms take its size.
    upper = qr(stacked, mode="r", overwrite_a=True, check_finite=False)[0]
    return rows, upper[: len(numbers) + 1]
