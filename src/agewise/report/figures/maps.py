"""Heat maps over time and height: means, and the two standard deviations."""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure

from agewise.report.drawing.daily import daily_field, is_long
from agewise.report.drawing.style import HEAT, SPREAD, canvas, draw_scale
from agewise.report.drawing.times import field_seconds, field_times, name_time_axis
from agewise.report.inputs import FieldInputs
from agewise.units import SECONDS_PER_HOUR

COLUMNS = 1200
"""Largest number of times on a map: more cannot be seen, so neighbours are averaged."""
DECADES = 1e-4
"""Share of the largest value below which everything has one colour on a logarithmic map."""


@dataclass(frozen=True)
class Layer:
    """One map: its values, what they are, and how they are coloured."""

    values: xr.DataArray
    """What is shown, over time and height."""
    label: str
    """Quantity and unit beside the colour bar."""
    colours: str
    """Name of the colour map."""
    logarithmic: bool = False
    """Whether colours go by powers of ten."""

    def norm(self) -> Normalize:
        """The scale of the colours."""
        low, high = float(self.values.min()), float(self.values.max())
        # A map of one value throughout gets a scale of some width all the same.
        if self.logarithmic and high > 0:
            return LogNorm(max(low, DECADES * high) if low < high else high / 10, high)
        return Normalize(low, high if high > low else low + 1.0)


def oil_map(inputs: FieldInputs) -> Figure:
    """The oil over time and height."""
    return _maps(inputs, _temperature_layers(_coarse(inputs), "oil"))


def winding_map(inputs: FieldInputs) -> Figure:
    """The winding over time and height."""
    return _maps(inputs, _temperature_layers(_coarse(inputs), "winding"))


def ageing_map(inputs: FieldInputs) -> Figure:
    """The ageing rate over time and height, in decades."""
    field = _coarse(inputs)
    layers = (
        Layer(field["ageing_mean"], "ageing rate, mean\n[h of life an h]", HEAT, True),
        Layer(field["ageing_epistemic_std"], "epistemic σ\n[h of life an h]", SPREAD, True),
        Layer(field["ageing_std"], "σ with noise\n[h of life an h]", SPREAD, True),
    )
    return _maps(inputs, layers, contour=1.0)


def _temperature_layers(field: xr.Dataset, what: str) -> tuple[Layer, ...]:
    return (
        Layer(field[f"{what}_mean"], f"{what}, mean [°C]", HEAT),
        Layer(field[f"{what}_epistemic"] ** 0.5, "epistemic σ [K]", SPREAD),
        Layer(field[f"{what}_aleatoric"] ** 0.5, "aleatoric σ [K]", SPREAD),
    )


def _coarse(inputs: FieldInputs) -> xr.Dataset:
    """The field with neighbouring times averaged until a map can show them: by days, where the
    stripes of day and night would be too fine to see."""
    field = inputs.field
    if is_long(inputs.profile):
        return daily_field(field, inputs.profile)
    # Rounded up; the last column may hold fewer times than the others, but is not dropped.
    stride = -(-field.sizes["time"] // COLUMNS)
    return field if stride == 1 else field.coarsen(time=stride, boundary="pad").mean()


def _maps(
    inputs: FieldInputs, layers: tuple[Layer, ...], *, contour: float | None = None
) -> Figure:
    figure = canvas(7.4)
    panels = figure.subplots(len(layers), 1, sharex=True)
    for axes, layer in zip(panels, layers, strict=True):
        _draw_layer(figure, axes, inputs, layer)
    if contour is not None:
        _draw_contour(panels[0], inputs, layers[0], contour)
    name_time_axis(panels[-1], inputs.profile)
    panels[0].set_title(_averaging(inputs, layers[0].values), loc="left")
    return figure


def _averaging(inputs: FieldInputs, shown: xr.DataArray) -> str:
    """What a column of the map is, if not an instant."""
    if is_long(inputs.profile):
        return "each column is the mean of a day"
    if shown.sizes["time"] == inputs.field.sizes["time"]:
        return ""
    seconds = field_seconds(inputs.profile, shown.to_dataset(name="shown"))
    hours = float(np.median(np.diff(seconds))) / SECONDS_PER_HOUR
    return f"each column is a mean over {hours:.1f} h"


def _draw_layer(figure: Figure, axes: Axes, inputs: FieldInputs, layer: Layer) -> None:
    times = field_times(inputs.profile, layer.values.to_dataset(name="shown"))
    mesh = axes.pcolormesh(
        times, layer.values["height"], layer.values.to_numpy().T,
        cmap=layer.colours, norm=layer.norm(), shading="nearest", rasterized=True,
    )  # fmt: skip
    axes.set_ylabel("height [m]")
    draw_scale(figure, mesh, layer.label, ax=axes, aspect=12)


def _draw_contour(axes: Axes, inputs: FieldInputs, layer: Layer, level: float) -> None:
    """A line at one level, where the map crosses it."""
    # Matplotlib warns where there is nothing to draw.
    if not float(layer.values.min()) < level < float(layer.values.max()):
        return
    times = field_times(inputs.profile, layer.values.to_dataset(name="shown"))
    axes.contour(
        times, layer.values["height"], layer.values.to_numpy().T,
        levels=[level], colors="white", linewidths=1.0, linestyles="--",
    )  # fmt: skip
