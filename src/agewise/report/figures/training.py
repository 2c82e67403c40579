"""How the training went."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.report.drawing.style import CYCLE, canvas, legend_above
from agewise.report.inputs import ReportInputs

COLUMNS = 2
"""Largest number of stages side by side."""


def training_history(inputs: ReportInputs) -> Figure:
    """The objective of each stage and its terms, by step."""
    shown = stages(inputs.history)
    columns = min(COLUMNS, len(shown))
    rows = -(-len(shown) // columns)
    figure = canvas(0.6 + 3.4 * rows)
    panels = figure.subplots(rows, columns, squeeze=False)
    for axes, (name, terms) in zip(panels.flat, shown.items(), strict=False):
        _draw_stage(axes, name, terms)
    for axes in panels.flat[len(shown) :]:
        axes.set_visible(False)
    return figure


def stages(history: Mapping[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    """The terms of each stage, from names like `own/total`."""
    by_stage: dict[str, dict[str, np.ndarray]] = {}
    for name, values in history.items():
        stage, _, term = name.partition("/")
        by_stage.setdefault(stage, {})[term] = np.asarray(values)
    return by_stage


def _draw_stage(axes: Axes, name: str, terms: Mapping[str, np.ndarray]) -> None:
    steps = terms["step"]
    axes.plot(steps, terms["total"], color="black", linewidth=1.8, label="total")
    parts = [(term, values) for term, values in terms.items() if term not in ("step", "total")]
    for number, (term, values) in enumerate(parts):
        axes.plot(steps, values, color=CYCLE[number % len(CYCLE)], linewidth=1.1, label=term)
    # An objective with the logarithm of a density in it may be negative, and then has none itself.
    losses = np.concatenate([values for term, values in terms.items() if term != "step"])
    axes.set_yscale("log" if losses.min() > 0 else "symlog")
    axes.set_xlabel(f"step of stage “{name}” [1]")
    axes.set_ylabel("objective [1]")
    axes.grid(alpha=0.25)
    legend_above(axes, columns=3)
