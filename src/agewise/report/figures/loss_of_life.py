"""The life used in the window, as a distribution."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.report.drawing.style import BLUE, GREY, ORANGE, canvas, legend_above, mark
from agewise.report.inputs import ReportInputs
from agewise.report.wording import life_scale, number

BINS = 30
"""Number of bars of a histogram."""
SHOWN = (0.005, 0.995)
"""Quantiles between which a distribution is drawn; a few far draws would squeeze the rest."""


def loss_distribution(inputs: ReportInputs) -> Figure:
    """Left with every uncertainty; right, enlarged, with that of the oil temperature only."""
    figure = canvas(4.0)
    total, oil_only = figure.subplots(1, 2, gridspec_kw={"width_ratios": [1.6, 1.0]})
    loss = inputs.summary.loss_of_life
    scale, unit = life_scale(loss.worst.mean)
    all_draws, oil_draws = (scale * inputs.draws[n] for n in ("loss_of_life", "loss_of_life_field"))
    _draw_histogram(total, all_draws, ORANGE, "every uncertainty")
    _draw_strip(total, oil_draws)
    _draw_histogram(oil_only, oil_draws, BLUE, "oil temperature only")
    mark(total, scale * loss.iec, "plain IEC 60076-7")
    _mark_near(oil_only, scale * loss.iec, unit)
    for axes in (total, oil_only):
        # In front of what `_mark_near` may have written there.
        axes.set_xlabel(f"life used in this window [{unit}]" + axes.get_xlabel())
        legend_above(axes, columns=3 if axes is total else 2)
    total.set_ylabel("share of draws [%]")
    return figure


def _draw_histogram(axes: Axes, values: np.ndarray, colour: str, name: str) -> None:
    """Percent of the draws in each bin, with the median and the central 90 % interval."""
    low, high = np.quantile(values, SHOWN)
    # Draws that are all alike leave no range to divide, so they share one bar.
    edges = np.linspace(low, high, BINS + 1) if high > low else low + np.array([-0.5, 0.5])
    weights = np.full(values.size, 100 / values.size)
    axes.hist(values, bins=list(edges), weights=weights, color=colour, alpha=0.75, label=name)
    interval = np.quantile(values, (0.05, 0.95))
    axes.axvspan(*interval, color=GREY, alpha=0.13, linewidth=0, label="90 % interval", zorder=0)
    axes.axvline(float(np.median(values)), color=GREY, linewidth=1.8, label="median")


def _draw_strip(axes: Axes, values: np.ndarray) -> None:
    """The 90 % interval of the narrow distribution at the foot of the wide one, to scale."""
    low, high = np.quantile(values, (0.05, 0.95))
    label = "oil temperature only, 90 % interval"
    axes.axvspan(low, high, ymax=0.12, color=BLUE, linewidth=1.5, label=label, zorder=3)


def _mark_near(axes: Axes, value: float, unit: str) -> None:
    """A line when the value lies within the axes; otherwise words under them on which side."""
    low, high = axes.get_xlim()
    if low <= value <= high:
        mark(axes, value, "plain IEC 60076-7")
        return
    side = "left" if value < low else "right"
    axes.set_xlabel(f"\n(plain IEC 60076-7, {number(value)} {unit}, lies to the {side})")
