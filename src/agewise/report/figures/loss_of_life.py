"""The life used in the window, as a distribution."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.report.drawing.style import BLUE, GREY, ORANGE, canvas, legend_above, mark
from agewise.report.inputs import ReportInputs
from agewise.report.wording import life_scale, number

BINS = 30
SHOWN = (0.005, 0.995)
"""Quantiles between which a distribution is drawn; a few far draws would squeeze the rest."""


def loss_distribution(inputs: ReportInputs) -> Figure:
    """With every uncertainty on the left, with the oil's alone, enlarged, on the right."""
    figure = canvas(4.0)
    every, alone = figure.subplots(1, 2, gridspec_kw={"width_ratios": [1.6, 1.0]})
    found = inputs.summary["loss_of_life"]
    scale, unit = life_scale(found["worst"]["mean"])
    all_draws, oil_draws = (scale * inputs.draws[n] for n in ("loss_of_life", "loss_of_life_field"))
    _draw_histogram(every, all_draws, ORANGE, "every uncertainty")
    _draw_strip(every, oil_draws)
    _draw_histogram(alone, oil_draws, BLUE, "the oil's uncertainty alone")
    if found["iec"] is not None:
        mark(every, scale * found["iec"], "plain IEC 60076-7")
        _mark_near(alone, scale * found["iec"], unit)
    for axes in (every, alone):
        axes.set_xlabel(f"life used in this window [{unit}]" + axes.get_xlabel())
        legend_above(axes, columns=3 if axes is every else 2)
    every.set_ylabel("share of draws [%]")
    return figure


def _draw_histogram(axes: Axes, values: np.ndarray, colour: str, name: str) -> None:
    """Draws as percent a bin, with the median and the middle 90 % marked."""
    low, high = np.quantile(values, SHOWN)
    edges = np.linspace(low, high, BINS + 1) if high > low else low + np.array([-0.5, 0.5])
    weights = np.full(values.size, 100 / values.size)
    axes.hist(values, bins=list(edges), weights=weights, color=colour, alpha=0.75, label=name)
    middle = np.quantile(values, (0.05, 0.95))
    axes.axvspan(*middle, color=GREY, alpha=0.13, linewidth=0, label="middle 90 %", zorder=0)
    axes.axvline(float(np.median(values)), color=GREY, linewidth=1.8, label="median")


def _draw_strip(axes: Axes, values: np.ndarray) -> None:
    """The middle 90 % of the narrow distribution at the foot of the wide one, to scale."""
    low, high = np.quantile(values, (0.05, 0.95))
    label = "the oil's alone, middle 90 %"
    axes.axvspan(low, high, ymax=0.12, color=BLUE, linewidth=1.5, label=label, zorder=3)


def _mark_near(axes: Axes, value: float, unit: str) -> None:
    """A line when the value lies within the axes; otherwise words under them on which side."""
    low, high = axes.get_xlim()
    if low <= value <= high:
        mark(axes, value, "plain IEC 60076-7")
        return
    side = "left" if value < low else "right"
    axes.set_xlabel(f"\n(plain IEC 60076-7, {number(value)} {unit}, lies to the {side})")
