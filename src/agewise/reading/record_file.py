"""Records from files of other people: any common dialect, names, units and clock."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.measures import (
    LARGEST_FLAG,
    Rated,
    celsius,
    measure,
    per_unit,
    refuse_large_loads,
    seems_flag,
    seems_kelvin,
)
from agewise.plant.notes import counted, note
from agewise.plant.record import DataFinding, Record
from agewise.reading.clock.clock import Times, clock
from agewise.reading.clock.dayparts import joined
from agewise.reading.columns import LENIENT, REQUIRED, Source, sources
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.table.foreign import Cells, Sheet, sheet_of
from agewise.reading.table.numbers import Numbers, numbers_of

DEFAULT_UNITS = {"load": "p.u.", "temperature": "°C", "state": ""}
"""Units that are assumed where neither the user nor the file names one."""


def read_record(
    path: str | Path,
    reading: Reading = DEFAULT_READING,
    *,
    rated: Rated | None = None,
    required: Sequence[str] = REQUIRED,
) -> Record:
    """Read what a file holds: CSV in any common dialect (gzipped too), Parquet or .xlsx.

    Args:
        path: The file.
        reading: What the user says about it; what is left out is taken from the file or guessed.
        rated: What 1 p.u. of load is, for loads in A, kA, kVA or MVA.
        required: Roles that the file must fill, such as `time` and `load`.

    Returns:
        The record, whose `notes` state each guess.
    """
    return record_of(sheet_of(Path(path)), reading, rated or Rated(), str(path), required)


@dataclass(frozen=True, eq=False)
class _Column:
    """One role's cells, and all that is known about them."""

    role: str
    """What the column measures, as `load` or `oil@0.4`."""
    source: Source
    """Name and unit of the column in the file."""
    cells: pd.Series
    """The cells as they were read: numbers, or text where some of them are none."""
    labels: pd.Series
    """The time column, which findings quote."""
    decimal: str
    """Decimal sign of the file; empty where nothing tells."""
    where: str
    """What the file is called in errors."""
    line: Callable[[int], int]
    """The line of the file in which a row stands."""


def record_of(
    sheet: Sheet,
    reading: Reading,
    rated: Rated,
    where: str,
    required: Sequence[str] = REQUIRED,
) -> Record:
    """The record in a sheet, its columns recognised and converted.

    `where` names it in errors; `required` are the roles that it must fill. Air that the user says
    otherwise is not read.
    """
    elsewhere = reading.ambient is not None
    needed = [role for role in required if not (elsewhere and role == "ambient")]
    roles = sources(sheet.names, sheet.units, reading, where, needed)
    if elsewhere:
        roles.pop("ambient", None)
    texts = roles["time"].names
    numbers = {role: source for role, source in roles.items() if role != "time"}
    cells = sheet.cells(texts, [source.names[0] for source in numbers.values()])
    if len(cells.frame) < 2:
        raise InputError(
            f"{where} has too few rows: {len(cells.frame)}, where at least 2 are needed.",
            hint="give it the measurements, one row an instant.",
        )
    # Whether two columns hold one time is known only now, by their cells.
    time, labels = _labels(roles["time"], cells, where)
    when = clock(Times(labels, reading, time.unit, cells.decimal, where, sheet.line, utc=time.utc))
    notes = [*_time_guess(time, labels), *when.notes]
    columns = {}
    for role, source in numbers.items():
        column_cells = cells.frame[source.names[0]]
        column = _Column(role, source, column_cells, labels, cells.decimal, where, sheet.line)
        found = numbers_of(column.cells, decimal=column.decimal, where=where)
        strange = _not_temperatures(column, found)
        if strange is not None:
            notes.append(strange)
            continue
        columns[role], findings = _values(column, found, reading, rated)
        notes += findings
    read = [source for role, source in numbers.items() if role in columns]
    used = {name for source in (time, *read) for name in source.names}
    ignored = tuple(name for name in sheet.names if name not in used)
    first = sheet.line(0)
    return Record(labels, when.seconds, when.start, columns, tuple(notes), ignored, first)


def _labels(source: Source, cells: Cells, where: str) -> tuple[Source, pd.Series]:
    """The time column as it is written, and where it comes from.

    A date and a time of day in two columns are joined. Where the second holds dates too, it is
    taken alone.
    """
    if len(source.names) == 1:
        return source, cells.frame[source.names[0]]
    date, time_of_day = (cells.frame[name] for name in source.names)
    both = joined(date, time_of_day, cells.decimal, where)
    # Unless the user named both columns, joining them is a guess, even where one is called `time`.
    # A unit of one of them does not hold for the text of both.
    if both is not None:
        return replace(source, unit=None, guessed=not source.by_user), both
    return replace(source, names=source.names[1:]), time_of_day


def _time_guess(source: Source, labels: pd.Series) -> list[DataFinding]:
    if not source.guessed:
        return []
    names = " and ".join(repr(name) for name in source.names)
    what = f"columns {names} are" if len(source.names) > 1 else f"column {names} is"
    unit = "" if source.unit is None else f", in {source.unit}"
    zone = ", in UTC" if source.utc else ""
    text = f"The {what} taken for the time{unit}{zone}."
    return [note("guess", "time", labels, done="assumed", text=text)]


def _values(
    column: _Column, numbers: Numbers, reading: Reading, rated: Rated
) -> tuple[Float[np.ndarray, " row"], list[DataFinding]]:
    """A role's numbers in p.u. or °C, and the findings about them."""
    unit, load = column.source.unit, column.role == "load"
    # Kelvin may be guessed, as no other temperature is so large. Percent and ampere look alike, so
    # for loads the user is asked.
    thermometer = measure(column.role) == "temperature"
    kelvin = unit is None and thermometer and seems_kelvin(numbers.values)
    if unit is None and load:
        refuse_large_loads(numbers.values, column.where)
    used = "K" if kelvin else unit or DEFAULT_UNITS[measure(column.role)]
    # What is said about this file wins over the nameplate.
    base = (reading.rated_load or rated.of(used)) if load else None
    values = (
        per_unit(numbers.values, used, base, column.where)
        if load
        else celsius(numbers.values, used)
    )
    notes = [
        *_guess(column, used, kelvin),
        *_conversion(column, used, base),
        *_unreadable(column, numbers),
    ]
    return values, notes


def _not_temperatures(column: _Column, numbers: Numbers) -> DataFinding | None:
    """A finding about a column that has the name of a temperature and holds none; it is ignored.

    The contact of a winding's alarm is often called as its thermometer is, and is 0 or 1.
    """
    name = column.source.names[0]
    if column.role == "winding" and seems_flag(numbers.values):
        high = np.nanmax(np.where(numbers.values <= LARGEST_FLAG, numbers.values, np.nan))
        what = f"is never above {high:g}, as an alarm's contact and no temperature"
    elif (
        column.role in LENIENT
        and not column.source.by_user
        and numbers.unreadable.any()
        and not np.isfinite(numbers.values).any()
    ):
        what = "holds no number"
    else:
        return None
    text = f"The column {name!r} {what}; it is not read as the {column.role}."
    return note("ignored", column.role, column.labels, done="ignored", text=text)


def _conversion(column: _Column, unit: str, base: float | None) -> list[DataFinding]:
    """A finding about a conversion, and about what 1 p.u. is taken to be."""
    if unit in DEFAULT_UNITS.values():
        return []
    division = f" and divided by {base:.12g} {unit}" if base is not None else ""
    text = f"The {column.role} is given in {unit}{division}."
    return [note("converted", column.role, column.labels, done="converted", text=text)]


def _guess(column: _Column, unit: str, kelvin: bool) -> list[DataFinding]:
    """A finding about a column, or a unit, that was guessed."""
    name = column.source.names[0]
    if column.source.guessed:
        text = f"The column {name!r} is taken for the {column.role}, in {unit.rstrip('.')}."
    elif kelvin:
        text = f"The {column.role} is taken to be in K, as its values are above 200."
    else:
        return []
    return [note("guess", column.role, column.labels, done="assumed", text=text)]


def _unreadable(column: _Column, numbers: Numbers) -> list[DataFinding]:
    """A finding about cells that hold no number; a column without any number is refused."""
    bad = numbers.unreadable
    if not bad.any():
        return []
    row = int(bad.argmax())
    cell = f"{str(column.cells.iloc[row])!r}"
    name = column.source.names[0]
    if not np.isfinite(numbers.values).any():
        raise InputError(
            f"{column.where}, line {column.line(row)}, column {name!r}: {cell} is not a number, "
            f"and no other cell of it is.",
            hint="write numbers as 12.5, or name another column: "
            f'`columns={{"{column.role}": "NAME"}}`.',
        )
    text = (
        f"{counted(int(bad.sum()), 'cell')} of the column {name!r} cannot be read as a number, "
        f"first {cell} in line {column.line(row)}."
    )
    return [
        note("unreadable", column.role, column.labels, concerned=bad, done="left out", text=text)
    ]
