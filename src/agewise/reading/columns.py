"""Which column of a file plays which role, and in which unit it is."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agewise.errors import InputError
from agewise.plant.measures import LACKING, measure, unit_of
from agewise.plant.notes import listed
from agewise.plant.profile import OPTIONAL, STATES
from agewise.plant.sensors import sensor_height
from agewise.reading.heading import Heading, is_unit
from agewise.reading.options import Reading

REQUIRED = ("time", "load", "ambient")
"""Roles that every file must fill."""
NO_AIR_HINT = "give `ambient`: a number [°C], a weather file, or none"
"""What to do about a file without the air."""
LENIENT = ("bottom_oil", "winding")
"""Roles that nothing depends on: where two columns or a unit raise a doubt, the role stays empty
and the columns are ignored, for a file must not be refused for what it has besides."""
UTC = re.compile(r"(?<![A-Za-z])(?:UTC|GMT)(?![A-Za-z+\-])", re.IGNORECASE)
"""A header that says UTC; `UTC+1` is another zone, and is not meant."""


@dataclass(frozen=True)
class Source:
    """Where a role comes from."""

    names: tuple[str, ...]
    """Names of the file's columns: one, or those of a date and of a time of day."""
    unit: str | None
    """Unit that the user, the header or the row of units states; None when none does."""
    guessed: bool = False
    """Whether the columns were guessed from their names."""
    by_user: bool = False
    """Whether the user named the columns."""
    utc: bool = False
    """Whether the header of a time says that it is in UTC."""


def sources(
    names: Sequence[str],
    units: Mapping[str, str],
    reading: Reading,
    where: str,
    required: Sequence[str] = REQUIRED,
) -> dict[str, Source]:
    """The columns behind each role: named by the user, by exact names, or guessed.

    Args:
        names: Headers of all columns of the file.
        units: Units from a row below the header, by name.
        reading: What the user says about the file.
        where: What the file is called in errors.
        required: Roles that the file must fill.

    Returns:
        The source of each role that the file can fill; the required ones are among them.
    """
    _refuse_repeated(names, where)
    by_user = {
        role: _named_by_user(role, name, names, where) for role, name in reading.columns.items()
    }
    # A column that the user gave another role has lost its own, even if its name is that of a role.
    taken = {name for columns in by_user.values() for name in columns}
    exact = {
        name: (name,)
        for name in names
        if name not in taken and name not in by_user and _is_role(name)
    }
    _refuse_shared({**by_user, **exact}, where)
    headings = [Heading(name, units.get(name, "")) for name in names if name not in taken]
    guesses = _guesses(
        [heading for heading in headings if heading.column not in exact], where, by_user, exact
    )
    # Columns of each role, and whether they are a guess. What the user says comes last and wins.
    chosen = {**{role: (columns, True) for role, columns in guesses.items()}}
    chosen |= {role: (columns, False) for role, columns in {**exact, **by_user}.items()}
    chosen |= _dated(chosen, headings)
    chosen = {
        role: choice
        for role, choice in chosen.items()
        if role not in LENIENT or role in by_user or _fits(role, choice[0][0], units)
    }
    _refuse_missing(chosen, names, where, required)
    return {
        role: Source(
            columns,
            # Of a date and a time of day, the second is the one that can have a unit.
            _unit(role, columns[-1], units, reading, where),
            guessed,
            role in by_user,
            role == "time" and any(UTC.search(f"{name} {units.get(name, '')}") for name in columns),
        )
        for role, (columns, guessed) in chosen.items()
    }


def _is_role(name: str) -> bool:
    return name in (*REQUIRED, *OPTIONAL, *STATES) or sensor_height(name) is not None


def _named_by_user(role: str, name: str, names: Sequence[str], where: str) -> tuple[str, ...]:
    """The columns that the user named; `Date+Time` are two, unless a column has that very name."""
    parts = (name,) if name in names or role != "time" else tuple(map(str.strip, name.split("+")))
    columns = [_alike(part, names) for part in parts]
    if len(parts) > 2 or None in columns:
        raise InputError(f"{where} has no column {name!r} for the {role}.", hint=_listed(names))
    return tuple(column for column in columns if column is not None)


def _alike(name: str, names: Sequence[str]) -> str | None:
    """A column of that name, or the only one that differs in capitals and spaces alone."""
    if name in names:
        return name
    alike = [column for column in names if column.split() and _loose(column) == _loose(name)]
    return alike[0] if len(alike) == 1 else None


def _loose(name: str) -> str:
    return "".join(name.split()).casefold()


def _guesses(
    headings: Sequence[Heading],
    where: str,
    by_user: Mapping[str, object],
    exact: Mapping[str, object],
) -> dict[str, tuple[str, ...]]:
    """Columns for the roles that are still open, where their names are obvious.

    Two columns that may play one role are refused rather than chosen from, or left alone where
    nothing depends on the role.
    """
    open_roles = [role for role in (*REQUIRED, *OPTIONAL) if role not in {**by_user, **exact}]
    guesses = {}
    for role in open_roles:
        kinds = ("stamp", "date", "clock") if role == "time" else (role,)
        for kind in kinds:
            named = [heading for heading in headings if heading.meaning == kind]
            # Power in kW gives way to a current beside it, and is refused only where it is alone.
            complete = [heading for heading in named if heading.unit(measure(role)) not in LACKING]
            if role in LENIENT and len(named) > 1:
                continue
            _refuse_two(role, complete or named, where)
            # The first kind wins: a full time stamp over a date, a date over a time of day.
            if named:
                guesses.setdefault(role, ((complete or named)[0].column,))
    return guesses


def _dated(
    chosen: Mapping[str, tuple[tuple[str, ...], bool]], headings: Sequence[Heading]
) -> dict[str, tuple[tuple[str, ...], bool]]:
    """A date and a time of day in two columns, where the time is one of them."""
    columns, guessed = chosen.get("time", ((), False))
    days = [heading.column for heading in headings if heading.meaning == "date"]
    clocks = [heading.column for heading in headings if heading.meaning == "clock"]
    if len(days) == len(clocks) == 1 and columns in ((days[0],), (clocks[0],)):
        return {"time": ((days[0], clocks[0]), guessed)}
    return {}


def _fits(role: str, column: str, units: Mapping[str, str]) -> bool:
    """Whether the header of a column states no unit that contradicts its role."""
    stated = Heading(column, units.get(column, "")).stated_unit
    return not is_unit(stated) or unit_of(stated, measure(role)) is not None


def _unit(
    role: str, column: str, units: Mapping[str, str], reading: Reading, where: str
) -> str | None:
    """The unit by the user or by the header; a unit that does not fit the role is refused."""
    if role in reading.units:
        return reading.units[role]
    head, kind = Heading(column, units.get(column, "")), measure(role)
    unit = head.unit(kind)
    if unit is None and kind != "time" and is_unit(head.stated_unit):
        raise InputError(
            f"{where}: the column {column!r} is in {head.stated_unit}, which is no unit of {kind}.",
            hint=f'name another column, as `columns={{"{role}": "NAME"}}`, or give its unit, as '
            f'`units={{"{role}": "UNIT"}}`.',
        )
    return unit


def _listed(names: Sequence[str]) -> str:
    return f"it has: {listed(names) or 'no columns'}."


def _refuse_repeated(names: Sequence[str], where: str) -> None:
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if repeated:
        raise InputError(
            f"{where} has more than one column named {repeated[0]!r}.",
            hint="rename or remove one of them.",
        )


def _refuse_two(role: str, named: Sequence[Heading], where: str) -> None:
    if len(named) > 1:
        columns = " and ".join(repr(heading.column) for heading in named)
        raise InputError(
            f"{where}: the columns {columns} may each be the {role}.",
            hint=f"say which, as `columns={ {role: named[0].column} }`.",
        )


def _refuse_missing(
    chosen: Mapping[str, object], names: Sequence[str], where: str, required: Sequence[str]
) -> None:
    for role in required:
        if role not in chosen:
            otherwise = f", or {NO_AIR_HINT}" if role == "ambient" else ""
            raise InputError(
                f"{where} lacks the column {role!r}.",
                hint=f'{_listed(names)[:-1]}; say which it is: `columns={{"{role}": "NAME"}}`'
                f"{otherwise}.",
            )


def _refuse_shared(chosen: Mapping[str, tuple[str, ...]], where: str) -> None:
    """Refuse one column in two roles, and two sensors at one height."""
    columns = [name for names in chosen.values() for name in names]
    twice = [name for name in columns if columns.count(name) > 1]
    if twice:
        raise InputError(
            f"{where}: the column {twice[0]!r} is given two roles.", hint="give each its own."
        )
    inside = [role for role in chosen if sensor_height(role) is not None]
    if len({sensor_height(role) for role in inside}) < len(inside):
        raise InputError(
            f"{where} has two sensors inside at one height: {', '.join(inside)}.",
            hint="rename or remove one of them.",
        )
