"""One picture of a solved profile: what went in, what the oil did, what it cost."""

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.files import replacing
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.report.drawing.daily import daily_field, draw_daily, is_long
from agewise.report.drawing.style import BLUE, GREY, HEAT, ORANGE, RED, WIDTH
from agewise.report.drawing.times import field_times, local_times, name_time_axis
from agewise.report.wording import air_name
from agewise.transformer.cooling_defaults import LIMITS

SHARES = {1.0: RED, 0.8: ORANGE, 0.5: BLUE}
"""Heights at which the loss of life is drawn, as fractions of the tank's, with their colours."""


def write_overview(profile: Profile, nameplate: Nameplate, field: xr.Dataset, path: Path) -> None:
    """Draw the overview of a field made from a profile to a PNG file."""
    figure = overview(profile, nameplate, field)
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=130)


def overview(profile: Profile, nameplate: Nameplate, field: xr.Dataset) -> Figure:
    """Load, temperatures with the guide's limit, oil over height, and loss of life.

    A long record is shown by days: their range and mean, and daily means over height.
    """
    figure = Figure(figsize=(WIDTH, 9.5), layout="constrained")
    load, heat, oil, life = figure.subplots(
        4, 1, sharex=True, gridspec_kw={"height_ratios": [1.0, 2.0, 1.6, 1.2]}
    )
    rows, columns = local_times(profile, profile.seconds), field_times(profile, field)
    _draw_series(load, profile, rows, profile.load, GREY, "load")
    load.set_ylabel("load [p.u.]")
    load.set_ylim(bottom=0.0)
    _draw_temperatures(heat, rows, profile, columns, field)
    shown = daily_field(field, profile) if is_long(profile) else field
    _draw_field(figure, oil, field_times(profile, shown), shown)
    _draw_life(life, columns, field)
    for axes in (load, heat, life):
        axes.grid(alpha=0.25)
        axes.margins(x=0.0)
    name_time_axis(life, profile)
    top = "modelled" if profile.top_oil is None else "measured"
    figure.suptitle(f"{nameplate.name}: solved between ambient and {top} top oil", fontsize=13)
    return figure


def _draw_temperatures(
    axes: Axes, rows: np.ndarray, profile: Profile, columns: np.ndarray, field: xr.Dataset
) -> None:
    limit = LIMITS["normal cyclic"].hot_spot
    hottest = field["winding_mean"].max("height")
    winding = hottest.to_numpy()
    _draw_series(axes, profile, columns, winding, RED, "winding, hottest height", width=1.2)
    if profile.top_oil is not None:
        _draw_series(axes, profile, rows, profile.top_oil, ORANGE, "top oil, measured")
    _draw_series(axes, profile, rows, profile.ambient, BLUE, air_name(profile))
    axes.axhline(limit, color="black", linestyle="--", linewidth=1.0)
    axes.text(
        0.995, limit - 1.0, f"{limit:g} °C, normal cyclic limit of the hot spot",
        transform=axes.get_yaxis_transform(), ha="right", va="top", fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8},
    )  # fmt: skip
    axes.set_ylabel("temperature [°C]")
    axes.set_ylim(top=max(limit, float(hottest.max())) + 25.0)  # room for the legend
    axes.legend(loc="upper left", ncols=3, fontsize=9, frameon=False)


def _draw_series(
    axes: Axes, profile: Profile, times: np.ndarray, values: np.ndarray, colour: str, name: str,
    *, width: float = 0.8,
) -> None:  # fmt: skip
    """A line; of a long record the range of its days, and their means."""
    if is_long(profile):
        # `draw_daily` puts words of its own behind the comma.
        draw_daily(axes, times, values, colour, name.split(",")[0])
    else:
        axes.plot(times, values, color=colour, label=name, linewidth=width)


def _draw_field(figure: Figure, axes: Axes, columns: np.ndarray, field: xr.Dataset) -> None:
    values = field["oil_mean"].to_numpy().T
    mesh = axes.pcolormesh(columns, field["height"], values, cmap=HEAT, shading="nearest")
    mesh.set_rasterized(True)
    axes.set_ylabel("height [m]")
    figure.colorbar(mesh, ax=axes, label="oil [°C]", pad=0.01, aspect=12)


def _draw_life(axes: Axes, columns: np.ndarray, field: xr.Dataset) -> None:
    used = field["loss_of_life_mean"]
    top = float(field["height"][-1])
    scale, unit = (1.0, "h") if float(used.max()) >= 2 else (60.0, "min")
    for share, colour in SHARES.items():
        name = "at the top" if share == 1 else f"at {share:g} of the height"
        axes.plot(columns, scale * used.interp(height=share * top), color=colour, label=name)
    axes.set_ylabel(f"life used [{unit}]")
    axes.set_ylim(bottom=0.0)
    axes.legend(loc="upper left", fontsize=9, frameon=False)
