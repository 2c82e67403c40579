"""The remaining life over all simulated courses of the coming years."""

import numpy as np

from agewise.report.figures.catalogue import CATALOGUE
from agewise.report.figures.loss_of_life import BINS
from agewise.report.inputs import ReportInputs
from agewise.report.wording import percent
from agewise.server.charts.series import Chart, Series, numbers


def life_chart(inputs: ReportInputs) -> Chart:
    """When the insulation comes to its end, and the probability that it has come by then."""
    words = next(figure for figure in CATALOGUE if figure.name == "remaining_life")
    return Chart(
        title=words.title,
        caption=f"{words.caption} {_beyond(inputs)}",
        alternative=words.alternative,
        x_title="years from the end of the window",
        y_titles=["courses [%]", "ended by then [%]"],
        bars=_bars(inputs),
        series=[_total(inputs)],
    )


def _beyond(inputs: ReportInputs) -> str:
    share = percent(inputs.summary.life.remaining_years.beyond_horizon, inputs.courses)
    return f"{share[0].upper()}{share[1:]} of them outlast {inputs.horizon:g} years."


def _bars(inputs: ReportInputs) -> Series:
    """In percent of all courses, so that bars add up to the share that ends within the horizon."""
    edges = np.linspace(0.0, inputs.horizon, BINS + 1)
    counts, _ = np.histogram(inputs.ends, edges)
    return Series(
        name="ends of life",
        tone="life",
        x=numbers((edges[:-1] + edges[1:]) / 2, 3),
        y=numbers(100 * counts / inputs.courses, 3),
    )


def _total(inputs: ReportInputs) -> Series:
    ends = inputs.ends
    share = 100 * np.arange(1, ends.size + 1) / inputs.courses
    years = np.concatenate([[0.0], ends, [inputs.horizon]])
    reached = np.concatenate([[0.0], share, share[-1:] if share.size else [0.0]])
    return Series(
        name="end of life reached by then",
        tone="life",
        panel=1,
        x=numbers(years, 3),
        y=numbers(reached, 2),
        steps=True,
    )
