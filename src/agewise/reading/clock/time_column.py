"""The clock of a file: seconds since its first row, from whatever its time column holds."""

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from agewise.errors import InputError
from agewise.plant.notes import counted, note
from agewise.plant.record import DataFinding
from agewise.plant.timeline import ZONE_HINT, common_zone
from agewise.reading.clock.clock_change import instants
from agewise.reading.clock.isotime import ISO, iso_stamps, offsets
from agewise.reading.clock.serials import serials
from agewise.reading.clock.stamps import NO_TIME, Moments, Stamps, nanoseconds, stamps
from agewise.reading.options import Reading
from agewise.reading.table.numbers import numbers_of, text_array
from agewise.reading.zones import ABBREVIATIONS, abbreviated, place_of, zone

UNREADABLE_SHARE = 0.5
"""Share of unreadable rows from which on the format, not single times, is not understood."""
YEARS = (1980, 2100)
"""Years in which a plant's data can begin; a clock that was never set begins in 1970 or before."""
LOCAL_HINT = f'say in which zone the times are, as `timezone="Europe/Madrid"`; or {ZONE_HINT}'
ABBREVIATED = re.compile(r"(?<=[\d ])[A-Z]{2,5}$")
"""An abbreviated zone at the end of a time; AM and PM are not zones."""
FORMAT_HINT = (
    "write ISO 8601, as 2025-06-12T08:30:00+02:00, or give the format, as "
    '`time_format="%d/%m/%Y %H:%M"`.'
)


@dataclass(frozen=True, eq=False)
class Clock:
    """When the rows of a file were written, in the order of the file."""

    seconds: Float[np.ndarray, " row"]
    """Seconds from the first row whose time can be read; NaN where a time cannot."""
    start: pd.Timestamp | None
    """Instant of that row with its zone; None when the file counts from its start."""
    notes: tuple[DataFinding, ...]
    """What was guessed, and which times cannot be read."""


@dataclass(frozen=True, eq=False)
class Times:
    """A time column, and what is known about it."""

    labels: pd.Series
    """The cells as the file holds them."""
    reading: Reading
    """What the user says about the file."""
    unit: str | None
    """Unit of numbers that count from the start, `s`, `min` or `h`; None where none is named."""
    decimal: str
    """Decimal sign of the file; empty where nothing tells."""
    where: str
    """What the file is called in errors."""
    line: Callable[[int], int]
    """The line of the file in which a row stands."""
    utc: bool = False
    """Whether the header says that times without a zone are UTC."""

    def place(self, row: int) -> str:
        """How a sentence begins that is about the time of a row."""
        return f"{self.where}, line {self.line(row)}: time {str(self.labels.iloc[row])!r}"


def clock(times: Times) -> Clock:
    """Understand a time column; single times that cannot be read are NaN, with a finding."""
    labels = times.labels
    if pd.api.types.is_datetime64_any_dtype(labels.dtype):
        return _dated_clock(times, _typed(labels))
    if times.reading.time_format not in (None, "minutes", "epoch", "excel"):
        return _dated_clock(times, _formatted(times))
    # A hundred rows tell numbers from text, without parsing a year of text as numbers.
    sample = numbers_of(labels.iloc[:100], decimal=times.decimal, where=times.where)
    if np.isfinite(sample.values).mean() >= UNREADABLE_SHARE:
        return _numbered_clock(times)
    return _dated_clock(times, _written(times))


def _numbered_clock(times: Times) -> Clock:
    """Numbers: minutes from the start, seconds since 1970, days of Excel, or digits of a date."""
    numbers = numbers_of(times.labels, decimal=times.decimal, where=times.where).values
    read = serials(numbers, times.reading.time_format, times.unit, times.where)
    guess = note("guess", "time", times.labels, done="assumed", text=read.text)
    # What the user said is no guess, and needs no finding.
    notes = [guess] if read.text and times.reading.time_format is None else []
    if read.stamps is not None:
        return _dated_clock(times, read.stamps, notes)
    bad = np.isnan(read.seconds)
    notes += _unreadable(times, bad)
    return Clock(read.seconds - read.seconds[~bad][0], None, tuple(notes))


def _dated_clock(times: Times, read: Stamps, notes: list[DataFinding] | None = None) -> Clock:
    """The clock of dates and times of day.

    Where most have an offset, the few without one count as unreadable. Where most have none, they
    are times of the wall clock in the zone that the user gives.
    """
    # A header speaks for times that do not say more themselves.
    if times.utc and (read.offset == NO_TIME).all():
        read = Stamps(read.wall, np.zeros_like(read.wall))
    readable, zoned = read.wall != NO_TIME, read.offset != NO_TIME
    local = readable & ~zoned
    if 2 * (readable & zoned).sum() > readable.sum():
        bad = ~(readable & zoned)
        moments, there = read.wall - read.offset, _own_zone(read, times.reading)
        findings = _unreadable(times, bad)
    else:
        _refuse_local(times, local, mixed=bool((readable & zoned).any()))
        bad, there = ~local, zone(times.reading.timezone or "UTC")
        findings = _unreadable(times, bad)
        moments, doubtful = instants(read.wall, there, times.place)
        findings += _doubts(times, doubtful)
    # Bad rows hold nonsense by now, such as a wall time less an offset that is missing.
    seconds, start = _counted(np.where(bad, NO_TIME, moments), there)
    return Clock(seconds, start, (*(notes or ()), *findings, *_odd_year(times, start)))


def _odd_year(times: Times, start: pd.Timestamp) -> list[DataFinding]:
    """Whether a logger seems to have lost its date."""
    first, last = YEARS
    if first <= start.year <= last:
        return []
    text = f"The times begin in {start.year}: was the clock of the logger set?"
    return [note("clock", "time", times.labels, done="kept", text=text)]


def _refuse_local(times: Times, local: Bool[np.ndarray, " row"], *, mixed: bool) -> None:
    """Refuse times without a zone when the user names none, or when other rows have one."""
    if local.any() and (mixed or times.reading.timezone is None):
        row = int(local.argmax())
        others = ", but others have one" if mixed else ""
        word = ABBREVIATED.search(str(times.labels.iloc[row]))
        if word is not None and word[0] in ABBREVIATIONS and not mixed:
            raise InputError(
                f"{times.place(row)} ends in {word[0]}, which does not name one time zone.",
                hint=f'{abbreviated(word[0])[:-1]}; as `timezone="{place_of(word[0])}"`.',
            )
        raise InputError(
            f"{times.place(row)} has no time zone{others}.",
            hint=ZONE_HINT if mixed else LOCAL_HINT,
        )


def _doubts(times: Times, doubtful: Bool[np.ndarray, " row"]) -> list[DataFinding]:
    text = (
        "When the clock was set back, the repeated hour was written once only; it is taken for the "
        "first of the two."
    )
    finding = partial(note, "clock", "time", times.labels, done="kept", text=text)
    return [finding(concerned=doubtful)] if doubtful.any() else []


def _counted(moments: Moments, there: datetime.tzinfo) -> tuple[np.ndarray, pd.Timestamp]:
    """Seconds from the first row that can be read, and its instant."""
    bad = moments == NO_TIME
    first = moments[~bad][0]
    # Subtracted as integers: floats know nanoseconds since 1970 to a quarter of a microsecond only.
    seconds = np.where(bad, np.nan, (moments - first) / 1e9)
    return seconds, pd.Timestamp(int(first), unit="ns", tz="UTC").tz_convert(there)


def _own_zone(read: Stamps, reading: Reading) -> datetime.tzinfo:
    """The zone of times that have offsets: the user's, the file's, or that of their offsets."""
    if reading.timezone is not None:
        return zone(reading.timezone)
    if read.zone is not None:
        return read.zone
    ahead = np.unique(read.offset[(read.wall != NO_TIME) & (read.offset != NO_TIME)])
    return common_zone(
        datetime.timezone(datetime.timedelta(seconds=int(each) // 10**9)) for each in ahead
    )


def _typed(labels: pd.Series) -> Stamps:
    """Time stamps that are already such, as from Parquet."""
    index = pd.DatetimeIndex(labels)
    wall = nanoseconds(index.tz_localize(None))
    if index.tz is None:
        return Stamps(wall, np.full(len(index), NO_TIME))
    # What the wall clock is ahead of UTC.
    return Stamps(wall, np.where(wall == NO_TIME, NO_TIME, wall - nanoseconds(index)), index.tz)


def _formatted(times: Times) -> Stamps:
    """Times in the format that the user gives."""
    form, text = times.reading.time_format or "", text_array(times.labels)
    try:
        parsed = pd.to_datetime(
            pd.Series(text.to_pandas(), dtype="str"), format=form, errors="coerce", utc=True
        )
    except (ValueError, re.error) as error:
        raise InputError(
            f"The time format {form!r} cannot be used: {str(error).rstrip('.')}.",
            hint="as in strptime, '%d/%m/%Y %H:%M:%S'; or minutes, epoch, excel.",
        ) from None
    # pandas turns all into UTC and forgets the offsets, so these are read from the text again.
    moments = nanoseconds(pd.DatetimeIndex(parsed))
    ahead = offsets(text) if "%z" in form else np.full(len(moments), NO_TIME)
    return Stamps(moments + np.where((moments == NO_TIME) | (ahead == NO_TIME), 0, ahead), ahead)


def _written(times: Times) -> Stamps:
    """Times as text: ISO 8601 by a fast parser, all other formats by a general one."""
    text = text_array(times.labels)
    first = next((cell for cell in text.slice(0, 100).to_pylist() if cell), "")
    return iso_stamps(text) if ISO.match(first) else stamps(text, times.where)


def _refuse_format(times: Times, bad: Bool[np.ndarray, " row"]) -> None:
    """Refuse a column most of which cannot be read."""
    if bad.mean() >= UNREADABLE_SHARE:
        row = int(np.flatnonzero(bad)[0])
        if text_array(times.labels.iloc[[row]])[0].as_py() in ("", "nan"):
            raise InputError(
                f"{times.where}, line {times.line(row)}: there is no time, as in most rows.",
                hint="fill the time in every row; a formula must be saved with its value.",
            )
        raise InputError(f"{times.place(row)} is not a time.", hint=FORMAT_HINT)


def _unreadable(times: Times, bad: Bool[np.ndarray, " row"]) -> list[DataFinding]:
    """A finding about single times that cannot be read; many are refused."""
    _refuse_format(times, bad)
    if not bad.any():
        return []
    row = int(bad.argmax())
    text = (
        f"{counted(int(bad.sum()), 'time')} cannot be read, first "
        f"{str(times.labels.iloc[row])!r} in line {times.line(row)}."
    )
    return [note("unreadable", "time", times.labels, concerned=bad, done="left out", text=text)]
