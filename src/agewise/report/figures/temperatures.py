"""The window as it went: load, temperatures between their limits, and how sure they are."""

from collections import defaultdict
from typing import Literal

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.report.drawing.daily import draw_daily, is_long
from agewise.report.drawing.style import BLUE, GREY, ORANGE, PALE, RED, canvas, legend_above
from agewise.report.drawing.times import field_times, local_times, name_time_axis
from agewise.report.inputs import FieldInputs
from agewise.report.wording import air_name
from agewise.transformer.cooling_defaults import LIMITS

NEAR = 20.0
"""Distance above the hottest value within which a limit is drawn [K]; the lowest always is."""
SIGMAS = 2.0
"""Half the width of every band, in standard deviations."""


def temperatures(inputs: FieldInputs) -> Figure:
    """Load, the hottest winding, the top oil, and the two uncertainties of the winding.

    A long record is shown by days: beside their range the bands of uncertainty would not be seen.
    """
    figure = canvas(10.0)
    load, winding, oil, spread = figure.subplots(
        4, 1, sharex=True, gridspec_kw={"height_ratios": [0.9, 2.0, 2.0, 1.1]}
    )
    profile = inputs.profile
    _draw_load(load, inputs)
    _draw_winding(winding, inputs)
    _draw_oil(oil, inputs)
    _draw_spread(spread, inputs)
    for axes in (load, winding, oil, spread):
        axes.grid(alpha=0.25)
        axes.margins(x=0.0)
    figure.align_ylabels([load, winding, oil, spread])
    name_time_axis(spread, profile)
    return figure


def _draw_load(axes: Axes, inputs: FieldInputs) -> None:
    """The load, with a band of uncertainty where it was filled in."""
    profile = inputs.profile
    times, std = local_times(profile, profile.seconds), profile.load_std
    if is_long(profile):
        draw_daily(axes, times, profile.load, GREY, "load")
        legend_above(axes)
    else:
        axes.plot(times, profile.load, color=GREY, linewidth=0.9)
    if std is not None:
        low = np.maximum(profile.load - SIGMAS * std, 0.0)
        axes.fill_between(
            times, low, profile.load + SIGMAS * std, where=list(std > 0), color=ORANGE, alpha=0.6,
            linewidth=0, label="filled in, ±2σ",
        )  # fmt: skip
        legend_above(axes)
    axes.set_ylabel("load [p.u.]")
    axes.set_ylim(bottom=0.0)


def _draw_winding(axes: Axes, inputs: FieldInputs) -> None:
    field = hottest(inputs.field)
    times = field_times(inputs.profile, inputs.field)
    name = f"winding at {float(field['height']):.2f} m"
    if is_long(inputs.profile):
        draw_daily(axes, times, field["winding_mean"].to_numpy(), RED, name)
    else:
        _draw_bands(axes, times, field, "winding", RED, name)
    _draw_limits(axes, "hot_spot", float(field["winding_mean"].max()))
    axes.set_ylabel("winding [°C]")
    legend_above(axes)


def hottest(field: xr.Dataset) -> xr.Dataset:
    """The field at the height at which the winding gets hottest, at any time."""
    return field.sel(height=field["winding_mean"].max("time").idxmax("height"))


def _draw_oil(axes: Axes, inputs: FieldInputs) -> None:
    profile, top = inputs.profile, inputs.field.isel(height=-1)
    rows, times = local_times(profile, profile.seconds), field_times(profile, inputs.field)
    if is_long(profile):
        draw_daily(axes, times, top["oil_mean"].to_numpy(), ORANGE, "top oil")
        draw_daily(axes, rows, profile.ambient, BLUE, air_name(profile))
    else:
        _draw_measured(axes, inputs, rows)
        _draw_bands(axes, times, top, "oil", ORANGE, "top oil")
    _draw_limits(axes, "top_oil", float(top["oil_mean"].max()))
    axes.set_ylabel("oil and air [°C]")
    legend_above(axes, columns=3)


def _draw_measured(axes: Axes, inputs: FieldInputs, rows: np.ndarray) -> None:
    profile = inputs.profile
    if profile.top_oil is not None:
        axes.plot(
            rows, profile.top_oil, color=PALE, linewidth=0.6, zorder=0, label="top oil, measured"
        )
    axes.plot(rows, profile.ambient, color=BLUE, linewidth=0.8, label=air_name(profile))


def _draw_bands(
    axes: Axes, times: np.ndarray, field: xr.Dataset, what: str, colour: str, name: str
) -> None:
    """The mean with the band of all uncertainty, and within it that of the epistemic part."""
    mean = field[f"{what}_mean"]
    inner = SIGMAS * np.sqrt(field[f"{what}_epistemic"])
    outer = SIGMAS * np.sqrt(field[f"{what}_epistemic"] + field[f"{what}_aleatoric"])
    axes.fill_between(
        times, mean - outer, mean + outer, color=colour, alpha=0.55, linewidth=0,
        label="epistemic and aleatoric ±2σ",
    )  # fmt: skip
    # With an outline, since this band is often thinner than a pixel: then it looks like a line.
    axes.fill_between(
        times, mean - inner, mean + inner, color="black", linewidth=0.5,
        label=f"{name}: mean, epistemic ±2σ",
    )  # fmt: skip


def _draw_limits(axes: Axes, quantity: Literal["hot_spot", "top_oil"], hottest: float) -> None:
    """Lines named in the legend, their values beside the axes, where they cross no curve."""
    # By value, since kinds of loading may share a limit and then share a line.
    names: dict[float, list[str]] = defaultdict(list)
    for name, limits in LIMITS.items():
        names[getattr(limits, quantity)].append(name)
    # A limit far above the curve would squeeze it, but the lowest shows how far off it is.
    shown = [v for v in sorted(names) if v == min(names) or v < hottest + NEAR]
    for value, dashes in zip(shown, ("--", ":", "-."), strict=False):
        label = "limit, " + " and ".join(names[value])
        axes.axhline(value, color="black", linestyle=dashes, linewidth=1.1, label=label)
        axes.text(
            1.006, value, f"{value:g} °C",
            transform=axes.get_yaxis_transform(), va="center", fontsize=9.0,
        )  # fmt: skip


def _draw_spread(axes: Axes, inputs: FieldInputs) -> None:
    field = hottest(inputs.field)
    times = field_times(inputs.profile, inputs.field)
    names = {"winding_aleatoric": "aleatoric: noise", "winding_epistemic": "epistemic: not known"}
    for (name, label), colour in zip(names.items(), (RED, "black"), strict=True):
        spread = np.sqrt(field[name].to_numpy())
        if is_long(inputs.profile):
            draw_daily(axes, times, spread, colour, label)
        else:
            alpha = 0.6 if colour == RED else 1.0
            axes.plot(times, spread, color=colour, linewidth=1.2, alpha=alpha, label=label)
    axes.set_ylim(bottom=0.0)
    axes.set_ylabel("winding, σ [K]")
    legend_above(axes)
