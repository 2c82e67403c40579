"""The remaining life, as a distribution over the simulated courses of the coming years."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.report.drawing.style import BLUE, GREEN, GREY, RED, canvas, legend_above, mark
from agewise.report.figures.loss_of_life import BINS
from agewise.report.inputs import ReportInputs
from agewise.report.wording import integer, percent

MARGIN = 1.25
"""Length of the time axis, as a multiple of the time to the last end of life that is drawn."""
ROOM = 0.09
"""Share of the axis that the name of a date takes up."""
BELOW: dict[str, Any] = {
    "xytext": (7, -4),
    "textcoords": "offset points",
    "va": "top",
    "fontsize": 8.5,
    "color": RED,
    "bbox": {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5},
}
"""How the name of a date is written: right of its mark and below, where no rising curve comes."""


def remaining_distribution(inputs: ReportInputs) -> Figure:
    """Ends of life by year, and the probability that the end has come by then."""
    if not inputs.ends.size:
        return _all_beyond(inputs)
    figure = canvas(6.4)
    density, total = figure.subplots(2, 1, sharex=True)
    last = _last_year(inputs)
    _draw_density(density, inputs, last)
    _draw_total(total, inputs, last)
    iec = inputs.summary.life.remaining_years.iec
    for axes in (density, total):
        if iec is not None and iec <= last:
            mark(axes, iec, "plain IEC 60076-7")
        axes.set_xlim(0.0, last)
        axes.grid(alpha=0.25)
        legend_above(axes, columns=5)
    total.set_xlabel("years from the end of the window")
    return figure


def _last_year(inputs: ReportInputs) -> float:
    """Where the axis ends: behind the last end of life that can be seen, or at the horizon."""
    # Where some courses outlast the horizon, the axis shows all the years that were looked at.
    if inputs.ends.size < inputs.courses:
        return inputs.horizon
    iec = inputs.summary.life.remaining_years.iec
    last = max(float(np.quantile(inputs.ends, 0.995)), iec or 0.0)
    return min(max(MARGIN * last, 1.0), inputs.horizon)


def _draw_density(axes: Axes, inputs: ReportInputs, last: float) -> None:
    ends, remaining = inputs.ends, inputs.summary.life.remaining_years
    # In percent of all courses, so that the bars add up to the share that ends within the horizon.
    axes.hist(
        ends, bins=list(np.linspace(0.0, last, BINS + 1)), color=BLUE, alpha=0.75,
        weights=np.full(ends.size, 100 / inputs.courses), label="ends of life",
    )  # fmt: skip
    low, high = (last if end is None else min(end, last) for end in remaining.interval_90)
    axes.axvspan(low, high, color=GREY, alpha=0.13, linewidth=0, label="90 % interval", zorder=0)
    if remaining.median is not None and remaining.median <= last:
        axes.axvline(remaining.median, color=GREY, linewidth=1.8, label="median")
    axes.set_ylabel("share of simulated courses [%]")


def _draw_total(axes: Axes, inputs: ReportInputs, last: float) -> None:
    share = 100 * np.arange(1, inputs.ends.size + 1) / inputs.courses
    # From nothing at the start to the last share at the end of the axis, in steps.
    years = np.concatenate([[0.0], inputs.ends, [last]])
    reached = np.concatenate([[0.0], share, share[-1:]])
    axes.step(
        years, reached, where="post", color=BLUE, linewidth=1.6, label="end of life reached by then"
    )
    _draw_dates(axes, inputs, last)
    axes.set_ylim(-14.0, 108.0)  # room below zero for the names of early dates
    axes.set_yticks(np.arange(0, 101, 20))
    axes.set_ylabel("probability [%]")
    beyond = inputs.summary.life.remaining_years.beyond_horizon
    if beyond > 0:
        outlasting = percent(beyond, inputs.courses)
        text = f"{outlasting} of the simulated courses outlast {inputs.horizon:g} years"
        axes.text(0.99, 0.97, text, transform=axes.transAxes, ha="right", va="top", color=GREY)


def _draw_dates(axes: Axes, inputs: ReportInputs, last: float) -> None:
    """The probabilities that the table gives, at their dates, named where there is room."""
    # The last name written stands so far to the left at first that the first date has room.
    label, named = "dates of the table", -last
    for end in inputs.summary.life.end_before:
        if end.years > last:
            continue
        share = 100 * end.probability
        axes.plot(
            end.years, share, "o", color=RED, markersize=6, zorder=4, clip_on=False, label=label
        )
        label = "_dates"  # a leading underscore keeps the others out of the legend
        if end.years - named >= ROOM * last:
            named = end.years
            text = f"{pd.Timestamp(end.date):%b %Y}" if end.date else f"{end.years:g} years"
            axes.annotate(text, (end.years, share), **BELOW)


def _all_beyond(inputs: ReportInputs) -> Figure:
    """No end of life within the horizon, so no distribution: a plain statement instead."""
    figure = canvas(1.9)
    axes = figure.subplots()
    axes.barh([0.0], [inputs.horizon], height=0.3, color=GREEN)
    axes.plot([inputs.horizon], [0.0], ">", color=GREEN, markersize=22, clip_on=False)
    courses = f"all {integer(inputs.courses)} simulated courses"
    axes.set_title(f"The insulation outlasts {inputs.horizon:g} years in {courses}.")
    axes.set_xlim(0.0, inputs.horizon)
    axes.set_ylim(-0.5, 0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("years from the end of the window")
    return figure
