"""The coming hours in one picture: what is forecast, what is permitted, and the hot spot."""

from pathlib import Path

import matplotlib as mpl
import matplotlib.dates as mdates
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.assessment.rating.day_table import DayAhead
from agewise.files import replacing
from agewise.report.drawing.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RC,
    RED,
    canvas,
    legend_above,
    png,
)
from agewise.report.drawing.times import clock_axis
from agewise.units import SECONDS_PER_HOUR

LINES = (
    ("short_emergency_30_min_pu", "short emergency, 30 min", RED, ":"),
    ("long_emergency_pu", "long emergency, that hour", RED, "--"),
    ("permitted_in_this_hour_alone_pu", "in that hour alone", GREEN, "--"),
    ("permitted_pu", "permitted in all hours", GREEN, "-"),
)
"""Columns of the table that are drawn, from the highest on: label, colour and style of the line."""


def write_day_ahead(day: DayAhead, unit: str, path: Path) -> None:
    """Draw the coming hours to a PNG file; `unit` is the name of the transformer."""
    with mpl.rc_context(RC), replacing(path) as temporary:
        temporary.write_bytes(png(day_ahead_figure(day, unit)))


def day_ahead_figure(day: DayAhead, unit: str) -> Figure:
    """Loads of the coming hours over the hot spot and the air that belong to the forecast."""
    figure = canvas(6.5)
    load, heat = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [1.6, 1.0]})
    edges = _edges(day)
    _draw_loads(load, day, edges)
    _draw_heat(heat, day, edges)
    for axes in (load, heat):
        axes.grid(alpha=0.25)
        axes.margins(x=0.0)
    clock_axis(heat, day.forecast.start, "time from the end of the record [h]")
    percent = 100 * day.request.risk
    figure.suptitle(
        f"{unit}: permitted load, {day.request.limit} loading, risk {percent:g} %", fontsize=12
    )
    return figure


def _draw_loads(axes: Axes, day: DayAhead, edges: np.ndarray) -> None:
    table = day.table()
    for column, name, colour, style in LINES:
        values = table[column].to_numpy()
        axes.stairs(values, edges, baseline=None, color=colour, linestyle=style, label=name,
                    linewidth=2.0 if style == "-" else 1.2)  # fmt: skip
    axes.stairs(table["forecast_pu"].to_numpy(), edges, fill=True, color=GREY, alpha=0.35,
                label="forecast")  # fmt: skip
    axes.set_ylabel("load [p.u.]")
    axes.set_ylim(bottom=0.0)
    power = day.rated.power_kva
    if power is not None:
        mva = axes.secondary_yaxis(
            "right",
            functions=(
                lambda pu: np.asarray(pu) * power / 1000,
                lambda mva: np.asarray(mva) * 1000 / power,
            ),
        )
        mva.set_ylabel("load [MVA]")
    legend_above(axes, columns=3)


def _draw_heat(axes: Axes, day: DayAhead, edges: np.ndarray) -> None:
    hours, percent = day.hours, 100 * (1 - day.request.risk)
    axes.stairs(hours.hot_spot, edges, baseline=None, color=RED, label="hot spot, median")
    axes.stairs(hours.hot_spot_high, edges, baseline=None, color=ORANGE, linestyle="--",
                label=f"hot spot, {percent:g} % sure to be below")  # fmt: skip
    limit = day.ceiling.hot_spot
    axes.axhline(limit, color="black", linestyle="--", linewidth=1.0, label=f"limit {limit:g} °C")
    axes.stairs(day.table()["air_c"].to_numpy(), edges, baseline=None, color=BLUE, label="air")
    axes.set_ylabel("under the\nforecast [°C]")
    axes.set_ylim(top=max(limit, float(hours.hot_spot_high.max())) + 5.0)
    legend_above(axes)


def _edges(day: DayAhead) -> np.ndarray:
    """Beginning of every hour and the end of the last: local times, or hours."""
    seconds = day.forecast.seconds[[*day.forecast.hours, -1]]
    start = day.forecast.start
    if start is None:
        return seconds / SECONDS_PER_HOUR
    ends = [start + pd.Timedelta(seconds=float(second)) for second in seconds]
    # Matplotlib would turn times with a zone to UTC.
    return mdates.date2num([end.tz_localize(None) for end in ends])
