"""A record: what a file holds, in p.u. and °C, before it is checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import SupportsInt

import numpy as np
import pandas as pd
from jaxtyping import Float, Int


@dataclass(frozen=True, eq=False)
class Places:
    """Where the rows of a record stand that several files make together."""

    files: tuple[str, ...]
    """Names of the files, in the order of their numbers."""
    file: Int[np.ndarray, " row"]
    """Number of the file that each row comes from, from 0."""
    line: Int[np.ndarray, " row"]
    """Line of that file in which the row stands, counted from 1."""

    def text(self, row: int) -> str:
        """The line and the file of a row, as `30 of february.csv`."""
        return f"{self.line[row]} of {self.files[self.file[row]]}"

    def span(self, first: int, last: int) -> str:
        """The lines from one row to another, as `3 to 9 of february.csv`."""
        if self.file[first] == self.file[last]:
            # By lines and not by rows: a file may run backwards.
            low, high = sorted((first, last), key=lambda row: self.line[row])
            return f"{self.line[low]} to {self.text(high)}"
        return f"{self.text(first)} to {self.text(last)}"


@dataclass(frozen=True, eq=False)
class Lines:
    """How sentences name the lines in which rows, or cells of a column, stand."""

    first: int = 2
    """Line of the file in which the first row stands, counted from 1."""
    places: Places | None = None
    """Where the rows stand that come from several files; None for one file."""
    columns: Mapping[str, Places] = field(default_factory=dict)
    """Where columns stand that come from another file than their rows."""

    def line(self, row: SupportsInt, column: str = "") -> str:
        """The line in which a row, or its cell of a column, stands; of several files also which."""
        places = self.columns.get(column, self.places)
        return str(int(row) + self.first) if places is None else places.text(int(row))

    def lines(self, first: SupportsInt, last: SupportsInt, column: str = "") -> str:
        """The lines from one row to another, as `3 to 9` or `3 to 9 of february.csv`."""
        # A file that runs backwards has the later row in the earlier line.
        low, high = sorted((int(first), int(last)))
        places = self.columns.get(column, self.places)
        if places is None:
            return f"{low + self.first} to {high + self.first}"
        return places.span(low, high)


@dataclass(frozen=True, eq=False)
class Record:
    """Rows in the order in which they stand in the file; a cell without a number is NaN."""

    labels: pd.Series
    """The time column as it is written in the file."""
    seconds: Float[np.ndarray, " row"]
    """Seconds from `start`, in any order, repeated or NaN (a time that cannot be read)."""
    start: pd.Timestamp | None
    """The instant of second 0 with its zone; None when the file counts minutes from its start."""
    columns: Mapping[str, Float[np.ndarray, " row"]]
    """`load` [p.u.], `ambient`, `top_oil`, `bottom_oil`, `winding`, `oil@0.4` [°C] by name; nothing
    is cut off or refused for its size."""
    notes: tuple["DataFinding", ...] = ()
    """What was guessed, converted or could not be read, in words."""
    ignored: tuple[str, ...] = ()
    """Names of the columns of the file that have no role and are not read."""
    first_line: int = 2
    """Line of the file in which the first row stands, counted from 1."""
    sources: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    """Columns of the file and their unit, by role: a plus between several that belong together, a
    bar between those of different files."""
    places: Places | None = None
    """Where the rows stand that come from several files; None for one file."""
    column_places: Mapping[str, Places] = field(default_factory=dict)
    """Where columns stand that come from another file than their rows."""
    steps: Mapping[str, float] = field(default_factory=dict)
    """Typical steps between readings [s] of columns that are read less often than rows come."""

    def time(self, row: SupportsInt) -> str:
        """The time of a row, as the file writes it."""
        return str(self.labels.iloc[int(row)])

    def line(self, row: SupportsInt, column: str = "") -> str:
        """The line in which a row, or its cell of a column, stands; of several files also which."""
        return self.lines.line(row, column)

    @property
    def lines(self) -> Lines:
        """How sentences name its lines."""
        return Lines(self.first_line, self.places, self.column_places)


@dataclass(frozen=True)
class DataFinding:
    """Something about the data that a person should know, and what was done about it."""

    kind: str
    """What sort of finding it is, as `guess`, `unreadable`, `gap` or `stuck`."""
    column: str
    """Column that it is about; empty for whole rows or times, two names with a comma for both."""
    rows: int
    """Number of rows of the file that are concerned."""
    start: str
    """Label of the first row concerned."""
    end: str
    """Label of the last row concerned."""
    done: str
    """What was done: `kept`, `left out`, `interpolated`, `typical day`, `sorted`, ..."""
    text: str
    """A sentence for people."""
    stretches: tuple[tuple[int, int], ...] = ()
    """First and last row (of the file, from 0, both included) of every stretch concerned."""
    mend: str = ""
    """What to mend before the data can be answered for, in a sentence; empty where they can."""
    doubt_k: float = 0.0
    """Standard deviation of an error of the oil that it makes likely [K]."""
