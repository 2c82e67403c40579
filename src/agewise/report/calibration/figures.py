"""Figures of a calibration: constants before and after, and the top oil that they explain."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.assessment.calibration.check import CalibrationCheck
from agewise.assessment.calibration.names import NAMES
from agewise.assessment.calibration.words import constant_text
from agewise.report.drawing.daily import daily, draw_daily, is_long
from agewise.report.drawing.style import (
    BLUE,
    GREY,
    ORANGE,
    PALE,
    RED,
    canvas,
    legend_above,
)
from agewise.report.drawing.times import local_times, name_time_axis
from agewise.report.figures.temperatures import SIGMAS
from agewise.units import SECONDS_PER_HOUR

ROW = 0.55
"""Height of a row in the figure of constants [inches]."""
GAP_H = 2.0
"""Time between two cells across which no line is drawn [h]."""


def constants_figure(check: CalibrationCheck) -> Figure:
    """Every learned constant as a share of what was given: before and after, ±2σ."""
    constants = check.constants
    figure = canvas(1.1 + ROW * len(constants))
    axes = figure.subplots()
    for row, constant in enumerate(constants):
        assert constant.learned is not None and constant.learned_std is not None
        scale = 100 / constant.before
        bars = (
            (constant.before, constant.before_std, PALE, 9.0),
            (constant.learned, constant.learned_std, BLUE, 4),
        )
        for (mean, std, colour, wide), name in zip(bars, ("before", "learned"), strict=True):
            ends = np.array([mean - SIGMAS * std, mean + SIGMAS * std]) * scale
            label = f"{name}, ±2σ" if row == 0 else None
            axes.plot(
                ends, [row, row], color=colour, linewidth=wide, label=label, solid_capstyle="butt"
            )
            axes.plot([mean * scale], [row], "|", color="black", markersize=wide + 4)
        axes.text(
            1.01, row, constant_text(constant), transform=axes.get_yaxis_transform(), va="center"
        )
    axes.axvline(100, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(constants)), [NAMES[constant.name].long for constant in constants])
    axes.set_ylim(len(constants) - 0.4, -0.6)
    axes.set_xlabel("share of the value before [%]")
    axes.grid(axis="x", alpha=0.25)
    legend_above(axes, columns=2)
    return figure


def oil_figure(check: CalibrationCheck) -> Figure:
    """Load, top oil as measured and modelled, and what is left between them."""
    figure = canvas(8.6)
    load, oil, left = figure.subplots(
        3, 1, sharex=True, gridspec_kw={"height_ratios": [0.8, 2.0, 1.6]}
    )
    draw = _draw_days if is_long(check.profile) else _draw_cells
    draw(load, oil, left, check, local_times(check.profile, check.seconds))
    load.set_ylabel("load [p.u.]")
    load.set_ylim(bottom=0.0)
    oil.set_ylabel("top oil [°C]")
    left.set_ylabel("measured − modelled [K]")
    left.axhline(0.0, color="black", linewidth=0.6)
    for axes in (load, oil, left):
        axes.grid(alpha=0.25)
        axes.margins(x=0.0)
    for axes in (oil, left):
        legend_above(axes, columns=4)
    figure.align_ylabels([load, oil, left])
    name_time_axis(left, check.profile)
    return figure


def _draw_cells(
    load: Axes, oil: Axes, left: Axes, check: CalibrationCheck, times: np.ndarray
) -> None:
    """A short record, cell by cell; the band holds 19 readings of 20 if the learned error is."""

    def line(axes: Axes, values: np.ndarray, colour: str, name: str = "", **looks: Any) -> None:
        # A line across a gap would show what nobody measured.
        gaps = np.asarray(check.record.steps.seconds) > GAP_H * SECONDS_PER_HOUR
        axes.plot(times, np.where(gaps, np.nan, values), color=colour, label=name or None, **looks)

    band = SIGMAS * check.std
    line(load, np.asarray(check.record.load), GREY, linewidth=0.9)
    oil.fill_between(
        times, check.open_loop - band, check.open_loop + band, color=ORANGE, alpha=0.3, linewidth=0,
        label="modelled, ±2σ",
    )  # fmt: skip
    line(oil, check.as_given, GREY, "by the nameplate", linewidth=1.0, linestyle="--")
    line(oil, check.open_loop, RED, "with what was learned", linewidth=1.3)
    line(oil, check.measured, "black", "measured", linewidth=0.9)
    left.fill_between(times, -band, band, color=ORANGE, alpha=0.3, linewidth=0, label="±2σ")
    line(left, check.measured - check.open_loop, RED, "open loop", linewidth=1.2)
    line(left, check.measured - check.day_ahead, BLUE, "a day ahead", linewidth=0.9)


def _draw_days(
    load: Axes, oil: Axes, left: Axes, check: CalibrationCheck, times: np.ndarray
) -> None:
    """A long record day by day: means of the oil, ranges of the residual."""
    draw_daily(load, times, np.asarray(check.record.load), GREY, "load")
    # Of the same cells, since means of other hours could not be compared.
    there = np.isfinite(check.measured)
    series = {
        "by the nameplate, mean of the day": (check.as_given, GREY, "--"),
        "with what was learned": (check.open_loop, RED, "-"),
        "measured": (check.measured, "black", "-"),
    }
    for name, (values, colour, dashes) in series.items():
        by_day = daily(times, np.where(there, values, np.nan))
        oil.plot(by_day.times, by_day.mean, color=colour, linestyle=dashes, label=name)
    band = daily(times, SIGMAS * check.std)
    left.fill_between(
        band.times, -band.mean, band.mean, color=ORANGE, alpha=0.3, linewidth=0, label="±2σ"
    )
    draw_daily(left, times, check.measured - check.open_loop, RED, "open loop")
    ahead = daily(times, check.measured - check.day_ahead)
    left.plot(
        ahead.times, ahead.mean, color=BLUE, linewidth=1.0, label="a day ahead, mean of the day"
    )
