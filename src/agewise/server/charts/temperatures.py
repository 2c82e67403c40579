"""Load and temperatures over time, with their bands and limits."""

import numpy as np
import xarray as xr

from agewise.report.drawing.daily import daily, is_long
from agewise.report.drawing.times import field_times, local_times
from agewise.report.figures.catalogue import CATALOGUE
from agewise.report.figures.temperatures import SIGMAS, hottest
from agewise.report.inputs import ReportInputs
from agewise.report.wording import air_name
from agewise.server.charts.series import Chart, Level, Series, numbers, thinned, times
from agewise.transformer.cooling_defaults import LIMITS

MOST_POINTS = 1500
"""Most points of a line: more than a screen has columns."""
LOAD, WINDING, OIL = 0, 1, 2
"""Panels under each other."""
BY_TIMES = (
    "Bands are two standard deviations wide on either side: the inner one is what is not known, "
    "the outer one has the noise of sensors too. Dashed lines are the limits of IEC 60076-7."
)
BY_DAYS = (
    "By days: the mean of each day, and the range from its lowest to its highest value. Dashed "
    "lines are the limits of IEC 60076-7."
)


def temperatures_chart(inputs: ReportInputs) -> Chart:
    """Load, the hottest winding, the top oil and the air; a long record by days."""
    words = next(figure for figure in CATALOGUE if figure.name == "temperatures")
    long = is_long(inputs.profile)
    return Chart(
        title=words.title,
        caption=BY_DAYS if long else BY_TIMES,
        alternative=words.alternative,
        x_title=_x_title(inputs),
        y_titles=["load [p.u.]", "winding [°C]", "oil and air [°C]"],
        series=_by_days(inputs) if long else _by_times(inputs),
        levels=_limits(inputs),
    )


def _x_title(inputs: ReportInputs) -> str:
    start = inputs.profile.timeline.start
    return "time from the start [h]" if start is None else f"local time ({start.tzinfo})"


def _by_times(inputs: ReportInputs) -> list[Series]:
    profile, top = inputs.profile, inputs.field.isel(height=-1)
    rows = thinned(profile.load, MOST_POINTS)
    at = times(local_times(profile, profile.seconds[rows]))
    winding = hottest(inputs.field)
    name = f"winding at {float(winding['height']):.2f} m"
    measured = [] if profile.top_oil is None else [("top oil, measured", profile.top_oil)]
    return [
        Series(name="load", tone="load", x=at, y=numbers(profile.load[rows], 3)),
        _band(inputs, winding, "winding", name, WINDING),
        *(
            Series(name=label, tone="measured", panel=OIL, x=at, y=numbers(values[rows]))
            for label, values in measured
        ),
        _band(inputs, top, "oil", "top oil", OIL),
        Series(
            name=air_name(profile), tone="air", panel=OIL, x=at, y=numbers(profile.ambient[rows])
        ),
    ]


def _band(inputs: ReportInputs, field: xr.Dataset, what: str, name: str, panel: int) -> Series:
    """A mean with the band of all uncertainty and that of what is not known."""
    mean = field[f"{what}_mean"].to_numpy()
    rows = thinned(mean, MOST_POINTS)
    epistemic, aleatoric = (field[f"{what}_{part}"].to_numpy() for part in PARTS)
    inner, outer = SIGMAS * np.sqrt(epistemic), SIGMAS * np.sqrt(epistemic + aleatoric)
    return Series(
        name=name,
        tone="winding" if what == "winding" else "oil",
        panel=panel,
        x=times(field_times(inputs.profile, inputs.field)[rows]),
        y=numbers(mean[rows]),
        low=numbers((mean - outer)[rows]),
        high=numbers((mean + outer)[rows]),
        inner_low=numbers((mean - inner)[rows]),
        inner_high=numbers((mean + inner)[rows]),
    )


PARTS = ("epistemic", "aleatoric")
"""The two parts of a variance."""


def _by_days(inputs: ReportInputs) -> list[Series]:
    """Lowest, mean and highest value of every day."""
    profile, field = inputs.profile, inputs.field
    rows, at = local_times(profile, profile.seconds), field_times(profile, field)
    winding, oil = hottest(field)["winding_mean"], field["oil_mean"].isel(height=-1)
    return [
        _daily("load", "load", LOAD, rows, profile.load),
        _daily("winding, by days", "winding", WINDING, at, winding.to_numpy()),
        _daily("top oil, by days", "oil", OIL, at, oil.to_numpy()),
        _daily(air_name(profile), "air", OIL, rows, profile.ambient),
    ]


def _daily(name: str, tone: str, panel: int, at: np.ndarray, values: np.ndarray) -> Series:
    days = daily(at, values)
    return Series.model_validate(
        {
            "name": name,
            "tone": tone,
            "panel": panel,
            "x": times(days.times),
            "y": numbers(days.mean, 3),
            "low": numbers(days.low, 3),
            "high": numbers(days.high, 3),
        }
    )


def _limits(inputs: ReportInputs) -> list[Level]:
    """The limits of normal cyclic loading; others where they are near."""
    normal = LIMITS["normal cyclic"]
    return [
        Level(name="limit, normal cyclic", value=normal.hot_spot, panel=WINDING),
        Level(name="limit, normal cyclic", value=normal.top_oil, panel=OIL),
    ]
