"""Repair: rows where there are none, short holes bridged, long holes of the load filled."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from agewise.data.bridge import bridged
from agewise.data.rules_time import long_steps, longest_bridge
from agewise.data.sheet import Sheet
from agewise.data.tables import iso_text
from agewise.data.thresholds import Thresholds
from agewise.data.timeline import Timeline, zoned_instants
from agewise.data.typical_day import calendar, typical_load
from agewise.errors import InputError
from agewise.units import SECONDS_PER_MINUTE

MOST_ROWS = 2_000_000
"""that are put into gaps, unless the file itself has more; beyond, a date is wrong"""


@dataclass(frozen=True, eq=False)
class Repaired:
    """Rows at the typical step where none were, and the load everywhere."""

    seconds: Float[np.ndarray, " time"]
    origin: Int[np.ndarray, " time"]
    """The row of the file, -1 where there was none."""
    columns: dict[str, Float[np.ndarray, " time"]]
    load_std: Float[np.ndarray, " time"]


def repaired(sheet: Sheet, start: pd.Timestamp | None, limits: Thresholds) -> Repaired:
    """The sheet with its gaps and holes treated."""
    seconds, origin, columns = _with_rows(sheet, limits)
    reach = longest_bridge(sheet, limits)
    columns = {name: bridged(seconds, values, reach) for name, values in columns.items()}
    load = np.maximum(columns["load"], 0.0)  # small negative ones are the meter's offset
    holes = np.isnan(load)
    std = np.zeros(load.size)
    if holes.any():
        typical, std = typical_load(load, holes, calendar(seconds, start), limits)
        load = np.where(holes, typical, load)
    return Repaired(seconds, origin, {**columns, "load": load}, std)


def labelled(labels: pd.Series, start: pd.Timestamp | None, rows: Repaired, where: str) -> Timeline:
    """The times as the file writes them where it does, ISO 8601 or minutes elsewhere.

    A file's own way of writing that is not ISO 8601 with a zone is replaced throughout.
    """
    inserted, first = rows.origin < 0, float(rows.seconds[0])
    given = labels.iloc[np.maximum(rows.origin, 0)].reset_index(drop=True)
    seconds = rows.seconds - first
    if start is None:
        minutes = (rows.seconds - first) / SECONDS_PER_MINUTE
        written = pd.to_numeric(given, errors="coerce").to_numpy(dtype=float)
        minutes = minutes + (written[0] if np.isfinite(written[0]) else first / SECONDS_PER_MINUTE)
        own = given if pd.api.types.is_numeric_dtype(given) else given.astype(object)
        made = (
            pd.Series(minutes)
            if own.dtype != object
            else pd.Series(map(_minute, minutes), dtype=object)
        )
        return Timeline(own.where(~inserted, made) if inserted.any() else given, seconds, None)
    instants = pd.DatetimeIndex(start + pd.to_timedelta(rows.seconds, unit="s"))
    if isinstance(given.dtype, pd.DatetimeTZDtype):
        return Timeline(pd.Series(instants), seconds, instants[0])
    if not _readable(given[~inserted], instants[~inserted], where):
        return Timeline(iso_text(instants), seconds, instants[0])
    if inserted.any():
        given = given.astype(object).where(~inserted, iso_text(instants).astype(object))
    return Timeline(given, seconds, instants[0])


def _minute(value: float) -> str:
    return f"{value:.10g}"


def _readable(labels: pd.Series, instants: pd.DatetimeIndex, where: str) -> bool:
    """Whether labels are ISO 8601 with a zone, and mean these instants to the millisecond."""
    try:
        read = zoned_instants(labels, where)
    except InputError:
        return False
    off = read.as_unit("ns").asi8 - instants.as_unit("ns").asi8
    return bool(np.abs(off).max() < 1e6)


def _with_rows(
    sheet: Sheet, limits: Thresholds
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Empty rows at the typical step where rows are missing for longer than can be bridged."""
    steps = np.diff(sheet.seconds, prepend=sheet.seconds[0])
    wide = long_steps(sheet, limits) & ~sheet.clock & (steps > longest_bridge(sheet, limits))
    rows = np.flatnonzero(wide)
    counts = np.maximum(np.ceil(steps[rows] / sheet.step - 0.5).astype(int) - 1, 0)
    _refuse_too_many(int(counts.sum()), sheet, rows)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    made = np.repeat(sheet.seconds[rows - 1], counts) + within * sheet.step
    places = np.repeat(rows, counts)
    return (
        np.insert(sheet.seconds, places, made),
        np.insert(sheet.origin, places, -1),
        {name: np.insert(values, places, np.nan) for name, values in sheet.columns.items()},
    )


def _refuse_too_many(count: int, sheet: Sheet, rows: np.ndarray) -> None:
    if count > max(MOST_ROWS, 10 * sheet.seconds.size):
        after = sheet.origin[rows[np.diff(sheet.seconds)[rows - 1].argmax()] - 1]
        raise InputError(
            f"There are {sheet.seconds.size} rows over {sheet.days:.0f} days, with the widest gap "
            f"after line {after + 2}: that cannot be one record.",
            hint="correct the dates, or give the parts one by one.",
        )
