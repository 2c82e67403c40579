"""One column of a file: its values as they are written, and what is left of them."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection

from agewise.plant.profile import Profile
from agewise.plant.record import Record
from agewise.plant.sensors import sensor_height
from agewise.report.drawing.daily import daily, is_long
from agewise.report.drawing.style import BLUE, ORANGE, PALE
from agewise.report.drawing.times import local_times
from agewise.report.quality.lanes import instants

MARGIN = 0.08
"""Share of the range of what is left that is added to the axis above and below it."""
WILD = (0.05, 0.95)
"""Quantiles of a file's values that bound the axis where nothing is left to do so."""
SAME = 1e-9
"""Difference below which a value of the profile is that of the file, in the column's unit."""
MERGED_S = 0.5
"""Time within which a row of the file and one of the profile are the same instant [s]."""
BROKEN = 4.0
"""Length of a gap over which no line is drawn, as a multiple of the typical step."""
EDGE = 0.03
"""Share of the axis between its edge and the mark of a value beyond it."""
DARK = "#777777"
"""Colour of values that are in the file, but not used."""
SIGMAS = 2.0
"""Half the width of a band, in standard deviations."""


# Not compared field by field, since `==` of two arrays is an array, not a truth value.
@dataclass(frozen=True, eq=False)
class Readings:
    """A column in the file and after it was checked, each at its own times."""

    name: str
    """Name of the column."""
    times: np.ndarray
    """Times of the file's rows in ascending order, as an axis shows them."""
    written: np.ndarray
    """Values of the file at those times, in the unit of the profile."""
    kept: np.ndarray
    """Whether the value of that row is still in the profile."""
    clean_times: np.ndarray
    """Times of the profile's rows, as an axis shows them."""
    clean: np.ndarray
    """Values of the profile at those times; NaN where there is none."""
    std: np.ndarray
    """Standard deviation of a load that was filled in [p.u.]; 0 where it was measured."""

    @property
    def band(self) -> tuple[np.ndarray, np.ndarray]:
        """What is left, two standard deviations less and more; a load is not below zero."""
        low, high = (self.clean + side * SIGMAS * self.std for side in (-1, 1))
        return np.where(self.std > 0, np.maximum(low, 0.0), low), high

    @property
    def limits(self) -> tuple[float, float]:
        """Where the axis begins and ends.

        By what is left of the column, since a file may hold codes such as 9999 for a missing value,
        beside which the measurements would be a flat line.
        """
        shown = np.concatenate(self.band)
        if np.isnan(shown).all():
            written = self.written[~np.isnan(self.written)]
            shown = np.quantile(written, WILD) if written.size else np.zeros(1)
        low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
        room = MARGIN * (high - low) or 1.0
        return low - room, high + room


def readings(record: Record, clean: Profile, name: str) -> Readings:
    """A column of a file beside the same column of its profile."""
    seconds, clean_values = instants(record), kept_values(clean, name)
    order = np.argsort(seconds, kind="stable")
    seconds, written = seconds[order], record.columns[name][order]
    # The first row of the profile from just before each instant on, lest rounding lead past it.
    row = np.clip(np.searchsorted(clean.seconds, seconds - MERGED_S), 0, clean.seconds.size - 1)
    # By value, for a value that was mended is not the file's any more, though its row is there;
    # NaN, where nothing is left, is never equal.
    kept = np.abs(clean_values[row] - written) < SAME
    filled = clean.load_std if name == "load" else None
    std = np.zeros(clean_values.size) if filled is None else filled
    times, clean_times = local_times(clean, seconds), local_times(clean, clean.seconds)
    return Readings(name, times, written, kept, clean_times, clean_values, std)


def kept_values(clean: Profile, name: str) -> np.ndarray:
    """What is left of a column; nothing where it was left out altogether."""
    frame = clean.frame()
    return frame[name].to_numpy(float) if name in frame else np.full(len(frame), np.nan)


def draw_readings(axes: Axes, column: Readings, clean: Profile) -> None:
    """The file in grey, what is left in colour, and marks at the edge for what lies beyond it."""
    axes.set_ylim(*column.limits)
    if is_long(clean):
        _draw_days(axes, column)
    else:
        _draw_written(axes, column)
        _draw_left(axes, column)
    _draw_filled(axes, column)
    _draw_out(axes, column)
    axes.set_ylabel(label(column.name))
    axes.grid(alpha=0.25)


def draw_beyond(axes: Axes, column: Readings) -> list[PathCollection]:
    """Triangles at the edges of the axes at every value of the file that lies outside them."""
    low, high = column.limits
    inside = EDGE * (high - low)
    marks = (("v", low + inside, column.written < low), ("^", high - inside, column.written > high))
    return [
        axes.scatter(
            column.times[beyond], np.full(beyond.sum(), edge), marker=shape, s=22, color="black",
            linewidths=0, zorder=5,
        )
        for shape, edge, beyond in marks
        if beyond.any()
    ]  # fmt: skip


def label(name: str) -> str:
    """A column as it stands beside its axis."""
    height = sensor_height(name)
    if height is not None:
        return f"oil at {height:g}\nof height [°C]"
    return f"{name.replace('_', ' ')}\n[{'p.u.' if name == 'load' else '°C'}]"


def _draw_days(axes: Axes, column: Readings) -> None:
    """Days as bands: what is left of a long record."""
    by_day = daily(column.clean_times, np.where(column.std > 0, np.nan, column.clean))
    axes.fill_between(by_day.times, by_day.low, by_day.high, color=BLUE, alpha=0.45, linewidth=0)
    axes.plot(by_day.times, by_day.mean, color=BLUE, linewidth=1.2)


def _draw_written(axes: Axes, column: Readings) -> None:
    """The values of the file as a line, broken where rows are missing."""
    # A NaN within each gap, since a line stops there.
    steps = np.diff(column.times).astype(float)
    broken = np.flatnonzero(steps > BROKEN * np.median(steps)) + 1
    times, written = np.insert(column.times, broken, column.times[broken]), column.written
    written = np.insert(written, broken, np.nan)
    axes.plot(times, written, color=PALE, linewidth=0.7, zorder=1)


def _draw_left(axes: Axes, column: Readings) -> None:
    measured = np.where(column.std > 0, np.nan, column.clean)
    axes.plot(column.clean_times, measured, color=BLUE, linewidth=0.9, zorder=2)


def _draw_filled(axes: Axes, column: Readings) -> None:
    """Loads that were filled in, with two standard deviations on either side."""
    filled = column.std > 0
    if not filled.any():
        return
    axes.fill_between(
        column.clean_times, *column.band, where=list(filled), color=ORANGE, alpha=0.4, linewidth=0,
        zorder=2,
    )  # fmt: skip
    line = np.where(filled, column.clean, np.nan)
    axes.plot(column.clean_times, line, color=ORANGE, linewidth=1.2, zorder=3)


def _draw_out(axes: Axes, column: Readings) -> None:
    """Values of the file that are not there any more, on top, lest a dense line hide them."""
    out = ~column.kept & ~np.isnan(column.written)
    axes.plot(column.times[out], column.written[out], ".", color=DARK, markersize=2.6, zorder=4)
