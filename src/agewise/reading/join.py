"""Several records of one unit as one: months behind each other, load and temperatures side by side.

Rows of all files that have the load stand in one column of time. What the others measured is put on
the times of the load.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from agewise.errors import InputError
from agewise.plant.profile import STATES
from agewise.plant.record import Places, Record
from agewise.plant.timeline import common_zone
from agewise.reading.column_refusals import refuse_absent, refuse_missing
from agewise.reading.join_notes import Part, joined_notes
from agewise.reading.join_places import Reader, column_places
from agewise.reading.onto import COARSE, Series, held_at, merged_series, on_times, typical_step
from agewise.reading.options import Reading


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of several parts in the order of time."""

    seconds: Float[np.ndarray, " row"]
    """Seconds from the start of the first part."""
    part: Int[np.ndarray, " row"]
    """Number of the part that each row comes from."""
    row: Int[np.ndarray, " row"]
    """Row of its part, from 0, that each row comes from."""

    def those(self, kept: Bool[np.ndarray, " row"]) -> "Rows":
        """Some of the rows."""
        return Rows(self.seconds[kept], self.part[kept], self.row[kept])


def joined_record(
    parts: Sequence[Part], reading: Reading, required: Sequence[str], where: str
) -> Record:
    """The record that several files make together.

    Args:
        parts: The files, in any order; they may overlap.
        reading: What the user says about them.
        required: Roles that they must fill together.
        where: What they are called in errors.

    Returns:
        The record, its rows in the order of time; what several files say of one instant is left to
        be compared when it is checked.
    """
    _refuse_incomplete(parts, reading, required, where)
    _refuse_undated(parts)
    # A part without the load is put on the times of those that have it.
    base = [n for n, part in enumerate(parts) if "load" in part.record.columns]
    # Where no part has the load, as in a forecast of the air, all of them count alike.
    base = base or list(range(len(parts)))
    rows = _stacked(parts, base)
    added = _added([part for n, part in enumerate(parts) if n not in base], parts[0])
    kept = _in_common(rows, {role: added[role] for role in added if role in required}, where)
    left_out, rows = int((~kept).sum()), rows.those(kept)
    columns = _columns(parts, rows)
    first = np.array([part.record.first_line for part in parts])
    places = Places(tuple(part.name for part in parts), rows.part, rows.row + first[rows.part])
    # As they are before others fill their holes, which tells where each cell stands.
    measured = dict(columns)
    for role, series in added.items():
        own = columns.get(role, np.full(rows.seconds.size, np.nan))
        placed = (held_at if role in STATES else on_times)(series, rows.seconds)
        # What a file of the load says itself goes before what is put on its times.
        columns[role] = np.where(np.isfinite(own), own, placed)
    labels = _labels(parts, rows)
    record = Record(
        labels,
        rows.seconds - rows.seconds[0],
        labels.iloc[0],
        columns,
        ignored=_ignored(parts),
        sources=_sources(parts),
        steps=_steps(added, rows),
        places=places,
        column_places=column_places(
            _readers(parts, base, added), places, rows.seconds, measured, columns
        ),
    )
    # At last, since the notes tell of rows of the finished record.
    return replace(record, notes=joined_notes(parts, record, rows.row, added, left_out))


def _refuse_incomplete(
    parts: Sequence[Part], reading: Reading, required: Sequence[str], where: str
) -> None:
    """Refuse files that together lack a column: the user's first, then the required ones."""
    filled_roles = {role for part in parts for role in part.record.sources}
    names = list(dict.fromkeys(name for part in parts for name in part.names))
    # Several groups of tags may stand in one file.
    several = len({part.name for part in parts}) > 1
    absent = {role: name for role, name in reading.columns.items() if role not in filled_roles}
    refuse_absent(absent, names, where, several=several)
    refuse_missing(required, filled_roles, names, where, several=several)


def _refuse_undated(parts: Sequence[Part]) -> None:
    for part in parts:
        if part.record.start is None:
            raise InputError(
                f"{part.name} counts its times from its start, so that it cannot be joined with "
                f"other files.",
                hint="give its times with dates, or read it alone.",
            )


def _offset(part: Part, first: Part) -> float:
    """Seconds by which a part starts after the first one."""
    assert part.record.start is not None and first.record.start is not None
    return (part.record.start - first.record.start).total_seconds()


def _stacked(parts: Sequence[Part], base: Sequence[int]) -> Rows:
    """Rows of some parts that have a readable time, in its order."""
    times = [parts[n].record.seconds + _offset(parts[n], parts[0]) for n in base]
    part = np.repeat(np.array(base), [each.size for each in times])
    row = np.concatenate([np.arange(each.size) for each in times])
    seconds = np.concatenate(times)
    # Stable, so that of two rows of one instant that of the earlier file comes first.
    order = np.argsort(seconds, kind="stable")
    rows = Rows(seconds[order], part[order], row[order])
    return rows.those(np.isfinite(rows.seconds))


def _columns(parts: Sequence[Part], rows: Rows) -> dict[str, Float[np.ndarray, " row"]]:
    """What the parts measured in these rows; NaN where a part lacks the column."""
    numbers = np.unique(rows.part)
    roles = dict.fromkeys(role for n in numbers for role in parts[n].record.columns)
    columns = {role: np.full(rows.seconds.size, np.nan) for role in roles}
    for n in numbers:
        here = rows.part == n
        for role, values in parts[n].record.columns.items():
            columns[role][here] = values[rows.row[here]]
    return columns


def _added(others: Sequence[Part], first: Part) -> dict[str, Series]:
    """What the parts without a load measured, by role."""
    roles = dict.fromkeys(role for part in others for role in part.record.columns)
    having = {role: [part for part in others if role in part.record.columns] for role in roles}
    return {
        role: merged_series(
            np.concatenate([part.record.seconds + _offset(part, first) for part in those]),
            np.concatenate([part.record.columns[role] for part in those]),
        )
        for role, those in having.items()
    }


def _readers(
    parts: Sequence[Part], base: Sequence[int], roles: Iterable[str]
) -> dict[str, list[Reader]]:
    """The parts without a load that each role came from; of no use where no time can be read."""
    others = [n for n, part in enumerate(parts) if n not in base]
    readers = {
        role: [
            Reader(
                n,
                parts[n].record.seconds + _offset(parts[n], parts[0]),
                parts[n].record.columns[role],
                parts[n].record.first_line,
            )
            for n in others
            if role in parts[n].record.columns
        ]
        for role in roles
    }
    return {r: t for r, t in readers.items() if any(np.isfinite(e.seconds).any() for e in t)}


def _in_common(rows: Rows, required: Mapping[str, Series], where: str) -> Bool[np.ndarray, " row"]:
    """Rows of the times at which the required columns of other files were measured too."""
    kept = np.ones(rows.seconds.size, dtype=bool)
    for role, series in required.items():
        if series.seconds.size:
            # A step of grace at either end, since a reading stands for the time about it.
            early, late = series.seconds[0] - series.step, series.seconds[-1] + series.step
            kept &= (rows.seconds >= early) & (rows.seconds <= late)
        if kept.sum() < 2:
            raise InputError(
                f"{where}: the load and the {role} have no time in common.",
                hint="do the files belong together, and are all their times in one zone?",
            )
    return kept


def _labels(parts: Sequence[Part], rows: Rows) -> pd.Series:
    """Times of the rows, in the zone that all parts share, else in UTC."""
    starts = [part.record.start for part in parts if part.record.start is not None]
    first = starts[0].tz_convert(common_zone(start.tzinfo for start in starts))
    return pd.Series(first + pd.to_timedelta(rows.seconds, unit="s"))


def _steps(added: Mapping[str, Series], rows: Rows) -> dict[str, float]:
    """Steps of the columns that were read less often than the load."""
    usual = COARSE * typical_step(rows.seconds)
    return {role: series.step for role, series in added.items() if series.step > usual}


def _sources(parts: Sequence[Part]) -> dict[str, tuple[str, str | None]]:
    """Columns and units by role: all names that the parts have for it, and the unit they share."""
    names_by_role: dict[str, dict[str, None]] = {}
    units: dict[str, set[str | None]] = {}
    for part in parts:
        for role, (name, unit) in part.record.sources.items():
            names_by_role.setdefault(role, {})[name] = None
            units.setdefault(role, set()).add(unit)
    # Where units differ, the headers tell them again.
    return {
        role: ("|".join(names), next(iter(units[role])) if len(units[role]) == 1 else None)
        for role, names in names_by_role.items()
    }


def _ignored(parts: Sequence[Part]) -> tuple[str, ...]:
    """Columns that no part has a use for."""
    used = {name for part in parts for name in part.names if name not in part.record.ignored}
    names = dict.fromkeys(name for part in parts for name in part.record.ignored)
    return tuple(name for name in names if name not in used)
