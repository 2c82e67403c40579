"""`abc`: functions of the prior whose error is small enough, found level by level."""

import json
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from scipy.stats import chi2

from agewise.engine.equations.draws.subsets import PUBLISHED_STEP, Level, first_level, next_level
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.unknown import perceptrons
from agewise.engine.equations.methods.base import AbstractMethod, posterior_of
from agewise.engine.equations.objective.collocation import box_of, collocation
from agewise.engine.equations.objective.noise import Noise, learned_noise
from agewise.engine.equations.objective.quantity import drawn_quantities
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.objective.sensors import Sensor, sensors_of, sizes_of
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.unexplained import unexplained
from agewise.engine.equations.posterior.weights import AbstractWeights, DrawnWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stages
from agewise.engine.training.checkpoint import Keeper
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.objective import Aux
from agewise.types import Key

HIDDEN = (8,)
"""Hidden layers unless the settings name some: few weights, since chance must hit all of them."""
LIKELY = 0.95
"""Chance with which errors as large as declared stay below the last tolerance [1]: a smaller one
would follow the noise."""
LOOSE = 1.5
"""Tolerance over declared errors from which the answer is not sound [1]."""
LEAST_FALL = 0.005
"""Share by which a level must lower the tolerance for the search to go on [1]."""
THINNING = 5
"""Moves between two samples of a chain where the prior is kept."""
AT_A_TIME = 250
"""Samples that are evaluated together, so that memory does not grow with their number."""
BEHIND_NOISE = 500
"""Samples of whose errors the noise is learned."""


@dataclass(frozen=True, eq=False)
class Search:
    """What a search came to."""

    level: Level
    """Samples of the last level."""
    reached: bool
    """Whether errors as large as declared explain its tolerance."""
    interrupted: bool
    """Whether Ctrl-C ended the search."""


@dataclass(frozen=True)
class ABC(AbstractMethod):
    """Approximate Bayesian computation by subset simulation (Fernández et al. 2022)."""

    name: ClassVar[str] = "abc"
    summary: ClassVar[str] = (
        "No likelihood: keeps functions of the prior within a tolerance, which sets the bands; for "
        "networks of a few dozen weights, and it says where it stalls."
    )

    def fit(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> EquationPosterior:
        """The samples of the last level."""
        fitted, search = _searched(problem, self.settings, key, monitor)
        weights = DrawnWeights(fitted.numbers, search.level.numbers)
        posterior = posterior_of(self, fitted, weights, fitted.check)
        stopped = {"interrupted": np.array(search.interrupted)}
        return replace(posterior, record=posterior.record | stopped)

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The function of the smallest error."""
        return _searched(problem, self.settings, key, monitor)[0]

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[AbstractWeights, Check]:
        """That function alone."""
        return DrawnWeights(fitted.numbers, fitted.numbers[None]), fitted.check


def _searched(
    problem: AbstractProblem, settings: EquationSettings, key: Key, monitor: Monitor
) -> tuple[Fitted, Search]:
    """The best function of the last level with what that leaves unexplained, and the search."""
    chosen = replace(settings, hidden=settings.hidden or HIDDEN)
    sensors, stages = sensors_of(problem), Stages(key, monitor)
    unknown = perceptrons(problem, chosen.hidden, chosen.stretch, sizes_of(problem, sensors))
    taken = collocation(problem, unknown, key=stages.key_of("points"))
    objective = EquationObjective.of(problem, unknown, taken, sensors)
    variances = {name: sensor.first_variance() for name, sensor in sensors.items()}
    # What all rows weigh together: a region counts by its observations, not by its points.
    weight = sum(len(s.values) for s in sensors.values()) + sum(taken.counts.values())
    search = _levels(objective, variances, weight, chosen, stages)
    level = search.level
    noises = {n: _noise(objective, level, n, sensor) for n, sensor in sensors.items()}
    for name, sensor in sensors.items():
        if sensor.known is None:
            # After the search, whose tolerance stood on the first guess of the noise.
            variances[name] = noises[name].variance(sensor.points, sensor.values)
    best = level.numbers[np.argmin(level.errors)]
    check = unexplained(problem, unknown, taken, sensors, objective, best, variances, stages)
    noise_known = all(sensor.known is not None for sensor in sensors.values())
    check = replace(_judged(check, search, unknown.size, noise_known), converged=search.reached)
    fitted = Fitted(
        problem, chosen, unknown, best, taken, sensors, variances, noises, check, stages
    )
    return fitted, search


def _levels(
    objective: EquationObjective,
    variances: Aux,
    weight: float,
    settings: EquationSettings,
    stages: Stages,
) -> Search:
    """The last level; Ctrl-C ends the search with the one that is there, and so does a level that
    gains nothing.

    Args:
        objective: Rows of residuals and readings.
        variances: Variance of every reading, by sensor.
        weight: Observations that all rows together count for.
        settings: Samples and levels.
        stages: Key, and who watches.
    """
    rng = np.random.default_rng(np.asarray(jax.random.key_data(stages.key_of("samples"))))
    # The rms of so many normal errors of size one stays below this with the chance `LIKELY`.
    declared = float(np.sqrt(chi2.ppf(LIKELY, weight) / weight))
    target = 0.0 if settings.as_published else declared

    def errors(numbers: np.ndarray) -> np.ndarray:
        with jax.enable_x64(True):
            return np.asarray(_errors(with_arrays(objective), variances, weight, numbers))

    answers = (objective, variances, settings.samples, settings.levels, settings.as_published)
    keeper = Keeper(stages.monitor, "levels", (answers, jax.random.key_data(stages.key)))
    saved = keeper.kept()
    if saved is None:
        begun, level = 0, first_level(objective.unknown.size, settings.samples, errors, rng=rng)
    else:
        begun, level = _restored(saved, rng)
    interrupted = False
    with stages.monitor.bar("levels") as bar:
        try:
            for number in range(begun, settings.levels):
                bar(number, settings.levels, f"tolerance {level.tolerance:.3g}")
                # Published moves shrink level by level; ours adapt to how many are accepted.
                fall = PUBLISHED_STEP * (settings.levels - number)
                step, thinning = (fall, 1) if settings.as_published else (None, THINNING)
                before = level.tolerance
                level = next_level(
                    level, errors, rng=rng, target=target, step=step, thinning=thinning
                )
                # Before the first level the tolerance is infinite, which never counts as a stall;
                # long published moves may gain nothing where the shorter ones after them do.
                stalled = before < (1 + LEAST_FALL) * level.tolerance
                ended = level.tolerance <= target or (stalled and not settings.as_published)
                # Of a search that has ended no level is left to be made.
                done = settings.levels if ended else number + 1
                # Bound as defaults: the function is called while these stand.
                keeper.keep(lambda level=level, done=done: _arrays(level, done, rng), now=ended)
                if ended:
                    break
        except KeyboardInterrupt:
            interrupted = True
    return Search(level, level.tolerance <= declared, interrupted)


def _arrays(level: Level, done: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """A search after so many levels, as its checkpoint holds it."""
    numbers = {"done": np.array(done), "numbers": level.numbers, "errors": level.errors}
    course = np.array([level.tolerance, level.accepted, level.reach])
    # The generator's state holds integers of 128 bits, which no array has.
    return numbers | {"course": course, "chance": np.array(json.dumps(rng.bit_generator.state))}


def _restored(saved: dict[str, np.ndarray], rng: np.random.Generator) -> tuple[int, Level]:
    """Levels that were made and the last of them; the generator goes on from where it was."""
    rng.bit_generator.state = json.loads(str(saved["chance"]))
    tolerance, accepted, reach = map(float, saved["course"])
    level = Level(saved["numbers"], saved["errors"], tolerance, accepted, reach)
    return int(saved["done"]), level


@eqx.filter_jit
def _errors(objective: Any, variances: Any, weight: Any, numbers: Any) -> Any:
    """Root mean square of readings and residuals, each over its declared error, of every sample."""

    def error_of(own: Any) -> Any:
        terms = objective.terms(own, variances, key=jax.random.key(0))
        # Terms are half squares; the prior is left out, since samples are of it already.
        return jnp.sqrt(2 * sum(term for name, term in terms.items() if name != "prior") / weight)

    errors = jax.lax.map(error_of, jnp.asarray(numbers), batch_size=AT_A_TIME)
    # What is no number must not pass for a small error.
    return jnp.where(jnp.isfinite(errors), errors, jnp.inf)


def _noise(objective: EquationObjective, level: Level, name: str, sensor: Sensor) -> Noise:
    """The law of a sensor's noise: as it is known, or of the errors of the mean of all samples."""
    # Evenly over the level, whose parts are the same chains move after move.
    picked = level.numbers[:: max(1, len(level.numbers) // BEHIND_NOISE)]
    drawn = drawn_quantities(objective, picked, name)
    # Of the mean: a single sample is off by the tolerance, which is no noise.
    squares = (sensor.values - drawn.mean(axis=0)) ** 2
    known = squares if sensor.known is None else sensor.known
    return learned_noise(sensor.points, drawn.mean(axis=0), known, box_of(objective.problem))


def _judged(check: Check, search: Search, size: int, noise_known: bool) -> Check:
    """The check, with a word on the tolerance, which sets the bands."""
    level = search.level
    if search.interrupted:
        check = check.with_remarks("Stopped by hand: the tolerance would have fallen further.")
    remark = (
        f"The bands are those of a tolerance of {level.tolerance:.2g} declared errors, not of "
        f"noise; {level.distinct} of {len(level.errors)} samples differ."
    )
    if noise_known and level.tolerance > LOOSE:
        # Where somebody stopped it, nothing is known of the size that it takes.
        why = "was stopped" if search.interrupted else "has stalled"
        return check.with_findings(
            f"The search {why} at {level.tolerance:.2g} times the declared errors, with "
            f"{size} numbers to hit: take a smaller network, more samples, or another method."
        )
    return check.with_remarks(remark)
