"""One stated action with its reason, what would change it, and what would narrow the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from agewise.assessment.decision.cooling_verdict import CoolingCheck
from agewise.assessment.decision.finding import Finding
from agewise.assessment.decision.narrowing import narrow_by, wide
from agewise.assessment.decision.temperature_limits import Exceedance
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.decision.triggers import (
    Action,
    chance_of_end,
    changes,
    end_before,
    reasons,
    triggers,
)
from agewise.assessment.life.prognosis import Prognosis
from agewise.units import SECONDS_PER_HOUR

LEAST_HOURS = 23.5
"""Length of a record from which on a calm answer needs no word of caution [h]: nearly a day."""


@dataclass(frozen=True)
class Decision:
    """What to do, and why."""

    action: Action
    """Action that is advised."""
    reason: str
    """Why that is advised, in a sentence."""
    narrow_by: str
    """The measurement that would narrow the uncertainty most, in a sentence; empty where nothing
    can be told."""
    mend: str = ""
    """What to mend before there can be an answer; empty where there is one."""
    changes: str = ""
    """What would change the decision, in a sentence."""


def decision(
    prognosis: Prognosis,
    exceedances: list[Exceedance],
    check: CoolingCheck,
    thresholds: DecisionThresholds = THRESHOLDS,
    findings: Sequence[Finding] = (),
) -> Decision:
    """The gravest action that life, limits or cooling ask for, with all reasons for it.

    A finding that undermines the answer goes before all of them: then nothing can be told.

    Args:
        prognosis: Draws of life.
        exceedances: Every limit and the probability that it was passed.
        check: The verdict on the cooling.
        thresholds: Probabilities from which on something should be done.
        findings: What was found about data, nameplate and answer.
    """
    # Before any chance is worked out: numbers of such data are not to be shown.
    undermining = [finding for finding in findings if finding.undermines]
    if undermining:
        return cannot_tell(undermining)
    chances = triggers(prognosis, exceedances, thresholds)
    asked = reasons(chances, check)
    grave, caution = [*asked["act"], *asked["watch"]], _caution(prognosis)
    calm = [] if grave else [_calm(prognosis, thresholds), *caution]
    # A few hours of data allow no calmer word than to watch.
    calmest: Action = "watch" if grave or caution else "load on"
    action: Action = "act" if asked["act"] else calmest
    narrow = f"{wide(prognosis, thresholds)}{narrow_by(prognosis)}"
    return Decision(
        action, _sentence(grave or calm), narrow, changes=changes(chances, action, check)
    )


def cannot_tell(undermining: Sequence[Finding]) -> Decision:
    """The decision where findings leave nothing to decide by: what is wrong, and what to mend."""
    # Each sentence once, in the order of the findings: several may ask for the same.
    reason = " ".join(dict.fromkeys(finding.text for finding in undermining))
    mend = " ".join(dict.fromkeys(finding.mend for finding in undermining))
    return Decision("cannot tell", reason, "", mend=mend)


def _calm(prognosis: Prognosis, thresholds: DecisionThresholds) -> str:
    """Why nothing needs to be done."""
    horizon = prognosis.effort.horizon
    beyond = 1 - end_before(prognosis.years, horizon)
    # Where most draws live so long, a median of the years would tell of the horizon alone.
    if beyond > 0.5:
        calm = f"insulation is not what limits this asset: it outlives {horizon} years with a "
        return calm + f"chance of {100 * beyond:.0f} %"
    return f"no end of life is near: {chance_of_end(prognosis, thresholds.later_years)}"


def _caution(prognosis: Prognosis) -> list[str]:
    """A word of caution where a few hours stand for years."""
    hours = float(prognosis.assessment.profile.seconds[-1]) / SECONDS_PER_HOUR
    if prognosis.scenario is not None or hours >= LEAST_HOURS:
        return []
    return [f"but that is judged from {hours:.2g} h of data, which say little of other hours"]


def _sentence(parts: list[str]) -> str:
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."
