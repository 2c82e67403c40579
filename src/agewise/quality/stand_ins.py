"""Stand-ins for a thermometer that was silent for hours: estimates, and how far off they may be.

Air is estimated by its typical day, top oil by the model of IEC 60076-7. Short holes are not
treated here: `bridge` fills minutes by a straight line, and a fit spans up to two hours by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import guide_top_oil
from agewise.quality.thresholds import DEFAULT_THRESHOLDS
from agewise.quality.typical_day import calendar, typical_load
from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.guesses import Guesses
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

SILENT_H = 2.0
"""Length of a hole [h] from which stand-ins are used; a smooth series spans shorter ones better."""
EVERY_H = 1.0
"""Time between two stand-ins [h]."""
CORRELATED_H = 3.0
"""Time for which the error of a stand-in stays the same [h]: that of the model's disturbance."""
LEAST_AIR_K, LEAST_OIL_K = 1.0, 0.5
"""Smallest standard deviation of a stand-in for air and for top oil [K]."""
UNSEEN_AIR_K, FEW_DAYS = 5.0, 3
"""Standard deviation [K] of air that was read on fewer than this number of days: then no day is
known to be typical."""
MODEL_K = 2.0
"""Standard deviation [K] of a modelled top oil where less than a day was measured."""
ENOUGH = 50
"""Fewest readings by which the model of the top oil is judged."""

Series = Float[np.ndarray, " time"]
"""Numbers by row of a profile."""


@dataclass(frozen=True, eq=False)
class FilledProfile:
    """A profile whose ambient and top oil have no holes, and the doubt about what was filled in."""

    profile: Profile
    """The measurements, with estimates in their holes."""
    ambient_std: Series
    """Standard deviation of the estimated ambient [K]; 0 where it was measured at the unit."""
    top_oil_std: Series
    """Standard deviation of the estimated top oil [K]; 0 where it was measured."""

    def between(self, first: int, last: int) -> "FilledProfile":
        """The rows from `first` to `last`, both included, their seconds counted anew."""
        rows = slice(first, last + 1)
        return FilledProfile(
            self.profile.between(first, last), self.ambient_std[rows], self.top_oil_std[rows]
        )


def filled_profile(profile: Profile, nameplate: Nameplate, hold: Hold) -> FilledProfile:
    """Fill the holes of the ambient by its typical day and those of the top oil by IEC 60076-7.

    Both are shifted so that they meet the readings on either side of a hole.

    Args:
        profile: The measurements; NaN where a thermometer was silent.
        nameplate: The unit, for the constants of IEC 60076-7.
        hold: What a load stands for between two samples.
    """
    # The air first: the model of the top oil needs it everywhere.
    air, air_std = _filled_ambient(profile)
    with_air = replace(profile, ambient=air)
    if profile.top_oil is None:
        return FilledProfile(with_air, air_std, np.zeros_like(air_std))
    top, top_std = _filled_top_oil(with_air, air_std, nameplate, hold)
    return FilledProfile(replace(with_air, top_oil=top), air_std, top_std)


def stand_ins(profile: Profile, nameplate: Nameplate, hold: Hold) -> dict[float, Guesses]:
    """Stand-ins where the thermometer at an end of the oil was silent for long, an hour apart.

    Args:
        profile: The measurements; NaN where a thermometer was silent.
        nameplate: The unit, for the constants of IEC 60076-7.
        hold: What a load stands for between two samples.

    Returns:
        The stand-ins by height, 0 for the bottom and 1 for the top; none where nothing was silent.
    """
    rows = {0.0: silent_rows(profile.seconds, profile.ambient)}
    if profile.top_oil is not None:
        rows[1.0] = silent_rows(profile.seconds, profile.top_oil)
    if not any(at.size for at in rows.values()):
        return {}
    filled = filled_profile(profile, nameplate, hold)
    estimates = {0.0: (filled.profile.ambient, filled.ambient_std)}
    if filled.profile.top_oil is not None:
        estimates[1.0] = (filled.profile.top_oil, filled.top_oil_std)
    return {
        height: Guesses(
            profile.seconds[at], estimates[height][0][at], stand_in_std(estimates[height][1][at])
        )
        for height, at in rows.items()
        if at.size
    }


def stand_in_std(std: Series) -> Series:
    """Standard deviation [K] that each of several stand-ins in a row counts with.

    A likelihood takes errors for independent. Three neighbours with one error between them must not
    count as three, so each gets three times the variance.
    """
    return np.sqrt(CORRELATED_H / EVERY_H) * std


def _filled_ambient(profile: Profile) -> tuple[Series, Series]:
    """Ambient without holes, and its standard deviation."""
    holes = np.isnan(profile.ambient)
    # Air that is not the unit's own is in doubt at every row.
    own = np.zeros(holes.size) if profile.ambient_std is None else profile.ambient_std
    if not holes.any():
        return profile.ambient, own
    dates, everywhere = calendar(profile.seconds, profile.timeline.start), np.ones_like(holes)
    # At all rows, since the shift that leads into a hole is measured at the readings beside it.
    typical, std = typical_load(profile.ambient, everywhere, dates, DEFAULT_THRESHOLDS)
    least = LEAST_AIR_K if np.unique(dates.day[~holes]).size >= FEW_DAYS else UNSEEN_AIR_K
    std = np.where(holes, np.maximum(std, least), 0.0)
    # Air from elsewhere may have holes too, and then has both doubts.
    return _drawn_to(profile.seconds, profile.ambient, typical), np.hypot(std, own)


def _filled_top_oil(
    profile: Profile, air_std: Series, nameplate: Nameplate, hold: Hold
) -> tuple[Series, Series]:
    """Top oil without holes, and its standard deviation.

    The model is judged by the error that it shows where there are readings. What the air and a
    filled load may be off by comes on top.
    """
    measured = np.asarray(profile.top_oil)
    holes = np.isnan(measured)
    if not holes.any():
        return measured, np.zeros(holes.size)
    seconds = profile.seconds
    modelled = guide_top_oil(profile, nameplate, hold=hold, by_model=True)
    error = (measured - modelled)[~holes]
    measured_days = np.ptp(seconds[~holes]) / SECONDS_PER_DAY
    least = LEAST_OIL_K if measured_days >= 1 and error.size >= ENOUGH else MODEL_K
    variance = max(float(error.std()), least) ** 2 + air_std**2
    if profile.load_std is not None:
        # One standard deviation more in all filled loads at once, as if their errors were one: what
        # that does to the oil is its own standard deviation from the load.
        heavier = replace(profile, load=profile.load + profile.load_std)
        warmer = guide_top_oil(heavier, nameplate, hold=hold, by_model=True)
        variance = variance + (warmer - modelled) ** 2
    return _drawn_to(seconds, measured, modelled), np.where(holes, np.sqrt(variance), 0.0)


def _drawn_to(seconds: Series, values: Series, guess: Series) -> Series:
    """The values, and in holes the guess, shifted so that it meets the values on either side."""
    # The shift runs straight from one side to the other. Beyond the first and last value it stays.
    measured = ~np.isnan(values)
    shift = np.interp(seconds, seconds[measured], (values - guess)[measured])
    return np.where(measured, values, guess + shift)


def silent_rows(seconds: Series, values: Series) -> Int[np.ndarray, " row"]:
    """Rows in long holes, about an hour apart."""
    empty = np.isnan(values)
    measured, holes = np.flatnonzero(~empty), np.flatnonzero(empty)
    if not holes.size or not measured.size:
        return np.zeros(0, dtype=int)
    # A hole at an end of the record lasts from its start, or to its end.
    after = np.searchsorted(measured, holes)
    begins = np.where(after > 0, seconds[measured[np.maximum(after - 1, 0)]], seconds[0])
    next_reading = seconds[measured[np.minimum(after, measured.size - 1)]]
    ends = np.where(after < measured.size, next_reading, seconds[-1])
    inside = holes[ends - begins > SILENT_H * SECONDS_PER_HOUR]
    # The first row of every hour stands for it.
    hour = np.floor(seconds[inside] / (EVERY_H * SECONDS_PER_HOUR)).astype(int)
    return inside[np.unique(hour, return_index=True)[1]]


def between(guesses: Mapping[float, Guesses], first: float, last: float) -> dict[float, Guesses]:
    """The stand-ins of a stretch of time [s], their seconds counted from its beginning."""
    selected = {}
    for height, series in guesses.items():
        inside = (series.seconds >= first) & (series.seconds <= last)
        if inside.any():
            seconds = series.seconds[inside] - first
            selected[height] = Guesses(seconds, series.values[inside], series.std[inside])
    return selected
