"""How hot a scenario gets: its highest hot spot in draws, and what it passes of the guide."""

import numpy as np
from jaxtyping import Float

from agewise.assessment.decision.finding import Finding
from agewise.assessment.life.prognosis import Prognosis
from agewise.transformer.cooling_defaults import LIMITS

WORTH_TELLING = 0.05
"""Chance of passing a limit from which on it is a finding: the upper end of a 90 % interval."""


def scenario_hottest(prognosis: Prognosis) -> Float[np.ndarray, " draw"] | None:
    """Highest hot spot of the scenario in every draw [°C]; None without a scenario."""
    if prognosis.scenario is None:
        return None
    ahead = prognosis.ahead.prior_scenario
    # Of the draws that are believed, as every other number of an answer.
    return None if ahead is None else prognosis.believed.of(ahead.hottest)


def scenario_hours_above(prognosis: Prognosis) -> list[Float[np.ndarray, " draw"]]:
    """Time of the scenario above the hot spot of each of `LIMITS`, in every draw [h]."""
    ahead = prognosis.ahead.prior_scenario
    assert ahead is not None
    return [prognosis.believed.of(hours) for hours in ahead.hours_above]


def chance_above(hottest: Float[np.ndarray, " draw"], limit: float) -> float:
    """The chance that the highest temperature passes a limit [°C]."""
    return float(np.mean(hottest > limit))


def scenario_findings(prognosis: Prognosis) -> list[Finding]:
    """Whether the scenario passes limits of IEC 60076-7: those of the hot spot and of the load."""
    hottest = scenario_hottest(prognosis)
    if hottest is None:
        return []
    return _too_hot(hottest) + _too_much(prognosis)


def _too_hot(hottest: Float[np.ndarray, " draw"]) -> list[Finding]:
    passed = [
        f"{limit.hot_spot:g} °C, the limit of {name} loading (chance "
        f"{100 * chance_above(hottest, limit.hot_spot):.0f} %)"
        for name, limit in LIMITS.items()
        if chance_above(hottest, limit.hot_spot) >= WORTH_TELLING
    ]
    if not passed:
        return []
    low, high = np.quantile(hottest, [0.05, 0.95])
    text = (
        f"The scenario drives the hot spot to {hottest.mean():.0f} °C (90 %: {low:.0f} to "
        f"{high:.0f} °C), above {'; '.join(passed)}."
    )
    return [Finding("scenario", text)]


def _too_much(prognosis: Prognosis) -> list[Finding]:
    assert prognosis.scenario is not None
    most = float(np.nanmax(prognosis.scenario.load))
    kind = "normal cyclic"
    limit = LIMITS[kind].load(prognosis.assessment.nameplate.rated_power_kva.mean)
    if most <= limit:
        return []
    text = (
        f"The load of the scenario reaches {most:.2f} p.u.: IEC 60076-7 advises at most "
        f"{limit:g} p.u. under {kind} loading of such a unit, whatever its temperatures."
    )
    return [Finding("scenario", text)]
