"""Times as numbers: counted from the start, from 1970, in days of Excel, or digits of a date."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.measures import SECONDS
from agewise.plant.timeline import LONGEST_START, SHORTEST_STEP
from agewise.reading.clock.stamps import DAY, LAST, NO_TIME, Stamps, nanoseconds

EPOCH_RANGE = (3.0e8, 4.2e9)
"""Seconds since 1970 that a plant's data can have: from 1979 to 2103."""
EPOCHS = {"seconds": 1.0, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}
"""Units in which programs count from 1970, and how many of each make a second."""
EXCEL_RANGE, EXCEL_STEP = (20_000.0, 80_000.0), 0.5
"""Days of Excel that a plant's data can have, 1954 to 2119, and the longest typical step [days]."""
EXCEL_ZERO = (pd.Timestamp("1899-12-30") - pd.Timestamp("1970-01-01")) // pd.Timedelta("1ns")
"""Day 0 of Excel [ns since 1970]."""
HOUR = 60.0
"""Typical step from which numbers that are taken for minutes may as well be seconds [min]."""
LONGEST_COUNT = 1e9
"""Largest number that can count the seconds or minutes of a record; beyond, a cell is damaged."""
MILLISECOND = 1_000_000
"""Nanoseconds to which days of Excel are rounded, as they are not known better."""
DIGITS = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
"""Formats of dates that are written as one number, by how many digits it has."""
WORDS = ("minutes", "epoch", "excel")
"""What the user can say that numbers are, as `time_format`."""


@dataclass(frozen=True, eq=False)
class Serials:
    """Numbers understood: seconds from some start, or moments of the wall clock."""

    seconds: Float[np.ndarray, " row"]
    """Seconds from some start; empty when the numbers are moments."""
    stamps: Stamps | None = None
    """Moments of the wall clock; None when the numbers count from a start."""
    text: str = ""
    """A sentence about what was guessed; empty where nothing was."""


def serials(
    numbers: Float[np.ndarray, " row"], asked: str | None, unit: str | None, where: str
) -> Serials:
    """What the numbers in a time column mean.

    Args:
        numbers: The column; NaN where a cell holds no number.
        asked: What the user says they are, one of `WORDS`; None leaves it to be guessed.
        unit: Unit in which they count from the start, if the file or the user names one.
        where: What the file is called in errors.
    """
    # From the surest guess to the least sure: seconds since 1970 and the digits of dates lie far
    # from all else, while days of Excel could be minutes but for their short step.
    known = numbers[np.isfinite(numbers)]
    step = _typical_step(known)
    scale = _epoch_scale(float(np.median(known)))
    if asked == "epoch" or (asked is None and scale):
        return _epoch(numbers, scale or "seconds")
    form = _digits(known)
    if asked is None and unit is None and form:
        return _dates(numbers, form)
    low, high = EXCEL_RANGE
    days = bool(low <= known.min() and known.max() <= high and step < EXCEL_STEP)
    if asked == "excel" or (asked is None and unit is None and days):
        return _excel(numbers)
    if asked is None and unit is None and not (known[0] <= LONGEST_START and step >= SHORTEST_STEP):
        beginning = ", ".join(f"{number:.12g}" for number in known[:2])
        raise InputError(
            f"{where}: the numbers in the time column ({beginning}, ...) are not minutes from the "
            f"start.",
            hint='give their unit (s, min, h), as `units={"time": "s"}`; or `time_format="epoch"` '
            'or `time_format="excel"`; or write ISO 8601.',
        )
    text = (
        f"The numbers in the time column are taken for minutes from the start, {step:.6g} min "
        f"apart; if they are seconds, give the unit of the time."
    )
    doubtful = unit is None and asked is None and HOUR <= step < np.inf
    # One damaged cell must not stretch a record over centuries.
    counted = np.where(np.abs(numbers) < LONGEST_COUNT, numbers, np.nan)
    return Serials(counted * SECONDS[unit or "min"], text=text if doubtful else "")


def _typical_step(known: np.ndarray) -> float:
    steps = np.abs(np.diff(known))
    steps = steps[steps > 0]
    return float(np.median(steps)) if steps.size else np.inf


def _epoch_scale(typical: float) -> str | None:
    low, high = EPOCH_RANGE
    return next((name for name, n in EPOCHS.items() if low * n <= typical <= high * n), None)


def _epoch(numbers: np.ndarray, scale: str) -> Serials:
    factor = 1e9 / EPOCHS[scale]
    # Negated, so that NaN counts as bad too.
    bad = ~(np.abs(numbers) < LAST / factor)
    full_units = np.floor(np.where(bad, 0.0, numbers))
    # Whole units first: nanoseconds since 1970 are beyond the digits of a float.
    part = np.round((np.where(bad, 0.0, numbers) - full_units) * factor).astype(np.int64)
    wall = np.where(bad, NO_TIME, full_units.astype(np.int64) * int(factor) + part)
    text = f"The numbers in the time column are taken for {scale} since 1970, in UTC."
    return Serials(np.empty(0), Stamps(wall, np.where(bad, NO_TIME, 0)), text=text)


def _excel(numbers: np.ndarray) -> Serials:
    bad = ~(np.abs(numbers) < LAST / DAY)
    days = np.where(bad, 0.0, numbers) * (DAY / MILLISECOND)
    wall = np.round(days).astype(np.int64) * MILLISECOND + int(EXCEL_ZERO)
    text = "The numbers in the time column are taken for days of Excel since 1900, in local time."
    local = np.full(len(numbers), NO_TIME)
    return Serials(np.empty(0), Stamps(np.where(bad, NO_TIME, wall), local), text=text)


def _digits(known: np.ndarray) -> str | None:
    """The format of numbers whose digits are those of a date, as 202506120830."""
    digits = len(f"{known[0]:.0f}")
    form = DIGITS.get(digits)
    if form is None or (known != np.floor(known)).any():
        return None
    read = pd.to_datetime(
        pd.Series([f"{n:.0f}" for n in known[:100]]), format=form, errors="coerce"
    )
    # Any eight digits can be a number, so most must be dates in years that a record can have.
    plausible = read.dt.year.between(1950, 2100)
    return form if plausible.mean() > 0.5 else None


def _dates(numbers: np.ndarray, form: str) -> Serials:
    texts = pd.Series(numbers).map(lambda number: "" if np.isnan(number) else f"{number:.0f}")
    read = pd.to_datetime(texts, format=form, errors="coerce")
    wall = nanoseconds(pd.DatetimeIndex(read))
    text = f"The digits in the time column are taken for {_pattern(form)}, in local time."
    return Serials(np.empty(0), Stamps(wall, np.full(len(wall), NO_TIME)), text=text)


def _pattern(form: str) -> str:
    """A format of `strptime` in words."""
    words = {"%Y": "year", "%m": "month", "%d": "day", "%H": "hour", "%M": "minute", "%S": "second"}
    return ", ".join(word for code, word in words.items() if code in form)
