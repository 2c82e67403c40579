"""The sheet that rules look at: rows in the order of time, one an instant; and their findings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import SupportsInt

import numpy as np
from jaxtyping import Bool, Float, Int

from agewise.plant.record import Lines
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

Mask = Bool[np.ndarray, " row"]
"""Marks rows of a sheet."""
Stretches = tuple[tuple[int, int], ...]
"""First and last row of each stretch, in rows of the file from 0, both included."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """Rows that stand in order; a cell that is no observation is NaN."""

    seconds: Float[np.ndarray, " row"]
    """Seconds from the start of the record, strictly increasing."""
    origin: Int[np.ndarray, " row"]
    """The row of the file, from 0, that each row of the sheet comes from."""
    columns: Mapping[str, Float[np.ndarray, " row"]]
    """Load [p.u.] and temperatures [°C] by name."""
    swapped: Mask
    """Rows in which ambient and top oil seem to be exchanged."""
    clock: Mask
    """Rows before which the clock seems to have jumped."""
    heatless: Mask
    """Rows in which the load seems too high for the oil."""
    file_lines: Lines = field(default_factory=Lines)
    """How sentences name the lines of the record."""

    steps: Mapping[str, float] = field(default_factory=dict)
    """Typical steps [s] of columns that are read less often than rows come."""
    file_time: Callable[[SupportsInt], str] = lambda row: f"row {int(row) + 1}"
    """The time of a row of the record as its file writes it."""

    def time(self, row: SupportsInt) -> str:
        """The time of a row of this sheet, as the file writes it."""
        return self.file_time(self.origin[int(row)])

    def line(self, row: SupportsInt, column: str = "") -> str:
        """The line of the file in which a row of this sheet, or a cell of a column, stands."""
        return self.file_lines.line(self.origin[int(row)], column)

    def lines(self, first: SupportsInt, last: SupportsInt, column: str = "") -> str:
        """The lines from one row to another, as `3 to 9` or `3 to 9 of february.csv`."""
        return self.file_lines.lines(self.origin[int(first)], self.origin[int(last)], column)

    @cached_property
    def step(self) -> float:
        """The typical step between two rows [s]."""
        return float(np.median(np.diff(self.seconds)))

    @property
    def days(self) -> float:
        """Days from the first row to the last."""
        return float(self.seconds[-1] - self.seconds[0]) / SECONDS_PER_DAY

    @property
    def oils(self) -> list[str]:
        """Names of the thermometers in the oil; a winding is no oil, and moves within minutes."""
        return [name for name in self.thermometers if name not in ("ambient", "winding")]

    @property
    def has_air(self) -> bool:
        """Whether the air was measured: without it no rule knows what the oil should be."""
        return "ambient" in self.columns

    @property
    def thermometers(self) -> list[str]:
        """Names of the columns in °C."""
        return [name for name in self.columns if name != "load"]

    def after(self, finding: "RuleFinding") -> "Sheet":
        """The same sheet with the cells of a finding emptied and its rows marked."""
        # Changed before it is emptied: a cell that is no observation stays none.
        changed = replace(self, columns={**self.columns, **finding.changes})
        return replace(changed.without(finding.empties), **finding.marks)

    def without(self, cells: Mapping[str, Mask]) -> "Sheet":
        """The same sheet with the marked cells of some columns emptied."""
        emptied = {name: np.where(mask, np.nan, self.columns[name]) for name, mask in cells.items()}
        return replace(self, columns={**self.columns, **emptied})


@dataclass(frozen=True, eq=False)
class RuleFinding:
    """What one rule found in one column: where, what is done, and a sentence about it."""

    kind: str
    """The rule, as `spikes` or `gap`."""
    column: str
    """Name of the column; empty when it is about rows or times, two with a comma for both."""
    stretches: Stretches
    """First and last row of the file of every stretch concerned, both included."""
    rows: int
    """Number of rows concerned."""
    done: str
    """What is done about it, as `left out` or `kept`."""
    text: str
    """A sentence for people."""
    empties: Mapping[str, Mask] = field(default_factory=dict)
    """Cells that are no observations, by column."""
    marks: Mapping[str, Mask] = field(default_factory=dict)
    """Rows that the sheet is to remember, by the name of its field."""
    changes: Mapping[str, Float[np.ndarray, " row"]] = field(default_factory=dict)
    """Columns as they are from here on, where cells mean something else than they say."""
    mend: str = ""
    """What to mend before anything can be told, in a sentence; empty where something can."""
    doubt_k: float = 0.0
    """Standard deviation of an error of the oil that it makes likely [K]."""


def rule_findings(
    sheet: Sheet,
    kind: str,
    column: str,
    mask: Mask,
    what: str,
    *,
    done: str = "left out",
    empties: tuple[str, ...] | None = None,
) -> list[RuleFinding]:
    """The finding of a rule about the masked rows, none when there are no such rows.

    Args:
        sheet: The sheet that the rule looked at.
        kind: The rule.
        column: Name of the column, or two with a comma.
        mask: The rows concerned.
        what: The beginning of the sentence; where the rows stand is added to it.
        done: What is done about them.
        empties: Columns whose cells are emptied; by default the column itself if it is left out.
    """
    if not mask.any():
        return []
    if empties is None:
        empties = (column,) if done == "left out" else ()
    # In rows of the file, as a person finds them there: the sheet is sorted and has none twice.
    stretches = file_stretches(sheet, mask)
    text = f"{column.replace(',', ' and ')}: {what}{_extent(sheet, mask, column)}; {done}."
    rows, cells = int(mask.sum()), dict.fromkeys(empties, mask)
    return [RuleFinding(kind, column, stretches, rows, done, text, cells)]


def runs(mask: Bool[np.ndarray, " _"]) -> tuple[np.ndarray, np.ndarray]:
    """First and last place of every unbroken run of True."""
    edges = np.diff(np.concatenate([[0], mask.astype(np.int8), [0]]))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1


def file_stretches(sheet: Sheet, mask: Mask) -> Stretches:
    """The masked rows as stretches of the file."""
    rows = np.zeros(int(sheet.origin.max()) + 1, dtype=bool)
    rows[sheet.origin[mask]] = True
    return tuple(zip(*(edge.tolist() for edge in runs(rows)), strict=True))


def duration(seconds: float) -> str:
    """A length of time as people write it."""
    if seconds < 2 * SECONDS_PER_HOUR:
        return f"{seconds / SECONDS_PER_MINUTE:.3g} min"
    if seconds < 2 * SECONDS_PER_DAY:
        return f"{seconds / SECONDS_PER_HOUR:.3g} h"
    return f"{seconds / SECONDS_PER_DAY:.3g} days"


def local_medians(values: Float[np.ndarray, " _"], each_side: int) -> Float[np.ndarray, " _"]:
    """The median of `each_side` samples on either side of each, the sample itself left out."""
    # Mirrored, so that samples at the ends have as many neighbours.
    count, mirrored = values.size, np.pad(values, each_side, mode="reflect")
    # One row an offset: sorting short columns side by side is ten times faster than np.median.
    offsets = [k for k in range(2 * each_side + 1) if k != each_side]
    neighbours = np.stack([mirrored[k : k + count] for k in offsets])
    neighbours.sort(axis=0)
    # An even number of neighbours: the mean of the two in the middle.
    return neighbours[each_side - 1 : each_side + 1].mean(axis=0)


def _extent(sheet: Sheet, mask: Mask, column: str) -> str:
    """Where the masked rows stand, as the end of a sentence: how many, and the longest stretch."""
    # Of two columns the first names the lines.
    column = column.partition(",")[0]
    first, last = runs(mask)
    lengths = sheet.seconds[last] - sheet.seconds[first]
    longest = int(lengths.argmax())
    # Single rows have no length.
    if lengths[longest] == 0:
        begins = sheet.line(first[longest], column)
        return f" in {_counted(first.size, 'cell')}, the first in line {begins}"
    lines = sheet.lines(first[longest], last[longest], column)
    long = f"lines {lines}, {duration(lengths[longest])}"
    if first.size == 1:
        return f" in {long}"
    return f" in {_counted(first.size, 'stretch', 'es')}, the longest in {long}"


def _counted(count: int, noun: str, plural: str = "s") -> str:
    return f"{count} {noun}{plural if count > 1 else ''}"
