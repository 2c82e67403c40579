"""Dates and times of day as people write them, as wall-clock times without a zone."""

import datetime
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
from jaxtyping import Bool, Int64

from agewise.errors import InputError

pc: Any = pyarrow.compute  # its functions are made when it is imported

Moments = Int64[np.ndarray, " row"]
"""Nanoseconds since 1970, in UTC or of a wall clock."""
NO_TIME = np.iinfo(np.int64).min
"""A moment that cannot be read: the number that NumPy and pandas keep for `NaT`."""
DAY, SECOND = 86_400_000_000_000, 1_000_000_000
"""Length of a day and of a second [ns]."""
LAST = 2**63 - 2 * DAY
"""Largest distance of a moment from 1970 [ns]: the range of 64 bits, 1677 to 2262, less two days so
that no zone leads out of it."""

PARTS = (
    r"^(?P<date>.*?\d[\d\pL]*\.?)(?:[T, ]+(?P<clock>\d{1,2}[:.hH]\d{2}(?:[:.m]\d{2}(?:[.,]\d+)?)?"
    r"\s*(?:[aApP]\.?\s?[mM]\.?)?)\s*"
    r"(?P<zone>Z|[A-Z]{3,4}|(?:UTC|GMT)?[+-]\d{2}:?\d{2}|[+-]\d{2})?)?$"
)
"""A date, then perhaps a time of day, then perhaps a zone."""
CLOCK = re.compile(
    r"(?P<h>\d{1,2})[:.hH](?P<m>\d{2})(?:[:.m](?P<s>\d{2})(?:[.,](?P<f>\d{1,9})\d*)?)?"
    r"\s*(?:(?P<half>[aApP])\.?\s?[mM]\.?)?"
)
"""A time of day: 8:30, 08.30.15,250, 8h30, 8:30 p.m."""
NUMERIC = re.compile(r"(\d{1,4})([./\-\s])\s?(\d{1,2})[./\-\s]\s?(\d{1,4})\.?")
"""A date in numbers, in any order: 12.06.2025, 6/12/25, 2025-06-12."""
NAMED = re.compile(r"(\d{1,4})[./\-\s]+([^\W\d_]{3,12})\.?[./\-\s,]+(\d{2,4})")
"""A date with the name of its month in the middle: 12-Jun-2025, 12 juin 2025."""
NAMED_FIRST = re.compile(r"([^\W\d_]{3,12})\.?\s+(\d{1,2}),?\s+(\d{4})")
"""A date with the name of its month first: June 12, 2025."""
MONTHS = {
    **{"jan": 1, "ene": 1, "gen": 1, "feb": 2, "fev": 2, "mar": 3, "mae": 3, "mrz": 3},
    **{"apr": 4, "abr": 4, "avr": 4, "may": 5, "mai": 5, "mag": 5, "jun": 6, "giu": 6, "juin": 6},
    **{"jul": 7, "lug": 7, "juil": 7, "aug": 8, "ago": 8, "aou": 8, "sep": 9, "set": 9},
    **{"oct": 10, "okt": 10, "out": 10, "ott": 10, "nov": 11, "dec": 12, "dez": 12, "dic": 12},
}
"""Months by their first letters in English, Spanish, French, German, Portuguese and Italian."""
ZONES = {
    **{"Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "MEZ": 1},
    **{"CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3},
}
"""Hours ahead of UTC by abbreviation; those with several meanings (IST, CST) are left out."""


@dataclass(frozen=True)
class Stamps:
    """Times as written: wall-clock nanoseconds since 1970, and the offset where one is given."""

    wall: Moments
    """What the clock on the wall showed [ns since 1970]; `NO_TIME` where it cannot be read."""
    offset: Moments
    """Nanoseconds ahead of UTC; `NO_TIME` where the text names no zone."""
    zone: datetime.tzinfo | None = None
    """The zone, where the file names one for all its rows."""


def stamps(text: pa.Array, where: str) -> Stamps:
    """Times from text in any common format.

    Args:
        text: The time column, without spaces around its cells.
        where: What the file is called in errors.

    Returns:
        The times; whether day or month comes first is decided by all rows together.
    """
    parts = pc.extract_regex(text, PARTS)
    if parts.null_count == len(parts):
        return Stamps(np.full(len(text), NO_TIME), np.full(len(text), NO_TIME))
    # A file has few dates and few times of day, so each part is understood once per distinct word.
    date, clock, zone = (encoded(pc.struct_field(parts, n)) for n in ("date", "clock", "zone"))
    times = clock.mapped(clock_time)
    walls = [_sum(date.mapped(reading), times) for reading in _readings(date.words)]
    return Stamps(_chosen(walls, text, where), zone.mapped(zone_offset))


@dataclass(frozen=True, eq=False)
class Encoded:
    """A column of text as its distinct words and which of them each row has."""

    words: list[str]
    """Distinct words, in the order in which they occur."""
    codes: np.ndarray
    """Place of each row's word in `words`; -1 where the row has none."""

    def mapped(self, reading: Callable[[str], int | None]) -> Moments:
        """What each row's word means; `NO_TIME` where it means nothing."""
        # One entry at least, which rows without a word can point to before they are masked.
        values = [reading(word) for word in self.words] or [None]
        table = np.array([NO_TIME if value is None else value for value in values])
        return np.where(self.codes < 0, NO_TIME, table[self.codes])


def encoded(column: pa.Array) -> Encoded:
    """Distinct words of a column, so that each is understood once."""
    coded = pc.dictionary_encode(column)
    codes = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return Encoded(coded.dictionary.to_pylist(), codes)


def clock_time(text: str) -> int | None:
    """Nanoseconds since midnight; midnight itself where no time of day is given."""
    if not text:
        return 0
    match = CLOCK.fullmatch(text.strip())
    if match is None:
        return None
    hour, minute, second = int(match["h"]), int(match["m"]), int(match["s"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        # 12 a.m. is midnight, and 12 p.m. noon.
        hour = hour % 12 + (12 if match["half"] in "pP" else 0)
    # 24:00 is midnight at the end of a day; nothing later than that exists.
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute + second > 0):
        return None
    # Digits behind the point, filled up to nanoseconds.
    fraction = int((match["f"] or "").ljust(9, "0"))
    return (hour * 3600 + minute * 60 + second) * SECOND + fraction


def _readings(dates: Sequence[str]) -> list[Callable[[str], int | None]]:
    """Ways to read the dates of a file: one where the order is plain, else several."""
    fields = [match.groups() for date in dates if (match := NUMERIC.fullmatch(date.strip()))]
    if not fields:
        # Dates with the name of their month have no order to be guessed.
        orders = ["dmy"]
    elif all(len(first) > 2 for first, *_ in fields):
        orders = ["ymd"]
    # With points, the day stands before the month wherever the year is last.
    elif all(sign == "." for _, sign, *_ in fields):
        orders = ["dmy"]
    else:
        # With two digits for the year, it may stand first as well.
        short = all(len(last) < 3 for *_, last in fields)
        orders = ["dmy", "mdy", "ymd"] if short else ["dmy", "mdy"]
    # Bound as a default, since a closure would see the last order alone.
    return [lambda date, order=order: date_time(date, order) for order in orders]


def date_time(text: str, order: str) -> int | None:
    """Nanoseconds from 1970 to the beginning of a date, its numbers in that order."""
    text = text.strip()
    if match := NUMERIC.fullmatch(text):
        numbers = dict(zip(order, (match[1], match[3], match[4]), strict=True))
        return _day(numbers["y"], int(numbers["m"]), int(numbers["d"]))
    if re.fullmatch(r"\d{8}", text):
        return _day(text[:4], int(text[4:6]), int(text[6:]))
    if match := NAMED_FIRST.fullmatch(text):
        return _day(match[3], _month(match[1]), int(match[2]))
    text = re.sub(r"^[^\W\d_]+\.?,?\s+(?=\d)", "", text)  # the day of the week
    if match := NAMED.fullmatch(text):
        day, year = (match[3], match[1]) if len(match[1]) == 4 else (match[1], match[3])
        return _day(year, _month(match[2]), int(day))
    return None


def _month(name: str) -> int:
    plain = unicodedata.normalize("NFKD", name.lower())
    plain = "".join(letter for letter in plain if letter.isascii())
    # Four letters first: `juin` and `juil` share three.
    return MONTHS.get(plain[:4], MONTHS.get(plain[:3], 0))


def _day(year: str, month: int, day: int) -> int | None:
    if len(year) not in (2, 4):
        return None
    try:
        # Two digits are of this century: no record in such a file is older.
        date = datetime.date(int(year) + (2000 if len(year) == 2 else 0), month, day)
    except ValueError:
        return None
    moment = (date.toordinal() - datetime.date(1970, 1, 1).toordinal()) * DAY
    return moment if abs(moment) < LAST else None


def zone_offset(zone: str) -> int | None:
    """Nanoseconds ahead of UTC, None where no zone is named."""
    if zone in ZONES:
        return ZONES[zone] * 3600 * SECOND
    match = re.fullmatch(r"(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})?", zone)
    if match is None:
        return None
    seconds = int(match[2]) * 3600 + int(match[3] or 0) * 60
    return seconds * SECOND * (-1 if match[1] == "-" else 1)


def _sum(days: Moments, times: Moments) -> Moments:
    return np.where((days == NO_TIME) | (times == NO_TIME), NO_TIME, days + times)


def _chosen(walls: Sequence[Moments], text: pa.Array, where: str) -> Moments:
    """The reading of the dates that is most likely meant.

    It has the fewest unreadable rows (no month is above 12), then the smaller largest step: days
    that follow each other jump by months when day and month are exchanged.
    """
    ranked = sorted(walls, key=_rank)
    if len(ranked) > 1 and _rank(ranked[0]) == _rank(ranked[1]):
        # Where day and month are alike in every row, both readings are the same.
        if np.array_equal(ranked[0], ranked[1]):
            return ranked[0]
        raise InputError(
            f"{where}: time {text[0].as_py()!r} can be read in two ways (day, month, year).",
            hint='say which: `time_format="%d/%m/%Y %H:%M"` or `time_format="%m/%d/%Y %H:%M"`.',
        )
    return ranked[0]


def _rank(wall: Moments) -> tuple[int, int]:
    readable: Bool[np.ndarray, " row"] = wall != NO_TIME
    steps = np.abs(np.diff(wall[readable]))
    return int((~readable).sum()), int(steps.max(initial=0))


def nanoseconds(times: pd.DatetimeIndex) -> Moments:
    """Nanoseconds since 1970; `NO_TIME` where there are none, before 1678 and after 2261."""
    ticks = times.asi8
    scale = int(pd.Timedelta(1, unit=times.unit) / pd.Timedelta("1ns"))
    furthest = LAST // scale
    # Checked before multiplying: a product that leaves 64 bits would come back as another date.
    fits = (ticks > -furthest) & (ticks < furthest)
    return np.where(fits, np.where(fits, ticks, 0) * scale, NO_TIME)
