"""A stretch of at most a day of one unit: its oil, winding and life, and the planned ones."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import BIAS
from agewise.fleet.watch.belief import Belief
from agewise.fleet.watch.cooling_look import with_piece
from agewise.fleet.watch.new_readings import COLUMNS, NewReadings
from agewise.fleet.watch.planned_load import (
    PlannedLoad,
    heating_of_plan,
    name_of_plan,
    usual_heating,
)
from agewise.fleet.watch.unit_state import Memory, UnitState
from agewise.fleet.watch.winding_track import Track, hot_spot_way, lagged_oil
from agewise.plant.nameplate import Nameplate
from agewise.transformer.calibration.day_filter import (
    Carried,
    Passed,
    oil_lag,
    onward,
    top_oil_target,
)
from agewise.transformer.calibration.names import RISE
from agewise.units import SECONDS_PER_DAY

WEEK_S = 7 * SECONDS_PER_DAY
"""Time over which ageing is compared with the plan [s]: works and homes live by weeks."""
TRACK, PLAN = "", "planned "
"""Beginnings of the names of what draws carry of the winding as it is, and as planned."""

PerDraw = Float[np.ndarray, " draw"]
"""A number for each draw."""


@dataclass(frozen=True, eq=False)
class Day:
    """What a stretch of readings did to a unit."""

    state: UnitState
    """The unit at its end; nothing was learned from it yet."""
    log_density: PerDraw
    """Logarithm of the density of its readings [nats]."""
    hottest: PerDraw
    """Highest hot spot [°C]."""
    used: PerDraw
    """Life used [h]."""
    plan: str
    """What its ageing is compared with, in words."""


def first_state(belief: Belief, base: str, new: NewReadings, timezone: str) -> UnitState:
    """A unit before its first reading."""
    count = belief.draws[RISE].size
    anchor = float(new.instants[0])
    own = {name: np.zeros(count) for name in ("used", "difference", "usual", "planned oil")}
    own |= {name: np.zeros((count, 0)) for name in ("cross", "week used", "week planned")}
    shared = {
        "plan": usual_heating(new),
        "rise": np.zeros(1),
        "whitened": np.array([-np.inf, 0.0]),
        "pieces": np.zeros((4, 0)),
        "week": np.zeros(0),
    }
    memory = Memory(base, anchor, -np.inf, timezone, (anchor,) * len(COLUMNS))
    return UnitState(memory, belief, None, own, shared)


def passed_day(
    state: UnitState, unit: Nameplate, new: NewReadings, plan: PlannedLoad | None = None
) -> Day:
    """Carry a unit through a stretch of readings, and through its plan."""
    belief, cells = state.belief, new.cells
    passed = passed_oil(belief, unit, new, state.carried)
    rng = np.random.default_rng(int(abs(new.instants[-1])))
    # What a draw does not know of its oil, alike for a day: little where the oil is read.
    unsure = rng.standard_normal(passed.log_density.size)[:, None] * np.sqrt(passed.variance)
    oil = passed.top_oil + unsure - belief.draws[BIAS][:, None]
    load = new.winding_heating
    way = hot_spot_way(belief, unit, oil, load, cells.steps, _track(state, TRACK))
    state = with_piece(replace(state, carried=passed.carried), new, passed)
    own = state.own | _named(way.track, TRACK) | {"used": state.own["used"] + way.used}
    heating = heating_of_plan(state.shared["plan"], plan, new)
    state = _with_plan(replace(state, own=own), unit, new, way.used, heating)
    return Day(
        state.remembering(last=float(new.instants[-1]), last_read=_last_read(state, new)),
        passed.log_density,
        way.hot_spot.max(axis=1),
        way.used,
        name_of_plan(plan, new),
    )


def passed_oil(
    belief: Belief, unit: Nameplate, days: NewReadings, carried: Carried | None
) -> Passed:
    """The oil of some days by a belief, from what its draws carry; None for a fresh start."""
    return onward(belief.draws, days.cells, carried=carried, **_fixed(unit))


def _with_plan(
    state: UnitState,
    unit: Nameplate,
    new: NewReadings,
    used: PerDraw,
    heating: Float[np.ndarray, " cell"],
) -> UnitState:
    """The state with the life that the planned load would have used in the same air."""
    # The same tap and the same share of the other windings as there were.
    cells = replace(new.cells, heating=heating * new.oil_part, load=np.sqrt(heating))
    draws = state.belief.draws
    wanted = top_oil_target(draws, cells, _fixed(unit)["loss_ratio"])
    lag = oil_lag(draws, _fixed(unit)["k11"])
    start = wanted[:, 0] if np.isinf(state.memory.last) else state.own["planned oil"]
    oil = lagged_oil(wanted, cells.steps, lag, start)
    way = hot_spot_way(state.belief, unit, oil, heating, cells.steps, _track(state, PLAN))
    own = state.own | _named(way.track, PLAN) | {"planned oil": oil[:, -1]}
    return _with_week(replace(state, own=own), float(new.instants[-1]), used, way.used)


def _with_week(state: UnitState, end: float, used: PerDraw, planned: PerDraw) -> UnitState:
    """The state with a stretch added to its week, stretches of one day put together."""
    ends, own = state.shared["week"], state.own
    day = np.floor((np.append(ends, end) - state.memory.anchor - 1) / SECONDS_PER_DAY)
    columns = {"week used": used, "week planned": planned}
    joined = ends.size > 0 and day[-1] == day[-2]
    keep = (ends > end - WEEK_S) & ~(joined & (np.arange(ends.size) == ends.size - 1))
    added = {}
    for name, values in columns.items():
        last = own[name][:, -1] + values if joined else values
        added[name] = np.concatenate([own[name][:, keep], last[:, None]], axis=1)
    shared = state.shared | {"week": np.append(ends[keep], end)}
    return replace(state, own=own | added, shared=shared)


def _last_read(state: UnitState, new: NewReadings) -> tuple[float, ...]:
    """Instant of the last reading of each sensor [s]."""
    return tuple(
        float(new.instants[column].max()) if column.any() else before
        for column, before in zip(new.read.T, state.memory.last_read, strict=True)
    )


def _fixed(unit: Nameplate) -> dict[str, float]:
    """Constants of the oil's model that are not learned."""
    constants = unit.thermal_constants()
    return {"loss_ratio": constants.loss_ratio, "k11": constants.k11}


def _track(state: UnitState, begin: str) -> Track | None:
    if begin + "rate" not in state.own:
        return None
    return Track(*(state.own[begin + name] for name in ("fast", "slow", "rate")))


def _named(track: Track, begin: str) -> dict[str, np.ndarray]:
    return {begin + name: values for name, values in vars(track).items()}
