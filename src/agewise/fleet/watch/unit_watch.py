"""One unit that is watched: from its state and its readings to its next state and its alerts."""

from dataclasses import dataclass, replace

import numpy as np

from agewise.assessment.calibration.calibrate import enough_to_learn, learned_nameplate
from agewise.assessment.oil.lower_stages import refuse_lower_stages
from agewise.errors import InputError
from agewise.fleet.watch.alerts import Change, changed
from agewise.fleet.watch.belief import Belief, first_belief
from agewise.fleet.watch.cooling_look import CoolingLook, cooling_look, with_sound_look
from agewise.fleet.watch.day import Day, first_state, passed_day, passed_oil
from agewise.fleet.watch.new_readings import SOON_S, NewReadings, instant_of, recent_readings
from agewise.fleet.watch.planned_load import PlannedLoad
from agewise.fleet.watch.symptoms import COOLING, THRESHOLDS, WatchThresholds, symptoms
from agewise.fleet.watch.unit_state import UnitState
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile

DOUBTFUL = 2.0
"""Standard deviations of lost cooling from which on nothing is learned from a day: days without
cooling must not become the usual."""
FAR = 0.5
"""Distance in standard deviations that draws may move before they go through the last days again,
so that what they carry is their own."""


@dataclass(frozen=True)
class DayRow:
    """What one look told, for a table."""

    end: float
    """Instant of the last reading [s]."""
    life_used_h: float
    """Life used since the first reading, mean [h]."""
    life_used_std_h: float
    """Its standard deviation [h]."""
    day_used_h: float
    """Life used in this stretch alone, mean [h]."""
    hot_spot_c: float
    """Highest hot spot of the stretch, mean [°C]."""
    hot_spot_high_c: float
    """Its 95 % quantile [°C]."""
    cooling_factor: float | None
    """Rise of the top oil over the usual one; None where nobody can tell."""
    cooling_std: float | None
    """Standard deviation of that factor."""


@dataclass(frozen=True, eq=False)
class Watched:
    """A unit after a watch."""

    state: UnitState
    """What is kept until the next one."""
    changes: tuple[Change, ...]
    """Alerts that begin or end, in the order of time."""
    rows: tuple[DayRow, ...]
    """What every look told."""


def watched(
    state: UnitState,
    unit: Nameplate,
    profile: Profile,
    limits: WatchThresholds = THRESHOLDS,
    *,
    plan: PlannedLoad | None = None,
) -> Watched:
    """Watch a unit through what has been read since the last look, day by day.

    Args:
        state: The unit as the last look left it.
        unit: Its nameplate, with what was learned of it.
        profile: All readings that there are, old ones among them.
        limits: From where on alerts are raised.
        plan: The load that its owner plans; where it is None, or over, the usual load is the plan.
    """
    recent = recent_readings(profile, unit.as_given(), state.memory.last)
    look = _Look(unit, recent, limits, plan)
    return _through(state, look, recent.after(state.memory.last), learns=True)


def begun(
    unit: Nameplate,
    profile: Profile,
    *,
    base: str = "",
    limits: WatchThresholds = THRESHOLDS,
    plan: PlannedLoad | None = None,
) -> tuple[Nameplate, Watched]:
    """Begin to watch a unit: the nameplate with what was learned of it, and its first state.

    Args:
        unit: The nameplate; what a run has learned is used as it is, else it is learned here.
        profile: All readings that there are.
        base: Name of the run that the watch begins with.
        limits: From where on alerts are raised.
        plan: The load that its owner plans; where it is None, or over, the usual load is the plan.
    """
    if profile.top_oil is None or not enough_to_learn(profile):
        raise InputError(
            "There are too few readings of load, air and top oil to watch this unit.",
            hint="give half a day of all three or more; a week is good.",
        )
    refuse_lower_stages(profile, unit, "backward", "A watch")
    unit = learned_nameplate(profile, unit)
    new = recent_readings(profile, unit.as_given(), None)
    known = new.until(_learned_until(unit, profile))
    belief = first_belief(unit)
    state = first_state(belief, base, known, profile.timeline.timezone)
    look = _Look(unit, new, limits, plan)
    before = _through(state, look, known, learns=False)
    # Alerts that came and went before anybody watched are nobody's business.
    standing_changes = [c for c in before.changes if c.raised and _stands(before.state, c)]
    rest = new.after(before.state.memory.last)
    after = _through(before.state, look, rest, learns=True)
    return unit, Watched(
        after.state, (*standing_changes, *after.changes), (*before.rows[-1:], *after.rows)
    )


@dataclass(frozen=True, eq=False)
class _Look:
    """What stays the same while a unit is looked at."""

    unit: Nameplate
    recent: NewReadings
    limits: WatchThresholds
    plan: PlannedLoad | None


def _through(state: UnitState, own: _Look, new: NewReadings, *, learns: bool) -> Watched:
    """Go through new readings day by day; those before them help where draws are drawn anew."""
    changes, rows = [], []
    for stretch in new.days(max(state.memory.anchor, state.memory.last)):
        day = passed_day(state, own.unit, stretch, own.plan)
        look = cooling_look(day.state)
        day_symptoms = symptoms(day, own.unit, look, own.limits)
        at = day.state.memory.last
        standing, fresh = changed(state.memory.standing, day_symptoms, at)
        day = replace(day, state=day.state.remembering(standing=standing))
        before, state = state, day.state
        if not _doubtful(state, look):
            taught = _taught(before, own.unit, day, stretch, own.recent) if learns else state
            state = with_sound_look(taught)
        changes += fresh
        rows.append(_row(day, look))
    return Watched(state, tuple(changes), tuple(rows))


def _doubtful(state: UnitState, look: CoolingLook | None) -> bool:
    """Whether a day is not one to learn from."""
    alarmed = COOLING in state.memory.standing
    return alarmed or (look is not None and look.lost > DOUBTFUL * look.std)


def _taught(
    before: UnitState, unit: Nameplate, day: Day, stretch: NewReadings, recent: NewReadings
) -> UnitState:
    """The state after a day, with its draws moved to what the day tells."""
    state = day.state

    def density(belief: Belief) -> np.ndarray:
        return passed_oil(belief, unit, stretch, before.carried).log_density

    belief = before.belief.taught(day.log_density, density)
    moved = state.memory.moved + belief.distance(before.belief)
    state = replace(state, belief=belief).remembering(moved=moved)
    if moved < FAR:
        return state
    # A draw that moved explains the days before in another way: it goes through them again.
    again = passed_oil(belief, unit, recent.before(state.memory.last), None)
    return replace(state, carried=again.carried).remembering(moved=0.0)


def _row(day: Day, look: CoolingLook | None) -> DayRow:
    return DayRow(
        day.state.memory.last,
        float(day.state.life_used.mean()),
        float(day.state.life_used.std()),
        float(day.used.mean()),
        float(day.hottest.mean()),
        float(np.quantile(day.hottest, 0.95)),
        None if look is None else look.factor,
        None if look is None else look.factor**2 * look.std,
    )


def _stands(state: UnitState, change: Change) -> bool:
    standing = state.memory.standing.get(change.kind)
    return standing is not None and standing.since == change.at


def _learned_until(unit: Nameplate, profile: Profile) -> float:
    """Instant of the last row that the unit's constants were learned from [s]."""
    assert unit.learned is not None
    labels = profile.timeline.labels.astype(str).to_numpy()
    rows = np.flatnonzero(labels == unit.learned.end)
    seconds = profile.seconds[rows[-1]] if rows.size else profile.seconds[-1]
    return instant_of(profile, float(seconds)) + SOON_S
