"""Instants of wall-clock times in a zone, the days of clock changes included."""

import datetime
from collections.abc import Callable

import numpy as np
import pandas as pd
from jaxtyping import Bool

from agewise.errors import InputError
from agewise.reading.clock.stamps import DAY, NO_TIME, Moments

LONGEST_REPEAT = 3600 * 1_000_000_000
"""Nanoseconds: a clock that is set back repeats an hour at most, and once in a day."""


def instants(
    wall: Moments, zone: datetime.tzinfo, place: Callable[[int], str]
) -> tuple[Moments, Bool[np.ndarray, " row"]]:
    """Instants of wall-clock times, the hour included that a clock repeats when it is set back.

    In that hour the order of the rows tells the two passes apart: the second begins where the clock
    does not move forward.

    Args:
        wall: Times of the wall clock [ns since 1970], in the order of the file.
        zone: The zone of that clock.
        place: How a sentence begins that is about a row.

    Returns:
        Moments in UTC [ns since 1970], and the rows of a repeated hour that was written only once.
    """
    index = pd.DatetimeIndex(wall.astype("datetime64[ns]"))
    repeated = _repeated(index, zone)
    second, doubtful = _passes(wall, repeated)
    # To pandas, `ambiguous` says where summer time holds, which is the first pass.
    there = index.tz_localize(zone, ambiguous=~second, nonexistent="NaT")
    missing = (there.asi8 == NO_TIME) & (wall != NO_TIME)
    if missing.any():
        raise InputError(
            f"{place(int(np.flatnonzero(missing)[0]))} does not exist in {zone}, where the clock "
            f"was set forward: the logger does not change its clock.",
            hint='give its fixed offset, as `timezone="+01:00"` (or Etc/GMT-1).',
        )
    return there.tz_convert("UTC").asi8, doubtful


def _repeated(index: pd.DatetimeIndex, zone: datetime.tzinfo) -> Bool[np.ndarray, " row"]:
    """Rows whose time occurs twice: there the two answers to "is it summer time?" differ."""
    first = index.tz_localize(zone, ambiguous=np.ones(len(index), bool), nonexistent="NaT")
    second = index.tz_localize(zone, ambiguous=np.zeros(len(index), bool), nonexistent="NaT")
    return (first.asi8 != second.asi8) & (first.asi8 != NO_TIME)


def _passes(
    wall: Moments, repeated: Bool[np.ndarray, " row"]
) -> tuple[Bool[np.ndarray, " row"], Bool[np.ndarray, " row"]]:
    """Rows of the second pass, and rows of hours that have one pass only."""
    second, doubtful = np.zeros(wall.size, bool), np.zeros(wall.size, bool)
    rows = np.flatnonzero(repeated)
    if not rows.size:
        return second, doubtful
    # Many exports have the newest row first; such groups are turned round before they are judged.
    steps = np.diff(wall[wall != NO_TIME])
    backwards = bool(np.median(steps) < 0)
    coarse = bool(np.median(np.abs(steps[steps != 0])) >= LONGEST_REPEAT / 2)
    # By day, as a record of years repeats an hour every autumn.
    days = wall[rows] // DAY
    for day in np.unique(days):
        group = rows[days == day][:: -1 if backwards else 1]
        begin = _second_pass(wall[group], coarse)
        second[group[begin:]] = True
        doubtful[group] = begin == group.size
    return second, doubtful


def _second_pass(wall: Moments, coarse: bool) -> int:
    """Row at which the second pass begins; the number of rows where there is no second pass.

    With a step as long as the repeated time its two passes have one and the same time each; with a
    shorter one, a time that is repeated at once is a row written twice.
    """
    steps = np.diff(wall)
    # A single row makes no step, and counts as running forward.
    back = steps.min(initial=1)
    if back < 0 or (back == 0 and coarse):
        return int(steps.argmin()) + 1
    return wall.size
