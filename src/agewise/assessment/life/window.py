"""The observed window in drawn functions: what the paper went through, height by height.

The field over time and height and the summary's loss of life both stand on this one calculation,
with the same functions, so that they agree at the same height.
"""

from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import jax
import numpy as np
from jaxtyping import Float, Int

from agewise.assessment.grid import at_instants, grid_instants
from agewise.assessment.life.doubts import unknowns
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.exposure import Exposure, MeasuredOil, batches
from agewise.assessment.life.winding import Winding, gathered
from agewise.assessment.oil.assessment import Assessment, OilDraws

AT_ONCE = 1500
"""Instants at which functions are evaluated at once: ten days at one every ten minutes."""
REPORTED = (0.5, 0.8, 1.0)
"""Heights that a summary always gives, as fractions of the tank's; they are kept in memory."""
NODES = (0.0, 0.05, 0.15, 0.3, 0.5, 0.65, 0.8, 0.92, 1.0)
"""Heights at which the life used is worked out for a field. They are denser towards the ends, where
the doubt about the oil changes quickest, and hold all `REPORTED` ones. A spline of the logarithm
between them is good to 0.3 % of mean and spread, and in the first hours to 9 % of the spread; to
5 % where the equation itself is in doubt, whose error has more bends over the height."""
GROUP = 3
"""Nodes whose functions are held in memory at once, each of them with every draw and sample."""

THREADS = 2
"""Nodes that are worked out side by side: NumPy lets other threads go on while it works."""


@dataclass(frozen=True, eq=False)
class LifeUsed:
    """Life used since the first instant by the drawn oil alone, at `NODES`."""

    seconds: Float[np.ndarray, " sample"]
    """Samples of the window [s from its start]."""
    mean: Float[np.ndarray, "sample node"]
    """Mean over the draws [h]."""
    std: Float[np.ndarray, "sample node"]
    """Standard deviation over the draws [h]."""


@dataclass(frozen=True, eq=False)
class DrawnWindow:
    """Drawn functions of the window's oil, and the winding over them."""

    assessment: Assessment
    """The fitted profile that functions are drawn from."""
    effort: Effort
    """How many functions are drawn."""
    _kept: dict[float, Exposure] = field(default_factory=dict)
    """Exposures at reported heights, by height: functions are dear to evaluate."""

    @cached_property
    def functions(self) -> OilDraws:
        """Drawn functions of the oil."""
        # A key of their own, so that random numbers drawn elsewhere do not shift them.
        key = jax.random.fold_in(self.assessment.key, 1)
        count = self.effort.functions(len(self.assessment.windows))
        return self.assessment.draw(count, key=key)

    @cached_property
    def winding(self) -> Winding:
        """What the load does to the winding: the same at every height."""
        assessment = self.assessment
        rows = gathered(assessment.profile, assessment.nameplate, assessment.settings.hold)
        series = (rows.seconds, rows.load, rows.load_std, rows.stage)
        return Winding(assessment.nameplate, rows.hold, *series)

    def exposures(self, heights: Collection[float]) -> dict[float, Exposure]:
        """Oil and winding at heights (fractions of the tank's), by height."""
        # Reported heights serve the field and the summary, and are evaluated once for both.
        missing = [height for height in dict.fromkeys(heights) if height not in self._kept]
        exposures = self._kept | (self._evaluated(missing) if missing else {})
        self._kept.update({height: exposures[height] for height in missing if height in REPORTED})
        return {height: exposures[height] for height in heights}

    def _evaluated(self, heights: list[float]) -> dict[float, Exposure]:
        """Exposures at heights that are not in memory, all in one pass over the windows."""
        # The oil is slow: a value every ten minutes, and straight lines between them.
        assessment, at = self.assessment, np.array(heights)
        instants, seconds = grid_instants(assessment.profile), self.winding.seconds
        oil = assessment.predict(at, instants)
        mean, noise = (
            at_instants(seconds, instants, values) for values in (oil.mean, np.sqrt(oil.aleatoric))
        )
        drawn, seed = _drawn(self.functions, at, instants, seconds), assessment.settings.seed
        return {
            height: Exposure(self.winding, MeasuredOil(drawn[n], mean[:, n], noise[:, n], seed))
            for n, height in enumerate(heights)
        }

    def life_used(self, instants: Float[np.ndarray, " instant"]) -> LifeUsed:
        """Mean and spread of the life used at every node, all but the oil at its mean.

        At the last sample this is what a summary calls the field's loss of life. It is given at
        those samples between which the `instants` [s] lie: a field has a tenth as many.
        """
        seconds = self.winding.seconds
        after = np.clip(np.searchsorted(seconds, instants), 1, seconds.size - 1)
        samples = np.unique([after - 1, after])
        columns = [(used.mean(axis=0), used.std(axis=0)) for used in self._used_at_nodes(samples)]
        mean, std = (np.stack(values, axis=1) for values in zip(*columns, strict=True))
        return LifeUsed(seconds[samples], mean, std)

    def _used_at_nodes(
        self, samples: Int[np.ndarray, " sample"]
    ) -> Iterator[Float[np.ndarray, "draw sample"]]:
        # Functions that serve several draws need to be followed once, unless loads are drawn too.
        draws_loads = self.winding.load_std is not None
        count = self.effort.draws if draws_loads else self.functions.count
        numbers = unknowns(self.assessment.nameplate)
        means = {unknown.name: np.full(count, unknown.mean) for unknown in numbers}

        def used(exposure: Exposure) -> Float[np.ndarray, "draw sample"]:
            hot_spots = exposure.hot_spots(means, {"epistemic"})
            return exposure.passed(hot_spots, means, samples).used

        with ThreadPoolExecutor(THREADS) as threads:
            for first in range(0, len(NODES), GROUP):
                yield from threads.map(used, self.exposures(NODES[first : first + GROUP]).values())


def _drawn(
    functions: OilDraws,
    heights: Float[np.ndarray, " height"],
    instants: Float[np.ndarray, " instant"],
    seconds: Float[np.ndarray, " time"],
) -> Float[np.ndarray, "height draw time"]:
    """Drawn oil [°C] at `seconds`, linear between `instants`, some days at a time.

    In single precision, which halves an array over height, draw and sample and is good to 10 µK.
    """
    drawn = np.empty((heights.size, functions.count, seconds.size), dtype=np.float32)
    for first in range(0, instants.size - 1, AT_ONCE):
        # Parts share their edges, so that no row falls between them.
        part = instants[first : first + AT_ONCE + 1]
        begin, end = np.searchsorted(seconds, part[[0, -1]])
        end = end + (part[-1] == instants[-1])  # the last row belongs to the last part
        oil = functions.oil(heights, part)
        for place, rows in product(range(heights.size), batches(functions.count)):
            drawn[place, rows, begin:end] = _along(seconds[begin:end], part, oil[rows, :, place])
    return drawn


def _along(
    seconds: Float[np.ndarray, " time"],
    instants: Float[np.ndarray, " instant"],
    values: Float[np.ndarray, "draw instant"],
) -> Float[np.ndarray, "draw time"]:
    """`at_instants` for rows instead of columns, which stay whole in memory."""
    after = np.clip(np.searchsorted(instants, seconds), 1, instants.size - 1)
    share = (seconds - instants[after - 1]) / (instants[after] - instants[after - 1])
    earlier, later = (np.take(values, at, axis=1) for at in (after - 1, after))
    later -= earlier
    later *= share
    later += earlier
    return later
