"""What follows from a fit: the field, life and a decision, without clock, disk or versions."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import xarray as xr

from agewise.assessment.answer.sections import summary
from agewise.assessment.answer.summary import Summary
from agewise.assessment.decision.findings import noted_of
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.field import oil_field
from agewise.assessment.inputs import ProfileInput, given_profile
from agewise.assessment.life.effort import usual_effort
from agewise.assessment.life.prognosis import WORST, Prognosis
from agewise.assessment.life.scenario import days_to_come, refuse_unforeseen
from agewise.assessment.life.window import DrawnWindow
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.plain_answers import DEFAULT_GRID, Grid
from agewise.engine.uncertainty.scores import Truth
from agewise.threads import one_thread


@dataclass(frozen=True, eq=False)
class Conclusion:
    """Everything that follows from an assessment.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> fitted = agewise.assess(*files, method="line", quick=True)
        >>> sorted(agewise.conclusion(fitted).draws)[:2]
        ['hot_spot', 'loss_of_life']
    """

    assessment: Assessment
    """The fitted profile that it follows from."""
    field: xr.Dataset
    """Oil, winding, ageing and loss of life over time and height, with their uncertainties."""
    summary: Summary
    """The answer in numbers and words, as `summary.json` holds it."""
    draws: dict[str, np.ndarray]
    """The draws behind the summary, at the height that ages fastest: `loss_of_life` and
    `loss_of_life_field` [h], `hot_spot` [°C], `remaining_hours` [h] and `remaining_years`
    (infinite beyond the horizon)."""


@one_thread()
def conclusion(
    assessment: Assessment,
    *,
    grid: Grid = DEFAULT_GRID,
    truth: Truth | None = None,
    scenario: ProfileInput | None = None,
    thresholds: DecisionThresholds = THRESHOLDS,
    field_known: Callable[[xr.Dataset], None] | None = None,
) -> Conclusion:
    """Follow an assessment from the oil to the winding, its ageing, life and a decision.

    The same assessment gives the same conclusion: nothing but the arguments enters it.

    Args:
        assessment: The fitted profile.
        grid: Heights and minutes of the field.
        truth: What a twin knows; with it the answer is scored.
        scenario: The days to come, a profile of load and ambient without oil temperatures, or the
            path of its file; without it they repeat the observed ones.
        thresholds: Numbers from which on to act, to watch, or to tell nothing.
        field_known: Called with the field as soon as it is there, before life is worked out.

    Returns:
        The field [°C, K², h], the summary, and the draws behind it.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> fitted = agewise.assess(*files, method="line", quick=True)
        >>> result = agewise.conclusion(fitted)
        >>> result.field["oil_mean"].dims
        ('time', 'height')
    """
    effort = usual_effort(assessment)
    # One set of drawn functions for field and prognosis, so that both agree at the same height.
    drawn = DrawnWindow(assessment, effort)
    field = oil_field(assessment, grid=grid, drawn=drawn)
    if field_known is not None:
        field_known(field)
    days = None
    if scenario is not None:
        own = assessment.profile, assessment.nameplate, assessment.settings.hold
        refuse_unforeseen(*own, "A scenario")
        given = given_profile(scenario, assessment.nameplate, what="scenario")
        days = days_to_come(given, "The scenario")
    noted = noted_of(assessment)
    worst, doubts = _worst_height(field), noted.doubts()
    prognosis = Prognosis(assessment, worst, days, effort, doubts, drawn_window=drawn)
    draws = {
        "loss_of_life": prognosis.lives.loss,
        "loss_of_life_field": prognosis.loss_at(WORST, {"epistemic"}),
        "hot_spot": prognosis.lives.hot_spot,
        "remaining_hours": prognosis.lives.left,
        "remaining_years": prognosis.years,
    }
    answer = summary(prognosis, truth, thresholds=thresholds, noted=noted)
    return Conclusion(assessment, field, answer, draws)


def _worst_height(field: xr.Dataset) -> float:
    """The height that has aged most at the end of the window, as a fraction of the tank's."""
    used = field["loss_of_life_mean"].isel(time=-1)
    # Heights are stored in single precision, so the top may come out a hair above one.
    return min(float(used.idxmax("height")) / float(field["height"][-1]), 1.0)
