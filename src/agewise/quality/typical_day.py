"""The typical day: what a load mostly is at an hour, and how far days differ from it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_DAY

BINS = 96
"""Parts of a day: quarters of an hour."""
LEAST_DAYS = 2
"""Fewest days on which a quarter of an hour was seen to have a spread of its own."""
WINDOW_DAYS = 7.0
"""Holes within the same so many days share their typical days."""


@dataclass(frozen=True, eq=False)
class Calendar:
    """Where each row stands in its local day and week."""

    day: Int[np.ndarray, " row"]
    """Number of the day."""
    clock: Float[np.ndarray, " row"]
    """Seconds since local midnight."""
    weekend: Bool[np.ndarray, " row"]
    """Whether it is a Saturday or a Sunday."""


def calendar(seconds: Float[np.ndarray, " row"], start: pd.Timestamp | None) -> Calendar:
    """Local days; of 24 h from the start where there is no date."""
    if start is None:
        day = np.floor(seconds / SECONDS_PER_DAY).astype(int)
        return Calendar(day, seconds % SECONDS_PER_DAY, np.zeros(day.size, dtype=bool))
    local = (start + pd.to_timedelta(seconds, unit="s")).tz_localize(None)  # ty: ignore
    wall = pd.DatetimeIndex(local).as_unit("ns").asi8 / 1e9
    day = np.floor(wall / SECONDS_PER_DAY).astype(int)
    return Calendar(day, wall % SECONDS_PER_DAY, (day + 3) % 7 >= 5)  # 1 January 1970: a Thursday


def typical_load(
    load: Float[np.ndarray, " row"],
    holes: Bool[np.ndarray, " row"],
    dates: Calendar,
    limits: Thresholds,
) -> tuple[Float[np.ndarray, " row"], Float[np.ndarray, " row"]]:
    """Load and standard deviation at the rows of `holes`, from the rows about them; 0 elsewhere.

    The median of the nearby days at that quarter of an hour and the standard deviation of the days
    about it, working days and weekends apart where there are weeks of them; the median and standard
    deviation of all nearby loads where that hour was seen on fewer than two days.
    """
    value, std = np.zeros(load.size), np.zeros(load.size)
    seen = ~np.isnan(load)
    apart = np.ptp(dates.day) + 1 >= limits.weekend_days
    group = dates.weekend if apart else np.zeros(load.size, dtype=bool)
    block = (dates.day - dates.day[0]) // WINDOW_DAYS
    for number in np.unique(block[holes]):
        middle = dates.day[0] + (number + 0.5) * WINDOW_DAYS
        near = seen & (np.abs(dates.day - middle) <= limits.nearby_days + WINDOW_DAYS / 2)
        near = near if near.any() else seen
        for kind in np.unique(group[holes & (block == number)]):
            asked, known = holes & (block == number) & (group == kind), near & (group == kind)
            known = known if known.any() else near
            day = _day(load[known], dates.day[known], dates.clock[known])
            value[asked], std[asked] = _at(day, dates.clock[asked])
    return value, std


def _day(
    load: Float[np.ndarray, " _"], day: Int[np.ndarray, " _"], clock: Float[np.ndarray, " _"]
) -> Float[np.ndarray, "2 bin"]:
    """Median and standard deviation about it by quarter of an hour.

    In arrays: a table takes seven times as long, and there is one of these for every week.
    """
    quarter = (clock // (SECONDS_PER_DAY / BINS)).astype(int)
    count, ranked = np.bincount(quarter, minlength=BINS), load[np.lexsort((load, quarter))]
    days = np.bincount(np.unique(quarter + BINS * (day - day.min())) % BINS, minlength=BINS)
    first = np.cumsum(count) - count
    halves = [np.minimum(first + place, load.size - 1) for place in ((count - 1) // 2, count // 2)]
    middle = ranked[halves].mean(axis=0)
    # About the median, with one day's freedom spent on it: the deviation from day to day.
    off = np.bincount(quarter, (load - middle[quarter]) ** 2, BINS) / np.maximum(count, 1)
    spread = np.sqrt(off * days / np.maximum(days - 1, 1))
    overall = [[np.median(load)], [load.std()]]
    return np.where(days >= LEAST_DAYS, [middle, spread], overall)


def _at(
    day: Float[np.ndarray, "2 bin"], clock: Float[np.ndarray, " _"]
) -> tuple[Float[np.ndarray, " _"], Float[np.ndarray, " _"]]:
    """Between the middles of the quarters, round the clock."""
    width = SECONDS_PER_DAY / BINS
    middles = (np.arange(BINS) + 0.5) * width
    value, std = (np.interp(clock, middles, part, period=SECONDS_PER_DAY) for part in day)
    return value, std
