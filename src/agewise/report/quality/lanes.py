"""Lanes under a panel: where a finding lies in time, one lane a kind, one colour a consequence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.dates import date2num

from agewise.plant.record import DataFinding, Record
from agewise.report.drawing.style import GREEN, PURPLE, RED
from agewise.report.wording import integer

LEFT_OUT, REPORTED, MENDED = "left out", "kept, but reported", "mended"
CONSEQUENCES = {LEFT_OUT: RED, REPORTED: PURPLE, MENDED: GREEN}
"""What can become of the rows of a finding, with its colour."""
OUT, KEPT = ("left out", "column left out"), ("kept", "assumed")
"""Words for what was done with the rows of a finding, by which it is left out or reported.

Any other word says that something was mended.
"""
BETWEEN = ("gap", "clock")
"""Kinds of findings that lie between two rows, so that places are counted, not rows."""
TIME = ""
"""Name of the lanes whose findings are about rows and times, not about a column."""
BAR, SHORTEST = 6.5, 0.002
"""Thickness of a bar [points], and its least length as a share of the axis.

Even a single row of a year can be seen.
"""


@dataclass(frozen=True)
class Lane:
    """One kind of finding in one column."""

    kind: str
    """Kind of the finding, which names the lane."""
    consequence: str
    """What became of the rows: a key of `CONSEQUENCES`."""
    extent: str
    """How many rows or places are concerned, in words."""
    stretches: tuple[tuple[int, int], ...]
    """First and last row of each place, counted in the file."""


def consequence(finding: DataFinding) -> str:
    """What became of the rows of a finding."""
    if finding.done in OUT:
        return LEFT_OUT
    return REPORTED if finding.done in KEPT else MENDED


def lanes(findings: Sequence[DataFinding], column: str) -> list[Lane]:
    """The findings about a column that have a place; about rows and times for `TIME`."""
    return [
        Lane(finding.kind, consequence(finding), _extent(finding), finding.stretches)
        for finding in findings
        if finding.stretches and column in _columns(finding)
    ]


def instants(record: Record) -> np.ndarray:
    """Seconds of every row of the file from its first instant; an unreadable time is taken for
    that of the row above."""
    known = pd.Series(record.seconds).ffill().bfill().to_numpy(dtype=float)
    return known - np.nanmin(record.seconds)


def draw_lanes(axes: Axes, shown: Sequence[Lane], times: np.ndarray) -> None:
    """Bars over the time axis, their kinds on the left, how many on the right.

    `times` are those of the file's rows, as the axis shows them.
    """
    # A collection of lines takes plain numbers, unlike the methods that plot.
    places = date2num(times) if np.issubdtype(times.dtype, np.datetime64) else times
    shortest = SHORTEST * float(np.ptp(places))
    for number, lane in enumerate(shown):
        ends = [_ends(places, *stretch, shortest) for stretch in lane.stretches]
        bars = LineCollection(
            [[(low, number), (high, number)] for low, high in ends],
            colors=CONSEQUENCES[lane.consequence], linewidths=BAR, capstyle="butt",
        )  # fmt: skip
        # The limits are those of the record, also where a short bar was lengthened beyond its end.
        axes.add_collection(bars, autolim=False)
        axes.text(
            1.008, number, lane.extent, transform=axes.get_yaxis_transform(),
            va="center", fontsize=8.0,
        )  # fmt: skip
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_yticks(range(len(shown)), [lane.kind for lane in shown], fontsize=8.0)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", length=0, labelbottom=False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_facecolor("#F4F4F4")


def _columns(finding: DataFinding) -> list[str]:
    """The lanes that a finding belongs to: it may be about several columns at once."""
    return [TIME if name == "time" else name for name in finding.column.split(",")]


def _ends(places: np.ndarray, first: int, last: int, shortest: float) -> tuple[float, float]:
    # Rows of a file need not ascend in time, so the first need not be the earliest.
    within = places[first : last + 1]
    low, high = float(within.min()), float(within.max())
    lacking = max(shortest - (high - low), 0.0)
    return low - lacking / 2, high + lacking / 2


def _extent(finding: DataFinding) -> str:
    between = finding.kind in BETWEEN
    count, noun = (len(finding.stretches), "place") if between else (finding.rows, "row")
    return f"{integer(count)} {noun}" + ("" if count == 1 else "s")
