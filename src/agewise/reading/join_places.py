"""Where a column of a joined record stands: in the file that it came from, not in the load's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from agewise.plant.record import Places
from agewise.reading.onto import Seconds, typical_step


@dataclass(frozen=True, eq=False)
class Reader:
    """A column of a file without a load, as it is read."""

    number: int
    """Number of the file among those that are joined, from 0."""
    seconds: Seconds
    """Times of its rows from the common start; NaN where they cannot be read."""
    values: Float[np.ndarray, " _"]
    """What it holds; NaN for a cell without a number."""
    first_line: int
    """Line of the file in which its first row stands."""


def column_place(
    readers: Sequence[Reader],
    base: Places,
    seconds: Seconds,
    own: Bool[np.ndarray, " _"],
    empty: Bool[np.ndarray, " _"],
) -> Places:
    """File and line of each cell of a column that was put on the times of the load.

    Args:
        readers: The files that it came from.
        base: Where the rows of the load stand.
        seconds: Times of these rows from the common start.
        own: Cells that the files of the load fill themselves, which stand there.
        empty: Cells without a value.
    """
    times = np.concatenate([each.seconds for each in readers])
    values = np.concatenate([each.values for each in readers])
    file = np.concatenate([np.full(each.seconds.size, each.number) for each in readers])
    line = np.concatenate([each.first_line + np.arange(each.seconds.size) for each in readers])
    known = np.isfinite(times)
    near = _nearest(times, known, seconds)
    # A time without a value is next to the row without one, as long as there is one in reach.
    silent = known & np.isnan(values)
    if silent.any():
        hole = _nearest(times, silent, seconds)
        reach = np.abs(times[hole] - seconds) <= typical_step(np.unique(times[known]))
        near = np.where(empty & reach, hole, near)
    return Places(
        base.files, np.where(own, base.file, file[near]), np.where(own, base.line, line[near])
    )


def column_places(
    readers: Mapping[str, Sequence[Reader]],
    base: Places,
    seconds: Seconds,
    own: Mapping[str, Float[np.ndarray, " _"]],
    placed: Mapping[str, Float[np.ndarray, " _"]],
) -> dict[str, Places]:
    """Files and lines of all columns that were put on the times of the load, by role.

    Args:
        readers: The files that each of them came from.
        base: Where the rows of the load stand.
        seconds: Times of these rows from the common start.
        own: Columns of the files that have the load.
        placed: All columns, after the others were put on the times of the load.
    """
    none = np.zeros(seconds.size, dtype=bool)
    return {
        role: column_place(
            those,
            base,
            seconds,
            np.isfinite(own[role]) if role in own else none,
            np.isnan(placed[role]),
        )
        for role, those in readers.items()
    }


def _nearest(
    readings: Seconds, usable: Bool[np.ndarray, " _"], times: Seconds
) -> Int[np.ndarray, " _"]:
    """The usable row, of readings in any order, whose time is next to each of the times."""
    rows = np.flatnonzero(usable)
    order = rows[np.argsort(readings[rows], kind="stable")]
    # Between two middles, the reading that lies there is the nearest.
    middles = (readings[order][:-1] + readings[order][1:]) / 2
    return order[np.searchsorted(middles, times)]
