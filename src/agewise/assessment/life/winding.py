"""The load of a stretch of time, and what it does to the winding over the oil."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import thermal_draws
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.iec60076 import ThermalConstants, hot_spot_rise
from agewise.transformer.prognostics.unknowns import Draws
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_MINUTE

MANY_ROWS = 20_000
"""Rows above which a record is gathered, for each is worked out in every draw."""
GATHERED_MIN = 10.0
"""Minutes whose rows are gathered into one."""


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
        if count == 1:  # quickly done, and not worth forgetting all the draws for
            return self._rises(*asked)
        if asked not in self._last:
            self._last.clear()
            self._last[asked] = self._rises(*asked)
        return self._last[asked]

    def _rises(
        self, constants: tuple[ThermalConstants, ...], uncertain: bool, count: int
    ) -> Float[np.ndarray, "draw time"]:
        rises = np.empty((count, self.seconds.size))
        for n, load in zip(range(count), self.loads(uncertain), strict=False):
            one = constants[n % len(constants)]
            rises[n] = hot_spot_rise(one, self.seconds, load, hold=self.hold)
        return rises

    def loads(self, uncertain: bool) -> Iterator[Float[np.ndarray, " time"]]:
        """The load; where it was filled in, wrong the same way for a day at a time."""
        day = (self.seconds // SECONDS_PER_DAY).astype(int)
        rng = np.random.default_rng(list(b"filled load"))
        while True:
            if self.load_std is None or not uncertain:
                yield self.load
            else:
                off = rng.standard_normal(day[-1] + 1)[day]
                yield np.maximum(self.load + off * self.load_std, 0.0)


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
    rows_each = round(GATHERED_MIN * SECONDS_PER_MINUTE / step)
    if seconds.size <= MANY_ROWS or rows_each < 2:
        return Rows(seconds, profile.load, hold, profile.load_std)
    heat = interval_load(profile.load, hold) ** exponent * np.diff(seconds)
    ends = np.append(np.arange(0, seconds.size - 1, rows_each), seconds.size - 1)
    mean = np.add.reduceat(heat, ends[:-1]) / np.diff(seconds[ends])
    load = mean ** (1 / exponent)
    std = None if profile.load_std is None else profile.load_std[ends]
    if hold == "forward":
        return Rows(seconds[ends], np.append(load, load[-1:]), hold, std)
    return Rows(seconds[ends], np.append(load[:1], load), "backward", std)
