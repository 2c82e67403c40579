"""`summary.json`: what was done, found and decided, with the plain answer beside it."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.assessment.decision.cooling import cooling_check
from agewise.assessment.decision.decision import decision, end_before
from agewise.assessment.decision.findings import findings
from agewise.assessment.decision.limits import exceedances
from agewise.assessment.field import scored
from agewise.assessment.life.doubts import LIFE, USED
from agewise.assessment.life.prognosis import EVERYTHING, HEIGHTS, WORST, Prognosis
from agewise.assessment.life.scenario import days
from agewise.assessment.plain import iec_answer
from agewise.engine.uncertainty.scores import Truth
from agewise.plant.profile import Profile
from agewise.plant.timeline import Timeline
from agewise.store import versions
from agewise.transformer.iec60076 import ThermalHistory
from agewise.transformer.prognostics.life import DAYS_PER_YEAR
from agewise.transformer.prognostics.unknowns import held
from agewise.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

AHEAD = (1, 2, 5, 10, 20, 30)
"""years within which the chance of an end of life is told"""


def summary(prognosis: Prognosis, seconds: float, truth: Truth | None) -> dict[str, Any]:
    """All of it; `seconds` is what the fit took."""
    assessment = prognosis.assessment
    settings = asdict(assessment.settings)
    check, passed = cooling_check(assessment), exceedances(prognosis)
    profile = assessment.profile
    plain = iec_answer(profile, assessment.nameplate, hold=assessment.settings.hold)
    return {
        "method": settings.pop("method"),
        "seed": settings.pop("seed"),
        "settings": settings,
        "seconds": seconds,
        "versions": versions(),
        "window": window(profile) | {"pieces": len(assessment.windows)},
        "findings": [finding.as_dict() for finding in findings(prognosis, check)],
        "hot_spot": hot_spot(prognosis, plain),
        "loss_of_life": loss(prognosis, plain),
        "limits": [asdict(one) for one in passed],
        "cooling": check.as_dict(),
        "life": life(prognosis, plain),
        "decision": asdict(decision(prognosis, passed, check)),
        "scores": None if truth is None else scored(assessment, truth).as_dict(),
    }


def window(profile: Profile) -> dict[str, Any]:
    """The observed stretch."""
    labels = profile.timeline.labels
    hours = float(profile.seconds[-1]) / SECONDS_PER_HOUR
    ends = {"start": str(labels.iloc[0]), "end": str(labels.iloc[-1])}
    return ends | {"hours": hours, "samples": int(profile.seconds.size)}


def hot_spot(prognosis: Prognosis, plain: ThermalHistory) -> dict[str, Any]:
    """The hottest moment at the worst height: from the oil alone and from everything."""
    nameplate, timeline = prognosis.assessment.nameplate, prognosis.assessment.profile.timeline
    highest, exposure = prognosis.lives.hot_spot, prognosis.window[WORST]
    row = int(prognosis.hot_spots.mean(axis=0).argmax())
    alone = exposure.oil.drawn(held(prognosis.draws, prognosis.unknowns, ()), {"epistemic"})
    return {
        **spread(highest),
        "epistemic_std": float(alone[:, row].std()),
        "time": _local(timeline, float(exposure.seconds[row])),
        "height": prognosis.worst * nameplate.oil_tank().height,
        "iec": float(plain.hot_spot.max()),
    }


def loss(prognosis: Prognosis, plain: ThermalHistory) -> dict[str, Any]:
    """h of life used in the window, at the worst height and at others."""
    top = prognosis.assessment.nameplate.oil_tank().height
    shares = {WORST: prognosis.worst} | HEIGHTS
    told: dict[str, Any] = {name: _loss_at(prognosis, name, top * shares[name]) for name in shares}
    return told | {"iec": float(plain.loss_of_life[-1])}


def _loss_at(prognosis: Prognosis, name: str, height: float) -> dict[str, Any]:
    every = prognosis.lives.loss if name == WORST else prognosis.loss_at(name, EVERYTHING)
    field = prognosis.loss_at(name, {"epistemic"})
    alone = {f"field_{what}": value for what, value in spread(field).items()}
    return {"height": height} | spread(every) | alone


def life(prognosis: Prognosis, plain: ThermalHistory) -> dict[str, Any]:
    """Hours left, the years that they last, and where the doubt comes from."""
    lives, years, effort = prognosis.lives, prognosis.years, prognosis.effort
    guessed = "estimated" if prognosis.years_in_service else "unknown"
    timeline = prognosis.assessment.profile.timeline
    return {
        "basis": "observed days" if prognosis.scenario is None else "scenario",
        "horizon_years": effort.horizon,
        "used_before": {
            "mean": float(lives.used_before.mean()),
            "std": float(lives.used_before.std()),
            "source": "nameplate" if USED in prognosis.draws else guessed,
        },
        "remaining_hours": spread(np.maximum(lives.left, 0.0)),
        "recurrence_hours": float(np.maximum(prognosis.recurrence, 0.0).mean()),
        "yearly_loss_hours": spread(lives.days.yearly()),
        "remaining_years": {
            "median": interval(years, 0.0)[0],
            "interval_50": interval(years, 0.5),
            "interval_90": interval(years, 0.9),
            "beyond_horizon": 1 - end_before(years, effort.horizon),
            "iec": _plain_years(prognosis, plain),
        },
        "end_before": [
            {
                "years": ahead,
                "date": _date(timeline, ahead),
                "probability": end_before(years, ahead),
            }
            for ahead in AHEAD
        ],
        "sources": prognosis.split.by_source(1),
        "loss_sources": prognosis.split.by_source(0),
        "quantities": prognosis.split.by_unknown(1),
        "draws": effort.draws,
        "futures": years.size,
    }


def spread(values: Float[np.ndarray, " draw"]) -> dict[str, Any]:
    """Mean, standard deviation and central intervals of draws."""
    return {
        "mean": float(values.mean()),
        "std": float(values.std()),
        "interval_50": interval(values, 0.5),
        "interval_90": interval(values, 0.9),
    }


def interval(values: Float[np.ndarray, " draw"], level: float) -> list[float | None]:
    """The central interval that holds a share of the draws; None for an end that is infinite."""
    ends = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    return [float(end) if np.isfinite(end) else None for end in ends]


def _plain_years(prognosis: Prognosis, plain: ThermalHistory) -> float | None:
    """The same sum with every number at its word; None beyond the horizon."""
    assessment, scenario = prognosis.assessment, prognosis.scenario
    stretch, told = assessment.profile, plain
    if scenario is not None:
        stretch = scenario
        told = iec_answer(scenario, assessment.nameplate, hold=assessment.settings.hold)
    future = days(
        stretch.seconds, told.loss_of_life[None], stretch.timeline, ordered=scenario is not None
    )
    means, horizon = {one.name: one.mean for one in prognosis.unknowns}, prognosis.effort.horizon
    yearly = float(future.yearly()[0])
    before = means.get(USED, prognosis.years_in_service * yearly)
    left = max(0.0, means[LIFE] - before - float(plain.loss_of_life[-1]))
    years = left / yearly
    if future.ordered:
        years = float(future.years(np.array([left]), horizon, rng=np.random.default_rng(0))[0])
    return None if years > horizon else years


def _local(timeline: Timeline, seconds: float) -> str | float:
    """ISO 8601 in the profile's zone; minutes when the profile counts minutes."""
    if timeline.start is None:
        return float(timeline.labels.iloc[0]) + seconds / SECONDS_PER_MINUTE
    return (timeline.start + pd.Timedelta(seconds=seconds)).round("s").isoformat()


def _date(timeline: Timeline, ahead: int) -> str | None:
    """The date so many years after the window."""
    if timeline.start is None:
        return None
    end = timeline.start + pd.Timedelta(seconds=float(timeline.seconds[-1]))
    return (end + pd.Timedelta(days=DAYS_PER_YEAR * ahead)).date().isoformat()
