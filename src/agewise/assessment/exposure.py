"""What the paper at one height goes through: drawn oil, the winding's rise over it, ageing."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

from agewise.assessment.assessment import Assessment, OilDraws
from agewise.assessment.doubts import BIAS, STEEPNESS, thermal_draws
from agewise.assessment.plain import at_instants, grid_instants
from agewise.data.nameplate import Nameplate
from agewise.data.profile import Profile
from agewise.physics.iec60076 import ageing_rate, hot_spot_rise, loss_of_life
from agewise.physics.sampling import Hold, interval_load
from agewise.prognostics.unknowns import Draws
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

MANY_ROWS = 20_000
"""above which rows are gathered, for every one is worked out in every draw"""
GATHERED_MIN = 10.0
"""min of the rows that are gathered into one"""
AT_ONCE = 1500
"""Instants at which functions are drawn at once: ten days."""


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
        oil = self.functions[turn] if "epistemic" in varied else self.mean[None]
        oil = oil - bias
        if "aleatoric" in varied:
            rng = np.random.default_rng([self.seed, *b"aleatoric"])
            oil = oil + self.noise_std * rng.standard_normal(oil.shape)
        return oil


@dataclass(frozen=True, eq=False)
class Winding:
    """What the load does to the winding over the oil."""

    nameplate: Nameplate
    hold: Hold
    seconds: Float[np.ndarray, " time"]
    load: Float[np.ndarray, " time"]
    load_std: Float[np.ndarray, " time"] | None = None
    """p.u. by which a load that was filled in may be wrong"""
    _last: dict[Any, np.ndarray] = field(default_factory=dict)
    """what was worked out last: every height asks for the same"""

    def rise(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """K in every draw; one row where nothing varies"""
        constants = tuple(thermal_draws(self.nameplate, draws))
        uncertain = self.load_std is not None and "epistemic" in varied
        count = max(map(len, draws.values())) if uncertain else len(constants)
        asked = (constants, uncertain, count)
        if asked not in self._last:
            rows = [
                hot_spot_rise(constants[n % len(constants)], self.seconds, load, hold=self.hold)
                for n, load in zip(range(count), self._loads(uncertain), strict=False)
            ]
            self._last.clear()
            self._last[asked] = np.stack(rows)
        return self._last[asked]

    def _loads(self, uncertain: bool) -> Iterator[Float[np.ndarray, " time"]]:
        """The load; where it was filled in, wrong the same way for a day at a time."""
        day = (self.seconds // SECONDS_PER_DAY).astype(int)
        rng = np.random.default_rng(list(b"filled load"))
        while True:
            if self.load_std is None or not uncertain:
                yield self.load
            else:
                off = rng.standard_normal(day[-1] + 1)[day]
                yield np.maximum(self.load + off * self.load_std, 0.0)


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
        return self.oil.drawn(draws, varied) + self.winding.rise(draws, varied)

    def rate(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """h of life an hour."""
        steepness = draws[STEEPNESS][:, None]
        paper = self.winding.nameplate.insulation.paper
        return ageing_rate(hot_spot, paper, doubling=steepness)

    def used(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, "draw time"]:
        """h of life since the start."""
        return loss_of_life(self.seconds, self.rate(hot_spot, draws), axis=1)

    def loss(
        self, hot_spot: Float[np.ndarray, "_ time"], draws: Draws
    ) -> Float[np.ndarray, " draw"]:
        """h of life in all: the last of those, without the way there."""
        steps = np.diff(self.seconds) / (2 * SECONDS_PER_HOUR)
        return self.rate(hot_spot, draws) @ (np.append(0.0, steps) + np.append(steps, 0.0))


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
        for place in range(heights.size):
            along = at_instants(seconds[begin:end], part, oil[:, :, place].T)
            drawn[place, :, begin:end] = along.T
    return drawn


@dataclass(frozen=True)
class Rows:
    """Instants and the load of the intervals between them."""

    seconds: Float[np.ndarray, " time"]
    load: Float[np.ndarray, " time"]
    hold: Hold
    load_std: Float[np.ndarray, " time"] | None


def gathered(profile: Profile, exponent: float, hold: Hold) -> Rows:
    """The rows of a profile, or of a long one every tenth minute, with the load of equal heating.

    Heating goes with a power of the load, so that power is averaged; the winding, which follows
    within a quarter of an hour, hardly tells the difference.
    """
    seconds = profile.seconds
    step = float(np.median(np.diff(seconds)))
    every = round(GATHERED_MIN * SECONDS_PER_MINUTE / step)
    if seconds.size <= MANY_ROWS or every < 2:
        return Rows(seconds, profile.load, hold, profile.load_std)
    heat = interval_load(profile.load, hold) ** exponent * np.diff(seconds)
    ends = np.append(np.arange(0, seconds.size - 1, every), seconds.size - 1)
    mean = np.add.reduceat(heat, ends[:-1]) / np.diff(seconds[ends])
    load = mean ** (1 / exponent)
    std = None if profile.load_std is None else profile.load_std[ends]
    if hold == "forward":
        return Rows(seconds[ends], np.append(load, load[-1:]), hold, std)
    return Rows(seconds[ends], np.append(load[:1], load), "backward", std)
