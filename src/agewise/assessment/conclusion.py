"""What follows from a fit: the field, life and a decision, without clock, disk or versions."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr

from agewise.assessment.answer.card import card
from agewise.assessment.answer.picture import Picture
from agewise.assessment.answer.sections import summary
from agewise.assessment.answer.summary import Summary
from agewise.assessment.decision.findings import Noted, noted_of
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.field import oil_field, temperature_field
from agewise.assessment.grid import Grid, usual_grid
from agewise.assessment.inputs import ProfileInput, given_profile
from agewise.assessment.life.days_ahead import DaysAhead
from agewise.assessment.life.effort import Effort, usual_effort
from agewise.assessment.life.prognosis import WORST, Prognosis
from agewise.assessment.life.scenario import days_to_come, refuse_unforeseen
from agewise.assessment.life.window import DrawnWindow
from agewise.assessment.oil.assessment import Assessment
from agewise.engine.uncertainty.scores import Truth
from agewise.plant.profile import Profile
from agewise.threads import one_thread


@dataclass(frozen=True, eq=False, repr=False)
class Conclusion:
    """Everything that follows from an assessment; a notebook shows it as a card.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> fitted = agewise.assess(*files, method="line", quick=True)
        >>> result = agewise.conclusion(fitted)
        >>> sorted(result.draws)[:2]
        ['hot_spot', 'loss_of_life']
        >>> result.frame().columns[:2].tolist()  # over time, where the paper ages fastest
        ['oil_mean', 'oil_epistemic']
        >>> result.draws_frame()["hot_spot"].size  # a row a draw
        100
        >>> result.plot("sources")
        <Picture sources: Where the uncertainty comes from>
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

    def frame(self) -> pd.DataFrame:
        """The field over time, at the height that ages fastest, as a table of pandas.

        Its index is the time in the profile's zone, or minutes; its columns are the variables of
        `field`: temperatures [°C], variances [K²], ageing rates [1] and life used [h].
        """
        # Heights of a field are metres, and the worst one is a fraction of the tank's.
        worst = _worst_height(self.field) * float(self.field["height"][-1])
        column = self.field.sel(height=worst, method="nearest").drop_vars("height")
        start, table = self.assessment.profile.timeline.start, column.to_dataframe()
        if start is None:
            return table
        # A field is stored in UTC without a zone, as NetCDF has it.
        times = pd.DatetimeIndex(table.index).tz_localize("UTC")
        return table.set_axis(times.tz_convert(start.tzinfo))

    def draws_frame(self) -> pd.DataFrame:
        """The draws behind the summary as a table of pandas, a row a draw; see `draws`."""
        return pd.DataFrame({name: pd.Series(values) for name, values in self.draws.items()})

    def plot(self, name: str = "temperatures") -> Picture:
        """A figure of the report by its name, such as `remaining_life`; see `agewise.picture`."""
        # Figures are a storey above: they are asked for where a user would, at the public face.
        import agewise

        return agewise.picture(self, name)

    def __repr__(self) -> str:
        decision = self.summary.decision
        return (
            f"<Conclusion {self.assessment.nameplate.name}: {decision.action}. {decision.reason}>"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: what to do, why, three numbers and what was found."""
        return card(self.summary, self.assessment.nameplate.name)


@one_thread()
def conclusion(
    assessment: Assessment,
    *,
    grid: Grid | None = None,
    truth: Truth | None = None,
    scenario: ProfileInput | None = None,
    thresholds: DecisionThresholds = THRESHOLDS,
    temperatures_known: Callable[[xr.Dataset], None] | None = None,
) -> Conclusion:
    """Follow an assessment from the oil to the winding, its ageing, life and a decision.

    The same assessment gives the same conclusion: nothing but the arguments enters it.

    Args:
        assessment: The fitted profile.
        grid: Heights and minutes of the field; if None, 51 heights every ten minutes, fewer for a
            rough answer or a record of months.
        truth: What a twin knows; with it the answer is scored.
        scenario: The days to come, a profile of load and ambient without oil temperatures, or the
            path of its file; without it they repeat the observed ones.
        thresholds: Numbers from which on to act, to watch, or to tell nothing.
        temperatures_known: Called with the `temperature_field` as soon as it is there, before any
            life is worked out.

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
    grid = grid or usual_grid(assessment.profile, quick=assessment.settings.quick)
    days = None if scenario is None else _days_to_come(assessment, scenario)
    effort = usual_effort(assessment)
    # One set of drawn functions for field and prognosis, so that both agree at the same height.
    drawn = DrawnWindow(assessment, effort)
    # A year to come takes as long as the field, and neither needs the other.
    with ThreadPoolExecutor(1) as beside:
        outlook = beside.submit(_outlook, assessment, days, effort)
        temperatures = temperature_field(assessment, grid)
        if temperatures_known is not None:
            temperatures_known(temperatures)
        field = oil_field(assessment, grid=grid, drawn=drawn, temperatures=temperatures)
        noted, ahead = outlook.result()
    worst = _worst_height(field)
    prognosis = Prognosis(assessment, worst, days, effort, ahead.doubts, drawn, ahead)
    draws = _kept_draws(prognosis)
    answer = summary(prognosis, truth, thresholds=thresholds, noted=noted)
    return Conclusion(assessment, field, answer, draws)


def _days_to_come(assessment: Assessment, scenario: object) -> Profile:
    """Whatever was given as the scenario, read and found usable for this unit, or refused."""
    own = assessment.profile, assessment.nameplate, assessment.settings.hold
    refuse_unforeseen(*own, "A scenario")
    given = given_profile(scenario, assessment.nameplate, what="scenario")
    return days_to_come(given, "The scenario")


def _kept_draws(prognosis: Prognosis) -> dict[str, np.ndarray]:
    """The draws that a conclusion keeps; their units stand beside `Conclusion.draws`."""
    return {
        "loss_of_life": prognosis.lives.loss,
        "loss_of_life_field": prognosis.loss_at(WORST, {"epistemic"}),
        "hot_spot": prognosis.lives.hot_spot,
        "remaining_hours": prognosis.lives.left,
        "remaining_years": prognosis.years,
    }


def _outlook(
    assessment: Assessment, scenario: Profile | None, effort: Effort
) -> tuple[Noted, DaysAhead]:
    """What was found of the fit, and the days to come with the doubts that follow from it."""
    noted = noted_of(assessment)
    ahead = DaysAhead(assessment, scenario, effort, noted.doubts())
    _ = ahead.prior_scenario  # worked out here, and kept
    return noted, ahead


def _worst_height(field: xr.Dataset) -> float:
    """The height that has aged most at the end of the window, as a fraction of the tank's."""
    used = field["loss_of_life_mean"].isel(time=-1)
    # Heights are stored in single precision, so the top may come out a hair above one.
    return min(float(used.idxmax("height")) / float(field["height"][-1]), 1.0)
