"""Figures of scores over three numbers of points."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from agewise.experiments.lines import Line, draw_lines, extremes, suit
from agewise.experiments.tables import number
from agewise.report.style import GREY, SPREAD, canvas, draw_scale

BRIGHT = 0.6
"""Share of the colour scale from which text on it is dark."""

Grid = Float[np.ndarray, "starts points readings repeat"]


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
        axes.set_xticks(range(len(readings)), [str(one) for one in readings])
        axes.set_xlabel("$N_b$, readings [1]")
    for axes in panels[:, 0]:
        axes.set_yticks(range(len(points)), [str(one) for one in points])
        axes.set_ylabel("$N_r$, points [1]")
    return figure


def _norm(field: Grid) -> Normalize:
    low, high = extremes([field.mean(axis=-1)])
    if not low < high:
        return Normalize(0.0, 1.0) if np.isnan(low) else Normalize(low - 1.0, low + 1.0)
    return Normalize(low, high)


def _draw_cells(
    axes: Axes, cells: Float[np.ndarray, "points readings repeat"], norm: Normalize
) -> None:
    means, stds = cells.mean(axis=-1), cells.std(axis=-1, ddof=min(1, cells.shape[-1] - 1))
    axes.imshow(means, cmap=SPREAD, norm=norm, aspect="auto", origin="lower")
    for (row, column), mean in np.ndenumerate(means):
        if np.isfinite(mean):
            colour = "black" if norm(mean) > BRIGHT else "white"
            spread = f"\n± {stds[row, column]:.1g}" if cells.shape[-1] > 1 else ""
            axes.text(
                column,
                row,
                number(mean) + spread,
                color=colour,
                ha="center",
                va="center",
                fontsize=8.0,
            )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def lines_figure(
    factors: Mapping[str, Sequence[int]],
    usual: Mapping[str, int],
    values: Mapping[tuple[str, str], Sequence[np.ndarray]],
    colour: str,
) -> Figure:
    """A row for each score, a column for each factor; one scale a row."""
    labels = list(dict.fromkeys(label for _, label in values))
    figure = canvas(0.4 + 2.2 * len(labels))
    panels = figure.subplots(len(labels), len(factors), sharex="col", sharey="row", squeeze=False)
    for row, label in zip(panels, labels, strict=True):
        for axes, (name, counts) in zip(row, factors.items(), strict=True):
            names = [str(count) for count in counts]
            draw_lines(axes, names, [Line(label, colour, values[name, label])])
            if usual[name] in counts:
                axes.axvline(counts.index(usual[name]), color=GREY, linestyle=":", linewidth=1.2)
        suit(row, [one for name in factors for one in values[name, label]])
        row[0].set_ylabel(label)
    for axes, name in zip(panels[-1], factors, strict=True):
        axes.set_xlabel(f"${name}$ [1]")
    return figure
