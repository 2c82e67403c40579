"""The figures of a report, in their order, each with its caption."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import matplotlib as mpl
from matplotlib.figure import Figure

from agewise.report.drawing.daily import is_long
from agewise.report.drawing.style import RC, png
from agewise.report.figures.heights import heights
from agewise.report.figures.loss_of_life import loss_distribution
from agewise.report.figures.maps import ageing_map, oil_map, winding_map
from agewise.report.figures.remaining_life import remaining_distribution
from agewise.report.figures.sources import source_split
from agewise.report.figures.temperatures import temperatures
from agewise.report.figures.training import training_history
from agewise.report.figures.uncertainties import joint_densities
from agewise.report.inputs import FieldInputs, ReportInputs

Inputs = TypeVar("Inputs")


@dataclass(frozen=True)
class ReportFigure:
    """A figure of the report, with the words around it."""

    name: str
    """Name of its PNG file, without the suffix."""
    title: str
    """Heading over it."""
    caption: str
    """Text under it, which says how to read it."""
    alternative: str
    """Text for a reader who cannot see it."""
    drawing: Callable[[ReportInputs], Figure]
    """Function that draws it."""

    def png(self, inputs: ReportInputs) -> bytes:
        """The drawn figure as a PNG file."""
        return _png(self.drawing, inputs)


def _png(drawing: Callable[[Inputs], Figure], inputs: Inputs) -> bytes:
    # Settings of matplotlib hold for the whole process, so they are put back afterwards.
    with mpl.rc_context(RC):
        return png(drawing(inputs))


OF_FIELD: dict[str, Callable[[FieldInputs], Figure]] = {
    "temperatures": temperatures,
    "oil": oil_map,
    "winding": winding_map,
    "ageing": ageing_map,
    "heights": heights,
    "uncertainties": joint_densities,
}
"""Figures of the field alone by name, which can be drawn while life is still worked out."""


CATALOGUE = (
    ReportFigure(
        "temperatures",
        "Load and temperatures",
        "Bands are two standard deviations wide on either side; dashed lines are the limits of "
        "IEC 60076-7. The lowest panel enlarges the two uncertainties of the winding: aleatoric, "
        "which the noise of a sensor adds to a reading, and epistemic, which better knowledge "
        "would remove.",
        "Load, winding and top-oil temperature over time with limits and uncertainty bands.",
        OF_FIELD["temperatures"],
    ),
    ReportFigure(
        "remaining_life",
        "Remaining life",
        "Above, when the insulation reaches its end of life in the simulated courses of the "
        "coming years; below, the probability that it has reached it by then. Courses that "
        "outlast the horizon are counted, but not drawn.",
        "Distribution of remaining life, with the plain IEC value.",
        remaining_distribution,
    ),
    ReportFigure(
        "sources",
        "Where the uncertainty comes from",
        "The longer a bar, the more the answer would gain from better knowledge of that source.",
        "Bars of the share of variance by source and by single quantity.",
        source_split,
    ),
    ReportFigure(
        "loss_of_life",
        "Life used in this window",
        "Left with every uncertainty: nameplate, ageing law, sensors and oil temperature. Right, "
        "on a finer scale, with the uncertainty of the oil temperature only.",
        "Distributions of the life used in the window, with the plain IEC value.",
        loss_distribution,
    ),
    ReportFigure(
        "heights",
        "Oil from bottom to top",
        "Six instants in the order of time, all on one scale. The epistemic band is often thinner "
        "than a line, so the narrow panel beside each profile shows its standard deviation.",
        "Six profiles of oil temperature over height with both uncertainty bands.",
        OF_FIELD["heights"],
    ),
    ReportFigure(
        "uncertainties",
        "The two uncertainties together, day by day",
        "Each panel is a day: how often a pair of standard deviations occurs over all times and "
        "heights. Further up the readings are noisier, further right less is known.",
        "Joint densities of epistemic and aleatoric standard deviation for each day.",
        OF_FIELD["uncertainties"],
    ),
    ReportFigure(
        "oil",
        "Oil over time and height",
        "The temperature of the oil and its two standard deviations: epistemic, from what is not "
        "known, and aleatoric, from the noise of the sensors.",
        "Heat maps of the oil's mean temperature and its two standard deviations.",
        OF_FIELD["oil"],
    ),
    ReportFigure(
        "winding",
        "Winding over time and height",
        "The winding is the oil at its height plus the rise that the load causes, so it shares "
        "the oil's uncertainty.",
        "Heat maps of the winding's mean temperature and its two standard deviations.",
        OF_FIELD["winding"],
    ),
    ReportFigure(
        "ageing",
        "Ageing over time and height",
        "Hours of life used per hour, on a logarithmic scale; inside the white dashed line, if "
        "there is one, paper ages faster than at its reference temperature. The noise of a sensor "
        "does not age paper: the lowest map shows what a single reading would suggest.",
        "Heat maps of the mean ageing rate and its standard deviations.",
        OF_FIELD["ageing"],
    ),
)

TRAINING = ReportFigure(
    "training",
    "Training",
    "The objective and its terms over the steps of each stage. A curve that still falls at its end "
    "says that more steps would help.",
    "Objective of the training over steps.",
    training_history,
)


CAPTIONS_BY_DAYS = {
    "temperatures": "By days: the range from the lowest to the highest value of each day, and its "
    "mean; dashed lines are the limits of IEC 60076-7. The lowest panel shows the two "
    "uncertainties of the winding: aleatoric, which the noise of a sensor adds to a reading, and "
    "epistemic, which better knowledge would remove.",
    "uncertainties": "Each panel is a day; the days are spaced evenly over the record. It shows "
    "how often a pair of standard deviations occurs over all times and heights. Further up the "
    "readings are noisier, further right less is known.",
}
"""Captions of figures that show a long record otherwise than a short one."""


def pngs_of_field(inputs: FieldInputs) -> dict[str, bytes]:
    """The figures of the field alone as PNG files, by name."""
    return {name: _png(drawing, inputs) for name, drawing in OF_FIELD.items()}


def figures(inputs: ReportInputs) -> tuple[ReportFigure, ...]:
    """The figures of this report: that of the training only where something was trained."""
    shown = (*CATALOGUE, TRAINING) if inputs.history else CATALOGUE
    if not is_long(inputs.profile):
        return shown
    return tuple(
        replace(figure, caption=CAPTIONS_BY_DAYS.get(figure.name, figure.caption))
        for figure in shown
    )
