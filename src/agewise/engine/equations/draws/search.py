"""A search by tolerance: levels of subset simulation until errors are as large as declared."""

import json
from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from scipy.stats import chi2

from agewise.engine.equations.draws.subsets import PUBLISHED_STEP, Level, first_level, next_level
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.training import Stages
from agewise.engine.training.checkpoint import Keeper
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.objective import Aux

LIKELY = 0.95
"""Chance with which errors as large as declared stay below the last tolerance [1]: a smaller one
would follow the noise."""
LEAST_FALL = 0.005
"""Share by which a level must lower the tolerance for the search to go on [1]."""
THINNING = 5
"""Moves between two samples of a chain where the prior is kept."""
AT_A_TIME = 250
"""Samples that are evaluated together, so that memory does not grow with their number."""


@dataclass(frozen=True, eq=False)
class Search:
    """What a search came to."""

    level: Level
    """Samples of the last level."""
    reached: bool
    """Whether errors as large as declared explain its tolerance."""
    interrupted: bool
    """Whether Ctrl-C ended the search."""


def tolerance_search(
    objective: EquationObjective,
    variances: Aux,
    weight: float,
    settings: EquationSettings,
    stages: Stages,
) -> Search:
    """A search from the prior to the last level; Ctrl-C ends it with the level that is there, and
    so does one that gains nothing, but for a search as published.

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
