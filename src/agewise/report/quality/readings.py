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
"""of the range of what is left, above and below it"""
WILD = (0.05, 0.95)
"""Quantiles of a file's values that bound the axis where nothing is left to do so."""
SAME = 1e-9
"""Difference below which a value is the file's own."""
MERGED_S = 0.5
"""s within which a row of the file and one of the profile are the same instant"""
BROKEN = 4.0
"""Typical steps without a row, over which no line is drawn."""
EDGE = 0.03
"""of the axis between its edge and the mark of a value beyond it"""
DARK = "#777777"
SIGMAS = 2.0


@dataclass(frozen=True, eq=False)
class Readings:
    """A column in the file and after it was checked, each at its own times."""

    name: str
    times: np.ndarray
    """of the file's rows, in order, as an axis shows them"""
    written: np.ndarray
    kept: np.ndarray
    """Whether the value of that row is still there."""
    clean_times: np.ndarray
    clean: np.ndarray
    std: np.ndarray
    """of a load that was filled in; 0 where it was measured"""

    @property
    def band(self) -> tuple[np.ndarray, np.ndarray]:
        """What is left, two standard deviations less and more; a load is not below zero."""
        low, high = (self.clean + side * SIGMAS * self.std for side in (-1, 1))
        return np.where(self.std > 0, np.maximum(low, 0.0), low), high

    @property
    def limits(self) -> tuple[float, float]:
        """Where the axis begins and ends: by what is left, so that no code can squash it."""
        shown = np.concatenate(self.band)
        if np.isnan(shown).all():
            written = self.written[~np.isnan(self.written)]
            shown = np.quantile(written, WILD) if written.size else np.zeros(1)
        low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
        room = MARGIN * (high - low) or 1.0
        return low - room, high + room


def readings(record: Record, clean: Profile, name: str) -> Readings:
    """What a file says of a column, beside what the profile says."""
    seconds, left = instants(record), column(clean, name)
    order = np.argsort(seconds, kind="stable")
    seconds, written = seconds[order], record.columns[name][order]
    row = np.clip(np.searchsorted(clean.seconds, seconds - MERGED_S), 0, clean.seconds.size - 1)
    kept = np.abs(left[row] - written) < SAME
    filled = clean.load_std if name == "load" else None
    std = np.zeros(left.size) if filled is None else filled
    times, clean_times = local_times(clean, seconds), local_times(clean, clean.seconds)
    return Readings(name, times, written, kept, clean_times, left, std)


def column(clean: Profile, name: str) -> np.ndarray:
    """What is left of a column; nothing where it was left out altogether."""
    frame = clean.frame()
    return frame[name].to_numpy(float) if name in frame else np.full(len(frame), np.nan)


def draw_readings(axes: Axes, one: Readings, clean: Profile) -> None:
    """The file in grey, what is left in colour, and marks at the edge for what lies beyond it."""
    axes.set_ylim(*one.limits)
    if is_long(clean):
        _draw_days(axes, one)
    else:
        _draw_written(axes, one)
        _draw_left(axes, one)
    _draw_filled(axes, one)
    _draw_out(axes, one)
    axes.set_ylabel(label(one.name))
    axes.grid(alpha=0.25)


def draw_beyond(axes: Axes, one: Readings) -> list[PathCollection]:
    """Triangles at the edges of the axes at every value of the file that lies outside them."""
    low, high = one.limits
    inside = EDGE * (high - low)
    marks = (("v", low + inside, one.written < low), ("^", high - inside, one.written > high))
    return [
        axes.scatter(
            one.times[beyond], np.full(beyond.sum(), edge), marker=shape, s=22, color="black",
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


def _draw_days(axes: Axes, one: Readings) -> None:
    """Days as bands: what is left of a long record."""
    each = daily(one.clean_times, np.where(one.std > 0, np.nan, one.clean))
    axes.fill_between(each.times, each.low, each.high, color=BLUE, alpha=0.45, linewidth=0)
    axes.plot(each.times, each.mean, color=BLUE, linewidth=1.2)


def _draw_written(axes: Axes, one: Readings) -> None:
    """The file's line, broken where rows are missing."""
    steps = np.diff(one.times).astype(float)
    broken = np.flatnonzero(steps > BROKEN * np.median(steps)) + 1
    times, written = np.insert(one.times, broken, one.times[broken]), one.written
    written = np.insert(written, broken, np.nan)
    axes.plot(times, written, color=PALE, linewidth=0.7, zorder=1)


def _draw_left(axes: Axes, one: Readings) -> None:
    measured = np.where(one.std > 0, np.nan, one.clean)
    axes.plot(one.clean_times, measured, color=BLUE, linewidth=0.9, zorder=2)


def _draw_filled(axes: Axes, one: Readings) -> None:
    """Loads that were filled in, with two standard deviations on either side."""
    filled = one.std > 0
    if not filled.any():
        return
    axes.fill_between(
        one.clean_times, *one.band, where=list(filled), color=ORANGE, alpha=0.4, linewidth=0,
        zorder=2,
    )  # fmt: skip
    line = np.where(filled, one.clean, np.nan)
    axes.plot(one.clean_times, line, color=ORANGE, linewidth=1.2, zorder=3)


def _draw_out(axes: Axes, one: Readings) -> None:
    """Values of the file that are not there any more, on top, lest a dense line hide them."""
    out = ~one.kept & ~np.isnan(one.written)
    axes.plot(one.times[out], one.written[out], ".", color=DARK, markersize=2.6, zorder=4)
