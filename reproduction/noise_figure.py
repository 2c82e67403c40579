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
    """Name in the legend."""
    colour: str
    """Colour of its line and dots."""
    marker: str
    """Marker of its means."""
    aleatoric: Sequence[np.ndarray]
    """Mean aleatoric variance by level, each over all repeats [K²]."""
    epistemic: Sequence[np.ndarray]
    """Mean epistemic variance by level, each over all repeats [K²]."""


def noise_figure(injected: dict[float, np.ndarray], answers: Sequence[Answer]) -> Figure:
    """The aleatoric part by injected variance, the epistemic one by level.

    Args:
        injected: Mean variance of the injected noise by level, each over all repeats [K²].
        answers: One for each method, by the same levels.
    """
    figure = canvas(4.2)
    left, right = figure.subplots(1, 2)
    top = 1.05 * max(float(values.max()) for values in injected.values())
    left.plot([0, top], [0, top], color="black", linestyle="--", linewidth=1.0, label="injected")
    levels = [np.full(values.size, 100 * level) for level, values in injected.items()]
    for answer in answers:
        _draw(left, answer, list(injected.values()), answer.aleatoric)
        _draw(right, answer, levels, answer.epistemic)
    low, high = extremes([values for answer in answers for values in answer.epistemic])
    if low > 0:  # neither zero nor missing, which a logarithmic axis cannot show
        logarithmic(right, low, high)
    left.set_xlabel("injected noise variance [K²]")
    left.set_ylabel("aleatoric variance [K²]")
    right.set_xlabel("noise, of each signal's maximum [%]")
    right.set_ylabel("epistemic variance [K²]")
    legend_over(figure, left)
    return figure


def _draw(
    axes: Axes, answer: Answer, places: Sequence[np.ndarray], values: Sequence[np.ndarray]
) -> None:
    for place, repeats in zip(places, values, strict=True):
        axes.plot(place, repeats, "o", color=answer.colour, alpha=0.35, ms=3.5, mew=0)
    middles, means = ([float(array.mean()) for array in arrays] for arrays in (places, values))
    axes.plot(middles, means, f"{answer.marker}-", color=answer.colour, ms=5.0, label=answer.label)
    axes.grid(alpha=0.25)
