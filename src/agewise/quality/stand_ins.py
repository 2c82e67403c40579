"""What stands in for a thermometer that was silent for hours: guesses, and how far off they are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.thresholds import DEFAULT_THRESHOLDS
from agewise.quality.typical_day import calendar, typical_load
from agewise.transformer.iec60076 import top_oil
from agewise.transformer.oil.heat import Guesses
from agewise.transformer.sampling import Hold
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

SILENT_H = 2.0
"""h without a reading from which guesses stand in; shorter holes a smooth series spans better"""
EVERY_H, CORRELATED_H = 1.0, 3.0
"""h between guesses, and for which their errors stay the same"""
LEAST_AIR_K, LEAST_OIL_K = 1.0, 0.5
"""standard deviation of a guess at the least"""
UNSEEN_AIR_K, FEW_DAYS = 5.0, 3
"""of air that was read on fewer days than these: there is no typical day"""
MODEL_K = 2.0
"""of a modelled top oil where less than a day was measured to judge the model by"""
ENOUGH = 50
"""readings by which the model is judged"""

Series = Float[np.ndarray, " time"]


@dataclass(frozen=True, eq=False)
class Whole:
    """Both ends without holes, and how far what was filled in may be off; 0 where it was read."""

    profile: Profile
    ambient_std: Series
    top_oil_std: Series


def whole(profile: Profile, nameplate: Nameplate, hold: Hold) -> Whole:
    """Fill the air by its typical day and the top oil by the guide's model.

    Both are shifted so that they meet the readings on either side of a hole.
    """
    air, air_std = _whole_ambient(profile)
    filled = replace(profile, ambient=air)
    if profile.top_oil is None:
        return Whole(filled, air_std, np.zeros_like(air_std))
    top, top_std = _whole_top_oil(filled, air_std, nameplate, hold)
    return Whole(replace(filled, top_oil=top), air_std, top_std)


def stand_ins(profile: Profile, nameplate: Nameplate, hold: Hold) -> dict[float, Guesses]:
    """Guesses by height, an hour apart, where an end of the oil was silent for long."""
    rows = {0.0: _silent_rows(profile.seconds, profile.ambient)}
    if profile.top_oil is not None:
        rows[1.0] = _silent_rows(profile.seconds, profile.top_oil)
    if not any(at.size for at in rows.values()):
        return {}
    filled = whole(profile, nameplate, hold)
    told = {0.0: (filled.profile.ambient, filled.ambient_std)}
    if filled.profile.top_oil is not None:
        told[1.0] = (filled.profile.top_oil, filled.top_oil_std)
    # Neighbours are wrong together, so each says less.
    inflation = np.sqrt(CORRELATED_H / EVERY_H)
    return {
        height: Guesses(profile.seconds[at], told[height][0][at], inflation * told[height][1][at])
        for height, at in rows.items()
        if at.size
    }


def _whole_ambient(profile: Profile) -> tuple[Series, Series]:
    holes = np.isnan(profile.ambient)
    if not holes.any():
        return profile.ambient, np.zeros(holes.size)
    dates, everywhere = calendar(profile.seconds, profile.timeline.start), np.ones_like(holes)
    typical, std = typical_load(profile.ambient, everywhere, dates, DEFAULT_THRESHOLDS)
    least = LEAST_AIR_K if np.unique(dates.day[~holes]).size >= FEW_DAYS else UNSEEN_AIR_K
    std = np.where(holes, np.maximum(std, least), 0.0)
    return _drawn_to(profile.seconds, profile.ambient, typical), std


def _whole_top_oil(
    profile: Profile, air_std: Series, nameplate: Nameplate, hold: Hold
) -> tuple[Series, Series]:
    """The guide's top oil, judged by the error that it shows where there are readings."""
    measured = np.asarray(profile.top_oil)
    holes = np.isnan(measured)
    if not holes.any():
        return measured, np.zeros(holes.size)
    constants, seconds = nameplate.thermal_constants(), profile.seconds
    modelled = top_oil(constants, seconds, profile.load, profile.ambient, hold=hold)
    error = (measured - modelled)[~holes]
    heard = np.ptp(seconds[~holes]) / SECONDS_PER_DAY
    least = LEAST_OIL_K if heard >= 1 and error.size >= ENOUGH else MODEL_K
    variance = max(float(error.std()), least) ** 2 + air_std**2
    if profile.load_std is not None:
        heavier = profile.load + profile.load_std
        more = top_oil(constants, seconds, heavier, profile.ambient, hold=hold)
        variance = variance + (more - modelled) ** 2
    return _drawn_to(seconds, measured, modelled), np.where(holes, np.sqrt(variance), 0.0)


def _drawn_to(seconds: Series, values: Series, guess: Series) -> Series:
    """The values; across holes the guess, shifted so that it meets those on either side."""
    there = ~np.isnan(values)
    shift = np.interp(seconds, seconds[there], (values - guess)[there])
    return np.where(there, values, guess + shift)


def _silent_rows(seconds: Series, values: Series) -> Int[np.ndarray, " row"]:
    """Rows in long holes, about an hour apart."""
    empty = np.isnan(values)
    there, holes = np.flatnonzero(~empty), np.flatnonzero(empty)
    if not holes.size or not there.size:
        return np.zeros(0, dtype=int)
    after = np.searchsorted(there, holes)
    since = np.where(after > 0, seconds[there[np.maximum(after - 1, 0)]], seconds[0])
    later = seconds[there[np.minimum(after, there.size - 1)]]
    until = np.where(after < there.size, later, seconds[-1])
    inside = holes[until - since > SILENT_H * SECONDS_PER_HOUR]
    hour = np.floor(seconds[inside] / (EVERY_H * SECONDS_PER_HOUR)).astype(int)
    return inside[np.unique(hour, return_index=True)[1]]


def between(guesses: Mapping[float, Guesses], first: float, last: float) -> dict[float, Guesses]:
    """Those of a stretch of time [s], counted from its beginning."""
    found = {}
    for height, one in guesses.items():
        inside = (one.seconds >= first) & (one.seconds <= last)
        if inside.any():
            parts = (one.seconds[inside] - first, one.values[inside], one.std[inside])
            found[height] = Guesses(*parts)
    return found
