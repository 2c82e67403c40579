"""Repair: rows where there are none, short holes bridged, long holes of the load filled."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from agewise.quality.bridge import bridged
from agewise.quality.rules.time_stamps import long_steps, longest_bridge
from agewise.quality.sheet import Sheet
from agewise.quality.thresholds import Thresholds
from agewise.quality.typical_day import calendar, typical_load


@dataclass(frozen=True, eq=False)
class Repaired:
    """The rows of a profile: those of the file, and new ones where too many were missing."""

    seconds: Float[np.ndarray, " time"]
    """Seconds from the start of the record."""
    origin: Int[np.ndarray, " time"]
    """The row of the file, from 0, that each row comes from; -1 for a new one."""
    columns: dict[str, Float[np.ndarray, " time"]]
    """Load [p.u.] and temperatures [°C] by name; a temperature that nobody measured is NaN."""
    load_std: Float[np.ndarray, " time"]
    """Standard deviation of a load that was filled in [p.u.]; 0 where it was measured."""


def repaired(sheet: Sheet, start: pd.Timestamp | None, limits: Thresholds) -> Repaired:
    """The sheet with rows in its gaps, short holes bridged, and a load everywhere.

    Args:
        sheet: What the rules have left.
        start: The instant of second 0 with its zone; None when the file counts minutes.
        limits: How long a hole may be that is bridged, and which days make a typical one.
    """
    seconds, origin, columns = _with_rows(sheet, limits)
    reach = longest_bridge(sheet, limits)
    columns = {name: bridged(seconds, values, reach) for name, values in columns.items()}
    load = np.maximum(columns["load"], 0.0)  # small negative loads are the meter's offset
    # Thermometers keep their long holes: what stands in for them needs a nameplate (`stand_ins`).
    holes = np.isnan(load)
    std = np.zeros(load.size)
    if holes.any():
        typical, std = typical_load(load, holes, calendar(seconds, start), limits)
        load = np.where(holes, typical, load)
    return Repaired(seconds, origin, {**columns, "load": load}, std)


def _with_rows(
    sheet: Sheet, limits: Thresholds
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Empty rows at the typical step where rows are missing for longer than can be bridged."""
    steps = np.diff(sheet.seconds, prepend=sheet.seconds[0])
    # Also where the clock seems to have jumped: its times are kept, and nobody measured between.
    wide = long_steps(sheet, limits) & (steps > longest_bridge(sheet, limits))
    rows = np.flatnonzero(wide)
    # As many rows as fit, the last of them half a step or more before the next row of the file.
    counts = np.maximum(np.ceil(steps[rows] / sheet.step - 0.5).astype(int) - 1, 0)
    # 1, 2, 3, ... within each gap, for all gaps at once.
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    inserted_seconds = np.repeat(sheet.seconds[rows - 1], counts) + within * sheet.step
    places = np.repeat(rows, counts)
    return (
        np.insert(sheet.seconds, places, inserted_seconds),
        np.insert(sheet.origin, places, -1),
        {name: np.insert(values, places, np.nan) for name, values in sheet.columns.items()},
    )
