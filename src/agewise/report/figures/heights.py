"""The oil from bottom to top at six telling instants, with the two uncertainties apart."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.report.drawing.style import BLUE, GREEN, ORANGE, canvas
from agewise.report.drawing.times import clock, field_seconds, field_times
from agewise.report.figures.temperatures import SIGMAS
from agewise.report.inputs import FieldInputs

PANELS = 6
"""Number of instants drawn, and of columns: two rows of three profiles, each with a strip."""


def heights(inputs: FieldInputs) -> Figure:
    """Six profiles of the oil, and beside each its epistemic standard deviation."""
    figure = canvas(7.6)
    panels = figure.subplots(
        2, PANELS, sharey=True, gridspec_kw={"width_ratios": [2.3, 1.0] * (PANELS // 2)}
    )
    wide, narrow = panels[:, ::2].ravel(), panels[:, 1::2].ravel()
    times = field_times(inputs.profile, inputs.field)
    # A field of fewer than six times leaves panels over, which are hidden.
    chosen = instants(inputs)
    for axes, beside, (index, name) in zip(wide, narrow, chosen.items(), strict=False):
        instant = inputs.field.isel(time=index)
        _draw_profile(axes, instant)
        _draw_readings(axes, inputs, index)
        _draw_epistemic(beside, instant)
        axes.set_title(f"{name}\n{clock(times[index])}", loc="left")
    _align(wide, narrow, inputs.field)
    for axes in (*wide[len(chosen) :], *narrow[len(chosen) :]):
        axes.set_visible(False)
    figure.legend(*wide[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return figure


def instants(inputs: FieldInputs) -> dict[int, str]:
    """The rows of the field worth a look, in the order of time, each with its name."""
    field, profile = inputs.field, inputs.profile
    top = field["oil_mean"].isel(height=-1).to_numpy()
    change = np.gradient(top)
    seconds = field_seconds(profile, field)
    ranks = {
        "hottest winding": -field["winding_mean"].max("height").to_numpy(),
        "coolest top oil": top,
        "highest load": -np.interp(seconds, profile.seconds, profile.load),
        "fastest heating": -change,
        "fastest cooling": change,
        "least certain": -field["oil_epistemic"].mean("height").to_numpy(),
    }
    return dict(sorted(_distinct(ranks).items()))


def _distinct(ranks: dict[str, np.ndarray]) -> dict[int, str]:
    """The lowest row of each rank that no rank before it has taken, while there are any."""
    chosen: dict[int, str] = {}
    for name, rank in ranks.items():
        # Slices, not indices: nothing is free once every row of a short field is taken.
        free = [int(row) for row in np.argsort(rank, kind="stable") if int(row) not in chosen]
        chosen |= dict.fromkeys(free[:1], name)
    return chosen


def _draw_profile(axes: Axes, instant: xr.Dataset) -> None:
    height, mean = instant["height"], instant["oil_mean"]
    inner = SIGMAS * np.sqrt(instant["oil_epistemic"])
    outer = SIGMAS * np.sqrt(instant["oil_epistemic"] + instant["oil_aleatoric"])
    axes.fill_betweenx(
        height, mean - outer, mean + outer, color=ORANGE, alpha=0.4, linewidth=0,
        label="epistemic and aleatoric ±2σ",
    )  # fmt: skip
    # With an outline, since this band is often thinner than a pixel.
    axes.fill_betweenx(
        height, mean - inner, mean + inner, color=BLUE, linewidth=0.8, label="epistemic ±2σ"
    )
    axes.plot(mean, height, color="black", linewidth=0.6, label="oil, mean")
    axes.grid(alpha=0.25)


def _draw_readings(axes: Axes, inputs: FieldInputs, index: int) -> None:
    """What the sensors read at that moment."""
    profile, top = inputs.profile, float(inputs.field["height"][-1])
    series = dict(profile.interior)
    ends = {0.0: profile.bottom_oil, 1.0: profile.top_oil}
    series |= {share: values for share, values in ends.items() if values is not None}
    second = field_seconds(profile, inputs.field)[index]
    row = int(np.abs(profile.seconds - second).argmin())
    if series:
        readings = [values[row] for values in series.values()]
        axes.plot(
            readings, [top * share for share in series], "o", color=GREEN, markersize=5,
            markeredgecolor="white", clip_on=False, label="sensor reading", zorder=4,
        )  # fmt: skip
    # Of another kind than the oil's: what stands at the bottom need not be as cool as the air.
    axes.plot(
        [profile.ambient[row]], [0.0], "o", color="white", markersize=5, markeredgecolor=GREEN,
        clip_on=False, label="air", zorder=3,
    )  # fmt: skip


def _draw_epistemic(axes: Axes, instant: xr.Dataset) -> None:
    std = np.sqrt(instant["oil_epistemic"])
    axes.fill_betweenx(instant["height"], 0.0, std, color=BLUE, alpha=0.35, linewidth=0)
    axes.plot(std, instant["height"], color=BLUE, linewidth=1.2)
    axes.grid(alpha=0.25)


def _align(wide: np.ndarray, narrow: np.ndarray, field: xr.Dataset) -> None:
    """One scale for all profiles and one for all uncertainties, so that they can be compared."""
    low = min(axes.get_xlim()[0] for axes in wide)
    high = max(axes.get_xlim()[1] for axes in wide)
    most = 1.1 * max(axes.get_xlim()[1] for axes in narrow)
    for axes, beside in zip(wide, narrow, strict=True):
        axes.set_xlim(low, high)
        axes.set_ylim(0.0, float(field["height"][-1]))
        beside.set_xlim(0.0, most)
        axes.set_xlabel("oil [°C]")
        beside.set_xlabel("epistemic\nσ [K]")
    for axes in wide[:: PANELS // 2]:
        axes.set_ylabel("height [m]")
