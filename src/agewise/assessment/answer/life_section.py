"""The section `life` of the answer, made from the draws of a prognosis."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from agewise.assessment.answer.life import (
    EndBefore,
    Life,
    PaperSample,
    RemainingYears,
    SampleEffect,
    Survival,
    UsedBefore,
)
from agewise.assessment.answer.spread import open_interval, spread
from agewise.assessment.decision.triggers import end_before
from agewise.assessment.life.doubts import USED
from agewise.assessment.life.evidence import std_of
from agewise.assessment.life.outlook import days
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.plain_answers import iec_answer, ieee_answer
from agewise.plant.standards import Standard
from agewise.plant.timeline import Timeline
from agewise.transformer.iec60076 import ThermalHistory
from agewise.transformer.prognostics.whole_days import daily_loss
from agewise.units import DAYS_PER_YEAR

AHEAD = (1, 2, 5, 10, 20, 30)
"""Years within which the probability of an end of life is given."""


def life(prognosis: Prognosis, plain: Mapping[Standard, ThermalHistory]) -> Life:
    """Hours left, the years that they last, and where the uncertainty comes from."""
    lives, years, effort = prognosis.lives, prognosis.years, prognosis.effort
    return Life.model_validate(
        {
            "basis": "observed days" if prognosis.scenario is None else "scenario",
            "horizon_years": effort.horizon,
            "used_before": _used_before(prognosis),
            "survival": Survival(
                # Of what was believed before: the share of lives that had to be left out.
                dropped=1 - prognosis.believed.possible,
                past_doubted=prognosis.believed.past_doubted,
            ),
            "evidence": _evidence(prognosis),
            # Where the window alone uses more than there is, no draw can have anything left.
            "remaining_hours": spread(np.maximum(lives.left, 0.0)),
            "recurrence_hours": float(np.maximum(prognosis.recurrence, 0.0).mean()),
            "yearly_loss_hours": spread(lives.days.yearly()),
            "remaining_years": _remaining_years(prognosis, plain),
            "end_before": [_end_before(prognosis, ahead) for ahead in AHEAD],
            "sources": prognosis.split.by_source(1),
            "loss_sources": prognosis.split.by_source(0),
            "quantities": prognosis.split.by_unknown(1),
            "draws": effort.draws,
            "futures": years.size,
        }
    )


def _evidence(prognosis: Prognosis) -> SampleEffect | None:
    samples = prognosis.assessment.nameplate.evidence.samples()
    if not samples:
        return None
    before = prognosis.lives_before_samples
    years = prognosis.years_of(before)
    return SampleEffect(
        samples=tuple(
            PaperSample(
                name=name,
                value=sample.mean,
                std=std_of(name, sample),
                date=None if sample.date is None else sample.date.isoformat(),
            )
            for name, sample in samples.items()
        ),
        share_used_before=spread(before.share_used),
        share_used=spread(prognosis.lives.share_used),
        years_before=open_interval(years, 0.9),
        # As in `_remaining_years`, an interval of no width is the median.
        median_before=open_interval(years, 0.0)[0],
    )


def _used_before(prognosis: Prognosis) -> UsedBefore:
    used = prognosis.lives.used_before
    # Years in service are 0 both for a new unit and where a date is missing.
    from_age = "estimated" if prognosis.years_in_service else "unknown"
    return UsedBefore(
        mean=float(used.mean()),
        std=float(used.std()),
        source="nameplate" if USED in prognosis.draws else from_age,
    )


def _remaining_years(
    prognosis: Prognosis, plain: Mapping[Standard, ThermalHistory]
) -> RemainingYears:
    years = prognosis.years
    return RemainingYears(
        # An interval that holds nothing, whose ends are both the median draw or both infinite.
        median=open_interval(years, 0.0)[0],
        interval_50=open_interval(years, 0.5),
        interval_90=open_interval(years, 0.9),
        beyond_horizon=1 - end_before(years, prognosis.effort.horizon),
        **{name: _plain_years(prognosis, name, history) for name, history in plain.items()},
    )


def _end_before(prognosis: Prognosis, ahead: int) -> EndBefore:
    return EndBefore(
        years=ahead,
        date=_date(prognosis.assessment.profile.timeline, ahead),
        probability=end_before(prognosis.years, ahead),
    )


def _plain_years(prognosis: Prognosis, standard: Standard, plain: ThermalHistory) -> float | None:
    """Years left by a standard when every number counts as exact; None beyond the horizon."""
    assessment, scenario = prognosis.assessment, prognosis.scenario
    # As given, since a plain answer takes the nameplate at its word and learns nothing.
    unit = assessment.nameplate.as_given().by_standard(standard)
    ahead, history = assessment.profile, plain
    if scenario is not None:
        model = iec_answer if standard == "iec" else ieee_answer
        ahead, history = scenario, model(scenario, unit, hold=assessment.settings.hold)
    loss = daily_loss(ahead.seconds, history.loss_of_life[None])
    # A scenario is lived in its order, observed days by their seasons.
    future = days(loss, ahead.timeline, ordered=scenario is not None)
    horizon, yearly = prognosis.effort.horizon, float(future.yearly()[0])
    used = unit.history.life_used_hours
    # The past went like the record, also where a scenario says what is to come.
    before = _plain_past(prognosis, plain) if used is None else used.mean
    # A window may use more than is left, and no life is below zero.
    left = max(0.0, unit.insulation.life_hours.mean - before - float(plain.loss_of_life[-1]))
    years = left / yearly
    if future.ordered:
        # One row of days in a fixed order: the generator is asked for and never used.
        years = float(future.years(np.array([left]), horizon, rng=np.random.default_rng(0))[0])
    return None if years > horizon else years


def _plain_past(prognosis: Prognosis, plain: ThermalHistory) -> float:
    """Life used in the years in service by a standard [h], as if they had been like the record."""
    seen = prognosis.assessment.profile
    loss = daily_loss(seen.seconds, plain.loss_of_life[None])
    yearly = float(days(loss, seen.timeline, ordered=False).yearly()[0])
    return prognosis.years_in_service * yearly


def _date(timeline: Timeline, ahead: int) -> str | None:
    """The date so many years after the end of the window."""
    if timeline.start is None:
        return None
    # The end of the window, which is where years left are counted from.
    end = timeline.start + pd.Timedelta(seconds=float(timeline.seconds[-1]))
    return (end + pd.Timedelta(days=DAYS_PER_YEAR * ahead)).date().isoformat()
