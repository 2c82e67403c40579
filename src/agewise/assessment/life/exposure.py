"""What the paper at one height goes through: drawn oil, the winding's rise over it, ageing."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import BIAS
from agewise.assessment.life.winding import Winding, gathered
from agewise.assessment.oil.assessment import Assessment, OilDraws
from agewise.assessment.plain import at_instants, grid_instants
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.prognostics.life import recurrence
from agewise.transformer.prognostics.unknowns import Draws
from agewise.units import SECONDS_PER_HOUR

AT_ONCE = 1500
"""Instants at which functions are drawn at once: ten days."""
BATCH = 40
"""Draws that are worked on at a time. Their arrays stay in the cache of the processor and use the
same memory again, while every new array of all the draws costs more in page faults than in
arithmetic. A multiple of eight, so that matrix products add up as they would over all draws."""


def batches(count: int) -> Iterator[slice]:
    """Slices of `BATCH` draws each, which together cover `count` draws."""
    return (slice(first, first + BATCH) for first in range(0, count, BATCH))


class AbstractOil(ABC):
    """Oil of one place and time, in draws."""

    @abstractmethod
    def drawn(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """°C; one row where nothing varies"""


@dataclass(frozen=True, eq=False)
class MeasuredOil(AbstractOil):
    """Oil of the window at one height, as the posterior knows it."""

    functions: Float[np.ndarray, "draw time"]
    mean: Float[np.ndarray, " time"]
    noise_std: Float[np.ndarray, " time"]
    seed: int

    def drawn(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """Functions, or their mean; freed of the bias that all thermometers share.

        Noise of the readings does not heat the paper, so it is here only to be shown.
        """
        bias = draws[BIAS][:, None]
        turn = np.arange(len(bias)) % len(self.functions)
        rng = np.random.default_rng([self.seed, *b"aleatoric"])
        oil = np.empty((len(bias), self.mean.size))
        for rows in batches(len(bias)):
            known = self.functions[turn[rows]] if "epistemic" in varied else self.mean
            np.subtract(known, bias[rows], out=oil[rows])
            if "aleatoric" in varied:
                oil[rows] += self.noise_std * rng.standard_normal(oil[rows].shape)
        return oil


@dataclass(frozen=True, eq=False)
class Exposure:
    """Winding and oil over a stretch of time, ready to be followed into the paper."""

    winding: Winding
    oil: AbstractOil

    @property
    def seconds(self) -> Float[np.ndarray, " time"]:
        """from the first instant"""
        return self.winding.seconds

    def hot_spot(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """°C in every draw."""
        oil = self.oil.drawn(draws, varied)
        rise = self.winding.rise(draws, varied)
        if len(oil) < len(rise):
            return oil + rise
        oil += rise  # in place: `drawn` has made this array for us alone
        return oil

    def rate(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """Relative ageing rate by the law of the paper, with its drawn parameters."""
        law = self.winding.nameplate.insulation.law
        return law.rate(hot_spot, {one.name: draws[one.name][:, None] for one in law.unknowns()})

    def used(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """h of life since the start."""
        used = np.empty((len(draws[BIAS]), self.seconds.size))
        for rows, rate in self._rates(hot_spot, draws):
            used[rows] = loss_of_life(self.seconds, rate, axis=1)
        return used

    def loss(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, " draw"]:
        """h of life in all: the last of those, without the way there."""
        steps = np.diff(self.seconds) / (2 * SECONDS_PER_HOUR)
        weights = np.append(0.0, steps) + np.append(steps, 0.0)
        return np.concatenate([rate @ weights for _, rate in self._rates(hot_spot, draws)])

    def recurrence(
        self,
        hot_spot: Float[np.ndarray, "_ time"],
        draws: Draws,
        left: Float[np.ndarray, " draw"],
    ) -> Float[np.ndarray, " draw"]:
        """h of life left at the end by the paper's recurrence, of what was `left` at the start."""
        return np.concatenate(
            [
                recurrence(self.seconds, rate, left[rows])[:, -1]
                for rows, rate in self._rates(hot_spot, draws)
            ]
        )

    def _rates(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Iterator[tuple[slice, Float[np.ndarray, "draw time"]]]:
        """The rates of each batch of draws; a hot spot in which nothing varies serves them all."""
        for rows in batches(len(draws[BIAS])):
            some = {name: values[rows] for name, values in draws.items()}
            yield rows, self.rate(hot_spot if len(hot_spot) == 1 else hot_spot[rows], some)


def exposures(
    assessment: Assessment, functions: OilDraws, shares: dict[str, float]
) -> dict[str, Exposure]:
    """The window at several heights, given as fractions."""
    profile, nameplate = assessment.profile, assessment.nameplate
    rows = gathered(profile, nameplate.winding.exponent.mean, assessment.settings.hold)
    instants = grid_instants(profile)
    heights = np.array(list(shares.values()))
    told = assessment.predict(heights, instants)
    mean, noise = (
        at_instants(rows.seconds, instants, v) for v in (told.mean, np.sqrt(told.aleatoric))
    )
    drawn = _drawn(functions, heights, instants, rows.seconds)
    seed = assessment.settings.seed
    winding = Winding(nameplate, rows.hold, rows.seconds, rows.load, rows.load_std)
    return {
        name: Exposure(winding, MeasuredOil(drawn[n], mean[:, n], noise[:, n], seed))
        for n, name in enumerate(shares)
    }


def _drawn(
    functions: OilDraws,
    heights: Float[np.ndarray, " height"],
    instants: Float[np.ndarray, " instant"],
    seconds: Float[np.ndarray, " time"],
) -> Float[np.ndarray, "height draw time"]:
    """Drawn oil along `seconds`, straight between instants; some days at a time."""
    drawn = np.empty((heights.size, functions.count, seconds.size), dtype=np.float32)
    for first in range(0, instants.size - 1, AT_ONCE):
        part = instants[first : first + AT_ONCE + 1]
        begin, end = np.searchsorted(seconds, part[[0, -1]])
        end = end + (part[-1] == instants[-1])  # the last row belongs to the last part
        oil = functions.oil(heights, part)
        for place, rows in product(range(heights.size), batches(functions.count)):
            along = at_instants(seconds[begin:end], part, oil[rows, :, place].T)
            drawn[place, rows, begin:end] = along.T
    return drawn
