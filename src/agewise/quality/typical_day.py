"""The typical day: what a load mostly is at an hour, and how far days differ from it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_DAY

BINS = 96
"""Number of parts of a day: quarters of an hour."""
LEAST_DAYS = 2
"""Fewest days with readings at a quarter of an hour by which its spread is known."""
WINDOW_DAYS = 7.0
"""Length of a block [days] whose holes are filled by the same typical day."""


@dataclass(frozen=True, eq=False)
class Calendar:
    """Where each row stands in its local day and week."""

    day: Int[np.ndarray, " row"]
    """Number of the local day, counted from 1970 or from the start of the record."""
    clock: Float[np.ndarray, " row"]
    """Seconds since local midnight."""
    weekend: Bool[np.ndarray, " row"]
    """Whether it is a Saturday or a Sunday."""


def calendar(seconds: Float[np.ndarray, " row"], start: pd.Timestamp | None) -> Calendar:
    """Local days of the rows; where there is no date, days of 24 h from the start.

    Args:
        seconds: Times of the rows [s] from `start`.
        start: The instant of second 0 with its zone; None when the file counts minutes.
    """
    if start is None:
        day = np.floor(seconds / SECONDS_PER_DAY).astype(int)
        return Calendar(day, seconds % SECONDS_PER_DAY, np.zeros(day.size, dtype=bool))
    # Without its zone a time counts as the wall clock shows it: people load by that, not by UTC.
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
    """What a series mostly is at the hours of its holes, and how far days differ from that.

    The median of the nearby days at that quarter of an hour and the standard deviation of the days
    about it, working days and weekends apart where there are weeks of them; the median and standard
    deviation of all nearby values where that hour was read on fewer than two days.

    Args:
        load: The series, a load [p.u.] or a temperature [°C]; NaN where there is no reading.
        holes: Rows at which the typical value is asked for.
        dates: Where each row stands in its day and week.
        limits: Which days are near, and from how many on weekends are distinguished.

    Returns:
        Value and standard deviation at the rows of `holes`; 0 at all others.
    """
    value, std = np.zeros(load.size), np.zeros(load.size)
    measured = ~np.isnan(load)
    apart = np.ptp(dates.day) + 1 >= limits.weekend_days
    group = dates.weekend if apart else np.zeros(load.size, dtype=bool)
    block = (dates.day - dates.day[0]) // WINDOW_DAYS
    for number in np.unique(block[holes]):
        middle = dates.day[0] + (number + 0.5) * WINDOW_DAYS
        # Near to any day of the block, not only to its middle.
        near = measured & (np.abs(dates.day - middle) <= limits.nearby_days + WINDOW_DAYS / 2)
        near = near if near.any() else measured  # a hole of months: any day is better than none
        for kind in np.unique(group[holes & (block == number)]):
            targets, sources = holes & (block == number) & (group == kind), near & (group == kind)
            sources = sources if sources.any() else near  # no weekend near: working days must do
            day = _day(load[sources], dates.day[sources], dates.clock[sources])
            value[targets], std[targets] = _at(day, dates.clock[targets])
    return value, std


def _day(
    load: Float[np.ndarray, " _"], day: Int[np.ndarray, " _"], clock: Float[np.ndarray, " _"]
) -> Float[np.ndarray, "2 bin"]:
    """Median and standard deviation about it by quarter of an hour.

    In arrays: a table takes seven times as long, and there is one of these for every week.
    """
    quarter = (clock // (SECONDS_PER_DAY / BINS)).astype(int)
    # By quarters, and within each of them by size.
    count, ranked = np.bincount(quarter, minlength=BINS), load[np.lexsort((load, quarter))]
    # Each day counts once a quarter, however many samples it has there.
    days = np.bincount(np.unique(quarter + BINS * (day - day.min())) % BINS, minlength=BINS)
    first = np.cumsum(count) - count
    # The two middle places of each quarter in the sorted loads, one and the same for odd counts. A
    # quarter without readings points anywhere in range, and is replaced at the end.
    halves = [np.minimum(first + place, load.size - 1) for place in ((count - 1) // 2, count // 2)]
    middle = ranked[halves].mean(axis=0)
    # About the median, with one day's freedom spent on it: the deviation from day to day.
    variance = np.bincount(quarter, (load - middle[quarter]) ** 2, BINS) / np.maximum(count, 1)
    spread = np.sqrt(variance * days / np.maximum(days - 1, 1))
    overall = [[np.median(load)], [load.std()]]
    return np.where(days >= LEAST_DAYS, [middle, spread], overall)


def _at(
    day: Float[np.ndarray, "2 bin"], clock: Float[np.ndarray, " _"]
) -> tuple[Float[np.ndarray, " _"], Float[np.ndarray, " _"]]:
    """Value and standard deviation at times of day [s], straight between middles of quarters."""
    width = SECONDS_PER_DAY / BINS
    middles = (np.arange(BINS) + 0.5) * width
    value, std = (np.interp(clock, middles, part, period=SECONDS_PER_DAY) for part in day)
    return value, std
