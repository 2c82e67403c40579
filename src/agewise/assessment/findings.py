"""What a person should know before believing an answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from agewise.assessment.assessment import Assessment
from agewise.assessment.cooling import CoolingCheck
from agewise.assessment.doubts import LIFE, USED
from agewise.assessment.problem import every_if_quick
from agewise.assessment.prognosis import FULL, Prognosis
from agewise.assessment.stand_ins import whole
from agewise.data.profile import Profile
from agewise.data.record import DataFinding
from agewise.inference.base import AbstractPosterior
from agewise.inference.exact import ExactPosterior
from agewise.inference.holes import WidenedPosterior
from agewise.inference.laplace import LaplacePosterior
from agewise.inference.trained import NetworkPosterior
from agewise.physics.iec60076 import top_oil
from agewise.prognostics.life import SEASONS
from agewise.uncertainty.calibration import rms
from agewise.units import SECONDS_PER_DAY

MISFIT_Z = 1.15
"""Root mean square of readings in units of their predicted spread, above which the physics does not
fit. A calibrated prediction of a thousand readings stays below 1.05."""
NAMEPLATE_RMS = 4.0
"""K rms between measured and modelled top oil, above which nameplate or cooling are in doubt; the
model itself is good to 2 K."""
BELOW_AMBIENT = 20.0
"""% of the rows in which the top oil may read below the air, at night after a cold start"""
IMPOSSIBLE_HOT_SPOT = 200.0
"""°C: oil boils off and paper chars"""
WHOLE_YEAR = 364.0
"""days of a record that has seen every season"""
MISFIT_FACTOR = 3.0
"""Learned over declared discrepancy, above which it is worth a word."""


@dataclass(frozen=True)
class Finding:
    """Something that a person should know before believing the answer."""

    kind: str
    text: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True)
class AboutData(Finding):
    """The same about the data themselves: which rows, and what was done."""

    about: DataFinding

    def as_dict(self) -> dict[str, Any]:
        """For JSON; single rows are left out."""
        one = self.about
        place = {"column": one.column, "rows": one.rows, "start": one.start, "end": one.end}
        return super().as_dict() | place | {"done": one.done}


def findings(prognosis: Prognosis, check: CoolingCheck) -> list[Finding]:
    """All of them, the gravest first."""
    assessment = prognosis.assessment
    found = _impossible(prognosis) + data_findings(assessment.profile)
    found += [] if prognosis.scenario is None else data_findings(prognosis.scenario, "Scenario: ")
    found += [Finding("cooling", check.text)] if check.alarm else []
    found += oil_findings(assessment)
    return found + _thin_record(prognosis) + _unknown_past(prognosis) + _roughness(prognosis)


def _impossible(prognosis: Prognosis) -> list[Finding]:
    """What no transformer does: then the data are not what they seem."""
    profile, found = prognosis.assessment.profile, []
    if profile.top_oil is not None:
        below = 100 * float(np.mean(profile.top_oil < profile.ambient))
        if below > BELOW_AMBIENT:
            text = f"The top oil reads below the ambient in {below:.0f} % of the rows: are the two "
            found.append(Finding("impossible", text + "columns swapped? Believe nothing below."))
    hottest = float(prognosis.lives.hot_spot.mean())
    if hottest > IMPOSSIBLE_HOT_SPOT:
        text = (
            f"A hot spot of {hottest:.0f} °C is more than a transformer survives: check the units "
            f"of load (p.u.) and temperatures (°C). Believe nothing below."
        )
        found.append(Finding("impossible", text))
    before, life = prognosis.lives.used_before.mean(), prognosis.draws[LIFE].mean()
    if USED in prognosis.draws and before > life:
        text = (
            f"The nameplate says that more life was used ({before:.0f} h) than the insulation has "
            f"({life:.0f} h): what is left follows from that, whatever was measured."
        )
        found.append(Finding("past", text))
    return found


def data_findings(profile: Profile, prefix: str = "") -> list[Finding]:
    """What was found when the data were read, and done about it."""
    found: list[Finding] = [AboutData(one.kind, prefix + one.text, one) for one in profile.findings]
    if profile.ignored:
        names = ", ".join(profile.ignored)
        found.append(Finding("ignored", f"{prefix}Columns that mean nothing here: {names}."))
    return found


def oil_findings(assessment: Assessment) -> list[Finding]:
    """Where nameplate, physics and sensors disagree, and whether training came to its end."""
    found, interior = _nameplate_doubt(assessment), assessment.profile.interior
    found += _unfinished(assessment)
    for height, every in interior.items():
        there = ~np.isnan(every)
        values, at = every[there], np.full(int(there.sum()), height)
        told = assessment.predict_at(at, assessment.profile.seconds[there])
        z = rms((values - told.mean) / np.sqrt(told.total))
        if z > MISFIT_Z:
            error = rms(values - told.mean)
            text = (
                f"The sensor at {height:g} of the height is off by {error:.2g} K rms, {z:.1f} "
                f"times what the answer expects: the physics does not fit there."
            )
            found.append(Finding("misfit", text))
    factor = max(map(_learned_factor, _posteriors(assessment)))
    if factor > MISFIT_FACTOR:
        learned = factor * assessment.settings.discrepancy
        text = (
            f"The sensors inside say that the heat equation is wrong by {learned:.2g} K/h, "
            f"{factor:.0f} times the declared discrepancy; the answer takes that into account."
        )
        found.append(Finding("misfit", text))
    return found


def _posteriors(assessment: Assessment) -> list[AbstractPosterior]:
    """What the method made of every window, without what was added for holes."""
    every = [window.posterior for window in assessment.windows]
    return [one.network if isinstance(one, WidenedPosterior) else one for one in every]


def _learned_factor(posterior: AbstractPosterior) -> float:
    """on the declared discrepancy, where the method learns one"""
    if isinstance(posterior, ExactPosterior):
        return posterior.discrepancy_factor
    if isinstance(posterior, NetworkPosterior | LaplacePosterior):
        return float(posterior.record["discrepancy_factor"])
    return 1.0


def _unfinished(assessment: Assessment) -> list[Finding]:
    """Whether somebody stopped the training by hand."""
    stopped = (
        bool(one.record["interrupted"])
        for one in _posteriors(assessment)
        if isinstance(one, NetworkPosterior | LaplacePosterior)
    )
    if not any(stopped):
        return []
    text = "Training was stopped by hand: this is the best answer up to then, not the final one."
    return [Finding("training", text)]


def _nameplate_doubt(assessment: Assessment) -> list[Finding]:
    """Whether the top oil runs as the nameplate says it should, by IEC 60076-7."""
    nameplate, hold = assessment.nameplate, assessment.settings.hold
    profile = whole(assessment.profile, nameplate, hold).profile
    series = (profile.seconds, profile.load, profile.ambient)
    modelled = top_oil(nameplate.thermal_constants(), *series, hold=hold)
    measured = assessment.profile.top_oil
    if measured is None:
        return []
    there = ~np.isnan(measured)
    measured = measured[there]
    if rms(measured - modelled[there]) <= NAMEPLATE_RMS:
        return []
    text = (
        f"By the nameplate the top oil should run up to {modelled.max():.0f} °C, but it was "
        f"measured up to {measured.max():.0f} °C: is oil.top_oil_rise_k = "
        f"{nameplate.oil.top_oil_rise_k.mean:g} right, and the cooling sound? The uncertainty "
        f"given here holds only if they are."
    )
    return [Finding("nameplate", text)]


def _thin_record(prognosis: Prognosis) -> list[Finding]:
    """Whether the days to come are guessed from too few."""
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
    missing = f" None lies in {', '.join(unseen)}." if days.seen() and unseen else ""
    text = (
        f"The record is {observed:.3g} days long, less than a year: the days to come are taken to "
        f"be like these.{missing} A scenario of a year (--scenario) would tell more."
    )
    return [Finding("short record", text)]


def _unknown_past(prognosis: Prognosis) -> list[Finding]:
    """Whether the life used before is guessed, or left out."""
    if USED in prognosis.draws:
        return []
    years = prognosis.years_in_service
    if years:
        text = (
            f"The nameplate does not say what life was used before: {years:.2g} years like the "
            f"days to come are assumed. Give history.life_used_hours if you know better."
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
    quick, full = (100 / np.sqrt(2 * draws) for draws in (prognosis.effort.draws, FULL.draws))
    every = every_if_quick(prognosis.assessment.profile)
    fewer = (
        f", and the oil is inferred from one reading in {every}, which makes what is not known of "
        f"it up to {np.sqrt(every):.1f} times larger"
    )
    text = (
        f"A quick answer: spreads are good to {quick:.0f} % instead of {full:.0f} %"
        f"{fewer if every > 1 else ''}. Leave --quick out for the full answer."
    )
    return [Finding("quick", text)]
