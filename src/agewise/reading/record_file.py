"""Records from files of other people: any common dialect, names, units and clock."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from agewise.errors import InputError
from agewise.plant.measures import Rated, seems_flag
from agewise.plant.notes import and_text, note
from agewise.plant.record import DataFinding, Record
from agewise.reading.clock.dayparts import joined
from agewise.reading.clock.time_column import Times, clock
from agewise.reading.columns import REQUIRED, Source, sources
from agewise.reading.files import Files, given_files, is_prose, left_out, named
from agewise.reading.join import joined_record
from agewise.reading.join_notes import Part
from agewise.reading.load_side import load_side
from agewise.reading.load_values import parted_load
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.table.foreign import Cells, Sheet
from agewise.reading.table.long import sheets_of
from agewise.reading.table.numbers import numbers_of
from agewise.reading.values import (
    Column,
    RoleValues,
    not_temperatures,
    role_values,
    status_words,
)


def read_record(
    path: Files,
    reading: Reading = DEFAULT_READING,
    *,
    rated: Rated | None = None,
    required: Sequence[str] = REQUIRED,
) -> Record:
    """Read what files hold: CSV in any common dialect (gzipped too), Parquet or .xlsx.

    Args:
        path: The file; or several, a folder or a pattern, which are joined by their times.
        reading: What the user says about it; what is left out is taken from the file or guessed.
        rated: What 1 p.u. of load is, for loads in A, kA, kVA or MVA.
        required: Roles that the file must fill, such as `time` and `load`.

    Returns:
        The record, whose `notes` state each guess.
    """
    unit = rated or Rated()
    record = _record(given_files(path), reading, unit, required)
    doubts = load_side(record, reading, unit)
    return replace(record, notes=(*_left_out(left_out(path), record), *record.notes, *doubts))


def _record(
    files: Sequence[Path], reading: Reading, unit: Rated, required: Sequence[str]
) -> Record:
    _refuse_prose(files)
    sheets = [(file, sheet) for file in files for sheet in sheets_of(file)]
    if len(sheets) == 1:
        return record_of(sheets[0][1], reading, unit, str(files[0]), required)
    parts = [
        Part(
            file.name,
            record_of(sheet, reading, unit, str(file), ("time",), part=True),
            sheet.names,
        )
        for file, sheet in sheets
    ]
    return joined_record(parts, reading, _needed(required, reading), named(files))


def _refuse_prose(files: Sequence[Path]) -> None:
    for file in files:
        if is_prose(file):
            raise InputError(
                f"{file} holds no table: no line of it looks like data.",
                hint="leave it out, or give its folder, in which such files are passed over.",
            )


def _left_out(files: Sequence[Path], record: Record) -> list[DataFinding]:
    """A finding about files of a folder that were not read."""
    if not files:
        return []
    names = and_text([file.name for file in files])
    verb, they = ("hold", "they are") if len(files) > 1 else ("holds", "it is")
    text = f"{names} {verb} no table that is read here; {they} left out."
    return [note("ignored", "", record.labels, done="left out", text=text)]


def _needed(required: Sequence[str], reading: Reading) -> list[str]:
    """Roles that columns must fill; air that the user says otherwise is not read."""
    elsewhere = reading.ambient is not None
    return [role for role in required if not (elsewhere and role == "ambient")]


def record_of(
    sheet: Sheet,
    reading: Reading,
    rated: Rated,
    where: str,
    required: Sequence[str] = REQUIRED,
    *,
    part: bool = False,
) -> Record:
    """The record in a sheet, its columns recognised and converted.

    Args:
        sheet: The table of a file.
        reading: What the user says about it.
        rated: What 1 p.u. of load is.
        where: What the file is called in errors.
        required: Roles that it must fill.
        part: Whether it is one of several, of which another may have what this one lacks.
    """
    needed = _needed(required, reading)

    def is_contact(name: str) -> bool:
        cells = sheet.cells((), (name,))
        column = cells.frame[name]
        return seems_flag(numbers_of(column, decimal=cells.decimal, where=where).values)

    roles = sources(
        sheet.names, sheet.units, reading, where, needed, part=part, is_contact=is_contact
    )
    # What the user says of the air wins over a column of it.
    if reading.ambient is not None:
        roles.pop("ambient", None)
    measured = {role: source for role, source in roles.items() if role != "time"}
    names = [name for source in measured.values() for name in source.names]
    cells = sheet.cells(roles["time"].names, names)
    if len(cells.frame) < 2:
        raise InputError(
            f"{where} has too few rows: {len(cells.frame)}, where at least 2 are needed.",
            hint="give a file with measurements, one row for each time.",
        )
    # Whether two columns hold one time is known only now, by their cells.
    time, labels = _labels(roles["time"], cells, where)
    when = clock(Times(labels, reading, time.unit, cells.decimal, where, sheet.line, utc=time.utc))
    notes = [*_time_guess(time, labels), *when.notes]
    read: dict[str, RoleValues] = {}
    taken: list[Column] = []
    for role, source in measured.items():
        columns = [
            Column(role, name, source, cells.frame[name], labels, cells.decimal, where, sheet.line)
            for name in source.names
        ]
        strange = not_temperatures(columns[0])
        if strange is not None:
            notes.append(strange)
            continue
        parted = len(columns) > 1
        combined = parted_load(columns, reading, rated) if parted else None
        read[role] = combined or role_values(columns[0], reading, rated)
        notes += read[role].notes
        taken += columns
    notes += status_words(taken)
    filled = {"time": time} | {role: measured[role] for role in read}
    used = {name for source in filled.values() for name in source.names}
    return Record(
        labels,
        when.seconds,
        when.start,
        {role: values.values for role, values in read.items()} | _shares(read),
        tuple(notes),
        tuple(name for name in sheet.names if name not in used),
        sheet.line(0),
        sources=_written(filled, read),
    )


def _shares(read: Mapping[str, RoleValues]) -> dict:
    """What the load itself does not tell of several windings, unless a column does."""
    share = read["load"].oil_share if "load" in read else None
    return {} if share is None or "oil_share" in read else {"oil_share": share}


def _written(filled: Mapping[str, Source], read: Mapping[str, RoleValues]) -> dict:
    """Columns and units by role, as a user would say them."""
    return {
        role: ("+".join(source.names), read[role].unit if role in read else source.unit)
        for role, source in filled.items()
    }


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
