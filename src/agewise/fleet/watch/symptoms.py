"""What is worth an alert: four kinds, each with a bound to raise it and a lower one to clear it."""

from dataclasses import dataclass

import numpy as np

from agewise.fleet.watch.cooling_look import CoolingLook
from agewise.fleet.watch.day import WEEK_S, Day
from agewise.fleet.watch.new_readings import COLUMNS, time_text
from agewise.plant.nameplate import Nameplate
from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.prognostics.cooling_check import RELEVANT
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

COOLING, LIMIT, AGEING, SENSOR = (
    "cooling lost",
    "limit passed",
    "ageing faster than planned",
    "sensor gone",
)
"""Kinds of alerts."""
SENSORS = dict(zip(COLUMNS, ("load", "air temperature", "top-oil temperature"), strict=True))
"""What people call the sensors."""


@dataclass(frozen=True)
class WatchThresholds:
    """From where on an alert is raised, and below what it is cleared.

    Chosen with a made fleet of seed 100 in sight, and not moved since.
    """

    cooling_raised: float = 3.5
    """Standard deviations that a lost share of the cooling must exceed to be told."""
    cooling_cleared: float = 1.5
    """Standard deviations below which it counts as back."""
    cooling_relevant: float = RELEVANT
    """Factor on the rise of the oil below which nobody is sent."""
    limit_raised: float = 0.9
    """Chance that the hot spot passed its limit within a day, to be told."""
    limit_cleared: float = 0.2
    """Chance below which a day counts as one well within the limit."""
    limit_margin_k: float = 10.0
    """Distance below the limit that a hot spot must keep for that [K]. Of one unit the highest hot
    spots of two weeks differ by up to so much through air and load alone (made fleet of seed 100):
    one that is nearer to its limit may pass it again next week, and has not left it."""
    ageing_raised: float = 2.0
    """Times the planned ageing of a week, to be told."""
    ageing_cleared: float = 1.5
    """Times the planned ageing below which a week counts as planned."""
    ageing_sure: float = 0.95
    """Chance of such a factor, to be told."""
    ageing_relevant: float = 0.1
    """Life used in an hour below which ageing matters to nobody [h]: a tenth of the design's."""
    silent_hours: float = 18.0
    """Time without a reading after which a sensor counts as gone [h]."""
    back_hours: float = 2.0
    """Time since the last reading within which it counts as back [h]."""


THRESHOLDS = WatchThresholds()


@dataclass(frozen=True)
class Symptom:
    """What speaks for an alert of one kind at one look."""

    kind: str
    """Kind of the alert."""
    raises: bool
    """Whether it is enough to raise one."""
    calm: bool
    """Whether nothing speaks for one any more."""
    value: float | None
    """The number behind it, in the unit that the reason names."""
    reason: str
    """Why, in a sentence."""


def symptoms(
    day: Day, unit: Nameplate, look: CoolingLook | None, limits: WatchThresholds = THRESHOLDS
) -> list[Symptom]:
    """What a stretch of readings speaks for; of a kind that nobody can tell there is none."""
    day_symptoms = [hot_spot_symptom(day, unit, limits), ageing_symptom(day, limits)]
    day_symptoms.append(sensor_symptom(day, limits))
    return day_symptoms if look is None else [*day_symptoms, cooling_symptom(day, look, limits)]


def cooling_symptom(day: Day, look: CoolingLook, limits: WatchThresholds) -> Symptom:
    """Oil that is hotter than before, for the same load and air."""
    raises = look.lost > limits.cooling_raised * look.std
    return Symptom(
        COOLING,
        raises and look.factor > limits.cooling_relevant,
        look.lost < limits.cooling_cleared * look.std or look.factor < 1 + _half(limits),
        look.factor,
        f"In the day before {_when(day)} the top oil rose {look.factor:.2f} ± "
        f"{look.factor**2 * look.std:.2f} times as much over the air as before under the same "
        "load: check fans, pumps and radiators.",
    )


def hot_spot_symptom(day: Day, unit: Nameplate, limits: WatchThresholds) -> Symptom:
    """A hot spot above the limit of normal cyclic loading; calm only well below it."""
    limit = LIMITS["normal cyclic"].hot_spot
    chance = float((day.hottest > limit).mean())
    near = float((day.hottest > limit - limits.limit_margin_k).mean())
    mean, std = float(day.hottest.mean()), float(day.hottest.std())
    return Symptom(
        LIMIT,
        chance >= limits.limit_raised,
        near < limits.limit_cleared,
        mean,
        f"In the day before {_when(day)} the hot spot of {unit.name} reached {mean:.0f} ± "
        f"{std:.0f} °C, above the {limit:g} °C of normal cyclic loading (chance "
        f"{100 * chance:.0f} %).",
    )


def ageing_symptom(day: Day, limits: WatchThresholds) -> Symptom:
    """A week that used more life than its plan: the planned or usual load in the same air."""
    state = day.state
    ends = state.shared["week"]
    used, planned = state.own["week used"].sum(axis=1), state.own["week planned"].sum(axis=1)
    factor = used / np.maximum(planned, 1e-12)
    days = float(min(state.memory.last - state.memory.anchor, WEEK_S)) / SECONDS_PER_DAY
    rate = float(used.mean()) / max(24 * days, 1e-9)
    sure, middle = (float(q) for q in np.quantile(factor, (1 - limits.ageing_sure, 0.5)))
    full_week = days > 6.5 and ends.size >= 6
    return Symptom(
        AGEING,
        bool(full_week and sure > limits.ageing_raised and rate > limits.ageing_relevant),
        bool(middle < limits.ageing_cleared or rate < limits.ageing_relevant / 2),
        middle,
        f"In the week before {_when(day)} the insulation aged {middle:.1f} times as fast as "
        f"{day.plan} would have aged it in the same air, {float(used.mean()):.1f} h of life in "
        f"{24 * days:.0f} h: load or cooling have changed.",
    )


def sensor_symptom(day: Day, limits: WatchThresholds) -> Symptom:
    """A sensor that has shown nothing for long."""
    memory = day.state.memory
    silent = (memory.last - np.array(memory.last_read)) / SECONDS_PER_HOUR
    worst = int(silent.argmax())
    name, since = SENSORS[COLUMNS[worst]], time_text(memory.last_read[worst], memory.timezone)
    return Symptom(
        SENSOR,
        bool(silent[worst] >= limits.silent_hours),
        bool(silent[worst] <= limits.back_hours),
        float(silent[worst]),
        f"The {name} has not been read for {silent[worst]:.0f} h, since {since}: check the "
        "sensor and its cable; until it reads again, a model replaces it.",
    )


def _half(limits: WatchThresholds) -> float:
    """Half of what is relevant: below it, whatever its significance, the cooling is back."""
    return (limits.cooling_relevant - 1) / 2


def _when(day: Day) -> str:
    return time_text(day.state.memory.last, day.state.memory.timezone)
