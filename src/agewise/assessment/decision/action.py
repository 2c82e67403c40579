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


@dataclass(frozen=True)
class Thresholds:
    """Chances above which something should be done."""

    soon_years: float = 2.0
    soon: float = 0.20
    """Chance of an end within those years: act."""
    later_years: float = 10.0
    later: float = 0.10
    """Chance of an end within those: watch."""
    emergency: float = 0.5
    """Chance that the hot spot passed the limit of a long emergency: act."""
    normal: float = 0.5
    """Chance that it passed the limit of normal cyclic loading: watch."""


THRESHOLDS = Thresholds()
LEAST_HOURS = 23.5
"""h of data that a calm answer rests on without a word of caution"""

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
"""What to measure, by the name of what is not known or by its source of doubt; a heat run tells the
rest."""


@dataclass(frozen=True)
class Decision:
    """What to do, and why."""

    action: Action
    reason: str
    narrow_by: str


def decision(
    prognosis: Prognosis,
    exceedances: list[Exceedance],
    check: CoolingCheck,
    thresholds: Thresholds = THRESHOLDS,
) -> Decision:
    """The gravest of what life, limits and cooling ask for."""
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
    passed = {one.name: one for one in exceedances if one.quantity == "hot spot"}
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
    """That a few hours say little of years."""
    hours = float(prognosis.assessment.profile.seconds[-1]) / SECONDS_PER_HOUR
    if prognosis.scenario is not None or hours >= LEAST_HOURS:
        return []
    return [f"but that is judged from {hours:.2g} h of data, which say little of other hours"]


def _chance_of_end(prognosis: Prognosis, years: float) -> str:
    chance = 100 * end_before(prognosis.years, years)
    return f"the chance that the insulation ends within {years:g} years is {chance:.0f} %"


def _passed(one: Exceedance) -> str:
    return (
        f"the hot spot passed {one.limit:g} °C, the limit of {one.name} loading, for "
        f"{one.hours:.1f} h (chance {100 * one.probability:.0f} %)"
    )


def _sentence(parts: list[str]) -> str:
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _narrow_by(prognosis: Prognosis) -> str:
    """The measurement against the largest share of the doubt about the years left."""
    shares = prognosis.split.by_unknown(1)
    # Noise is not part of a life. In the order of the shares, so that a tie has one answer.
    name = max((each for each in shares if each != "aleatoric"), key=lambda each: shares[each])
    source = prognosis.split.source.get(name, name)
    what = MEASUREMENTS.get(name) or MEASUREMENTS.get(source, "A heat-run report")
    if name == "future" and prognosis.scenario is not None:
        what = "A longer record, to test the model of the top oil on,"
    return f"{what} would narrow this most: {100 * shares[name]:.0f} % of the variance ({name})."
