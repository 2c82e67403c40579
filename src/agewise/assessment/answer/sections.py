"""The sections of the answer, each made from the draws of a prognosis."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.assessment.answer.base import Instant
from agewise.assessment.answer.life_section import life
from agewise.assessment.answer.scenario_section import scenario
from agewise.assessment.answer.spread import spread
from agewise.assessment.answer.summary import Constant, HotSpot, LossAtHeight, LossOfLife, Summary
from agewise.assessment.decision.action import decision
from agewise.assessment.decision.findings import Noted, findings, noted_of
from agewise.assessment.decision.misfit import profile_error
from agewise.assessment.decision.silent_days import measured_share
from agewise.assessment.decision.temperature_limits import exceedances
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.field import scored
from agewise.assessment.life.prognosis import EVERYTHING, HEIGHTS, WORST, Prognosis
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.plain_answers import answers_by_standard
from agewise.engine.uncertainty.scores import Truth
from agewise.plant.standards import Standard
from agewise.plant.timeline import Timeline
from agewise.transformer.iec60076 import ThermalHistory
from agewise.transformer.prognostics.unknowns import held
from agewise.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE


def summary(
    prognosis: Prognosis,
    truth: Truth | None = None,
    *,
    thresholds: DecisionThresholds = THRESHOLDS,
    noted: Noted | None = None,
) -> Summary:
    """The whole answer, but for how long the fit took and the versions of the packages.

    Args:
        prognosis: Draws of life.
        truth: What a twin knows; with it, the answer is scored.
        thresholds: Numbers from which on to act, to watch, or to tell nothing.
        noted: What was found of the fit before; found anew if None.
    """
    assessment = prognosis.assessment
    notes = noted or noted_of(assessment)
    check, all_findings = notes.check, findings(prognosis, notes.check, thresholds, notes.findings)
    # Method and seed are fields of the summary itself, and not among its settings.
    settings = asdict(assessment.settings)
    limits = exceedances(prognosis)
    # As given: plain answers stand beside what was learned, and show what that changed.
    plain = answers_by_standard(
        assessment.profile, assessment.nameplate.as_given(), hold=assessment.settings.hold
    )
    return Summary.model_validate(
        {
            "standard": assessment.nameplate.standard,
            "method": settings.pop("method"),
            "seed": settings.pop("seed"),
            "settings": settings,
            "window": _window(assessment),
            "findings": [finding.as_dict() for finding in all_findings],
            "hot_spot": _hot_spot(prognosis, plain),
            "loss_of_life": _loss_of_life(prognosis, plain),
            "constants": _constants(prognosis),
            "profile_error": profile_error(assessment),
            "limits": [asdict(limit) for limit in limits],
            "scenario": scenario(prognosis),
            "cooling": asdict(check),
            "life": life(prognosis, plain),
            "decision": asdict(decision(prognosis, limits, check, thresholds, all_findings)),
            "scores": None if truth is None else scored(assessment, truth).as_dict(),
        }
    )


def _constants(prognosis: Prognosis) -> list[Constant]:
    """Constants of oil and winding: what was given or assumed, and what was learned."""
    nameplate = prognosis.assessment.nameplate
    stds = {unknown.name: unknown.std for unknown in prognosis.unknowns}
    given = {} if nameplate.learned is None else nameplate.learned.given
    rows = []
    for name, quantity in nameplate.thermal_quantities().items():
        before = given.get(name)
        rows.append(
            Constant(
                name=name,
                origin="assumed" if name in nameplate.assumed else "given",
                before=quantity.mean if before is None else before.mean,
                # Where nothing was learned, the doubt is the one that is drawn in a life.
                before_std=stds[name] if before is None else before.std or 0.0,
                learned=None if before is None else quantity.mean,
                learned_std=None if before is None else quantity.std,
            )
        )
    return rows


def _window(assessment: Assessment) -> dict[str, Any]:
    """The observed stretch."""
    profile = assessment.profile
    labels = profile.timeline.labels
    return {
        "start": str(labels.iloc[0]),
        "end": str(labels.iloc[-1]),
        "hours": float(profile.seconds[-1]) / SECONDS_PER_HOUR,
        "samples": int(profile.seconds.size),
        "pieces": len(assessment.windows),
        "measured_share": measured_share(profile),
    }


def _hot_spot(prognosis: Prognosis, plain: Mapping[Standard, ThermalHistory]) -> HotSpot:
    """The hottest moment at the height that ages fastest."""
    assessment, exposure = prognosis.assessment, prognosis.window[WORST]
    # One moment for all draws: the hottest on average, though each draw peaks at its own.
    row = int(prognosis.hot_spots.mean(axis=0).argmax())
    # Every other quantity at its mean, so that what is left is the oil's own uncertainty.
    from_oil = exposure.drawn_oil(held(prognosis.draws, prognosis.unknowns, ()), {"epistemic"})
    return HotSpot(
        **_numbers(prognosis.lives.hot_spot),
        epistemic_std=float(from_oil[:, row].std()),
        time=_instant(assessment.profile.timeline, float(exposure.seconds[row])),
        height=prognosis.worst * assessment.nameplate.oil_tank().height,
        iec=float(plain["iec"].hot_spot.max()),
        ieee=float(plain["ieee"].hot_spot.max()) if "ieee" in plain else None,
    )


def _loss_of_life(prognosis: Prognosis, plain: Mapping[Standard, ThermalHistory]) -> LossOfLife:
    """Hours of life used in the window, at the height that ages fastest and at others."""
    top = prognosis.assessment.nameplate.oil_tank().height
    fractions = {WORST: prognosis.worst} | HEIGHTS
    by_height = {
        name: _loss_at(prognosis, name, top * fraction) for name, fraction in fractions.items()
    }
    used = {name: float(history.loss_of_life[-1]) for name, history in plain.items()}
    return LossOfLife.model_validate(by_height | used)


def _loss_at(prognosis: Prognosis, name: str, height: float) -> LossAtHeight:
    # At the worst height the lives have it already, of a unit that runs today.
    loss = prognosis.lives.loss if name == WORST else prognosis.loss_at(name, EVERYTHING)
    from_oil = _numbers(prognosis.loss_at(name, {"epistemic"}))
    field = {f"field_{statistic}": value for statistic, value in from_oil.items()}
    return LossAtHeight(height=height, **_numbers(loss), **field)


def _numbers(values: Float[np.ndarray, " draw"]) -> dict[str, Any]:
    """Mean, standard deviation and central intervals of draws, by name."""
    return dict(spread(values))


def _instant(timeline: Timeline, seconds: float) -> Instant:
    """ISO 8601 in the profile's zone; minutes where the profile counts minutes."""
    if timeline.start is None:
        # A profile that counts minutes need not begin at 0.
        return float(timeline.labels.iloc[0]) + seconds / SECONDS_PER_MINUTE
    return (timeline.start + pd.Timedelta(seconds=seconds)).round("s").isoformat()
