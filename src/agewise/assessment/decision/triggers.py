"""Chances and alarms that ask for an action, and from where on the action would be another."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from agewise.assessment.decision.cooling_verdict import CoolingCheck
from agewise.assessment.decision.scenario_heat import chance_above, scenario_hottest
from agewise.assessment.decision.temperature_limits import Exceedance
from agewise.assessment.decision.thresholds import DecisionThresholds
from agewise.assessment.life.prognosis import Prognosis

Action = Literal["load on", "watch", "act", "cannot tell"]
"""What is advised, from the calmest to the gravest; and that nothing can be."""

HOTTER = "the top oil runs hotter than load and air explain"
"""Reason to watch a unit whose cooling may fail."""
COOLER = "the top oil runs cooler than its nameplate, load and air explain"
"""Reason to watch a unit whose thermometer may read low."""


@dataclass(frozen=True)
class Trigger:
    """A chance that asks for an action from a threshold on."""

    action: Action
    """Action that the chance asks for."""
    event: str
    """Whose chance it is, in a few words."""
    chance: float
    """Chance of the event, from 0 to 1."""
    least: float
    """Chance from which on it asks."""
    reason: str
    """What is said where it does."""

    @property
    def asks(self) -> bool:
        """Whether the chance has reached its threshold."""
        return self.chance >= self.least


def triggers(
    prognosis: Prognosis, exceedances: list[Exceedance], thresholds: DecisionThresholds
) -> list[Trigger]:
    """Every chance that can ask for something: of an end, and of a hot spot beyond its limits, in
    the window and in a scenario."""
    hot = {limit.name: limit for limit in exceedances if limit.quantity == "hot spot"}
    ends: list[tuple[Action, float, float]] = [
        ("act", thresholds.soon_years, thresholds.soon),
        ("watch", thresholds.later_years, thresholds.later),
    ]
    limits: list[tuple[Action, str, float]] = [
        ("act", "long emergency", thresholds.emergency),
        ("watch", "normal cyclic", thresholds.normal),
    ]
    # In pairs about one thing, the graver first, as `reasons` counts on it.
    all_triggers = [
        Trigger(
            action,
            f"end of life within {years:g} years",
            end_before(prognosis.years, years),
            least,
            chance_of_end(prognosis, years),
        )
        for action, years, least in ends
    ] + [
        Trigger(
            action,
            f"a hot spot above {hot[name].limit:g} °C",
            hot[name].probability,
            least,
            _passed(hot[name]),
        )
        for action, name, least in limits
    ]
    ahead = scenario_hottest(prognosis)
    if ahead is not None:
        all_triggers += [
            _of_scenario(action, chance_above(ahead, hot[name].limit), least, hot[name])
            for action, name, least in limits
        ]
    return all_triggers


def reasons(triggers: list[Trigger], check: CoolingCheck) -> dict[Action, list[str]]:
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


def changes(triggers: list[Trigger], action: Action, check: CoolingCheck) -> str:
    """From where on the decision would be another one: chances, and what they are now."""
    parts = []
    if action != "act":
        grave: tuple[Action, ...] = ("act",) if action == "watch" else ("act", "watch")
        for asked in grave:
            up = [_bound(t, "reaches") for t in triggers if not t.asks and t.action == asked]
            chances = ", or that of ".join(up)
            parts += [f"{asked.capitalize()} if the chance of {chances}."] if up else []
    asking = [_bound(t, "falls below") for t in triggers if t.asks and t.action == action]
    down = [f"if the chance of {', and that of '.join(asking)}"] if asking else []
    if action == "watch" and (check.alarm or check.cooler):
        down.append("once the top oil is as warm as load and air explain")
    parts += [f"A milder answer {', and '.join(down)}."] if down else []
    return " ".join(parts)


def _bound(trigger: Trigger, verb: str) -> str:
    """Where a chance asks for its action, and where it is now."""
    now, least = 100 * trigger.chance, 100 * trigger.least
    return f"{trigger.event} {verb} {least:.0f} % (now {now:.0f} %)"


def end_before(years: Float[np.ndarray, " draw"], limit: float) -> float:
    """The chance of an end of life within so many years."""
    return float(np.mean(years <= limit))


def chance_of_end(prognosis: Prognosis, years: float) -> str:
    """The chance of an end of life within so many years, in words."""
    chance = 100 * end_before(prognosis.years, years)
    within = f"the insulation reaches its end of life within {years:g} years"
    return f"the chance that {within} is {chance:.0f} %"


def _of_scenario(action: Action, chance: float, least: float, limit: Exceedance) -> Trigger:
    """What the scenario's own heat asks for; `limit` is that of the window."""
    event = f"a hot spot of the scenario above {limit.limit:g} °C"
    reason = (
        f"the scenario drives the hot spot above {limit.limit:g} °C, the limit of {limit.name} "
        f"loading (chance {100 * chance:.0f} %)"
    )
    return Trigger(action, event, chance, least, reason)


def _passed(limit: Exceedance) -> str:
    return (
        f"the hot spot passed {limit.limit:g} °C, the limit of {limit.name} loading, for "
        f"{limit.hours:.1f} h (chance {100 * limit.probability:.0f} %)"
    )
