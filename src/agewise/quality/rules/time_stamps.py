"""Rules about time stamps: unreadable, out of order, twice, missing, jumping, uneven."""

import numpy as np
from jaxtyping import Bool, Float

from agewise.errors import InputError
from agewise.plant.notes import counted
from agewise.plant.record import Record
from agewise.quality.sheet import (
    Mask,
    RuleFinding,
    Sheet,
    Stretches,
    duration,
    file_stretches,
    runs,
)
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_DAY

MOST_ROWS = 1_000_000
"""Most rows that may be missing, besides ten times as many as there are."""
LONGEST_STEP_S = SECONDS_PER_DAY
"""Longest typical step [s]: beyond, the load between two rows is unknown, and oil follows it."""


def ordered(record: Record, where: str) -> tuple[Sheet, list[RuleFinding]]:
    """The rows with a readable time in order, one an instant, and findings about the others.

    Args:
        record: What the file holds.
        where: What the file is called in errors.
    """
    # A stable sort: rows of one instant stay in the order of the file, the first gives its line.
    usable = np.isfinite(record.seconds)
    order = np.flatnonzero(usable)[np.argsort(record.seconds[usable], kind="stable")]
    seconds = record.seconds[order]
    if np.unique(seconds).size < 2:
        raise InputError(
            f"{where} has too few rows: {seconds.size} with a readable time, where at least 2 "
            f"different times are needed.",
            hint="give a file with measurements, one row for each time.",
        )
    findings = [*_unreadable(record, ~usable), *_unsorted(record)]
    # The very first row begins an instant too.
    first = np.flatnonzero(np.diff(seconds, prepend=-np.inf) > 0)
    merged = {name: _merged(values[order], first) for name, values in record.columns.items()}
    findings += _duplicates(record, order, first)
    none = np.zeros(first.size, dtype=bool)
    columns = (merged, none, none, none)
    source = (record.lines, record.steps, record.time)
    return Sheet(seconds[first], order[first], *columns, *source), findings


def refuse_scattered(sheet: Sheet, where: str) -> None:
    """Refuse rows that lie ages apart: a date is wrong, or nothing of the day can be seen."""
    if sheet.step > LONGEST_STEP_S:
        raise InputError(
            f"{where}: the rows are {duration(sheet.step)} apart, too far to follow a load that "
            f"changes within a day.",
            hint="give values every hour or more often.",
        )
    # The repair fills gaps with rows, and one date in another century would fill the memory.
    steps = np.diff(sheet.seconds)
    rows = (sheet.seconds[-1] - sheet.seconds[0]) / sheet.step
    if rows > MOST_ROWS + 10 * sheet.seconds.size:
        raise InputError(
            f"{where} has {sheet.seconds.size} rows over {sheet.days:.0f} days, the widest gap "
            f"after line {sheet.line(steps.argmax())}: that cannot be one record.",
            hint="correct the dates, or give the parts one by one.",
        )


def gap(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Rows missing, also where the clock may have jumped instead."""
    behind = long_steps(sheet, limits)
    rows = np.flatnonzero(behind & ~sheet.clock)
    if not rows.size:
        return []
    steps = np.diff(sheet.seconds)[rows - 1]
    longest, count = int(steps.argmax()), rows.size
    bridged = bool(steps.max() <= longest_bridge(sheet, limits))
    done = "bridged" if bridged else "empty rows"
    text = (
        f"time: rows are missing in {count} {'place' if count == 1 else 'places'}, the longest "
        f"for {duration(steps[longest] - sheet.step)} after line "
        f"{sheet.line(rows[longest] - 1)}, unless the clock was put forward; {done}."
    )
    return [RuleFinding("gap", "", place_sides(sheet, rows), 2 * count, done, text)]


def irregular(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Steps that are neither the typical one nor rows left out of a regular series."""
    ratio = np.diff(sheet.seconds) / sheet.step
    # Multiples of the typical step are rows that were left out; below one there are none.
    off = np.abs(ratio - np.maximum(np.rint(ratio), 1.0))
    uneven = np.append(False, off > limits.irregular_step_share)
    share = float(uneven[1:].mean())
    if share <= limits.irregular_share:
        return []
    text = (
        f"time: {share:.0%} of the steps differ from the typical {duration(sheet.step)} by more "
        f"than {limits.irregular_step_share:.0%}; kept."
    )
    stretches = file_stretches(sheet, uneven)
    return [RuleFinding("irregular", "", stretches, int(uneven.sum()), "kept", text)]


def long_steps(sheet: Sheet, limits: Thresholds) -> Mask:
    """Rows before which rows are missing."""
    return np.diff(sheet.seconds, prepend=sheet.seconds[0]) > limits.gap_steps * sheet.step


def longest_bridge(sheet: Sheet, limits: Thresholds) -> float:
    """Longest time [s] between two observations whose hole is filled by a straight line."""
    # One step more than the hole itself: without a hole, observations are a step apart already.
    return 60.0 * limits.bridged_min + sheet.step * (1 + 1e-9)


def _merged(values: Float[np.ndarray, " row"], first: np.ndarray) -> Float[np.ndarray, " _"]:
    """One value an instant: the only one that is written there, none where two contradict."""
    if first.size == values.size:
        return values
    # `fmin` and `fmax` pass over NaN, so an empty cell contradicts nothing.
    low = np.fmin.reduceat(values, first)
    return np.where(low == np.fmax.reduceat(values, first), low, np.nan)


def _unreadable(record: Record, bad: Bool[np.ndarray, " row"]) -> list[RuleFinding]:
    if not bad.any():
        return []
    stretches = _stretches(bad)
    text = (
        f"time: {counted(int(bad.sum()), 'row')} without a readable time, the first in line "
        f"{record.line(stretches[0][0])}; left out."
    )
    return [RuleFinding("missing", "time", stretches, int(bad.sum()), "left out", text)]


def _unsorted(record: Record) -> list[RuleFinding]:
    """Rows that are later than one below them, or earlier than one above."""
    seconds = record.seconds
    low, high = (
        np.where(np.isnan(seconds), np.inf, seconds),
        np.where(np.isnan(seconds), -np.inf, seconds),
    )
    # Times that cannot be read must neither be the earliest below nor the latest above.
    below = np.minimum.accumulate(low[::-1])[::-1]
    moved = (seconds > below) | (seconds < np.maximum.accumulate(high))
    if not moved.any():
        return []
    stretches = _stretches(moved)
    backwards = bool((np.diff(seconds[~np.isnan(seconds)]) < 0).all())
    what = "all rows run backwards" if backwards else f"{moved.sum()} rows are out of order"
    text = f"time: {what}, from line {record.line(stretches[0][0])} on; sorted."
    return [RuleFinding("unsorted", "", stretches, int(moved.sum()), "sorted", text)]


def _duplicates(record: Record, order: np.ndarray, first: np.ndarray) -> list[RuleFinding]:
    if first.size == order.size:
        return []
    counts = np.diff(np.append(first, order.size))
    bad = np.zeros(record.seconds.size, dtype=bool)
    bad[order[np.repeat(counts > 1, counts)]] = True
    cells = sum(_contradicted(values[order], first) for values in record.columns.values())
    done = "one kept"
    text = (
        f"time: {(counts > 1).sum()} instants have more than one row, the first in line "
        f"{record.line(bad.argmax())}; "
        + (
            f"{done}, {cells} cells that contradict each other left out."
            if cells
            else f"they agree, {done}."
        )
    )
    return [RuleFinding("duplicates", "", _stretches(bad), int(bad.sum()), done, text)]


def _contradicted(values: Float[np.ndarray, " row"], first: np.ndarray) -> int:
    """Number of instants at which the rows of a column contradict each other."""
    low, high = np.fmin.reduceat(values, first), np.fmax.reduceat(values, first)
    return int(np.sum(low < high))


def _stretches(mask: Bool[np.ndarray, " row"]) -> Stretches:
    return tuple(zip(*(edge.tolist() for edge in runs(mask)), strict=True))


def place_sides(sheet: Sheet, rows: np.ndarray) -> Stretches:
    """The two rows of the file beside each place, the earlier line first.

    Args:
        sheet: The sheet.
        rows: The row behind each place.
    """
    before, behind = sheet.origin[rows - 1], sheet.origin[rows]
    pairs = np.sort(np.stack([before, behind], axis=1), axis=1)
    return tuple((int(a), int(b)) for a, b in pairs)
