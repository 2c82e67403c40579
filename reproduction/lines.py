"""Lines of a score against a factor, with the spread over repeats."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from agewise.report.drawing.style import BLUE, GREEN, ORANGE, canvas
from reproduction.families import VARIANT_TEXT, Variant
from reproduction.five_configurations import SCORES
from reproduction.scope import Scope

COLOURS: dict[Variant, str] = {"paper": BLUE, "literal": GREEN, "default": ORANGE}
"""Colour of each variant in every figure."""
TOTALS = {f"scores.instants.total.{score}": name for score, name in SCORES.items()}
"""The paper's three scores over the whole field: paths in a cell, and names on the page."""
RMSE, CRPS, *_ = TOTALS
WIDE = 8.0
"""Ratio of the largest to the smallest value from which an axis is logarithmic."""
APART = 0.1
"""Distance between the dots of two lines at the same value of a factor, whose values are 1 apart.

Without it one line would hide another.
"""

Key = TypeVar("Key")


@dataclass(frozen=True)
class Line:
    """One score at every value of a factor, repeat by repeat."""

    label: str
    """Name in the legend."""
    colour: str
    """Colour of the line and its dots."""
    values: Sequence[np.ndarray]
    """Scores by value of the factor, each over all repeats."""
    style: str = "o-"
    """Marker and dashes, as matplotlib writes them."""


def compared(variants: Sequence[Variant], scope: Scope) -> list[Variant]:
    """Those of an experiment's variants that a scope has."""
    return [variant for variant in variants if variant in scope.variants]


def line(variant: Variant, values: Sequence[np.ndarray]) -> Line:
    """A line with the name and colour of a variant."""
    return Line(VARIANT_TEXT[variant], COLOURS[variant], values)


def draw_lines(axes: Axes, names: Sequence[str], lines: Sequence[Line]) -> None:
    """Means over repeats as lines with every repeat as a dot, the factor's values evenly spaced."""
    for position, series in enumerate(lines):
        # Symmetric about the value, whatever the number of lines.
        shift = APART * (position - (len(lines) - 1) / 2)
        places = np.arange(len(names)) + shift
        for place, values in zip(places, series.values, strict=True):
            spots = np.full(values.size, place)
            axes.plot(spots, values, "o", color=series.colour, alpha=0.35, ms=3.5, mew=0)
        means = [float(np.mean(values)) for values in series.values]
        axes.plot(places, means, series.style, color=series.colour, ms=5.0, label=series.label)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.4, len(names) - 0.6)
    axes.grid(alpha=0.25)


def suit(panels: Iterable[Axes], values: Iterable[np.ndarray]) -> None:
    """One scale for axes that show these values: logarithmic where they are positive and wide."""
    low, high = extremes(values)
    for axes in panels:
        if low > 0 and high > WIDE * low:
            logarithmic(axes, low, high)


def extremes(values: Iterable[np.ndarray]) -> tuple[float, float]:
    """Smallest and largest of the finite values; NaN where there is none."""
    numbers = np.concatenate([np.ravel(array) for array in values])
    numbers = numbers[np.isfinite(numbers)]
    return (float(numbers.min()), float(numbers.max())) if numbers.size else (np.nan, np.nan)


def logarithmic(axes: Axes, low: float, high: float) -> None:
    """A logarithmic y axis with a few plain numbers."""
    axes.set_yscale("log")
    axes.set_ylim(low / 1.3, high * 1.3)
    # Over two decades powers of ten are enough; a shorter axis may hold only one of them.
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0,) if high > 200 * low else (1.0, 2.0, 5.0)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def score_panels(names: Sequence[str], scores: Mapping[str, Sequence[Line]], factor: str) -> Figure:
    """Panels side by side, one a score, with the same lines."""
    figure = canvas(3.9)
    panels = figure.subplots(1, len(scores), squeeze=False)[0]
    for axes, (label, lines) in zip(panels, scores.items(), strict=True):
        draw_lines(axes, names, lines)
        suit([axes], [values for series in lines for values in series.values])
        axes.set_xlabel(factor)
        axes.set_ylabel(label)
    legend_over(figure, panels[0])
    return figure


def legend_over(figure: Figure, axes: Axes) -> None:
    """The lines of one panel, named above all of them."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=len(labels) or 1, frameon=False
    )


def lowest(scores: Mapping[Key, float]) -> Key:
    """The key of the smallest number; one that is not finite counts as larger than all."""
    return min(scores, key=lambda key: scores[key] if np.isfinite(scores[key]) else np.inf)


def ratio(number: float, reference: float) -> float:
    """The quotient of two numbers; NaN where the reference is not above zero."""
    return number / reference if reference > 0 else np.nan


def percent(share: float) -> str:
    """A share in percent, with three digits at the most."""
    return f"{100 * share:.3g} %"
