"""The numbers of a role in p.u. or °C, from the cells of its columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from agewise.errors import InputError
from agewise.plant.measures import (
    ACTIVE_UNITS,
    LARGEST_FLAG,
    Rated,
    celsius,
    measure,
    per_unit,
    refuse_large_loads,
    seems_flag,
    seems_kelvin,
)
from agewise.plant.notes import and_text, counted, note
from agewise.plant.record import DataFinding
from agewise.quality.rules.values import CODES
from agewise.reading.columns import LENIENT, Source
from agewise.reading.heading import suggestion
from agewise.reading.options import Reading
from agewise.reading.table.numbers import Numbers, numbers_of

DEFAULT_UNITS = {"load": "p.u.", "temperature": "°C", "state": ""}
"""Units that are assumed where neither the user nor the file names one."""

LOAD_CODES = tuple(code for code in CODES if code <= -999)
"""Codes for no value that no load is: divided by the rated load, -999 A would pass for a load of
reverse power. Positive ones are left to the rule about impossible loads, as 999 A may be true."""

Values = Float[np.ndarray, " row"]
"""Numbers by row of a file; NaN where a cell holds none."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column's cells, and all that is known about them."""

    role: str
    """What the column measures, as `load` or `oil@0.4`."""
    name: str
    """Name of the column in the file."""
    source: Source
    """Where the role comes from, of which this column may be a part."""
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

    @cached_property
    def numbers(self) -> Numbers:
        """The cells as numbers, in the unit of the file."""
        return numbers_of(self.cells, decimal=self.decimal, where=self.where)

    @cached_property
    def codes(self) -> Bool[np.ndarray, " row"]:
        """Loads that are codes for no value, as they can be told only in the unit of the file."""
        # Codes of thermometers are left to a rule of quality, since °C are not divided by a rating.
        return np.isin(self.numbers.values, LOAD_CODES) & (self.role == "load")

    @property
    def values(self) -> Values:
        """The numbers that are no codes."""
        return np.where(self.codes, np.nan, self.numbers.values)

    def noted(self, kind: str, done: str, text: str) -> DataFinding:
        """A finding about all of the column."""
        return note(kind, self.role, self.labels, done=done, text=text)


@dataclass(frozen=True, eq=False)
class RoleValues:
    """What a role measured."""

    values: Values
    """Loads [p.u.] or temperatures [°C]."""
    unit: str | None
    """The unit in which the file gives them; None where its columns have several."""
    notes: Sequence[DataFinding]
    """What was guessed, converted, or could not be read."""
    oil_share: Values | None = None
    """Load that heats the oil over the load [1], where windings are loaded differently."""


def role_values(column: Column, reading: Reading, rated: Rated) -> RoleValues:
    """The values of a role that one column fills."""
    values, unit, load = column.values, column.source.unit, column.role == "load"
    # Kelvin may be guessed, as no other temperature is so large. Percent and ampere look alike, so
    # for loads the user is asked.
    thermometer = measure(column.role) == "temperature"
    kelvin = unit is None and thermometer and seems_kelvin(values)
    if unit is None and load:
        refuse_large_loads(values, column.where, suggests=suggestion(column.name))
    used = "K" if kelvin else unit or DEFAULT_UNITS[measure(column.role)]
    base = rated_load(used, reading, rated) if load else None
    converted = load_per_unit(values, used, base, column.where) if load else celsius(values, used)
    notes = [
        *_guess(column, used, kelvin),
        *_conversion(column, used, base),
        *unreadable(column),
        *coded(column),
    ]
    return RoleValues(converted, used, notes)


def rated_load(unit: str, reading: Reading, rated: Rated) -> float | None:
    """What 1 p.u. is in a unit; what is said about this file wins over the nameplate."""
    rated_loads = reading.rated_loads
    if len(rated_loads) > 1:
        raise InputError(
            f"{len(rated_loads)} rated loads are given, but the load is not the currents of "
            f"{len(rated_loads)} windings.",
            hint='name the columns of all windings, as `columns={"load": "I_HV+I_MV+I_LV"}`, or '
            "give one rated load.",
        )
    if rated_loads:
        return rated_loads[0]
    # A rating in kVA is none in kW: the user alone knows the power factor.
    return None if unit in ACTIVE_UNITS else rated.of(unit)


def load_per_unit(values: Values, unit: str, base: float | None, where: str) -> Values:
    """Loads in p.u.; active power only where the user says at how much of it the unit is full."""
    if unit in ACTIVE_UNITS and base is not None:
        return values / base
    return per_unit(values, unit, base, where)


def not_temperatures(column: Column) -> DataFinding | None:
    """A finding about a column that has the name of a temperature and holds none; it is ignored.

    The contact of a winding's alarm is often called as its thermometer is, and is 0 or 1.
    """
    numbers = column.numbers
    if column.role == "winding" and seems_flag(numbers.values):
        # Without codes for no value, which may stand among the states.
        high = np.nanmax(np.where(numbers.values <= LARGEST_FLAG, numbers.values, np.nan))
        what = f"is never above {high:g}, like an alarm contact and unlike a temperature"
    elif (
        column.role in LENIENT
        and not column.source.by_user
        and numbers.unreadable.any()
        and not np.isfinite(numbers.values).any()
    ):
        what = "holds no number"
    else:
        return None
    text = f"The column {column.name!r} {what}; it is not read as the {column.role}."
    return column.noted("ignored", "ignored", text)


def unreadable(column: Column) -> list[DataFinding]:
    """A finding about cells that hold no number; a column without any number is refused."""
    numbers = column.numbers
    bad = numbers.unreadable
    if not bad.any():
        return []
    row = int(bad.argmax())
    cell = f"{str(column.cells.iloc[row])!r}"
    if not np.isfinite(numbers.values).any():
        raise InputError(
            f"{column.where}, line {column.line(row)}, column {column.name!r}: {cell} is not a "
            f"number, and no other cell of it is.",
            hint="write numbers as 12.5, or name another column: "
            f'`columns={{"{column.role}": "NAME"}}`.',
        )
    text = (
        f"{counted(int(bad.sum()), 'cell')} of the column {column.name!r} cannot be read as a "
        f"number, first {cell} in line {column.line(row)}."
    )
    labels = column.labels
    return [note("unreadable", column.role, labels, concerned=bad, done="left out", text=text)]


def status_words(columns: Sequence[Column]) -> list[DataFinding]:
    """A finding about cells of a file that hold a word, as `Bad`, where a number should be."""
    found = {column.name: column.numbers.status for column in columns}
    counts = {name: int(words.sum()) for name, words in found.items() if words.any()}
    if not counts:
        return []
    concerned = np.logical_or.reduce(list(found.values()))
    first = next(column for column in columns if column.name in counts)
    word = str(first.cells[first.numbers.status].iloc[0]).strip()
    cells = and_text([f"{counted(count, 'cell')} of {name!r}" for name, count in counts.items()])
    holds = "holds" if sum(counts.values()) == 1 else "hold"
    text = f"{cells} {holds} a word such as {word!r} instead of a number: left empty."
    return [note("words", "", first.labels, concerned=concerned, done="left out", text=text)]


def coded(column: Column) -> list[DataFinding]:
    """A finding about codes for no value among the loads."""
    if not column.codes.any():
        return []
    row = int(column.codes.argmax())
    text = (
        f"{counted(int(column.codes.sum()), 'cell')} of the column {column.name!r} hold a code for "
        f"no value, first {column.numbers.values[row]:g} in line {column.line(row)}."
    )
    concerned = {"concerned": column.codes, "done": "left out", "text": text}
    return [note("sentinel", column.role, column.labels, **concerned)]


def _conversion(column: Column, unit: str, base: float | None) -> list[DataFinding]:
    """A finding about a conversion, and about what 1 p.u. is taken to be."""
    # What is in our own unit already needs no word.
    if unit in DEFAULT_UNITS.values():
        return []
    division = f" and divided by {base:.6g} {unit}" if base is not None else ""
    text = f"The {column.role} is given in {unit}{division}."
    if unit in ACTIVE_UNITS:
        text += (
            " The power factor is assumed to be constant: that much active power is taken for 1 "
            "p.u."
        )
    return [column.noted("converted", "converted", text)]


def _guess(column: Column, unit: str, kelvin: bool) -> list[DataFinding]:
    """A finding about a column, or a unit, that was guessed."""
    if column.source.guessed:
        text = f"The column {column.name!r} is taken for the {column.role}, in {unit.rstrip('.')}."
    elif kelvin:
        text = f"The {column.role} is taken to be in K, as its values are above 200."
    else:
        return []
    return [column.noted("guess", "assumed", text)]
