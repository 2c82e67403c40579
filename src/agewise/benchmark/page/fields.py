"""Pictures of methods side by side and problems below each other: one figure a field."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from agewise.benchmark.page.table import middle, number
from agewise.benchmark.results import Results, Row
from agewise.report.drawing.style import GREY, RC, canvas, draw_scale

LEAST_ERROR, MOST_ERROR = 1e-4, 1.0
"""Ends of the scale of relative errors [1]; beyond, the colour does not change."""
LEAST_Z, MOST_Z = 0.1, 10.0
"""Ends of the scale of errors over stated doubt [1], as far from one on either side."""
WORDS = {"refused": "refused", "failed": "failed", "unfinished": "not done"}
"""What stands in a field without a number."""
SMALL = 7.5
"""Size of the figures, so that a dozen methods have room beside each other."""


@dataclass(frozen=True)
class Scale:
    """What fields show, and in which colours."""

    label: str
    """Words beside the scale."""
    values: Callable[[Row], Mapping[int, float]]
    """The number of every draw, by its seed."""
    norm: LogNorm
    """Where the scale ends."""
    colours: str
    """Name of the colour map."""
    light: tuple[float, float]
    """Shares of the scale between which figures are written in black on light ground [1]."""


ERRORS = Scale(
    "relative L2 error",
    lambda row: row.errors_by_seed,
    LogNorm(LEAST_ERROR, MOST_ERROR),
    "viridis_r",
    (0.0, 0.55),
)
DOUBTS = Scale(
    "z: error over stated doubt (1 is right, red too sure, blue too wide)",
    lambda row: row.z_by_seed,
    LogNorm(LEAST_Z, MOST_Z),
    "RdBu_r",
    (0.2, 0.8),
)


def errors(results: Results) -> Figure:
    """Relative errors as colours."""
    return _fields(results, [m for m in results.methods if _any(results, m, ERRORS)], ERRORS)


def doubts(results: Results) -> Figure:
    """Error over stated doubt as colours, of methods that state any."""
    return _fields(results, [m for m in results.methods if _any(results, m, DOUBTS)], DOUBTS)


def _any(results: Results, method: str, scale: Scale) -> bool:
    """Whether a method has such a number on any problem, so that its column is worth the room."""
    return any(scale.values(row) for (_, name), row in results.rows.items() if name == method)


def _fields(results: Results, methods: Sequence[str], scale: Scale) -> Figure:
    problems = results.problems
    with mpl.rc_context(RC):
        figure = canvas(max(2.4, 1.4 + 0.32 * len(problems)))
        axes = figure.subplots()
        rows = [[results.row(problem, method) for method in methods] for problem in problems]
        # NaN leaves a field white; at least one column, since cells may hold constants alone.
        values = np.full((len(problems), max(1, len(methods))), np.nan)
        for line, own in enumerate(rows):
            for column, value in enumerate(_middles(own, scale)):
                values[line, column] = np.nan if value is None else value
        image = axes.imshow(values, cmap=scale.colours, norm=scale.norm, aspect="auto")
        for place in np.ndindex(len(problems), len(methods)):
            _label(axes, place, rows[place[0]][place[1]], float(values[place]), scale)
        axes.set_xticks(range(len(methods)), methods, rotation=30, ha="left")
        axes.xaxis.tick_top()
        axes.set_yticks(range(len(problems)), problems)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        # Lines between fields, or neighbours of one colour would run together.
        axes.set_xticks(np.arange(0.5, len(methods) - 0.5), minor=True)
        axes.set_yticks(np.arange(0.5, len(problems) - 0.5), minor=True)
        axes.grid(which="minor", color="white", linewidth=1.0)
        axes.tick_params(which="minor", length=0)
        draw_scale(figure, image, scale.label, ax=axes, extend="both", fraction=0.03, aspect=40)
    return figure


def _middles(rows: Sequence[Row], scale: Scale) -> list[float | None]:
    """The median of every method on one problem, over the draws that all of them have."""
    values = [scale.values(row) for row in rows]
    # Some draws of noise are harder than others: medians over other draws would not compare.
    # A method of which only some draws were scored has no say in which these are.
    seeds = [set(of) for of, row in zip(values, rows, strict=True) if len(of) == len(row.done) > 0]
    shared = set.intersection(*seeds) if seeds else set()
    return [middle([v for s, v in of.items() if s in shared] or list(of.values())) for of in values]


def _label(axes: Axes, place: tuple[int, ...], row: Row, value: float, scale: Scale) -> None:
    """The figure of a field, or why there is none."""
    line, column = place
    if np.isnan(value):
        word = WORDS.get(row.cells[0]["outcome"], "") if row.cells else "–"
        axes.text(column, line, word, ha="center", va="center", color=GREY, fontsize=SMALL)
        return
    share = min(max(float(scale.norm(value)), 0.0), 1.0)
    colour = "black" if scale.light[0] <= share <= scale.light[1] else "white"
    # A fit that says itself that it cannot be trusted is marked.
    text = number(value) + ("" if row.sound == len(row.done) else " !")
    axes.text(column, line, text, ha="center", va="center", fontsize=SMALL, color=colour)
