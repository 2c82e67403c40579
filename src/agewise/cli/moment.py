"""A moment as people name it: `Thu 14:00`, `2025-07-17 14:00`, or hours from now."""

import re
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from agewise.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""Days of the week by their number."""
NAMED = re.compile(r"(?:(?P<day>[a-z]{3,9})\.?\s*)?(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?)?")
"""A weekday, a time of the day, or both."""
ISO = re.compile(r"\d{4}-\d{2}-\d{2}([ t]\d{1,2}(:\d{2}){1,2}\s*(z|[+-]\d{2}:?\d{2})?)?", re.I)
"""A date by year, month and day, with or without a time and a zone. Of 07/08/2025 nobody can tell
the month."""
HINT = "give it as 'Thu 14:00', '14:00', '2025-07-17 14:00', or in hours after the record's end."
"""What is understood."""


def hours_after(end: "pd.Timestamp | None", text: str) -> float:
    """Time from the end of a record to a moment [h].

    Args:
        end: The end of the record on its own clock; None where it counts minutes.
        text: A weekday with or without a time, a time of the day, a date, or a number of hours. A
            weekday or a time is the first that comes after the end; a date, by year, month
            and day, is on the record's clock unless it has a zone.

    Raises:
        InputError: It is no moment, or the record has no clock.
    """
    try:
        return float(text.replace(",", "."))
    except ValueError:
        pass
    if end is None:
        raise InputError(
            f"{text!r} is a moment of a clock, but the record counts minutes.",
            hint="give the hours after the record's end, such as 3.5.",
        )
    return (_moment(end, text.strip()) - end).total_seconds() / 3600


def _moment(end: "pd.Timestamp", text: str) -> "pd.Timestamp":
    import pandas as pd

    found = NAMED.fullmatch(text.lower())
    if text and found:
        return _next(end, _weekday(found["day"], text), _clock(found, text))
    moment = pd.to_datetime(text, errors="coerce") if ISO.fullmatch(text) else pd.NaT
    if not isinstance(moment, pd.Timestamp):
        raise InputError(f"{text!r} is no moment.", hint=HINT)
    return _local(end, moment) if moment.tzinfo is None else moment


def _local(end: "pd.Timestamp", moment: datetime) -> "pd.Timestamp":
    """A moment of the record's clock. Of an hour that the clock has twice it is the first one that
    is not over at the end of the record, and of one that it leaves out the moment after it."""
    import pandas as pd

    first, second = (
        pd.Timestamp(moment).tz_localize(end.tzinfo, ambiguous=summer, nonexistent="shift_forward")
        for summer in (True, False)
    )
    return first if first >= end else second


def _weekday(name: str | None, text: str) -> int | None:
    """Number of a weekday, of which three letters are enough."""
    if name is None:
        return None
    numbers = [number for number, day in enumerate(WEEKDAYS) if day.startswith(name)]
    if not numbers:
        raise InputError(f"{text!r} is no moment: there is no day {name!r}.", hint=HINT)
    return numbers[0]


def _clock(found: re.Match[str], text: str) -> time:
    """Time of the day; midnight where only a day is named."""
    try:
        return time(int(found["hour"] or 0), int(found["minute"] or 0))
    except ValueError:
        raise InputError(f"{text!r} is no time of the day.", hint=HINT) from None


def _next(end: "pd.Timestamp", weekday: int | None, clock: time) -> "pd.Timestamp":
    """The first moment of that name at or after the end."""
    # By the calendar, whose days may have 23 or 25 hours. A week and a day: today's may be over.
    days = (end.date() + timedelta(days=number) for number in range(9))
    moments = (_local(end, datetime.combine(day, clock)) for day in days)
    return next(
        moment for moment in moments if moment >= end and weekday in (None, moment.weekday())
    )
