"""One stated action with its reason, and what would narrow the answer most."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from agewise.assessment.decision.cooling_verdict import CoolingCheck
from agewise.assessment.decision.temperature_limits import Exceedance
from agewise.assessment.life.doubts import BIAS, LIFE, USED
from agewise.assessment.life.prognosis import Prognosis
from agewise.units import SECONDS_PER_HOUR

Action = Literal["load on", "watch", "act"]
"""What is advised, from the calmest to the gravest."""


@dataclass(frozen=True)
class Thresholds:
    """Probabilities from which on something should be done."""

    soon_years: float = 2.0
    """Years within which an end of life asks to act."""
    soon: float = 0.20
    """Probability of an end of life within `soon_years` from which on to act."""
    later_years: float = 10.0
    """Years within which an end of life asks to watch."""
    later: float = 0.10
    """Probability of an end of life within `later_years` from which on to watch."""
    emergency: float = 0.5
    """Probability that the hot spot passed the limit of a long emergency, from which on to act."""
    normal: float = 0.5
    """Probability that it passed the limit of normal cyclic loading, from which on to watch."""


THRESHOLDS = Thresholds()
LEAST_HOURS = 23.5
"""Length of a record from which on a calm answer needs no word of caution [h]: nearly a day."""

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
    """The measurement that would narrow the uncertainty most, in a sentence."""


def decision(
    prognosis: Prognosis,
    exceedances: list[Exceedance],
    check: CoolingCheck,
    thresholds: Thresholds = THRESHOLDS,
) -> Decision:
    """The gravest action that life, limits or cooling ask for, with all reasons for it.

    Args:
        prognosis: Draws of life.
        exceedances: Every limit and the probability that it was passed.
        check: The verdict on the cooling.
        thresholds: Probabilities from which on something should be done.
    """
    reasons = _reasons(prognosis, exceedances, check, thresholds)
    grave, caution = [*reasons["act"], *reasons["watch"]], _caution(prognosis)
    if grave:
        action = "act" if reasons["act"] else "watch"
        return Decision(action, _sentence(grave), _narrow_by(prognosis))
    horizon = prognosis.effort.horizon
    beyond = 1 - end_before(prognosis.years, horizon)
    if beyond > 0.5:
        calm = f"insulation is not what limits this asset: it outlives {horizon} years with a "
        calm += f"chance of {100 * beyond:.0f} %"
    else:
        calm = f"no end of life is near: {_chance_of_end(prognosis, thresholds.later_years)}"
    action = "watch" if caution else "load on"
    return Decision(action, _sentence([calm, *caution]), _narrow_by(prognosis))


def end_before(years: Float[np.ndarray, " draw"], limit: float) -> float:
    """The chance of an end of life within so many years."""
    return float(np.mean(years <= limit))


def _reasons(
    prognosis: Prognosis,
    exceedances: list[Exceedance],
    check: CoolingCheck,
    thresholds: Thresholds,
) -> dict[Action, list[str]]:
    """Reasons for each action but the calm one; a graver reason replaces the same one below it."""
    passed = {limit.name: limit for limit in exceedances if limit.quantity == "hot spot"}
    act, watch = [], []
    if end_before(prognosis.years, thresholds.soon_years) >= thresholds.soon:
        act.append(_chance_of_end(prognosis, thresholds.soon_years))
    elif end_before(prognosis.years, thresholds.later_years) >= thresholds.later:
        watch.append(_chance_of_end(prognosis, thresholds.later_years))
    if passed["long emergency"].probability >= thresholds.emergency:
        act.append(_passed(passed["long emergency"]))
    elif passed["normal cyclic"].probability >= thresholds.normal:
        watch.append(_passed(passed["normal cyclic"]))
    if check.alarm:
        watch.append("the top oil runs hotter than load and air explain")
    return {"act": act, "watch": watch}


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
