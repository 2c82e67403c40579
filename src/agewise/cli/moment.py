"""A moment as people name it: `Thu 14:00`, `2025-07-17 14:00`, or hours from now."""

import re
from datetime import time
from typing import TYPE_CHECKING

from agewise.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""Days of the week by their number."""
NAMED = re.compile(r"(?:(?P<day>[a-z]{3,9})\.?\s*)?(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?)?")
"""A weekday, a time of the day, or both."""
HINT = "give it as 'Thu 14:00', '14:00', '2025-07-17 14:00', or in hours after the record's end."
"""What is understood."""


def hours_after(end: "pd.Timestamp | None", text: str) -> float:
    """Time from the end of a record to a moment [h].

    Args:
        end: The end of the record on its own clock; None where it counts minutes.
        text: A weekday with or without a time, a time of the day, a date, or a number of hours. A
            weekday or a time is the first that comes after the end; a date without a zone is on
            the record's clock.

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
    moment = pd.to_datetime(text, errors="coerce")
    if pd.isna(moment):
        raise InputError(f"{text!r} is no moment.", hint=HINT)
    return moment.tz_localize(end.tzinfo) if moment.tzinfo is None else moment


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
    import pandas as pd

    # A week and a day: today's may be over.
    for days in range(9):
        day = (end + pd.Timedelta(days=days)).date()
        moment = pd.Timestamp.combine(day, clock).tz_localize(
            end.tzinfo, ambiguous=True, nonexistent="shift_forward"
        )
        if moment >= end and weekday in (None, moment.weekday()):
            return moment
    raise AssertionError("every weekday comes within a week and a day")
