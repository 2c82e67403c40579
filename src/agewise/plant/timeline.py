"""The time column: seconds for the physics, and the labels that a user will look for."""

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.units import SECONDS_PER_MINUTE

ZONE_PATTERN = r"(?<=\d)(?:Z|[+-]\d{2}(?::?\d{2})?)$"
"""How an ISO 8601 time stamp ends when it names its zone; looked for behind the date."""
DATE_LENGTH = len("2025-06-12")
"""Characters of a date, whose last part looks like an offset: 2025-06-12 ends in -12."""
ENDING_LENGTH = len("0+02:00")
"""Characters of the longest zone and of the digit that must stand before it."""

LONGEST_START, SHORTEST_STEP = 1e6, 1 / 60
"""Largest first number and smallest typical step of a time column that counts minutes [min];
beyond, the numbers are dates, days or seconds."""

ZONE_HINT = "append the offset or Z, as 2025-06-12T08:30:00+02:00."


@dataclass(frozen=True)
class Timeline:
    """Strictly increasing instants."""

    labels: pd.Series
    """The column as it was given, written back unchanged."""
    seconds: Float[np.ndarray, " time"]
    """Seconds from the first instant."""
    start: pd.Timestamp | None
    """The first instant with its zone; None when the file counts minutes."""

    @property
    def timezone(self) -> str:
        """The zone's name or offset, empty when the file counts minutes."""
        return "" if self.start is None else str(self.start.tzinfo)

    def utc(self, seconds: Float[np.ndarray, " time"]) -> np.ndarray:
        """Instants in UTC without a zone, as NetCDF stores them; minutes when there is no date."""
        if self.start is None:
            return seconds / SECONDS_PER_MINUTE
        # NumPy has no zones. Rounded to nanoseconds: a cast of the seconds would cut fractions off.
        start = self.start.tz_convert("UTC").tz_localize(None).to_datetime64()
        return start + (seconds * 1e9).round().astype("timedelta64[ns]")


def timeline(column: pd.Series, *, where: str) -> Timeline:
    """Understand a time column: ISO 8601 with a zone, zoned time stamps, or minutes.

    `where` names the file in errors. Line numbers count the header as line 1.
    """
    if _counts_minutes(column):
        minutes = column.astype(float).to_numpy()
        _refuse_unordered(minutes, column, where)
        _refuse_other_numbers(minutes, where)
        return Timeline(column, (minutes - minutes[0]) * SECONDS_PER_MINUTE, None)
    instants = zoned_instants(column, where)
    nanoseconds = instants.as_unit("ns").asi8
    _refuse_unordered(nanoseconds, column, where)
    # Differences of integers first: as a float, nanoseconds since 1970 lose their last digits.
    seconds = (nanoseconds - nanoseconds[0]) / 1e9
    return Timeline(column, seconds, instants[0])


def _counts_minutes(column: pd.Series) -> bool:
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return False
    # The first row settles it for most files, without parsing the rest.
    parts = (column.iloc[:1], column)
    return all(bool(pd.to_numeric(part, errors="coerce").notna().all()) for part in parts)


def _refuse_other_numbers(minutes: np.ndarray, where: str) -> None:
    """Refuse numbers that are dates, days or seconds rather than minutes."""
    typical = float(np.median(np.diff(minutes)))
    if not (
        np.isfinite(minutes).all() and minutes[0] <= LONGEST_START and typical >= SHORTEST_STEP
    ):
        raise InputError(
            f"{where}: the numbers in 'time' ({minutes[0]:.12g}, {minutes[1]:.12g}, ...) are not "
            f"minutes from the start.",
            hint="give minutes, or ISO 8601 with a zone, as 2025-06-12T08:30:00+02:00.",
        )


def zoned_instants(column: pd.Series, where: str) -> pd.DatetimeIndex:
    """Instants with a zone, from time stamps or ISO 8601 text, in any order.

    Args:
        column: The times, each with its own zone or offset.
        where: What the table is called in errors.

    Returns:
        The instants, in the zone of the column where all rows share one, else in UTC.
    """
    if pd.api.types.is_datetime64_dtype(column.dtype):
        raise InputError(f"{where}: the times have no time zone.", hint=ZONE_HINT)
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return pd.DatetimeIndex(column)
    text = column.astype(str)
    parsed = pd.to_datetime(text, format="ISO8601", utc=True, errors="coerce")
    # Parsed as UTC, text without a zone passes too: it is refused by its ending, further below.
    _refuse_where(
        parsed.isna(), text, where, "is not a time", "write ISO 8601, as 2025-06-12T08:30:00+02:00."
    )
    # Endings are few, so each is asked once.
    codes, endings = pd.factorize(text.str.slice(DATE_LENGTH).str.slice(-ENDING_LENGTH))
    zoned = np.array([re.search(ZONE_PATTERN, ending) is not None for ending in endings])
    _refuse_where(pd.Series(~zoned[codes]), text, where, "has no time zone", ZONE_HINT)
    # One time stamp for each ending is enough to know its zone.
    firsts = text.iloc[np.unique(codes, return_index=True)[1]]
    zone = common_zone(pd.Timestamp(each).tzinfo for each in firsts)
    return pd.DatetimeIndex(parsed).tz_convert(zone)


def common_zone(zones: Iterable[datetime.tzinfo | None]) -> datetime.tzinfo:
    """The zone of a column whose times have these: the one that all share, else UTC.

    Several offsets, as on both sides of a clock change, have only UTC in common.
    """
    by_name = {str(zone): zone for zone in zones if zone is not None}
    return next(iter(by_name.values())) if len(by_name) == 1 else datetime.UTC


def _refuse_where(bad: pd.Series, text: pd.Series, where: str, what: str, hint: str) -> None:
    """Refuse the first time that is marked as bad; `what` says what is wrong with it."""
    if bad.any():
        # Line 1 is the header, and rows count from 0.
        row = int(np.flatnonzero(bad)[0])
        raise InputError(f"{where}, line {row + 2}: time {text.iloc[row]!r} {what}.", hint=hint)


def _refuse_unordered(instants: np.ndarray, column: pd.Series, where: str) -> None:
    steps = np.diff(instants)
    if (steps <= 0).any():
        row = int(np.flatnonzero(steps <= 0)[0]) + 1
        relation = "repeats" if steps[row - 1] == 0 else "is before"
        raise InputError(
            f"{where}, line {row + 2}: time {column.iloc[row]} {relation} the line above "
            f"({column.iloc[row - 1]}).",
            hint="sort the rows by time and keep one row for each instant.",
        )
