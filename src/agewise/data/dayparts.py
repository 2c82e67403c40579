"""A date and a time of day in two columns, as one."""

import numpy as np
import pandas as pd

from agewise.data.numbers import numbers_of, text_array
from agewise.data.serials import EXCEL_RANGE
from agewise.data.stamps import DAY, clock_time


def joined(date: pd.Series, clock: pd.Series, decimal: str) -> pd.Series | None:
    """Both as one column of text or of Excel's days; None where the second is no time of day."""
    days = numbers_of(date, decimal=decimal).values
    low, high = EXCEL_RANGE
    if low <= np.nanmedian(np.where(np.isnan(days), np.inf, days)) <= high:
        shares = _shares(clock, decimal)
        return None if shares is None else pd.Series(days + shares, name="time")
    text = _text(clock)
    told = text[text != ""]
    if not len(told) or clock_time(told.iloc[0]) is None:
        return None
    # Excel writes a date alone as its midnight.
    return (_text(date).str.removesuffix(" 00:00:00") + " " + text).rename("time")


def _shares(clock: pd.Series, decimal: str) -> np.ndarray | None:
    """Shares of a day, from numbers or times of day."""
    numbers = numbers_of(clock, decimal=decimal).values
    if np.isfinite(numbers).any():
        return numbers if np.nanmin(numbers) >= 0 and np.nanmax(numbers) <= 1 else None
    times = [clock_time(text) if text else None for text in _text(clock)]
    if times[0] is None:
        return None
    return np.array([np.nan if time is None else time / DAY for time in times])


def _text(column: pd.Series) -> pd.Series:
    return pd.Series(text_array(column).to_pandas(), dtype="str")
