"""How the two uncertainties come together, day by day."""

import numpy as np
import xarray as xr
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from agewise.report.drawing.style import SPREAD, canvas, draw_scale
from agewise.report.drawing.times import day_name, days, field_times
from agewise.report.inputs import FieldInputs

PANELS, COLUMNS = 8, 4
"""Largest number of days that are drawn, and of those side by side."""
BINS = 32
"""Number of edges of the bins on each axis."""
SHORT = 0.1
"""Share of the fullest day below which a day is left out: the last instant is often midnight."""


def joint_densities(inputs: FieldInputs) -> Figure:
    """Epistemic against aleatoric standard deviation over all times and heights of a day."""
    pairs = _pairs_by_day(inputs)
    rows = -(-len(pairs) // COLUMNS)
    columns = min(COLUMNS, len(pairs))
    figure = canvas(1.0 + 2.6 * rows)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    edges = _edges(np.concatenate(list(pairs.values())))
    shares = {day: _shares(points, edges) for day, points in pairs.items()}
    norm = _norm(np.stack(list(shares.values())))
    for axes, (day, share) in zip(panels.flat, shares.items(), strict=False):
        axes.pcolormesh(*edges, share.T, cmap=SPREAD, norm=norm, rasterized=True)
        axes.set_title(day, loc="left")
        axes.grid(alpha=0.25)
        axes.set_xlabel("epistemic σ [K]")
        # Shared axes have numbers in the last row only, where panels may be hidden.
        axes.tick_params(labelbottom=True)
    for axes in panels[:, 0]:
        axes.set_ylabel("aleatoric σ [K]")
    for axes in panels.flat[len(pairs) :]:
        axes.set_visible(False)
    label = "share of the day's times and heights [%]"
    draw_scale(figure, ScalarMappable(norm, SPREAD), label, ax=panels)
    return figure


def _pairs_by_day(inputs: FieldInputs) -> dict[str, np.ndarray]:
    """Standard deviations (epistemic, aleatoric) of the oil [K] by the name of the day."""
    day_of_row = days(field_times(inputs.profile, inputs.field))
    recorded, counts = np.unique(day_of_row, return_counts=True)
    full = recorded[counts >= SHORT * counts.max()]
    # Spaced evenly; where there are fewer days than panels, some would be chosen twice.
    chosen = full[np.unique(np.linspace(0, full.size - 1, PANELS).round().astype(int))]
    return {day_name(day): _pairs(inputs.field.isel(time=day_of_row == day)) for day in chosen}


def _pairs(field: xr.Dataset) -> np.ndarray:
    """Both standard deviations at every time and height [K], over (point, part)."""
    names = ("oil_epistemic", "oil_aleatoric")
    return np.stack([np.sqrt(field[name].to_numpy().ravel()) for name in names], axis=-1)


def _edges(pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges of the bins on both axes, a little wider than the values."""
    low, high = pairs.min(axis=0), pairs.max(axis=0)
    # A constant standard deviation, as homoscedastic noise has, still needs bins of some width.
    margin = np.maximum(0.04 * (high - low), 1e-3)
    start, end = np.maximum(low - margin, 0.0), high + margin
    return np.linspace(start[0], end[0], BINS), np.linspace(start[1], end[1], BINS)


def _shares(pairs: np.ndarray, edges: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Percent of the pairs in each bin; empty bins stay white."""
    counts, _, _ = np.histogram2d(*pairs.T, bins=edges)
    return np.where(counts > 0, 100 * counts / len(pairs), np.nan)


def _norm(shares: np.ndarray) -> LogNorm:
    low, high = float(np.nanmin(shares)), float(np.nanmax(shares))
    return LogNorm(low if low < high else high / 10, high)
