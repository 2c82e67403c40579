"""Both variances against injected noise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.report.drawing.style import canvas
from reproduction.lines import extremes, legend_over, logarithmic


@dataclass(frozen=True)
class Answer:
    """How one method answers: variances by level, over repeats."""

    label: str
    colour: str
    marker: str
    aleatoric: Sequence[np.ndarray]
    epistemic: Sequence[np.ndarray]


def noise_figure(injected: dict[float, np.ndarray], answers: Sequence[Answer]) -> Figure:
    """The aleatoric part by injected variance, the epistemic one by level."""
    figure = canvas(4.2)
    left, right = figure.subplots(1, 2)
    top = 1.05 * max(float(values.max()) for values in injected.values())
    left.plot([0, top], [0, top], color="black", linestyle="--", linewidth=1.0, label="injected")
    levels = [np.full(values.size, 100 * level) for level, values in injected.items()]
    for one in answers:
        _draw(left, one, list(injected.values()), one.aleatoric)
        _draw(right, one, levels, one.epistemic)
    low, high = extremes([values for one in answers for values in one.epistemic])
    if low > 0:
        logarithmic(right, low, high)
    left.set_xlabel("injected noise variance [K²]")
    left.set_ylabel("aleatoric variance [K²]")
    right.set_xlabel("noise, of each signal's maximum [%]")
    right.set_ylabel("epistemic variance [K²]")
    legend_over(figure, left)
    return figure


def _draw(
    axes: Axes, one: Answer, places: Sequence[np.ndarray], values: Sequence[np.ndarray]
) -> None:
    for place, found in zip(places, values, strict=True):
        axes.plot(place, found, "o", color=one.colour, alpha=0.35, ms=3.5, mew=0)
    middles, means = ([float(each.mean()) for each in these] for these in (places, values))
    axes.plot(middles, means, f"{one.marker}-", color=one.colour, ms=5.0, label=one.label)
    axes.grid(alpha=0.25)
