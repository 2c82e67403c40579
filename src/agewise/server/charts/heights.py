"""The oil from bottom to top: at telling instants, and over the whole window."""

import numpy as np

from agewise.report.drawing.daily import daily_field, is_long
from agewise.report.drawing.times import clock, field_times
from agewise.report.figures.catalogue import CATALOGUE
from agewise.report.figures.heights import instants
from agewise.report.figures.temperatures import SIGMAS
from agewise.report.inputs import ReportInputs
from agewise.server.charts.series import Chart, Heat, Series, numbers, times

SHOWN_AT_FIRST = ("hottest winding", "coolest top oil")
"""Instants whose profiles are shown; the others wait in the legend."""
MOST_COLUMNS = 240
"""Most instants of a map: an hour each for ten days."""


def heights_chart(inputs: ReportInputs) -> Chart:
    """Profiles of the oil at six telling instants, each with its two bands."""
    words = next(figure for figure in CATALOGUE if figure.name == "heights")
    at = field_times(inputs.profile, inputs.field)
    return Chart(
        title=words.title,
        caption="Bands are two standard deviations wide on either side, the inner one without the "
        "noise of sensors. Names in the legend show and hide instants.",
        alternative=words.alternative,
        x_title="oil [°C]",
        y_titles=["height [m]"],
        series=[
            _profile(inputs, index, f"{name}, {clock(at[index])}", name not in SHOWN_AT_FIRST)
            for index, name in instants(inputs).items()
        ],
        band_direction="x",
    )


def _profile(inputs: ReportInputs, index: int, name: str, hidden: bool) -> Series:
    instant = inputs.field.isel(time=index)
    mean = instant["oil_mean"].to_numpy()
    epistemic, aleatoric = (instant[f"oil_{p}"].to_numpy() for p in ("epistemic", "aleatoric"))
    inner, outer = SIGMAS * np.sqrt(epistemic), SIGMAS * np.sqrt(epistemic + aleatoric)
    return Series(
        name=name,
        tone="other",
        x=numbers(mean),
        y=numbers(instant["height"].to_numpy(), 3),
        low=numbers(mean - outer),
        high=numbers(mean + outer),
        inner_low=numbers(mean - inner),
        inner_high=numbers(mean + inner),
        hidden=hidden,
    )


def map_chart(inputs: ReportInputs) -> Chart:
    """The winding over time and height, in colours; a long record by days."""
    words = next(figure for figure in CATALOGUE if figure.name == "winding")
    field = daily_field(inputs.field, inputs.profile) if is_long(inputs.profile) else inputs.field
    rows = np.unique(np.linspace(0, field.sizes["time"] - 1, MOST_COLUMNS).astype(int))
    winding = field["winding_mean"].transpose("height", "time").to_numpy()[:, rows]
    start = inputs.profile.timeline.start
    return Chart(
        title=words.title,
        caption="The mean temperature of the winding. It is the oil at its height plus the rise "
        "that the load causes.",
        alternative="Map of the winding's mean temperature over time and height.",
        x_title="time from the start [h]" if start is None else f"local time ({start.tzinfo})",
        y_titles=["height [m]"],
        heat=Heat(
            x=times(field_times(inputs.profile, field)[rows]),
            y=np.round(field["height"].to_numpy().astype(float), 3).tolist(),
            z=[numbers(row, 1) for row in winding],
            unit="°C",
        ),
    )
