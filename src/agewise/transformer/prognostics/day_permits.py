"""What the coming hours permit: each hour by itself, all hours together, and after a trip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from agewise.transformer.prognostics.coming_hours import ComingHours, Heat, State
from agewise.transformer.prognostics.rating import TOLERANCE, Ceiling

RISK_TOLERANCE = 0.02
"""Accuracy of the risk of an hour, as a share of the risk of all hours together."""
Loads = Float[np.ndarray, " hour"]
"""A load for each hour [p.u.]."""


def chance_of_passing(
    hours: ComingHours, load: Float[np.ndarray, "step draw"], ceiling: Ceiling
) -> float:
    """Share of draws in which a course of the load [p.u.] passes a limit at any time."""
    return float((_highest(hours, load, ceiling) > 0).mean())


def permitted_factor(
    hours: ComingHours, load: Float[np.ndarray, "step draw"], ceiling: Ceiling, risk: float
) -> float:
    """The largest factor on a course of the load at which a limit is passed in `risk` of the draws.

    The expected load stays below the limit of the load. By bisection, as every draw gets hotter
    with the factor; 0 where the risk is exceeded even without load.
    """
    # The limit of the load holds for the expected one: its errors may go beyond it.
    most = ceiling.load / float(load.mean(axis=1).max())

    def allowed(factor: float) -> bool:
        beyond = _highest(hours, factor * load, ceiling)
        # A quantile changes continuously with the factor, unlike a share of draws.
        return float(np.quantile(beyond, 1 - risk)) <= 0

    return _largest(allowed, most)


def permits_of_hours(
    hours: ComingHours,
    starts: Sequence[int],
    length: int | Sequence[int],
    load: Float[np.ndarray, "step draw"],
    ceiling: Ceiling,
    risk: float,
) -> Loads:
    """The load that each hour permits by itself [p.u.]: before it, the load went its course.

    Args:
        hours: The coming hours in draws.
        starts: First step of each hour.
        length: Number of steps that the load is held, one for all hours or one for each.
        load: Course of the load before each hour, in draws [p.u.].
        ceiling: Limits that must not be passed.
        risk: Probability of passing a temperature limit in that time that is accepted.
    """
    first, count = np.array(starts), np.broadcast_to(length, len(starts))
    # No further than the last start: later hours are not looked at.
    states = hours.states(load[: first.max()])
    begun = _stacked([states[start] for start in starts])

    def beyond(loads: Loads) -> Loads:
        state, heat = begun, hours.heat(loads[:, None])
        highest = np.full(begun.top_oil.shape, -np.inf)
        for ahead in range(count.max()):
            # An hour that is over stays at its last step, and counts no more.
            step = np.minimum(first + ahead, first + count - 1)
            state = hours.after(state, step, heat)
            excess = hours.excess(state, step, ceiling)
            highest = np.where((ahead < count)[:, None], np.maximum(highest, excess), highest)
        return np.quantile(highest, 1 - risk, axis=1)

    low, high = np.zeros(first.size), np.full(first.size, ceiling.load)
    # Hours that bear the highest load are done: their bounds meet.
    low = np.where(beyond(high) <= 0, high, low)
    while (high - low).max() > TOLERANCE:
        middle = (low + high) / 2
        within_limits = beyond(middle) <= 0
        low, high = np.where(within_limits, middle, low), np.where(within_limits, high, middle)
    return low


@dataclass(frozen=True)
class Envelope:
    """Loads of all hours that may be carried one after the other."""

    load: Loads
    """Load of each hour [p.u.]."""
    risk: float
    """Share of draws in which a limit is passed at any time, under all of them together."""


def envelope(hours: ComingHours, starts: Sequence[int], ceiling: Ceiling, risk: float) -> Envelope:
    """The load up to which every hour may be loaded, even if all hours before it were.

    Hour by hour as much as one small risk permits, the same in every hour. That risk is sought
    such that all hours together pass a limit in `risk` of the draws.
    """
    # Where hours pass limits in different draws their risks add up: this end is safe for sure.
    low, high = risk / len(starts), risk
    best = _envelope_at_risk(hours, starts, ceiling, low)
    # Draws that pass a limit in one hour often pass it in others, so the risk of an hour may be
    # more than its part of the whole.
    while high - low > RISK_TOLERANCE * risk:
        middle = (low + high) / 2
        trial = _envelope_at_risk(hours, starts, ceiling, middle)
        if trial.risk <= risk:
            low, best = middle, trial
        else:
            high = middle
    return best


def times_to_limit(
    hours: ComingHours,
    starts: Sequence[int],
    load: Float[np.ndarray, "step draw"],
    factor: float,
    ceiling: Ceiling,
) -> Float[np.ndarray, "hour draw"]:
    """Time from the start of each hour until a limit is passed [s], if the load jumps there.

    Infinite where none is passed as long as the course of the load is known. Within a step the
    temperatures are taken to go straight.

    Args:
        hours: The coming hours in draws.
        starts: First step of each hour, at which the load jumps.
        load: Course of the load in draws [p.u.].
        factor: Factor on the load from there on.
        ceiling: Limits of the temperatures; the load is not limited.
    """
    before, raised = hours.states(load), hours.heat(factor * load)
    times = np.full((len(starts), load.shape[1]), np.inf)
    for hour, start in enumerate(starts):
        state = before[start]
        # The error at an instant is that at the end of the step before it; now, that of the first.
        was = hours.excess(state, max(start - 1, 0), ceiling)
        for step in range(start, hours.steps):
            state = hours.after(state, step, Heat(raised.rise[step], raised.gradient[step]))
            beyond = hours.excess(state, step, ceiling)
            # Only the first passing counts.
            passed = (beyond > 0) & np.isinf(times[hour])
            below = np.maximum(-was[passed], 0.0)
            # 0 where the limit was passed at the start already.
            share = below / (below + beyond[passed])
            first, last = hours.seconds[step : step + 2] - hours.seconds[start]
            times[hour, passed] = first + share * (last - first)
            was = beyond
            # No draw is left that could still pass.
            if np.isfinite(times[hour]).all():
                break
    return times


def _envelope_at_risk(
    hours: ComingHours, starts: Sequence[int], ceiling: Ceiling, risk: float
) -> Envelope:
    """The largest loads hour by hour at one risk for each hour."""
    state, loads = hours.present, []
    passed = np.zeros(state.top_oil.shape, bool)
    for first, last in pairwise([*starts, hours.steps]):
        hour = _Hour(hours, state, range(first, last), ceiling)
        # `hour=hour` binds the hour of this turn; a closure would see the next one.
        loads.append(_largest(lambda load, hour=hour: hour.keeps(load, risk), ceiling.load))
        state, highest = hour.held(loads[-1])
        passed |= highest > 0
    return Envelope(np.array(loads), float(passed.mean()))


@dataclass(frozen=True, eq=False)
class _Hour:
    """One hour under a constant load."""

    hours: ComingHours
    """The coming hours in draws."""
    begun: State
    """State of the guide's model at the beginning of the hour."""
    steps: range
    """Steps that the hour has."""
    ceiling: Ceiling
    """Limits of the temperatures."""

    def held(self, load: float) -> tuple[State, Float[np.ndarray, " draw"]]:
        """The state at its end, and by how much a limit was passed at the worst time [K]."""
        state, highest = self.begun, np.full(self.begun.top_oil.shape, -np.inf)
        # An array of one, so that it broadcasts over the draws.
        heat = self.hours.heat(np.array([load]))
        for step in self.steps:
            state = self.hours.after(state, step, heat)
            np.maximum(highest, self.hours.excess(state, step, self.ceiling), out=highest)
        return state, highest

    def keeps(self, load: float, risk: float) -> bool:
        """Whether a limit is passed in at most `risk` of the draws."""
        return float(np.quantile(self.held(load)[1], 1 - risk)) <= 0


def _highest(
    hours: ComingHours, load: Float[np.ndarray, "step draw"], ceiling: Ceiling
) -> Float[np.ndarray, " draw"]:
    """By how much a temperature is above its limit at the worst time of each draw [K]."""
    # Without the present state, which no load to come can change.
    states = hours.states(load)[1:]
    return np.max([hours.excess(state, n, ceiling) for n, state in enumerate(states)], axis=0)


def _stacked(states: Sequence[State]) -> State:
    """States of several hours side by side."""
    parts = ("top_oil", "winding_part", "oil_part")
    return State(*(np.stack([getattr(state, name) for state in states]) for name in parts))


def _largest(allowed: Callable[[float], bool], most: float) -> float:
    """The largest load or factor up to `most` that is allowed, by bisection; 0 where none is."""
    if allowed(most):
        return most
    low, high = 0.0, most
    while high - low > TOLERANCE:
        middle = (low + high) / 2
        low, high = (middle, high) if allowed(middle) else (low, middle)
    return low
