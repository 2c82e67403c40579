"""One stated action with its reason, what would change it, and what would narrow the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from agewise.assessment.decision.cooling_verdict import CoolingCheck
from agewise.assessment.decision.finding import Finding
from agewise.assessment.decision.temperature_limits import Exceedance
from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.life.doubts import BIAS, LIFE, USED
from agewise.assessment.life.prognosis import Prognosis
from agewise.units import SECONDS_PER_HOUR

Action = Literal["load on", "watch", "act", "cannot tell"]
"""What is advised, from the calmest to the gravest; and that nothing can be."""

LEAST_HOURS = 23.5
"""Length of a record from which on a calm answer needs no word of caution [h]: nearly a day."""

HOTTER = "the top oil runs hotter than load and air explain"
"""Reason to watch a unit whose cooling may fail."""
COOLER = "the top oil runs cooler than its nameplate, load and air explain"
"""Reason to watch a unit whose thermometer may read low."""

MEASUREMENTS = {
    "epistemic": "A sensor inside the oil",
    "future": "A longer record, best a whole year, or a scenario of the years to come",
    BIAS: "A calibration of the thermometers",
    "ageing law": "A sample of the paper (degree of polymerisation)",
    LIFE: "A sample of the paper (degree of polymerisation) or furans in the oil",
    USED: "Furans in the oil, or the load records of earlier years,",
    "winding.gradient_k": "The hot-spot gradient, from the heat-run report or a fibre-optic probe,",
    "winding.exponent": "A heat run at two loads, for the winding's exponent,",
    "winding.time_constant_min": "The winding's time constant, from a cooling curve,",
}
"""What to measure, by the name of an unknown or by its source; a heat run tells the rest."""


@dataclass(frozen=True)
class Decision:
    """What to do, and why."""

    action: Action
    """What is advised."""
    reason: str
    """Why, in a sentence."""
    narrow_by: str
    """The measurement that would narrow the uncertainty most, in a sentence; empty where nothing
    can be told."""
    mend: str = ""
    """What to mend before there can be an answer; empty where there is one."""
    changes: str = ""
    """What would change the decision, in a sentence."""


@dataclass(frozen=True)
class Trigger:
    """A chance that asks for an action from a threshold on."""

    action: Action
    """What it asks for."""
    event: str
    """Whose chance it is, as the end of `the chance that`."""
    chance: float
    """Its chance."""
    least: float
    """Chance from which on it asks."""
    reason: str
    """What is said where it does."""

    @property
    def asks(self) -> bool:
        """Whether the chance has reached its threshold."""
        return self.chance >= self.least


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
    undermining = [finding for finding in findings if finding.undermines]
    if undermining:
        return cannot_tell(undermining)
    triggers = _triggers(prognosis, exceedances, thresholds)
    reasons = _reasons(triggers, check)
    grave, caution = [*reasons["act"], *reasons["watch"]], _caution(prognosis)
    calm = [] if grave else [_calm(prognosis, thresholds), *caution]
    calmest: Action = "watch" if grave or caution else "load on"
    action: Action = "act" if reasons["act"] else calmest
    narrow = f"{_wide(prognosis, thresholds)}{_narrow_by(prognosis)}"
    return Decision(
        action, _sentence(grave or calm), narrow, changes=_changes(triggers, action, check)
    )


def cannot_tell(undermining: Sequence[Finding]) -> Decision:
    """The decision where findings leave nothing to decide by: what is wrong, and what to mend."""
    reason = " ".join(dict.fromkeys(finding.text for finding in undermining))
    mend = " ".join(dict.fromkeys(finding.mend for finding in undermining))
    return Decision("cannot tell", reason, "", mend=mend)


def end_before(years: Float[np.ndarray, " draw"], limit: float) -> float:
    """The chance of an end of life within so many years."""
    return float(np.mean(years <= limit))


def _triggers(
    prognosis: Prognosis, exceedances: list[Exceedance], thresholds: DecisionThresholds
) -> list[Trigger]:
    """Every chance that can ask for something: of an end, and of a hot spot beyond its limits."""
    hot = {limit.name: limit for limit in exceedances if limit.quantity == "hot spot"}
    ends: list[tuple[Action, float, float]] = [
        ("act", thresholds.soon_years, thresholds.soon),
        ("watch", thresholds.later_years, thresholds.later),
    ]
    limits: list[tuple[Action, str, float]] = [
        ("act", "long emergency", thresholds.emergency),
        ("watch", "normal cyclic", thresholds.normal),
    ]
    return [
        Trigger(
            action,
            f"the insulation ends within {years:g} years",
            end_before(prognosis.years, years),
            least,
            _chance_of_end(prognosis, years),
        )
        for action, years, least in ends
    ] + [
        Trigger(
            action,
            f"the hot spot passed {hot[name].limit:g} °C",
            hot[name].probability,
            least,
            _passed(hot[name]),
        )
        for action, name, least in limits
    ]


def _reasons(triggers: list[Trigger], check: CoolingCheck) -> dict[Action, list[str]]:
    """Reasons for each action but the calm one; a graver reason replaces the same one below it."""
    act, watch = [], []
    # Triggers come in pairs about one thing, the graver first.
    for graver, milder in zip(triggers[::2], triggers[1::2], strict=True):
        if graver.asks:
            act.append(graver.reason)
        elif milder.asks:
            watch.append(milder.reason)
    if check.alarm:
        watch.append(HOTTER)
    if check.cooler:
        watch.append(COOLER)
    return {"act": act, "watch": watch}


def _changes(triggers: list[Trigger], action: Action, check: CoolingCheck) -> str:
    """From where on the decision would be another one, in a sentence."""
    grave: tuple[Action, ...] = ("act",) if action == "watch" else ("act", "watch")
    up = [f"{_chance(t)} were {100 * t.least:.0f} % or more ({t.action})" for t in triggers
          if not t.asks and t.action in grave and action != "act"]  # fmt: skip
    asking = [t for t in triggers if t.asks and t.action == action]
    down = [f"{_chance(t)} were below {100 * t.least:.0f} %" for t in asking]
    if action == "watch" and (check.alarm or check.cooler):
        down.append("the top oil ran as load and air explain")
    parts = ([f"graver if {' or '.join(up)}"] if up else []) + (
        [f"calmer if {' and '.join(down)}"] if down else []
    )
    return f"It would be {'; '.join(parts)}." if parts else ""


def _chance(trigger: Trigger) -> str:
    return f"the chance that {trigger.event}, now {100 * trigger.chance:.0f} %,"


def _calm(prognosis: Prognosis, thresholds: DecisionThresholds) -> str:
    """Why nothing needs to be done."""
    horizon = prognosis.effort.horizon
    beyond = 1 - end_before(prognosis.years, horizon)
    if beyond > 0.5:
        calm = f"insulation is not what limits this asset: it outlives {horizon} years with a "
        return calm + f"chance of {100 * beyond:.0f} %"
    return f"no end of life is near: {_chance_of_end(prognosis, thresholds.later_years)}"


def _wide(prognosis: Prognosis, thresholds: DecisionThresholds) -> str:
    """What to do about an interval from nearly nothing to many years; empty where it is not so."""
    # A quantile that is one of the draws: between a number and infinity there is none.
    low, high = np.quantile(prognosis.years, [0.05, 0.95], method="inverted_cdf")
    if low > thresholds.soon_years or high < thresholds.later_years:
        return ""
    end = f"{high:.0f}" if np.isfinite(high) else f"over {prognosis.effort.horizon:g}"
    return (
        f"The 90 % interval of the life left runs from {low:.1f} to {end} years, too wide to plan "
        f"by its middle: plan by its lower end until it is narrowed, and measure before you spend. "
    )


def _caution(prognosis: Prognosis) -> list[str]:
    """A word of caution where a few hours stand for years."""
    hours = float(prognosis.assessment.profile.seconds[-1]) / SECONDS_PER_HOUR
    if prognosis.scenario is not None or hours >= LEAST_HOURS:
        return []
    return [f"but that is judged from {hours:.2g} h of data, which say little of other hours"]


def _chance_of_end(prognosis: Prognosis, years: float) -> str:
    chance = 100 * end_before(prognosis.years, years)
    return f"the chance that the insulation ends within {years:g} years is {chance:.0f} %"


def _passed(limit: Exceedance) -> str:
    return (
        f"the hot spot passed {limit.limit:g} °C, the limit of {limit.name} loading, for "
        f"{limit.hours:.1f} h (chance {100 * limit.probability:.0f} %)"
    )


def _sentence(parts: list[str]) -> str:
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _narrow_by(prognosis: Prognosis) -> str:
    """The measurement against the largest share of the doubt about the years left."""
    shares = prognosis.split.by_unknown(1)
    # Noise is not part of a life. In the order of the shares, so that a tie has one answer.
    name = max((name for name in shares if name != "aleatoric"), key=lambda name: shares[name])
    source = prognosis.split.source.get(name, name)
    what = MEASUREMENTS.get(name) or MEASUREMENTS.get(source, "A heat-run report")
    # With a scenario the days are known; what is open is only how the top oil follows them.
    if name == "future" and prognosis.scenario is not None:
        what = "A longer record, to test the model of the top oil on,"
    return f"{what} would narrow this most: {100 * shares[name]:.0f} % of the variance ({name})."
