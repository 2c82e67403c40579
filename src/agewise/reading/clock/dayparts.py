"""A date and a time of day in two columns, as one."""

import numpy as np
import pandas as pd

from agewise.errors import InputError
from agewise.reading.clock.serials import EXCEL_RANGE
from agewise.reading.clock.stamps import clock_time
from agewise.reading.table.numbers import numbers_of, text_array
from agewise.units import SECONDS_PER_DAY

HOURS = 24
"""Largest number that can be an hour of the day: midnight at its end."""
EXCEL_ZERO = pd.Timestamp("1899-12-30")
"""Day 0 of Excel."""


def joined(date: pd.Series, clock: pd.Series, decimal: str, where: str) -> pd.Series | None:
    """A date and a time of day as one column of text.

    Args:
        date: Dates as text, or as days of Excel.
        clock: Times of day as text, as shares of a day (Excel) or as hours from 0 to 24.
        decimal: Decimal sign of the file; empty where nothing tells.
        where: What the file is called in errors.

    Returns:
        The text of both, or None where `clock` holds dates too and needs no other column.
    """
    text = _clock_text(clock, decimal)
    # The first cell that is filled decides for all: single bad ones are found when it is parsed.
    known = text[text != ""]
    if len(known) and clock_time(known.iloc[0]) is not None:
        return (_date_text(date, decimal) + " " + text).rename("time")
    # Numbers that are no time of day may count from the start, and the date would be of no use.
    if not pd.api.types.is_datetime64_any_dtype(clock.dtype) and _counts(clock, decimal):
        raise InputError(
            f"{where}: {str(clock.iloc[0])!r} in the column {clock.name!r} is no time of day to go "
            f"with the date in {date.name!r}.",
            hint=f"say which column is the time, as `columns={ {'time': str(clock.name)} }`.",
        )
    return None


def _counts(clock: pd.Series, decimal: str) -> bool:
    return bool(np.isfinite(numbers_of(clock, decimal=decimal).values).any())


def _clock_text(clock: pd.Series, decimal: str) -> pd.Series:
    """Times of day as text, from text, from shares of a day or from whole hours."""
    numbers = pd.Series(numbers_of(clock, decimal=decimal).values)
    known = numbers.dropna()
    if not len(known) or known.min() < 0 or known.max() > HOURS:
        return _text(clock)
    # Whole numbers before shares of a day: 0 and 1 are hours, not two midnights.
    if (known == np.floor(known)).all():
        return numbers.map(lambda hour: "" if np.isnan(hour) else f"{hour:02.0f}:00")
    return numbers.map(_share_text) if known.max() <= 1 else _text(clock)


def _share_text(share: float) -> str:
    """A share of a day as a time of day, to the millisecond that Excel keeps."""
    if np.isnan(share):
        return ""
    # Rounded before it is split, or 59.9996 s would be written as 60.000.
    seconds = round(share * SECONDS_PER_DAY, 3)
    return f"{seconds // 3600:02.0f}:{seconds // 60 % 60:02.0f}:{seconds % 60:06.3f}"


def _date_text(date: pd.Series, decimal: str) -> pd.Series:
    """Dates as text, from text or from days of Excel, which writes a date alone as midnight."""
    days = pd.Series(numbers_of(date, decimal=decimal).values)
    low, high = EXCEL_RANGE
    # Most, not all: single cells may be empty or damaged.
    if not days.between(low, high).mean() > 0.5:
        return _text(date).str.removesuffix(" 00:00:00")
    dates = EXCEL_ZERO + pd.TimedeltaIndex(pd.to_timedelta(np.floor(days), unit="D"))
    return pd.Series(dates.strftime("%Y-%m-%d"), dtype="str").fillna("")


def _text(column: pd.Series) -> pd.Series:
    return pd.Series(text_array(column).to_pandas(), dtype="str")
