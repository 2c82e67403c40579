"""The page of a calibration, which stands alone as that of an assessment does."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from agewise.assessment.answer.summary import Constant
from agewise.assessment.calibration.check import CalibrationCheck
from agewise.assessment.calibration.words import (
    air_text,
    not_told,
    unexplained_text,
)
from agewise.assessment.decision.plausibility import plausibility
from agewise.files import write_text
from agewise.plant.cost import by_cost
from agewise.report.calibration.figures import constants_figure, oil_figure
from agewise.report.constants import constant_name, spread_of
from agewise.report.drawing.daily import is_long
from agewise.report.drawing.style import RC, png
from agewise.report.page.known import ORIGINS
from agewise.report.page.page import Picture, environment
from agewise.report.wording import integer, moment, number, percent

TEMPLATE = "calibration.html"
"""Name of the template of this page."""
CONSTANTS_CAPTION = (
    "Each constant before and after, as a share of what was known before. A blue bar as long as "
    "the grey one means that the data add nothing; a blue bar beside the grey one, that the "
    "nameplate is wrong."
)
OIL_CAPTION = (
    "Open loop: the model of IEC 60076-7 is given load and air and never the top oil. The band "
    "is what load and air do not explain, with the uncertainty of the constants; its 90 % "
    "interval held {held} of the readings. A day ahead: the model is corrected to the "
    "measured top oil at each midnight."
)
OIL_BY_DAYS = " By days: means of the top oil, and the range of the error from low to high."


@dataclass(frozen=True)
class ConstantRow:
    """A row of the table of constants."""

    name: str
    """What people call it."""
    before: str
    """What was believed of it before."""
    origin: str
    """Where that was from."""
    learned: str
    """What was learned."""
    surer: str
    """Standard deviation before over that after."""


@dataclass(frozen=True)
class CalibrationFigure:
    """A figure of this page, with the words around it."""

    name: str
    """Its place on the page."""
    title: str
    """Heading over it."""
    caption: str
    """Text under it, which says how to read it."""
    alternative: str
    """Text for a reader who cannot see it."""
    drawing: Callable[[CalibrationCheck], Figure]
    """Function that draws it."""


def write_calibration(check: CalibrationCheck, path: Path) -> None:
    """Write what was learned, prior beside posterior, as one HTML file that needs no other."""
    write_text(path, calibration_page(check))


def calibration_page(check: CalibrationCheck) -> str:
    """The page as text."""
    findings = by_cost(plausibility(check.profile, check.nameplate, check.hold))
    return (
        environment()
        .get_template(TEMPLATE)
        .render(
            unit=check.nameplate.name,
            introduction=_introduction(check),
            verdict=_verdict(check),
            constants=[_row(constant) for constant in check.constants],
            not_told=not_told(check),
            findings=[(finding.kind, finding.text) for finding in findings],
            errors=_errors(check),
            pictures=[_picture(figure, check) for figure in _figures(check)],
        )
    )


def _introduction(check: CalibrationCheck) -> str:
    """Which record was learned from."""
    profile, known = check.profile, check.nameplate.learned
    assert profile.top_oil is not None and known is not None
    there, zone = int(np.isfinite(profile.top_oil).sum()), profile.timeline.timezone
    return (
        f"Learned from {integer(there)} readings of top oil, {moment(known.start)} to "
        f"{moment(known.end)}{f' ({zone})' if zone else ''}."
    )


def _verdict(check: CalibrationCheck) -> str:
    """How much better the learned constants explain the top oil, in a sentence or two."""
    ahead = check.day_ahead_rms
    day = "" if ahead is None else f" Corrected at each midnight, by {ahead:.2g} K."
    return (
        f"With the nameplate as it was, the model of IEC 60076-7 misses the measured top oil by "
        f"{check.as_given_rms:.2g} K rms; with what was learned, by {check.open_loop_rms:.2g} K."
        f"{day}"
    )


def _row(constant: Constant) -> ConstantRow:
    assert constant.learned is not None and constant.learned_std is not None
    surer = constant.before_std / max(constant.learned_std, 1e-12)
    return ConstantRow(
        constant_name(constant.name),
        spread_of(constant.name, constant.before, constant.before_std),
        ORIGINS[constant.origin],
        spread_of(constant.name, constant.learned, constant.learned_std),
        number(surer, 2) if surer > 1 else "no surer",
    )


def _errors(check: CalibrationCheck) -> list[tuple[str, str]]:
    return [
        ("Thermometer of the air", air_text(check)),
        ("Not explained by load and air", unexplained_text(check)),
    ]


def _figures(check: CalibrationCheck) -> tuple[CalibrationFigure, ...]:
    cells = int(check.seconds.size)
    oil = OIL_CAPTION.format(held=percent(check.held, cells))
    return (
        CalibrationFigure(
            "constants_before_and_after",
            "Constants before and after",
            CONSTANTS_CAPTION,
            "Bars of two standard deviations about each constant, before and after.",
            constants_figure,
        ),
        CalibrationFigure(
            "top_oil",
            "Top oil, measured and modelled",
            oil + OIL_BY_DAYS if is_long(check.profile) else oil,
            "Load, measured and modelled top oil, and their difference over time with its band.",
            oil_figure,
        ),
    )


def _picture(figure: CalibrationFigure, check: CalibrationCheck) -> Picture:
    # Settings of matplotlib hold for the whole process, so they are put back afterwards.
    with mpl.rc_context(RC):
        return Picture.of(figure, png(figure.drawing(check)))
