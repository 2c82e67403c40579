"""What a person should know before believing an answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from agewise.assessment.decision.cooling_verdict import CoolingCheck, cooling_check
from agewise.assessment.decision.finding import Finding, data_findings, oil_doubt
from agewise.assessment.decision.lost_cooling import explained_by_cooling
from agewise.assessment.decision.misfit import oil_findings
from agewise.assessment.decision.plausibility import plausibility
from agewise.assessment.decision.promise import promise
from agewise.assessment.decision.scenario_heat import scenario_findings
from agewise.assessment.decision.silent_days import silent_days
from agewise.assessment.decision.sureness import sureness
from agewise.assessment.decision.survival import survival
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.decision.yardstick import yardstick
from agewise.assessment.life.doubts import DOUBTS, LIFE, USED, Doubts
from agewise.assessment.life.effort import FULL
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.problem import every_if_quick
from agewise.plant.cost import by_cost
from agewise.transformer.prognostics.life import SEASONS
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_MINUTE

UNITS = (
    "Check the units of load (p.u.) and temperatures (°C), the thermometer of the top oil, and the "
    "numbers of `oil` and `winding`."
)
"""What to mend where no transformer could have lived."""
MOST_DOUBT_K = 10.0
"""Standard deviation of an error of the oil beyond which nothing can be told [K]: the paper ages
three times as fast or as slowly, and a 90 % interval spans a factor of forty."""
CAUSES = {
    "heatless": "oil too cool for its load",
    "bias": "a thermometer that steps",
    "thermometer": "a thermometer that follows the air too fast",
    "misfit": "readings that the fit misses",
    "nameplate": "oil that load and air do not explain",
    "promise": "oil far from what the nameplate gives",
    "rare": "rows far apart",
}
"""What puts the oil in doubt, in a few words, by the kind of a finding."""
WHOLE_YEAR = 364.0
"""Length from which on a record has seen every season [days]."""


def findings(
    prognosis: Prognosis,
    check: CoolingCheck,
    thresholds: DecisionThresholds = THRESHOLDS,
    noted: Sequence[Finding] | None = None,
) -> list[Finding]:
    """All findings about an answer, the costliest first (`agewise.plant.cost`).

    Args:
        prognosis: Draws of life.
        check: The verdict on the cooling.
        thresholds: What paper can survive.
        noted: What `assessment_findings` has found before; found anew if None.
    """
    notes = _impossible(prognosis, thresholds)
    notes += noted_of(prognosis.assessment).findings if noted is None else noted
    notes += [] if prognosis.scenario is None else data_findings(prognosis.scenario, "Scenario: ")
    notes += scenario_findings(prognosis)
    notes += survival(prognosis)
    notes += _thin_record(prognosis) + _unknown_past(prognosis) + _roughness(prognosis)
    return by_cost(notes)


def assessment_findings(assessment: Assessment, check: CoolingCheck) -> list[Finding]:
    """Findings about data, nameplate and fit, which are known before any life is worked out."""
    notes = data_findings(assessment.profile)
    notes += [Finding("cooling", check.text)] if check.alarm or check.cooler else []
    notes += plausibility(assessment.profile, assessment.nameplate, assessment.settings.hold)
    notes += silent_days(assessment) + oil_findings(assessment) + sureness(assessment)
    return notes + yardstick(assessment)


class Noted(NamedTuple):
    """What is known of a fit before any life is worked out."""

    check: CoolingCheck
    """The verdict on the cooling."""
    findings: list[Finding]
    """Findings about data, nameplate and fit."""
    doubt_k: float
    """Standard deviation of an error of the oil that they and a broken promise of the nameplate
    make likely [K]."""

    def doubts(self) -> Doubts:
        """The usual doubts about a life, and that of a thermometer which is questioned."""
        return replace(DOUBTS, oil_reading_k=self.doubt_k)


def noted_of(assessment: Assessment) -> Noted:
    """The verdict on the cooling, and the findings about data, nameplate and fit."""
    check = cooling_check(assessment)
    all_findings = assessment_findings(assessment, check)
    promised = promise(assessment.profile, assessment.nameplate, assessment.settings.hold)
    if check.loss_likely:
        wrong = check.wrong_readings or 0.0
        # Oil that is cooler than promised has another cause.
        promised = replace(promised, wrong=wrong) if promised.off > 0 else promised
        all_findings = explained_by_cooling(all_findings, wrong, promised.doubt_k)
    all_findings = all_findings + promised.findings()
    doubt = oil_doubt(all_findings)
    all_findings = by_cost([*all_findings, *_too_doubtful(doubt, all_findings)])
    # Cut where nothing is told any more: draws of a larger bias would be nonsense.
    return Noted(check, all_findings, min(doubt, MOST_DOUBT_K))


def _too_doubtful(doubt: float, all_findings: list[Finding]) -> list[Finding]:
    """Whether all that questions the oil together leaves nothing of an answer."""
    if doubt <= MOST_DOUBT_K:
        return []
    # The largest of a kind stands for it.
    sizes = {
        finding.kind: finding.doubt_k
        for finding in sorted(all_findings, key=lambda finding: finding.doubt_k)
    }
    causes = (f"{CAUSES.get(kind, kind)} {size:.0f} K" for kind, size in sizes.items() if size > 1)
    text = (
        f"The findings ({', '.join(causes)}) make an error of about {doubt:.0f} K in the oil "
        "temperature likely, which is too much for an answer: 6 K more age the paper twice as "
        "fast."
    )
    mend = "Find out which is wrong: the nameplate's rise, the load, or the thermometer of the oil."
    return [Finding("doubt", text, mend=mend)]


def _impossible(prognosis: Prognosis, thresholds: DecisionThresholds) -> list[Finding]:
    """What no transformer does, so that the data cannot be what they seem."""
    notes = []
    # As it was believed before: that the unit lives would make any temperature look survivable.
    hottest = float(prognosis.prior_lives.hot_spot.mean())
    # By the mean: a tail beyond what paper survives is doubt, and no proof of bad data.
    if hottest > thresholds.survivable_c:
        notes.append(impossible_hot_spot(hottest))
    used = float(prognosis.prior_lives.loss.mean() / prognosis.prior_draws[LIFE].mean())
    if used > thresholds.lives:
        text = (
            f"By these data the record alone used up {used:.3g} times the whole life of the "
            "insulation."
        )
        notes.append(Finding("impossible", text, mend=UNITS))
    before, life = prognosis.prior_lives.used_before.mean(), prognosis.prior_draws[LIFE].mean()
    if USED in prognosis.draws and before > life:
        text = (
            f"The nameplate says that more life was used ({before:.0f} h) than the insulation "
            f"has ({life:.0f} h): the remaining life follows from these numbers and from the "
            "fact that the unit is in service."
        )
        notes.append(Finding("past", text))
    return notes


def impossible_hot_spot(hottest: float) -> Finding:
    """The finding about a hot spot that no transformer survives [°C]."""
    text = f"By these data the hot spot was at {hottest:.0f} °C, more than a transformer survives."
    return Finding("impossible", text, mend=UNITS)


def _thin_record(prognosis: Prognosis) -> list[Finding]:
    """Whether less than a year stands for the days to come."""
    days, stretch = prognosis.lives.days, prognosis.scenario or prognosis.assessment.profile
    observed = float(stretch.seconds[-1]) / SECONDS_PER_DAY
    if observed >= WHOLE_YEAR:
        return []
    if days.ordered:
        text = (
            f"The scenario is {record_length(observed)} long, less than a year: it is repeated, "
            "so its season stands for the whole year."
        )
        return [Finding("short scenario", text)]
    unseen = [name for name in SEASONS if name not in days.seen()]
    # Without dates no season is known, and to say that all are missing would be wrong.
    seen = days.seen()
    where = f" It has no day in {', '.join(unseen)}: {_calendar(prognosis)}." if unseen else ""
    missing = where if seen else ""
    text = (
        f"The record is {record_length(observed)} long, less than a year: the coming days are "
        f"assumed to be like these.{missing} A scenario of a whole year would make the answer more "
        "certain."
    )
    return [Finding("short record", text)]


def record_length(days: float) -> str:
    """A length in the unit that people would use for it.

    >>> record_length(7.0), record_length(0.25), record_length(1 / 1440)
    ('7 days', '6 h', '1 min')
    """
    if days >= 1:
        return f"{days:.3g} days"
    minutes = days * SECONDS_PER_DAY / SECONDS_PER_MINUTE
    return f"{minutes / 60:.3g} h" if minutes >= 60 else f"{minutes:.3g} min"


def _calendar(prognosis: Prognosis) -> str:
    """Where seasons that nobody has seen are taken from, in half a sentence."""
    if prognosis.assessment.nameplate.site.climate().known:
        return "these seasons are derived from the climate of the site"
    return "the measured days are used for these seasons too, since site.latitude is not given"


def _unknown_past(prognosis: Prognosis) -> list[Finding]:
    """Whether the life used before the window is guessed, or taken to be none."""
    if USED in prognosis.draws:
        return []
    years = prognosis.years_in_service
    if years:
        not_ahead = "" if prognosis.scenario is None else " (not like the scenario)"
        text = (
            f"The nameplate does not say how much life was used before the record: {years:.2g} "
            f"years like the record{not_ahead} are assumed, apart from the growth of the load. "
            "Give history.life_used_hours if you know better."
        )
    elif prognosis.assessment.nameplate.history.commissioned is not None:
        text = (
            "The insulation is assumed to be new: history.commissioned cannot be used, because "
            "the profile has no dates or begins before it. Give history.life_used_hours."
        )
    else:
        text = (
            "The nameplate says nothing about earlier years, so the insulation is assumed to be "
            "new. Give history.life_used_hours, or history.commissioned for an estimate."
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
        f", and the oil temperature is inferred from one reading in {spacing}, which makes its "
        f"epistemic uncertainty up to {np.sqrt(spacing):.1f} times larger"
    )
    text = (
        f"A quick answer: its standard deviations are accurate to {quick:.0f} % instead of "
        f"{full:.0f} %{fewer if spacing > 1 else ''}. The full answer takes longer."
    )
    return [Finding("quick", text)]
