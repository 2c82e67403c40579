"""A record: what a file holds, in p.u. and °C, before it is checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import SupportsInt

import numpy as np
import pandas as pd
from jaxtyping import Float


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

    def line(self, row: SupportsInt) -> int:
        """The line of the file in which a row stands."""
        return int(row) + self.first_line


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
