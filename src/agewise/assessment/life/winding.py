"""The load of a stretch of time, and what it does to the winding over the oil."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import stage_draws, thermal_draws
from agewise.assessment.oil.lower_stages import stages_on
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.prognostics.unknowns import Draws
from agewise.transformer.staged import Stages, rise_over_oil
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_MINUTE

GATHERED = ((20_000, 10.0), (6_000, 2.0))
"""Rows above which several are gathered into one, since every row is worked out in every draw, and
the time that then becomes a row [min]: four days of minutes stay as they are."""


@dataclass(frozen=True, eq=False)
class Winding:
    """What the load does to the winding over the oil."""

    nameplate: Nameplate
    """The unit, whose constants say how the winding follows."""
    hold: Hold
    """Interval that a sample of the load stands for."""
    seconds: Float[np.ndarray, " time"]
    """Instants from the first row [s]."""
    load: Float[np.ndarray, " time"]
    """Load at these instants [p.u.]."""
    load_std: Float[np.ndarray, " time"] | None = None
    """Standard deviation of a load that was filled in [p.u.], 0 elsewhere; None where all of it was
    measured."""
    stage: Stages | None = None
    """Stage of the cooling that is on in each interval, from 0; None where it is the last one."""
    _last: dict[Any, np.ndarray] = field(default_factory=dict)
    """The rises that were worked out last, since every height asks for the same ones."""

    def rise(self, draws: Draws, varied: Collection[str]) -> Float[np.ndarray, "_ time"]:
        """Rise of the winding over the oil [K], one row a draw, or one where nothing varies."""
        constants = self._constants(draws)
        # A load that was filled in is counted with what is not known of the oil.
        uncertain = self.load_std is not None and "epistemic" in varied
        # Drawn loads need a row for every draw, even where no constant varies.
        count = max(map(len, draws.values())) if uncertain else len(constants)
        asked = (constants, uncertain, count)
        if count == 1:  # quickly done, and not worth forgetting all the draws for
            return self._rises(*asked)
        rises = self._last.get(asked)
        if rises is None:
            rises = self._rises(*asked)
            # One set at a time: each holds all draws and samples.
            self._last.clear()
            self._last[asked] = rises
        return rises

    def _constants(self, draws: Draws) -> tuple[tuple[ThermalConstants, ...], ...]:
        """Constants of every stage in every draw, of the last one alone where it was always on."""
        if self.stage is not None:
            return tuple(stage_draws(self.nameplate, draws))
        return tuple((unit,) for unit in thermal_draws(self.nameplate, draws))

    def _rises(
        self, constants: tuple[tuple[ThermalConstants, ...], ...], uncertain: bool, count: int
    ) -> Float[np.ndarray, "draw time"]:
        rises = np.empty((count, self.seconds.size))
        # The loads are endless, and the range ends the loop.
        for n, load in zip(range(count), self.loads(uncertain), strict=False):
            units = constants[n % len(constants)]
            rises[n] = rise_over_oil(units, self.stage, self.seconds, load, hold=self.hold)
        return rises

    def loads(self, uncertain: bool) -> Iterator[Float[np.ndarray, " time"]]:
        """Endless draws of the load [p.u.]; where it was filled in, an error lasts for a day."""
        day = (self.seconds // SECONDS_PER_DAY).astype(int)
        # Anew in every call, so that every height sees the same loads.
        rng = np.random.default_rng(list(b"filled load"))
        while True:
            if self.load_std is None or not uncertain:
                yield self.load
            else:
                off = rng.standard_normal(day[-1] + 1)[day]
                # A load has no sign.
                yield np.maximum(self.load + off * self.load_std, 0.0)


@dataclass(frozen=True)
class Rows:
    """Instants and the load of the intervals between them."""

    seconds: Float[np.ndarray, " time"]
    """Instants from the first row of the profile [s]."""
    load: Float[np.ndarray, " time"]
    """Load at these instants [p.u.]."""
    hold: Hold
    """Interval that a sample of the load stands for."""
    load_std: Float[np.ndarray, " time"] | None
    """Standard deviation of a load that was filled in [p.u.]."""
    oil_load: Float[np.ndarray, " time"]
    """Load that heats the oil [p.u.]."""
    stage: Stages | None
    """Stage of the cooling that is on in each interval, from 0; None where it is the last one."""


def gathered(profile: Profile, nameplate: Nameplate, hold: Hold) -> Rows:
    """The rows of a profile; of a long one, a row every two or ten minutes with the load of equal
    heating.

    Heating goes with a power of the load, so that power is averaged; the winding, which follows
    within a quarter of an hour, hardly tells the difference.

    Args:
        profile: The profile.
        nameplate: The unit, for the power of the load with which its winding heats up.
        hold: Interval that a sample of the profile's load stands for.
    """
    seconds, stage = profile.seconds, stages_on(profile, nameplate, hold)
    step = float(np.median(np.diff(seconds)))
    # The longest records come first, so that the first that fits decides.
    minutes = next((each for rows, each in GATHERED if seconds.size > rows), 0.0)
    rows_each = round(minutes * SECONDS_PER_MINUTE / step)
    if rows_each < 2:
        heats = oil_load(profile, nameplate)
        return Rows(seconds, profile.load, hold, profile.load_std, heats, stage)
    exponent = nameplate.winding.exponent.mean
    # The last row stays, even if its interval is shorter than the others.
    ends = np.append(np.arange(0, seconds.size - 1, rows_each), seconds.size - 1)

    def mean(values: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        heat = interval_load(values, hold) ** exponent * np.diff(seconds)
        load = (np.add.reduceat(heat, ends[:-1]) / np.diff(seconds[ends])) ** (1 / exponent)
        # There is one load fewer than rows; the row without an interval repeats its neighbour's.
        return np.append(load, load[-1:]) if hold == "forward" else np.append(load[:1], load)

    std = None if profile.load_std is None else profile.load_std[ends]
    # A linear load has become means of intervals too, which `backward` describes.
    kind = "forward" if hold == "forward" else "backward"
    loads = mean(profile.load), mean(oil_load(profile, nameplate))
    if stage is not None:
        # The stage that is on for most of the time, or one between where there are more than two.
        on = np.add.reduceat(stage * np.diff(seconds), ends[:-1]) / np.diff(seconds[ends])
        stage = np.rint(on).astype(int)
    return Rows(seconds[ends], loads[0], kind, std, loads[1], stage)
