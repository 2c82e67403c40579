"""The most probable functions and constants of a problem, tried again where a fit falls short."""

from dataclasses import dataclass, replace
from itertools import islice

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.linalg import qr

from agewise.engine.equations.check import Check, readings_finding, residual_finding
from agewise.engine.equations.collocation import Collocation, collocation, residuals_at
from agewise.engine.equations.gains import learned_gains
from agewise.engine.equations.noise import Noise, learned_noise
from agewise.engine.equations.rows import EquationObjective
from agewise.engine.equations.sensors import Sensor, sensors_of, sizes_of
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.unknown import Unknown, perceptrons
from agewise.engine.equations.weights import GaussianWeights
from agewise.engine.problems.base import AbstractProblem, Region
from agewise.engine.training import Monitor, Stage, Stages
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.objective import Aux
from agewise.engine.training.optimisers import linearised
from agewise.types import Key

LEADING_PRIOR = 1e-3
"""Weight of the prior in the first steps [1]."""
LEAD_TOLERANCE = 0.05
"""Share [1] by which a look at the first steps must lower the loss for them to go on."""
LEADING = (1e-3, 1e-2, 0.1, 1.0)
"""Factors on the residuals inside in the first steps, one after the other, where there are readings
to lead [1]."""
UNSEEN = 2.0
"""Residual at unseen points over that at the points of the fit [1] from which points are picked
anew, denser where the residual is large."""
UNSEEN_POINTS = 5000
"""Unseen points of a solid region."""
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
    # The factor of JᵀJ + 1 without making that product, whose rounding would drown the prior where
    # equations are tight.
    stacked = np.concatenate([jacobian, np.eye(len(numbers))])
    upper = qr(stacked, mode="r", overwrite_a=True, check_finite=False)[0][: len(numbers)]
    return GaussianWeights(numbers, np.ascontiguousarray(upper.T))


def most_probable(
    problem: AbstractProblem, settings: EquationSettings, *, key: Key, monitor: Monitor
) -> Fitted:
    """The best of a few fits; another is tried only where the one before does not pass its check.

    Each has a richer network than the last, and starts from other numbers.
    """
    best = None
    stages = Stages(key, monitor)
    for number, richer in enumerate(
        islice(settings.richer(len(problem.coordinates())), settings.attempts)
    ):
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
    """One fit: Gauss-Newton to rest from the best of a few starts."""
    sensors = sensors_of(problem)
    sizes = sizes_of(problem, sensors)
    best = None
    for start, chosen in enumerate(settings.starts(len(problem.coordinates()))):
        name = f"attempt {number + 1}, start {start + 1}"
        unknown = perceptrons(problem, chosen.hidden, chosen.stretch, sizes)
        taken = collocation(problem, unknown, key=stages.key_of("points"))
        rng = np.random.default_rng(np.asarray(jax.random.key_data(stages.key_of(name))))
        objective = EquationObjective.of(problem, unknown, taken, sensors)
        numbers, loss = _led(objective, unknown.initial(rng), chosen, sensors, stages, name)
        if best is None or loss < best[0]:
            best = loss, chosen, unknown, taken, numbers
    assert best is not None
    _, chosen, unknown, taken, numbers = best
    return rest(problem, unknown, taken, sensors, chosen, stages, numbers, f"attempt {number + 1}")


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
    variances = {sensor: of.first_variance() for sensor, of in sensors.items()}
    noises: dict[str, Noise] = {}
    learns = any(sensor.known is None for sensor in sensors.values())
    end, check = None, None
    for turn in range(settings.turns):
        objective = EquationObjective.of(problem, unknown, taken, sensors)
        stage = Stage(
            "gauss-newton",
            settings.steps,
            rate=1.0,
            look=settings.look,
            tolerance=settings.tolerance,
        )
        end = stages.run(f"{name}, {turn + 1}", stage, objective, numbers, variances)
        numbers = np.asarray(end.params)
        settled = True
        doubt = gaussian(objective, numbers, variances, stages.key) if sensors else None
        noises = {s: _noise(problem, objective, numbers, s, of, doubt) for s, of in sensors.items()}
        for sensor, of in sensors.items():
            if of.known is None:
                there = quantity_at(objective, numbers, sensor)
                variances[sensor] = noises[sensor].variance(of.points, there)
        check = _check(problem, unknown, taken, sensors, objective, numbers, variances, stages)
        check = replace(
            check, converged=stage.converged(end.history), attempts=int(name.split()[-1])
        )
        uneven = max(check.unseen.values(), default=1.0) > UNSEEN
        if doubt is not None and turn < settings.turns - 1:
            unknown, numbers, settled = learned_gains(unknown, doubt)
        if end.interrupted or (settled and not (learns or uneven)):
            break
        if uneven and turn < settings.turns - 1:
            key = stages.key_of(f"{name}, points {turn + 1}")
            taken = taken.refined(problem, unknown, numbers, key=key)
    if end is None or check is None:
        raise ValueError("A fit needs one turn or more.")
    totals = end.history.get("total", np.full(1, np.inf))
    return Fitted(
        problem,
        settings,
        unknown,
        numbers,
        taken,
        sensors,
        variances,
        noises,
        float(totals[-1]),
        check,
        stages,
    )


def _led(
    objective: EquationObjective,
    numbers: np.ndarray,
    settings: EquationSettings,
    sensors: dict[str, Sensor],
    stages: Stages,
    name: str,
) -> tuple[Float[np.ndarray, " number"], float]:
    """Numbers after first steps in which readings count for more than equations and prior, and what
    the loss came to [nats].

    From random numbers, a fit on which prior or equation weigh more than the readings first finds a
    function that nothing drives, such as zero, and then hardly moves.
    """
    variances = {sensor: of.first_variance() for sensor, of in sensors.items()}
    regions, loss = objective.problem.regions(), np.inf
    for place, share in enumerate(LEADING if sensors else LEADING[-1:]):
        lead = Stage(
            "gauss-newton",
            settings.lead_steps,
            rate=settings.rate if place == 0 else 1.0,
            look=settings.look,
            tolerance=LEAD_TOLERANCE,
        )
        weights = {
            n: w * (share if regions[n].solid else 1.0) for n, w in objective.weights.items()
        }
        led = replace(objective, weights=weights, prior_weight=LEADING_PRIOR)
        end = stages.run(f"{name}, led {share:g}", lead, led, numbers, variances)
        numbers, totals = np.asarray(end.params), end.history.get("total", np.full(1, np.inf))
        loss = float(totals[-1])
    return numbers, loss


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
    with jax.enable_x64(True):
        values, gradients = _readings(with_arrays(objective), numbers, sensor)
    return np.asarray(values) + objective.values[sensor], np.asarray(gradients)


@eqx.filter_jit
def _readings(objective, numbers, sensor):
    """Errors of a sensor's readings, and how they depend on the numbers."""
    unit_noise = {name: jnp.ones(len(values)) for name, values in objective.values.items()}
    row, items = objective.rows(unit_noise, key=jax.random.key(0))[f"readings of {sensor}"]
    return jax.vmap(jax.value_and_grad(row), (None, 0))(numbers, items)


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
    # Points may be denser in places, so what was seen is weighed by what each stands for.
    before = {name: float(np.sqrt(np.sum(taken.shares[name] * r**2))) for name, r in seen.items()}
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
            name: np.asarray(region.points(_count(region, taken, name), key=one), dtype=float)
            for (name, region), one in zip(regions.items(), keys, strict=True)
        }


def _count(region: Region, taken: Collocation, name: str) -> int:
    """Points at which a residual is looked at: more than a fit has, where the region is solid."""
    return UNSEEN_POINTS if region.solid else len(taken.points[name])
