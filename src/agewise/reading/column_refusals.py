"""What is said of columns that cannot be used as they are: which, why, and what to say instead."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from agewise.errors import InputError
from agewise.plant.measures import ACTIVE_UNITS, LACKING, REACTIVE_UNITS, measure
from agewise.plant.notes import and_text, listed
from agewise.plant.sensors import sensor_height
from agewise.reading.heading import Heading, is_unit
from agewise.reading.load_parts import is_reactive

NO_AIR = ", or give `ambient`: a number [°C], a weather file, or none"
"""What else can be done about a file without the air."""
OIL_TOO = " (and top_oil, where it is measured)"
"""What is asked for besides, so that no second question has to follow."""
NUMBER = re.compile(r"(?P<name>.*) #\d+")
"""A name that `numbered` has made of one that occurs again."""


def and_list(names: Sequence[str]) -> str:
    """Names in quotes with commas and an `and`."""
    return and_text([repr(name) for name in names])


def naming(roles: Mapping[str, str]) -> str:
    """How a user names columns: `columns={"load": "NAME"}`."""
    pairs = ", ".join(f'"{role}": "{name}"' for role, name in roles.items())
    return f"`columns={{{pairs}}}`"


def contents(names: Sequence[str], *, several: bool = False) -> str:
    """Which columns a file has, as the beginning of a hint."""
    return f"{'they have' if several else 'it has'}: {listed(names) or 'no columns'}"


def refuse_missing(
    required: Sequence[str],
    filled_roles: Collection[str],
    names: Sequence[str],
    where: str,
    *,
    several: bool = False,
) -> None:
    """Refuse a file, or several, that cannot fill the required roles, all of them in one sentence.

    Args:
        required: Roles that must be filled.
        filled_roles: Roles that are.
        names: Headers of all columns.
        where: What is called so in errors.
        several: Whether that is more than one file.
    """
    roles = [role for role in required if role not in filled_roles]
    if roles:
        columns = "column" if len(roles) == 1 else "columns"
        which = "which it is" if len(roles) == 1 else "which they are"
        raise InputError(
            f"{where} {'lack' if several else 'lacks'} the {columns} {and_list(roles)}.",
            hint=f"{contents(names, several=several)}; say {which}: "
            f"{naming(dict.fromkeys(roles, 'NAME'))}{'' if 'top_oil' in filled_roles else OIL_TOO}"
            f"{NO_AIR if 'ambient' in roles else ''}.",
        )


def refuse_absent(
    absent: Mapping[str, str], names: Sequence[str], where: str, *, several: bool = False
) -> None:
    """Refuse names of the user that no column has, all of them in one sentence."""
    if absent:
        wanted = " and ".join(f"no column {name!r} for the {role}" for role, name in absent.items())
        raise InputError(
            f"{where} {'have' if several else 'has'} {wanted}.",
            hint=f"{contents(names, several=several)}.",
        )


def refuse_repeated(
    names: Sequence[str], by_user: Mapping[str, tuple[str, ...]], where: str
) -> None:
    """Refuse a role whose very name several columns have, unless the user has chosen."""
    twice = {match["name"] for name in names if (match := NUMBER.fullmatch(name))}
    twice |= {name for name, count in Counter(names).items() if count > 1}
    for name in sorted(twice):
        role = name in ("time", "load", "ambient", "top_oil") or sensor_height(name) is not None
        if role and name not in by_user:
            raise InputError(
                f"{where} has more than one column named {name!r}.",
                hint=f"say which, as {naming({name: f'{name} #2'})} for the second; or rename one.",
            )


def refuse_two(role: str, choices: Sequence[tuple[str, ...]], where: str) -> None:
    """Refuse a role that two columns, or two groups of columns, may play."""
    if len(choices) > 1:
        columns = " and ".join(repr("+".join(columns)) for columns in choices)
        raise InputError(
            f"{where}: the columns {columns} may each be the {role}.",
            hint=f"say which, as {naming({role: '+'.join(choices[0])})}.",
        )


def refuse_windings(columns: Sequence[str], where: str) -> None:
    """Refuse to choose among the currents of three windings, each of which has its own rating."""
    if len(columns) > 2:
        raise InputError(
            f"{where}: the columns {and_list(columns)} are the currents of {len(columns)} "
            f"windings.",
            hint=f"name them all, as {naming({'load': '+'.join(columns)})}, with the rated current "
            f"of each in that order, as `rated_load=(251, 1004, 150)`; the highest p.u. counts.",
        )


def refuse_shared(chosen: Mapping[str, tuple[str, ...]], where: str) -> None:
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


def fitting_unit(role: str, heading: Heading, where: str) -> str | None:
    """The unit by the header, None where it has none; one that does not fit the role is refused."""
    kind = measure(role)
    unit = heading.unit(kind)
    if unit is None and kind != "time" and is_unit(heading.stated_unit):
        raise InputError(
            f"{where}: the column {heading.column!r} is in {heading.stated_unit}, which is no unit "
            f"of {kind}.",
            hint=f"name another column, as {naming({role: 'NAME'})}, or give its unit, as "
            f'`units={{"{role}": "UNIT"}}`.',
        )
    return unit


def one_unit(headings: Sequence[Heading], units: Sequence[str | None], where: str) -> str | None:
    """The unit that currents of phases or windings share; several units are refused."""
    stated_units = sorted({unit for unit in units if unit is not None})
    columns = and_list([heading.column for heading in headings])
    if len(stated_units) > 1 or set(stated_units) & {*LACKING}:
        raise InputError(
            f"{where}: the columns {columns} are in {' and '.join(stated_units)}, which do not "
            f"make one load.",
            hint="name the currents of all phases or windings in one unit, or active and reactive "
            f"power, as {naming({'load': 'P+Q'})}.",
        )
    return stated_units[0] if stated_units else None


def power_units(headings: Sequence[Heading], user_unit: str | None, where: str) -> tuple[str, ...]:
    """Units of active and reactive power, by what the user says, else by the headers."""
    columns = and_list([heading.column for heading in headings])
    # Of the user's units one is the load's: MW goes with Mvar, and kW with kvar.
    pairs = dict(zip(ACTIVE_UNITS, REACTIVE_UNITS, strict=True))
    pair = (
        (user_unit, pairs[user_unit])
        if user_unit in pairs
        else tuple(h.unit("load") for h in headings)
    )
    if user_unit in pairs and is_reactive(headings[0]):
        # In the order of the columns, the first of which is the reactive one here.
        pair = pair[::-1]
    units = tuple(unit for unit in pair if unit is not None)
    if len(headings) == 2 and len(units) < 2:
        raise InputError(
            f"{where}: the columns {columns} do not both state a unit of power.",
            hint='say it, as `units={"load": "MW"}` for MW and Mvar, or `units={"load": "kW"}` for '
            "kW and kvar.",
        )
    active = [unit in ACTIVE_UNITS for unit in units]
    reactive = [unit in REACTIVE_UNITS for unit in units]
    if len(headings) != 2 or sum(active) != 1 or sum(reactive) != 1:
        raise InputError(
            f"{where}: the columns {columns} are not one active and one reactive power.",
            hint=f"name them, as {naming({'load': 'P+Q'})}, with MW and Mvar or kW and kvar in "
            "their headers.",
        )
    return units
