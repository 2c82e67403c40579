"""The most probable functions and constants of a problem, tried again where a fit falls short."""

from dataclasses import dataclass, replace
from itertools import islice

import jax
import numpy as np
from jaxtyping import Float
from scipy.linalg import cholesky

from agewise.engine.equations.check import Check, readings_finding, residual_finding
from agewise.engine.equations.collocation import Collocation, collocation, residuals_at
from agewise.engine.equations.noise import Noise, learned_noise
from agewise.engine.equations.rows import EquationObjective
from agewise.engine.equations.sensors import Sensor, sensors_of, sizes_of
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.unknown import Unknown, perceptrons
from agewise.engine.equations.weights import GaussianWeights
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stage, Stages
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.objective import Aux
from agewise.engine.training.optimisers import linearised
from agewise.types import Key

LEADING = 1e-3
"""Weight of the prior in the first steps [1]."""
FRESH = "fresh points"
"""Name under which the key of points that a fit has not seen is drawn."""


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
    """What was read."""
    variances: Aux
    """Variance of every reading, by sensor, as last learned."""
    noises: dict[str, Noise]
    """Law of the noise of every sensor."""
    loss: float
    """What was made small, at these numbers [nats]."""
    check: Check
    """Whether the fit can be trusted."""
    stages: Stages
    """How it was trained."""

    @property
    def objective(self) -> EquationObjective:
        """Rows of residuals and readings; a residual that the network could not bring down to its
        scale counts by what is left of it."""
        factors = {name: max(1.0, size) for name, size in self.check.residuals.items()}
        scales = {name: scale * factors[name] for name, scale in self.taken.scales.items()}
        loosened = replace(self.taken, scales=scales)
        return EquationObjective.of(self.problem, self.unknown, loosened, self.sensors)

    def gaussian(self) -> GaussianWeights:
        """The Gaussian about the most probable numbers, of functions that are linear in them."""
        return gaussian(self.objective, self.numbers, self.variances, self.stages.key)


def gaussian(
    objective: EquationObjective, numbers: np.ndarray, variances: Aux, key: Key
) -> GaussianWeights:
    """The precision of the numbers: one of the prior, and the rows' own."""
    with jax.enable_x64(True):
        _, jacobian = linearised(with_arrays(objective), numbers, variances, key)
    precision = jacobian.T @ jacobian + np.eye(len(numbers))
    return GaussianWeights(numbers, cholesky(precision, lower=True))


def most_probable(
    problem: AbstractProblem, settings: EquationSettings, *, key: Key, monitor: Monitor
) -> Fitted:
    """The best of a few fits; another is tried only where the one before does not pass its check.

    Each has a richer network than the last, and starts from other numbers.
    """
    best = None
    stages = Stages(key, monitor)
    for number, richer in enumerate(islice(settings.richer(), settings.attempts)):
        fitted = _fitted(problem, richer, stages, number)
        stopped = any(end.interrupted for end in stages.trained.values())
        if best is None or _rank(fitted) < _rank(best):
            best = fitted
        if best.check.sound or stopped:
            break
    assert best is not None
    return best


def _rank(fitted: Fitted) -> tuple[bool, float]:
    """Smaller is better: sound ones first, then by how far equations and readings are off."""
    check = fitted.check
    off = [*check.residuals.values(), *np.sqrt(list(check.readings.values()))]
    return not check.sound, float(np.sum(np.log(np.maximum(off, 1.0))))


def _fitted(
    problem: AbstractProblem, settings: EquationSettings, stages: Stages, number: int
) -> Fitted:
    """One fit: Gauss-Newton to rest, in turn with the noise of the sensors."""
    sensors = sensors_of(problem)
    sizes = sizes_of(problem, sensors)
    unknown = perceptrons(problem, settings.hidden, settings.stretch, sizes)
    name = f"attempt {number + 1}"
    taken = collocation(problem, unknown, key=stages.key_of("points"))
    rng = np.random.default_rng(np.asarray(jax.random.key_data(stages.key_of(name))))
    return rest(problem, unknown, taken, sensors, settings, stages, unknown.initial(rng), name)


def rest(
    problem: AbstractProblem,
    unknown: Unknown,
    taken: Collocation,
    sensors: dict[str, Sensor],
    settings: EquationSettings,
    stages: Stages,
    numbers: Float[np.ndarray, " number"],
    name: str,
) -> Fitted:
    """The most probable numbers from these on, noise and numbers in turn."""
    objective = EquationObjective.of(problem, unknown, taken, sensors)
    variances = {sensor: of.first_variance() for sensor, of in sensors.items()}
    noises: dict[str, Noise] = {}
    learns = any(sensor.known is None for sensor in sensors.values())
    converged, loss = True, np.inf
    # From random numbers, a fit on which the prior weighs as much as a few readings first finds the
    # function that is zero, and then hardly moves: so data and equations lead.
    lead = Stage("gauss-newton", settings.lead_steps, settings.rate, look=settings.look)
    leading = replace(objective, prior_weight=LEADING)
    numbers = np.asarray(stages.run(f"{name}, lead", lead, leading, numbers, variances).params)
    for turn in range(settings.turns if learns else 1):
        stage = Stage(
            "gauss-newton",
            settings.steps,
            rate=1.0,
            look=settings.look,
            tolerance=settings.tolerance,
        )
        end = stages.run(f"{name}, {turn + 1}", stage, objective, numbers, variances)
        numbers = np.asarray(end.params)
        totals = end.history.get("total", np.zeros(0))
        converged, loss = stage.converged(end.history), float(totals[-1]) if totals.size else loss
        doubt = gaussian(objective, numbers, variances, stages.key) if sensors else None
        noises = {s: _noise(problem, objective, numbers, s, of, doubt) for s, of in sensors.items()}
        for sensor, of in sensors.items():
            if of.known is None:
                there = quantity_at(objective, numbers, sensor)
                variances[sensor] = noises[sensor].variance(of.points, there)
    check = _check(problem, unknown, taken, sensors, objective, numbers, variances, stages)
    check = replace(check, converged=converged, attempts=int(name.split()[-1]))
    return Fitted(
        problem, settings, unknown, numbers, taken, sensors, variances, noises, loss, check, stages
    )


def box_of(problem: AbstractProblem) -> Float[np.ndarray, "end axis"]:
    """Least and largest coordinates of a problem."""
    return np.array(list(problem.coordinates().values()), dtype=float).T


def quantity_at(
    objective: EquationObjective, numbers: np.ndarray, sensor: str
) -> Float[np.ndarray, " reading"]:
    """What a sensor would read without noise, at every reading."""
    return _quantity_and_gradient(objective, numbers, sensor)[0]


def _quantity_and_gradient(
    objective: EquationObjective, numbers: np.ndarray, sensor: str
) -> tuple[np.ndarray, np.ndarray]:
    """The quantity of a sensor at its readings, and how it depends on the numbers."""
    row, items = objective.rows(_unit_noise(objective), key=jax.random.key(0))[
        f"readings of {sensor}"
    ]
    with jax.enable_x64(True):
        values, gradients = jax.jit(jax.vmap(jax.value_and_grad(row), (None, 0)))(numbers, items)
    return np.asarray(values) + objective.values[sensor], np.asarray(gradients)


def _unit_noise(objective: EquationObjective) -> Aux:
    return {name: np.ones(len(values)) for name, values in objective.values.items()}


def _noise(
    problem: AbstractProblem,
    objective: EquationObjective,
    numbers: np.ndarray,
    name: str,
    sensor: Sensor,
    doubt: GaussianWeights | None,
) -> Noise:
    """The law of a sensor's noise: of its errors and the doubt of the fit, or as it is known."""
    there, gradients = _quantity_and_gradient(objective, numbers, name)
    if sensor.known is not None:
        return learned_noise(sensor.points, there, sensor.known, box_of(problem))
    assert doubt is not None
    squares = (sensor.values - there) ** 2 + doubt.variance(gradients)
    return learned_noise(sensor.points, there, squares, box_of(problem))


def _check(
    problem: AbstractProblem,
    unknown: Unknown,
    taken: Collocation,
    sensors: dict[str, Sensor],
    objective: EquationObjective,
    numbers: np.ndarray,
    variances: Aux,
    stages: Stages,
) -> Check:
    """What the fit leaves of its readings, and of its residuals at points it has not seen."""
    fresh = collocation_points(problem, taken, key=stages.key_of(FRESH))
    unseen, seen = (residuals_at(problem, unknown, numbers, p) for p in (fresh, taken.points))
    size = {name: float(np.sqrt(np.mean(r**2))) for name, r in unseen.items()}
    before = {name: float(np.sqrt(np.mean(r**2))) for name, r in seen.items()}
    residuals = {name: size[name] / taken.scales[name] for name in size}
    findings = [residual_finding(name, value) for name, value in residuals.items()]
    readings, box = {}, box_of(problem)
    for name, sensor in sensors.items():
        errors = (sensor.values - quantity_at(objective, numbers, name)) / np.sqrt(variances[name])
        readings[name] = float(np.mean(errors**2))
        spread = float(sensor.values.std())
        share = float(np.sqrt(np.mean(variances[name]))) / spread if spread else 0.0
        shares = (sensor.points - box[0]) / (box[1] - box[0])
        learned = share if sensor.known is None else None
        findings.append(readings_finding(name, shares, errors, learned))
    return Check(
        readings,
        residuals,
        {name: size[name] / (before[name] or 1.0) for name in size},
        converged=True,
        attempts=1,
        findings=tuple(finding for finding in findings if finding),
    )


def collocation_points(
    problem: AbstractProblem, taken: Collocation, *, key: Key
) -> dict[str, np.ndarray]:
    """As many other points of every region."""
    regions = problem.regions()
    keys = jax.random.split(key, len(regions))
    with jax.enable_x64(True):
        return {
            name: np.asarray(region.points(len(taken.points[name]), key=one), dtype=float)
            for (name, region), one in zip(regions.items(), keys, strict=True)
        }
