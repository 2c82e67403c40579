"""What a person should know before believing an answer."""

import numpy as np

from agewise.assessment.decision.cooling_verdict import CoolingCheck
from agewise.assessment.decision.finding import Finding, data_findings
from agewise.assessment.decision.plausibility import plausibility
from agewise.assessment.life.doubts import LIFE, USED
from agewise.assessment.life.effort import FULL
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.problem import every_if_quick
from agewise.engine.inference.exact import ExactPosterior
from agewise.engine.inference.laplace import LaplacePosterior
from agewise.engine.objective.trained import NetworkPosterior
from agewise.engine.posterior import AbstractPosterior
from agewise.engine.uncertainty.calibration import rms
from agewise.transformer.oil.doubt.doubted import DoubtedPosterior
from agewise.transformer.oil.holes import WidenedPosterior
from agewise.transformer.prognostics.life import SEASONS
from agewise.units import SECONDS_PER_DAY

MISFIT_Z = 1.15
"""Root mean square of readings in units of their predicted spread, above which the physics does not
fit. A calibrated prediction of a thousand readings stays below 1.05."""
IMPOSSIBLE_HOT_SPOT = 200.0
"""Hot spot above which the data cannot be right [°C]: oil boils off and paper chars."""
WHOLE_YEAR = 364.0
"""Length from which on a record has seen every season [days]."""
OTHER_PROFILE = 0.05
"""Learned size of the equation's error, as a share of the difference between top and bottom oil,
above which it is worth a finding."""
WORTH_TELLING = 0.01
"""Share of the draws that are left out as dead, from which on it is worth a finding."""
MISFIT_FACTOR = 3.0
"""Learned over declared discrepancy above which it is worth a finding."""


def findings(prognosis: Prognosis, check: CoolingCheck) -> list[Finding]:
    """All findings about an answer, the gravest first."""
    assessment = prognosis.assessment
    notes = _impossible(prognosis) + data_findings(assessment.profile)
    notes += [] if prognosis.scenario is None else data_findings(prognosis.scenario, "Scenario: ")
    notes += [Finding("cooling", check.text)] if check.alarm else []
    notes += plausibility(assessment.profile, assessment.nameplate, assessment.settings.hold)
    notes += oil_findings(assessment) + _survival(prognosis)
    notes += _thin_record(prognosis) + _unknown_past(prognosis) + _roughness(prognosis)
    # The sort is stable: all but the impossible stay in the order above.
    return sorted(notes, key=lambda finding: finding.kind != "impossible")


def _impossible(prognosis: Prognosis) -> list[Finding]:
    """What no transformer does, so that the data cannot be what they seem."""
    notes = []
    # As it was believed before: that the unit lives would make any temperature look survivable.
    hottest = float(prognosis.prior_lives.hot_spot.mean())
    if hottest > IMPOSSIBLE_HOT_SPOT:
        text = (
            f"A hot spot of {hottest:.0f} °C is more than a transformer survives: check the units "
            f"of load (p.u.) and temperatures (°C). Believe nothing below."
        )
        notes.append(Finding("impossible", text))
    before, life = prognosis.prior_lives.used_before.mean(), prognosis.prior_draws[LIFE].mean()
    if USED in prognosis.draws and before > life:
        text = (
            f"The nameplate says that more life was used ({before:.0f} h) than the insulation has "
            f"({life:.0f} h): what is left follows from that, and from the unit being alive."
        )
        notes.append(Finding("past", text))
    return notes


def _survival(prognosis: Prognosis) -> list[Finding]:
    """How much of what was believed before is impossible, because the unit runs."""
    believed, sampled = prognosis.believed, prognosis.assessment.nameplate.evidence.samples()
    if believed.past_doubted and sampled and not prognosis.alive.past_doubted:
        text = (
            "What the samples of paper and oil show does not go together with the life used before "
            "as it is given or estimated: the samples are believed, and the past is taken to be "
            "what they say."
        )
        return [Finding("samples", text)]
    if believed.past_doubted:
        text = (
            f"If law, life and past were as they are given, the unit would run today with a "
            f"chance of {100 * believed.possible:.2g} %: one of them is wrong. As it does run, the "
            f"life used before is taken to be any share of the life. A sample of the paper would "
            f"tell, and so would history.life_used_hours."
        )
        return [Finding("alive", text)]
    if believed.possible > 1 - WORTH_TELLING:
        return []
    # The same share, whether or not there are samples: it is about what was believed before.
    text = (
        f"In {100 * (1 - believed.possible):.0f} % of what was believed before, the insulation "
        f"would be used up today. The unit runs, so these are left out of every number."
    )
    return [Finding("alive", text)]


def oil_findings(assessment: Assessment) -> list[Finding]:
    """Where physics and sensors disagree, and whether training came to its end."""
    notes, interior = _unfinished(assessment), assessment.profile.interior
    notes += _other_profile(assessment)
    for height, readings in interior.items():
        there = ~np.isnan(readings)
        values, at = readings[there], np.full(int(there.sum()), height)
        prediction = assessment.predict_at(at, assessment.profile.seconds[there])
        z = rms((values - prediction.mean) / np.sqrt(prediction.total))
        if z > MISFIT_Z:
            error = rms(values - prediction.mean)
            text = (
                f"The sensor at {height:g} of the height is off by {error:.2g} K rms, {z:.1f} "
                f"times what the answer expects: the physics does not fit there."
            )
            notes.append(Finding("misfit", text))
    factor = max(map(_learned_factor, _posteriors(assessment)))
    if factor > MISFIT_FACTOR:
        learned = factor * assessment.settings.discrepancy
        text = (
            f"The sensors inside say that the heat equation is wrong by {learned:.2g} K/h, "
            f"{factor:.0f} times the declared discrepancy; the answer takes that into account."
        )
        notes.append(Finding("misfit", text))
    return notes


def _posteriors(assessment: Assessment) -> list[AbstractPosterior]:
    """The posterior of every window as its method made it, without doubt of the equation and
    without the correction for holes."""
    fitted = [window.posterior for window in assessment.windows]
    trusting = [p.trusting if isinstance(p, DoubtedPosterior) else p for p in fitted]
    return [p.network if isinstance(p, WidenedPosterior) else p for p in trusting]


def _other_profile(assessment: Assessment) -> list[Finding]:
    """Whether sensors inside found the oil where the equation does not have it."""
    fitted = (window.posterior for window in assessment.windows)
    sizes = [p.size for p in fitted if isinstance(p, DoubtedPosterior) and p.size is not None]
    if not sizes or max(sizes) < OTHER_PROFILE:
        return []
    text = (
        f"The sensors inside find the oil away from the heat equation by about "
        f"{100 * max(sizes):.0f} % of the difference between top and bottom; the answer takes that "
        f"into account."
    )
    return [Finding("misfit", text)]


def _learned_factor(posterior: AbstractPosterior) -> float:
    """Learned over declared discrepancy; 1 where the method learns none."""
    if isinstance(posterior, ExactPosterior):
        return posterior.discrepancy_factor
    if isinstance(posterior, NetworkPosterior | LaplacePosterior):
        return float(posterior.record["discrepancy_factor"])
    return 1.0


def _unfinished(assessment: Assessment) -> list[Finding]:
    """Whether somebody stopped the training by hand."""
    stopped = (
        bool(posterior.record["interrupted"])
        for posterior in _posteriors(assessment)
        if isinstance(posterior, NetworkPosterior | LaplacePosterior)
    )
    if not any(stopped):
        return []
    text = "Training was stopped by hand: this is the best answer up to then, not the final one."
    return [Finding("training", text)]


def _thin_record(prognosis: Prognosis) -> list[Finding]:
    """Whether less than a year stands for the days to come."""
    days, stretch = prognosis.lives.days, prognosis.scenario or prognosis.assessment.profile
    observed = float(stretch.seconds[-1]) / SECONDS_PER_DAY
    if observed >= WHOLE_YEAR:
        return []
    if days.ordered:
        text = (
            f"The scenario is {observed:.3g} days long, less than a year: it is repeated, so its "
            f"season is taken for the whole year."
        )
        return [Finding("short scenario", text)]
    unseen = [name for name in SEASONS if name not in days.seen()]
    # Without dates no season is known, and to say that all are missing would be wrong.
    seen = days.seen()
    where = f" None lies in {', '.join(unseen)}: {_calendar(prognosis)}." if unseen else ""
    missing = where if seen else ""
    text = (
        f"The record is {observed:.3g} days long, less than a year: the days to come are taken to "
        f"be like these.{missing} A scenario of a year would tell more."
    )
    return [Finding("short record", text)]


def _calendar(prognosis: Prognosis) -> str:
    """Where seasons that nobody has seen are taken from, in half a sentence."""
    if prognosis.assessment.nameplate.site.climate().known:
        return "these follow the calendar of the site"
    return "the days that were seen stand for them too, since site.latitude is not given"


def _unknown_past(prognosis: Prognosis) -> list[Finding]:
    """Whether the life used before the window is guessed, or taken to be none."""
    if USED in prognosis.draws:
        return []
    years = prognosis.years_in_service
    if years:
        text = (
            f"The nameplate does not say what life was used before: {years:.2g} years like those "
            f"to come are assumed, but for the growth of the load. Give history.life_used_hours if "
            f"you know better."
        )
    elif prognosis.assessment.nameplate.history.commissioned is not None:
        text = (
            "The insulation is taken to be new: history.commissioned is of no use when the profile "
            "has no dates or begins before it. Give history.life_used_hours."
        )
    else:
        text = (
            "The nameplate says nothing of the past, so the insulation is taken to be new. Give "
            "history.life_used_hours, or history.commissioned for a guess."
        )
    return [Finding("past", text)]


def _roughness(prognosis: Prognosis) -> list[Finding]:
    """How much rougher a quick answer is."""
    if not prognosis.assessment.settings.quick:
        return []
    # In per cent; the relative error of a standard deviation from n draws is 1 / sqrt(2 n).
    quick, full = (100 / np.sqrt(2 * draws) for draws in (prognosis.effort.draws, FULL.draws))
    spacing = every_if_quick(prognosis.assessment.profile)
    fewer = (
        f", and the oil is inferred from one reading in {spacing}, which makes what is not known "
        f"of it up to {np.sqrt(spacing):.1f} times larger"
    )
    text = (
        f"A quick answer: spreads are good to {quick:.0f} % instead of {full:.0f} %"
        f"{fewer if spacing > 1 else ''}. The full answer takes longer."
    )
    return [Finding("quick", text)]
