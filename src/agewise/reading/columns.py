"""Which column of a file plays which role, and in which unit it is."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agewise.plant.measures import ACTIVE_UNITS, LACKING, measure, unit_of
from agewise.plant.profile import OPTIONAL, STATES
from agewise.plant.sensors import sensor_height
from agewise.reading import column_refusals as refusals
from agewise.reading.heading import Heading, is_unit
from agewise.reading.load_parts import (
    is_active,
    is_reactive,
    phase_groups,
    phase_unit,
    power_pair,
    winding_currents,
)
from agewise.reading.options import Reading

REQUIRED = ("time", "load", "ambient")
"""Roles that every record must fill."""
LENIENT = ("bottom_oil", "winding")
"""Roles that nothing depends on: where two columns or a unit raise a doubt, the role stays empty
and the columns are ignored, for a file must not be refused for what it has besides."""
UTC = re.compile(r"(?<![A-Za-z])(?:UTC|GMT)(?![A-Za-z+\-])", re.IGNORECASE)
"""A header that says UTC; `UTC+1` is another zone, and is not meant."""

Kind = Literal["one", "date and time", "currents", "powers"]
"""How the columns of a role belong together."""


@dataclass(frozen=True)
class Source:
    """Where a role comes from."""

    names: tuple[str, ...]
    """Names of the file's columns: one, a date and a time of day, or the parts of a load."""
    unit: str | None
    """Unit that the user, the header or the row of units states; None when none does."""
    guessed: bool = False
    """Whether the columns were guessed from their names."""
    by_user: bool = False
    """Whether the user named the columns."""
    utc: bool = False
    """Whether the header of a time says that it is in UTC."""
    kind: Kind = "one"
    """How the columns belong together; `currents` of phases or windings, `powers` P and Q."""
    units: tuple[str | None, ...] = ()
    """Units of the parts of a load, one a column; empty for all else."""


@dataclass(frozen=True)
class Choice:
    """Columns that were chosen for a role."""

    columns: tuple[str, ...]
    """Names of the chosen columns."""
    guessed: bool
    """Whether they were guessed."""


def sources(
    names: Sequence[str],
    units: Mapping[str, str],
    reading: Reading,
    where: str,
    required: Sequence[str] = REQUIRED,
    *,
    part: bool = False,
    is_contact: Callable[[str], bool] = lambda _: False,
) -> dict[str, Source]:
    """The columns behind each role: named by the user, by exact names, or guessed.

    Args:
        names: Headers of all columns of the file.
        units: Units from a row below the header, by name.
        reading: What the user says about the file.
        where: What the file is called in errors.
        required: Roles that the file must fill.
        part: Whether other files may have the columns that the user names and this one lacks.
        is_contact: Whether a column holds states of an alarm's contact and no temperatures; asked
            only where several columns may be one temperature.

    Returns:
        The source of each role that the file can fill; the required ones are among them.
    """
    by_user = _named_by_user(names, reading, where, part=part)
    # A column that the user gave another role has lost its own, even if its name is that of a role.
    taken = {name for columns in by_user.values() for name in columns}
    free = [name for name in names if name not in taken]
    exact = {name: (name,) for name in free if name not in by_user and _is_role(name)}
    refusals.refuse_repeated(names, by_user, where)
    refusals.refuse_shared({**by_user, **exact}, where)
    headings = [Heading(name, units.get(name, "")) for name in free]
    opened = [role for role in (*REQUIRED, *OPTIONAL) if role not in {**by_user, **exact}]
    unnamed = [each for each in headings if each.column not in exact]
    guesses = _guesses(unnamed, opened, where, is_contact)
    # What the user says comes last and wins.
    chosen = {role: Choice(columns, True) for role, columns in guesses.items()}
    chosen |= {role: Choice(columns, False) for role, columns in {**exact, **by_user}.items()}
    chosen |= _dated(chosen, headings)
    chosen = {
        role: choice
        for role, choice in chosen.items()
        if role not in LENIENT or role in by_user or _fits(role, choice.columns[0], units)
    }
    refusals.refuse_missing(required, chosen, names, where)
    return {
        role: _source(role, choice, role in by_user, units, reading, where)
        for role, choice in chosen.items()
    }


def _is_role(name: str) -> bool:
    return name in (*REQUIRED, *OPTIONAL, *STATES) or sensor_height(name) is not None


def _named_by_user(
    names: Sequence[str], reading: Reading, where: str, *, part: bool
) -> dict[str, tuple[str, ...]]:
    """The columns that the user named.

    `Date+Time` are two, and `Date|Stamp` either of them, unless a column has that very name.
    """
    columns_by_role: dict[str, tuple[str, ...]] = {}
    absent: dict[str, str] = {}
    for role, name in reading.columns.items():
        # Of files that call a column differently each has one of the names.
        choices = [name] if alike(name, names) else [each.strip() for each in name.split("|")]
        columns = next(filter(None, (_columns(role, each, names) for each in choices)), None)
        if columns is not None:
            columns_by_role[role] = columns
        else:
            absent[role] = name
    if not part:
        refusals.refuse_absent(absent, names, where)
    return columns_by_role


def _columns(role: str, name: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The columns that a name means, as `Date+Time` means two; None where one is not there."""
    joins = name not in names and role in ("time", "load")
    parts = tuple(map(str.strip, name.split("+"))) if joins else (name,)
    columns = [alike(part, names) for part in parts]
    matches = tuple(column for column in columns if column is not None)
    is_complete = len(matches) == len(parts) and not (role == "time" and len(parts) > 2)
    return matches if is_complete else None


def alike(name: str, names: Sequence[str]) -> str | None:
    """A column of that name, or the only one that differs in capitals and spaces alone."""
    if name in names:
        return name
    # A header of spaces alone is like no name.
    like = [column for column in names if column.split() and _loose(column) == _loose(name)]
    return like[0] if len(like) == 1 else None


def _loose(name: str) -> str:
    return "".join(name.split()).casefold()


def _guesses(
    headings: Sequence[Heading],
    opened: Sequence[str],
    where: str,
    is_contact: Callable[[str], bool],
) -> dict[str, tuple[str, ...]]:
    """Columns for the roles that are still open, where their names are obvious.

    Two columns that may play one role are refused rather than chosen from, or left alone where
    nothing depends on the role.
    """
    guesses = {}
    for role in opened:
        if role == "load":
            guesses |= _load_guess(headings, where)
            continue
        kinds = ("stamp", "date", "clock") if role == "time" else (role,)
        for kind in kinds:
            named = [heading for heading in headings if heading.meaning == kind]
            if role != "time" and len(named) > 1:
                # Alarm and trip of a thermometer bear its name: OTI, OTI_A, OTI_T.
                named = [each for each in named if not is_contact(each.column)] or named
            if role in LENIENT and len(named) > 1:
                continue
            refusals.refuse_two(role, [(heading.column,) for heading in named], where)
            # The first kind wins: a full time stamp over a date, a date over a time of day.
            if named:
                guesses.setdefault(role, (named[0].column,))
    return guesses


def _load_guess(headings: Sequence[Heading], where: str) -> dict[str, tuple[str, ...]]:
    """The load: one column that is all of it, else phase currents, else active and reactive power.

    Active power alone is taken last, and refused later in words of its own.
    """
    # Before one of them is taken for the load of the unit.
    refusals.refuse_windings(winding_currents(headings), where)
    groups = phase_groups(headings)
    phases = {column for group in groups for column in group}
    named = [each for each in headings if each.meaning == "load" and each.column not in phases]
    single_columns = [(each.column,) for each in named if each.unit("load") not in LACKING]
    pair = power_pair(headings)
    lacking = [(each.column,) for each in headings if is_active(each) or is_reactive(each)]
    for choices in (single_columns, groups, [pair] if pair else [], lacking):
        refusals.refuse_two("load", choices, where)
        if choices:
            return {"load": choices[0]}
    return {}


def _dated(chosen: Mapping[str, Choice], headings: Sequence[Heading]) -> dict[str, Choice]:
    """A date and a time of day in two columns, where the time is one of them."""
    time = chosen.get("time", Choice((), False))
    days = [heading.column for heading in headings if heading.meaning == "date"]
    clocks = [heading.column for heading in headings if heading.meaning == "clock"]
    if len(days) == len(clocks) == 1 and time.columns in ((days[0],), (clocks[0],)):
        return {"time": Choice((days[0], clocks[0]), time.guessed)}
    return {}


def _fits(role: str, column: str, units: Mapping[str, str]) -> bool:
    """Whether the header of a column states no unit that contradicts its role."""
    stated = Heading(column, units.get(column, "")).stated_unit
    return not is_unit(stated) or unit_of(stated, measure(role)) is not None


def _source(
    role: str, choice: Choice, by_user: bool, units: Mapping[str, str], reading: Reading, where: str
) -> Source:
    columns, user_unit = choice.columns, reading.units.get(role)
    headings = [Heading(column, units.get(column, "")) for column in columns]
    if role == "load" and len(columns) > 1:
        return _load_source(choice, headings, by_user, user_unit, where)
    # Of a date and a time of day, the second is the one that can have a unit.
    unit = user_unit or refusals.fitting_unit(role, headings[-1], where)
    utc = role == "time" and any(UTC.search(f"{each.column} {each.below}") for each in headings)
    kind: Kind = "date and time" if len(columns) > 1 else "one"
    return Source(columns, unit, choice.guessed, by_user, utc, kind)


def _load_source(
    choice: Choice, headings: Sequence[Heading], by_user: bool, user_unit: str | None, where: str
) -> Source:
    """A load in parts, as powers where one of them is active power, else as currents."""
    stated = {heading.unit("load") for heading in headings}
    if user_unit in ACTIVE_UNITS or any(map(is_active, headings)) or stated & {*LACKING}:
        units = refusals.power_units(headings, user_unit, where)
        return Source(choice.columns, None, choice.guessed, by_user, kind="powers", units=units)
    parts = tuple(user_unit or phase_unit(heading) for heading in headings)
    unit = refusals.one_unit(headings, parts, where)
    return Source(
        choice.columns, unit, choice.guessed, by_user, kind="currents", units=(unit,) * len(parts)
    )
