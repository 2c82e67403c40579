"""The figures of a report, in their order, each with its caption."""

from collections.abc import Callable
from dataclasses import dataclass, replace

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
from agewise.report.inputs import ReportInputs


@dataclass(frozen=True)
class Plate:
    """A figure on the page."""

    name: str
    """of its file, without the suffix"""
    title: str
    caption: str
    alternative: str
    """What a reader who does not see it is told."""
    drawing: Callable[[ReportInputs], Figure]

    def png(self, inputs: ReportInputs) -> bytes:
        """The drawn figure as a PNG file."""
        with mpl.rc_context(RC):
            return png(self.drawing(inputs))


PLATES = (
    Plate(
        "temperatures",
        "Load and temperatures",
        "Bands are two standard deviations wide on either side; dashed lines are the limits of "
        "IEC 60076-7. The lowest panel enlarges the two uncertainties of the winding: what noise "
        "adds to a reading, and what is not known.",
        "Load, winding and top-oil temperature over time with limits and uncertainty bands.",
        temperatures,
    ),
    Plate(
        "oil",
        "Oil over time and height",
        "The temperature of the oil, and how uncertain it is: epistemic, from what is not known, "
        "and aleatoric, from the noise of sensors.",
        "Heat maps of the oil's mean temperature and its two standard deviations.",
        oil_map,
    ),
    Plate(
        "winding",
        "Winding over time and height",
        "The winding is the oil at its height plus the rise that the load causes, so it shares "
        "the oil's uncertainty.",
        "Heat maps of the winding's mean temperature and its two standard deviations.",
        winding_map,
    ),
    Plate(
        "ageing",
        "Ageing over time and height",
        "Hours of life used in an hour, in decades of colour; inside the white dashed line, if "
        "there is one, paper ages faster than at its reference temperature. The noise of a sensor "
        "does not age paper: the lowest map is only what a reading would suggest.",
        "Heat maps of the mean ageing rate and its standard deviations.",
        ageing_map,
    ),
    Plate(
        "heights",
        "Oil from bottom to top",
        "Six instants in the order of time, all on one scale. The epistemic band is often thinner "
        "than a line, so the narrow panel beside each profile shows it alone.",
        "Six profiles of oil temperature over height with both uncertainty bands.",
        heights,
    ),
    Plate(
        "uncertainties",
        "The two uncertainties together, day by day",
        "Each panel is a day: how often a pair of uncertainties occurs over all times and heights. "
        "Further up is more noise, further right is less knowledge.",
        "Joint densities of epistemic and aleatoric standard deviation for each day.",
        joint_densities,
    ),
    Plate(
        "loss_of_life",
        "Life used in this window",
        "Left, with every uncertainty: nameplate, ageing law, sensors and oil. Right, enlarged, "
        "what the oil's temperature alone leaves open.",
        "Distributions of the life used in the window, with the plain IEC value.",
        loss_distribution,
    ),
    Plate(
        "remaining_life",
        "Remaining life",
        "When the insulation comes to its end over all futures, and the probability that it has "
        "come by then. Futures beyond the horizon are not drawn, but counted.",
        "Distribution of remaining life, with the plain IEC value.",
        remaining_distribution,
    ),
    Plate(
        "sources",
        "Where the uncertainty comes from",
        "The longer a bar, the more would be gained by knowing that source better. Shares are "
        "estimates and need not add up to exactly 100 %.",
        "Bars of the share of variance by source and by single quantity.",
        source_split,
    ),
)

TRAINING = Plate(
    "training",
    "Training",
    "The objective and its terms at each look, by stage. A curve that still falls at its end says "
    "that more steps would help.",
    "Objective of the training over steps.",
    training_history,
)


BY_DAYS = {
    "temperatures": "By days, from the lowest to the highest value of each and its mean; dashed "
    "lines are the limits of IEC 60076-7. The lowest panel shows the two uncertainties of the "
    "winding: what noise adds to a reading, and what is not known.",
    "uncertainties": "Each panel is one of the days, taken evenly over the record: how often a "
    "pair of uncertainties occurs over all times and heights. Further up is more noise, further "
    "right is less knowledge.",
}
"""Captions of figures that show a long record otherwise than a short one."""


def plates(inputs: ReportInputs) -> tuple[Plate, ...]:
    """The figures of this report: that of the training only where something was trained."""
    shown = (*PLATES, TRAINING) if inputs.history else PLATES
    if not is_long(inputs.profile):
        return shown
    return tuple(replace(each, caption=BY_DAYS.get(each.name, each.caption)) for each in shown)
