"""What a file holds and what was left of it, column by column."""

import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from agewise.files import replacing
from agewise.plant.cost import by_cost
from agewise.plant.profile import Profile
from agewise.plant.record import DataFinding, Record
from agewise.report.drawing.daily import is_long
from agewise.report.drawing.style import BLUE, DPI, ORANGE, PALE, RC, WIDTH, png
from agewise.report.drawing.times import local_times, name_time_axis
from agewise.report.quality.lanes import (
    CONSEQUENCES,
    TIME,
    Lane,
    consequence,
    draw_lanes,
    instants,
    lanes,
)
from agewise.report.quality.readings import DARK, draw_beyond, draw_readings, readings
from agewise.report.wording import integer

LEFT, RIGHT, HEAD, FOOT = 1.15, 0.85, 0.9, 0.75
"""Margins of the panels [inches], for names of lanes, numbers of rows, legend and time axis."""
LANE, NARROW, SPACE = 0.155, 0.06, 0.2
"""Height of a lane, space above the lanes of a panel, and space below them [inches]."""
TALL, LOW, MANY = 1.55, 1.2, 4
"""Height of a panel [inches], its height where there are many, and how many are still few."""
LINE, LETTERS = 0.165, 146
"""Height of a line in the list of findings [inches], and how many letters fit in it."""
LISTED = 30
"""Largest number of findings in that list."""


@dataclass
class Sheet:
    """A figure that is filled from top to bottom, in inches."""

    figure: Figure
    """The figure that is filled."""
    height: float
    """Height of the figure [inches]."""
    below: float = field(default=HEAD)
    """Distance from the top of the figure at which the next axes begin [inches]."""
    first: Axes | None = None
    """The axes whose time axis the others share; None before there are any."""

    def axes(self, tall: float) -> Axes:
        """The next axes, under the last."""
        bottom, wide = self.height - self.below - tall, WIDTH - LEFT - RIGHT
        place = (LEFT / WIDTH, bottom / self.height, wide / WIDTH, tall / self.height)
        panel = self.figure.add_axes(place, sharex=self.first)
        self.first, self.below = self.first or panel, self.below + tall
        return panel

    def text(self, inches: float, text: str, **looks: Any) -> None:
        """Words so many inches from the left."""
        where = (inches / WIDTH, 1 - self.below / self.height)
        self.figure.text(*where, text, va="top", fontsize=8.5, **looks)


def write_quality(record: Record, clean: Profile, path: Path) -> None:
    """Draw a file as it was read beside what is left of it to a PNG file."""
    with mpl.rc_context(RC):
        content = png(quality(record, clean))
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def quality(record: Record, clean: Profile) -> Figure:
    """A panel for each column with its findings in lanes below, and a list of all findings.

    Findings about rows and times come first. Of a record beyond two months days are drawn.
    """
    names, findings = list(record.columns), tuple(by_cost(clean.findings))
    panel = LOW if len(names) > MANY else TALL
    shown = {name: lanes(findings, name) for name in (TIME, *names)}
    entries = _entries(findings)
    # Axes are placed as fractions of the figure's height, so it is added up before any is made.
    tall = HEAD + FOOT + sum(LANE * len(each) + NARROW + SPACE for each in shown.values() if each)
    tall += panel * len(names) + SPACE * sum(not shown[name] for name in names)
    tall += LINE * sum(len(lines) for _, lines in entries)
    sheet = Sheet(Figure(figsize=(WIDTH, tall), dpi=DPI), tall)
    times = local_times(clean, instants(record))
    if shown[TIME]:
        _lay_lanes(sheet, shown[TIME], times, "rows and times")
    for name in names:
        _draw_column(sheet.axes(panel), record, clean, name)
        _lay_lanes(sheet, shown[name], times)
    _lay_time(sheet, clean, times)
    _lay_list(sheet, entries)
    _lay_head(sheet, record, clean)
    return sheet.figure


def _draw_column(axes: Axes, record: Record, clean: Profile, name: str) -> None:
    values = readings(record, clean, name)
    draw_readings(axes, values, clean)
    draw_beyond(axes, values)
    axes.tick_params(axis="x", labelbottom=False)


def _lay_lanes(sheet: Sheet, shown: list[Lane], times: np.ndarray, title: str = "") -> None:
    """Lanes where there are any, and some space."""
    if shown:
        sheet.below += NARROW
        axes = sheet.axes(LANE * len(shown))
        draw_lanes(axes, shown, times)
        axes.set_title(title, fontsize=8.5, loc="left", pad=3)
    sheet.below += SPACE


def _lay_time(sheet: Sheet, clean: Profile, times: np.ndarray) -> None:
    """Ticks and label under the last axes."""
    last = sheet.figure.axes[-1]
    last.set_xlim(times.min(), times.max())
    name_time_axis(last, clean)
    last.tick_params(axis="x", labelbottom=True, length=3)
    sheet.below += FOOT - SPACE  # the last lanes have left `SPACE` already


def _entries(findings: tuple[DataFinding, ...]) -> list[tuple[DataFinding, list[str]]]:
    """Findings with their sentences in lines; how many are left out, below the last."""
    entries = [
        (finding, textwrap.wrap(finding.text, LETTERS) or [""]) for finding in findings[:LISTED]
    ]
    if len(findings) > LISTED:
        entries[-1][1].append(f"... and {len(findings) - LISTED} more.")
    return entries


def _lay_list(sheet: Sheet, entries: list[tuple[DataFinding, list[str]]]) -> None:
    """Number, kind in the colour of its consequence, and sentence."""
    for number, (finding, lines) in enumerate(entries, start=1):
        colour = CONSEQUENCES[consequence(finding)]
        sheet.text(0.12, f"{number}")
        sheet.text(0.35, finding.kind, color=colour, fontweight="bold")
        for line in lines:
            sheet.text(LEFT + 0.12, line)
            sheet.below += LINE


def _lay_head(sheet: Sheet, record: Record, clean: Profile) -> None:
    """How much there was and is, and what the colours mean."""
    read, left, many = record.seconds.size, clean.seconds.size, len(clean.findings)
    count = "nothing found" if not many else f"{many} finding{'s' if many > 1 else ''}"
    text = f"{integer(read)} rows in the file, {integer(left)} in the profile; {count}"
    sheet.figure.text(0.12 / WIDTH, 1 - 0.1 / sheet.height, text, va="top", fontsize=11.0)
    days = " (range and mean of the day)" if is_long(clean) else ""
    # Lines without points, since the legend stands for what is drawn in all panels.
    dots: dict[str, Any] = {"marker": ".", "markerfacecolor": DARK, "markeredgecolor": DARK}
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=BLUE, linewidth=1.6, label=f"what is left{days}"),
        Line2D([], [], color=PALE, linewidth=0.9, label="in the file, not used", **dots),
        Line2D([], [], color="black", marker="^", linestyle="", markersize=4, label="beyond axis"),
    ]
    if clean.load_std is not None:
        handles.append(Patch(color=ORANGE, alpha=0.6, label="load filled in, ±2σ"))
    # Only the colours that occur in a lane.
    became = {consequence(finding) for finding in clean.findings if finding.stretches}
    handles += [Patch(color=c, label=name) for name, c in CONSEQUENCES.items() if name in became]
    sheet.figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0.0, 1 - 0.3 / sheet.height),
        ncols=len(handles), fontsize=8.0, handlelength=1.2, columnspacing=1.1, handletextpad=0.5,
    )  # fmt: skip
