"""What is said of files that were joined."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Int

from agewise.plant.notes import and_text, counted, note, stretches
from agewise.plant.record import DataFinding, Record
from agewise.quality.sheet import duration
from agewise.reading.files import MOST_NAMED
from agewise.reading.onto import COARSE, Series, typical_step


@dataclass(frozen=True, eq=False)
class Part:
    """One file, or one part of a file in which tags stand below each other."""

    name: str
    """Name of the file."""
    record: Record
    """What the file, or this part of it, holds."""
    names: tuple[str, ...]
    """Names of all its columns."""


def joined_notes(
    parts: Sequence[Part],
    record: Record,
    row: Int[np.ndarray, " row"],
    added: Mapping[str, Series],
    left_out: int,
) -> tuple[DataFinding, ...]:
    """The findings of all parts, and what was done to join them.

    Args:
        parts: The files.
        record: The record that they make.
        row: The row of its part that each row of the record comes from.
        added: What was put on the times of the load, by role.
        left_out: Number of rows of the load that nothing else was measured beside.
    """
    files = list(dict.fromkeys(part.name for part in parts))
    notes = []
    if len(files) > 1:
        notes.append(_about_all(record, f"{_listed(files)} are joined by their times."))
    notes += _placed_notes(parts, record, added)
    if left_out:
        text = (
            f"{counted(left_out, 'row')} of the load, before or after everything else was "
            "measured, are left out."
        )
        notes.append(_about_all(record, text, done="left out"))
    return (*notes, *_once(parts, record, row, several=len(files) > 1))


def _about_all(record: Record, text: str, done: str = "joined") -> DataFinding:
    return note("joined", "", record.labels, done=done, text=text)


def _listed(files: Sequence[str]) -> str:
    if len(files) <= MOST_NAMED:
        return and_text(files)
    return f"{len(files)} files, {files[0]} to {files[-1]},"


def _placed_notes(
    parts: Sequence[Part], record: Record, added: Mapping[str, Series]
) -> list[DataFinding]:
    """How columns of other files came onto the times of the load, one note for columns alike."""
    loads, roles = typical_step(record.seconds), defaultdict(list)
    for role, series in added.items():
        homes = [part.name for part in parts if role in part.record.columns]
        how = "by straight lines between its readings"
        if series.step > COARSE * loads:
            how = "each reading at the time next to it"
        files = _listed(list(dict.fromkeys(homes))).rstrip(",")
        roles[f"of {files}, {duration(series.step)} apart,", how].append(role)
    notes = []
    for (where, how), names in roles.items():
        verb = "is" if len(names) == 1 else "are"
        how = how if len(names) == 1 else how.replace("its readings", "their readings")
        text = (
            f"The {and_text(names)} {where} {verb} put on the times of the load, "
            f"{duration(loads)} apart, {how}."
        )
        column = ",".join(names)
        notes.append(note("joined", column, record.labels, done="joined", text=text))
    return notes


def _once(
    parts: Sequence[Part], record: Record, row: Int[np.ndarray, " row"], *, several: bool
) -> list[DataFinding]:
    """Findings of the parts; what all of them say is said once."""
    groups: dict[tuple[str, str, str], list[tuple[int, DataFinding]]] = defaultdict(list)
    for number, part in enumerate(parts):
        for each in part.record.notes:
            # Where rows are meant, their lines are those of one file, which has to be named.
            named = f"{part.name}: {each.text}" if each.stretches and several else each.text
            groups[each.kind, each.column, named].append((number, each))
    return [
        replace(
            same[0][1],
            text=text,
            rows=sum(each.rows for _, each in same),
            end=same[-1][1].end,
            stretches=_moved(same[0][1], same[0][0], record, row),
        )
        for (_, _, text), same in groups.items()
    ]


def _moved(
    each: DataFinding, number: int, record: Record, row: Int[np.ndarray, " row"]
) -> tuple[tuple[int, int], ...]:
    """Stretches of a part in the rows of the record; none where the part has no rows in it."""
    if not each.stretches or record.places is None:
        return ()
    concerned = np.zeros(each.stretches[-1][1] + 1, dtype=bool)
    for first, last in each.stretches:
        concerned[first : last + 1] = True
    # Rows behind the last stretch are not concerned.
    here = (record.places.file == number) & (row < concerned.size)
    mask = np.zeros(row.size, dtype=bool)
    mask[here] = concerned[row[here]]
    return stretches(mask) if mask.any() else ()
