"""A figure of scores over three numbers of points."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from agewise.report.drawing.style import SPREAD, canvas, draw_scale
from reproduction.lines import extremes
from reproduction.tables import number

BRIGHT = 0.6
"""Share of the colour scale from which text on it is dark."""

Grid = Float[np.ndarray, "starts points readings"]
"""A score of every combination of three numbers of points."""


def grid_figure(factors: Mapping[str, Sequence[int]], fields: Mapping[str, Grid]) -> Figure:
    """A row for each field, a panel for each first factor; numbers in every cell."""
    starts = next(iter(factors.values()))
    figure = canvas(0.4 + 2.5 * len(fields))
    panels = figure.subplots(len(fields), len(starts), sharex=True, sharey=True, squeeze=False)
    for row, (label, field) in zip(panels, fields.items(), strict=True):
        norm = _norm(field)
        for axes, cells in zip(row, field, strict=True):
            _draw_cells(axes, cells, norm)
        draw_scale(figure, ScalarMappable(norm, SPREAD), label, ax=list(row))
    for axes, start in zip(panels[0], starts, strict=True):
        axes.set_title(f"$N_i$ = {start}", loc="left")
    _, points, readings = factors.values()
    for axes in panels[-1]:
        axes.set_xticks(range(len(readings)), [str(count) for count in readings])
        axes.set_xlabel("$N_b$, readings [1]")
    for axes in panels[:, 0]:
        axes.set_yticks(range(len(points)), [str(count) for count in points])
        axes.set_ylabel("$N_r$, points [1]")
    return figure


def _norm(field: Grid) -> Normalize:
    low, high = extremes([field])
    # Numbers that are all alike, or none at all, get a scale of some width too.
    if not low < high:
        return Normalize(0.0, 1.0) if np.isnan(low) else Normalize(low - 1.0, low + 1.0)
    return Normalize(low, high)


def _draw_cells(axes: Axes, cells: Float[np.ndarray, "points readings"], norm: Normalize) -> None:
    axes.imshow(cells, cmap=SPREAD, norm=norm, aspect="auto", origin="lower")
    for (row, column), value in np.ndenumerate(cells):
        if np.isfinite(value):
            axes.text(
                column, row, number(value), color="black" if norm(value) > BRIGHT else "white",
                ha="center", va="center", fontsize=8.0,
            )  # fmt: skip
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
