"""The coming hours: against the guide, closed forms, and what must be monotone."""

from dataclasses import replace

import numpy as np
import pytest

from agewise.transformer.iec60076 import ThermalConstants, hot_spot_parts, top_oil
from agewise.transformer.prognostics.coming_hours import ComingHours, State
from agewise.transformer.prognostics.day_permits import (
    chance_of_passing,
    envelope,
    permits_of_hours,
    permitted_factor,
    times_to_limit,
)
from agewise.transformer.prognostics.rating import Ahead, Ceiling, permit

UNIT = ThermalConstants(
    oil_time_constant=9000.0,
    winding_time_constant=420.0,
    top_oil_rise=60.0,
    gradient=24.0,
    loss_ratio=6.7,
    oil_exponent=0.8,
    winding_exponent=1.3,
    k11=0.5,
    k21=2.0,
    k22=2.0,
)
CYCLIC = Ceiling(top_oil=105.0, hot_spot=120.0, load=1.5)
SECONDS = 300.0 * np.arange(12 * 24 + 1)
HOURS = list(range(0, 12 * 24, 12))
DRAWS = 200


def day(unit: ThermalConstants = UNIT, *, spread: float = 3.0, warm: float = 8.0) -> ComingHours:
    """A day whose air swings by `warm`, and whose model is wrong by `spread`, lasting all day."""
    rng = np.random.default_rng(1)
    swing = 25.0 + warm * np.sin(2 * np.pi * SECONDS / 86400.0 - 2.0)
    error = np.tile(spread * rng.standard_normal(DRAWS), (SECONDS.size - 1, 1))
    now = State(np.full(DRAWS, 60.0), np.full(DRAWS, 30.0), np.full(DRAWS, 14.0))
    return ComingHours([unit], now, SECONDS, np.tile(swing[:, None], (1, DRAWS)), error)


def course(level: float = 0.7) -> np.ndarray:
    load = level * (1 + 0.3 * np.sin(2 * np.pi * SECONDS[1:] / 86400.0 - 1.5))
    return np.tile(load[:, None], (1, DRAWS))


def test_a_course_is_that_of_the_guides_own_integration():
    ahead, load = day(spread=0.0), course()
    found = ahead.states(load)
    # The first row of the guide's series has no interval before it.
    loads = np.append(load[0, 0], load[:, 0])
    oil = top_oil(UNIT, SECONDS, loads, ahead.air[:, 0], start=60.0)
    assert np.array([state.top_oil[0] for state in found]) == pytest.approx(oil, abs=1e-9)
    fast, slow = hot_spot_parts(UNIT, SECONDS, loads, start=15.0)
    later = slice(150, None)  # the start is forgotten: it was shared between the parts otherwise
    assert np.array([s.winding_part[0] for s in found])[later] == pytest.approx(fast[later])
    assert np.array([s.oil_part[0] for s in found])[later] == pytest.approx(slow[later], abs=1e-3)


def test_the_first_hour_permits_what_the_rating_of_an_hour_does():
    ahead = day(warm=0.0)
    (found,) = permits_of_hours(ahead, [0], 12, course(), CYCLIC, 0.1)
    held = Ahead(
        [UNIT], ahead.present.top_oil, ahead.present.winding_part, ahead.present.oil_part,
        SECONDS[1:13], ahead.error[:12].T,
    )  # fmt: skip
    assert found == pytest.approx(permit(held, 25.0, CYCLIC, 0.1).load, abs=2e-4)


def test_every_hour_alone_uses_its_risk_and_no_more():
    ahead, load = day(), course()
    found = permits_of_hours(ahead, HOURS, 12, load, CYCLIC, 0.1)
    for hour in (3, 17):
        raised, first = load.copy(), HOURS[hour]
        raised[first : first + 12] = found[hour]
        states = ahead.states(raised[: first + 12])[first + 1 :]
        beyond = [ahead.excess(state, first + n, CYCLIC) for n, state in enumerate(states)]
        assert (np.max(beyond, axis=0) > 0).mean() == pytest.approx(0.1, abs=1.5 / DRAWS)


def test_all_hours_together_pass_a_limit_as_often_as_is_said():
    whole, hours, steps = day(), HOURS[:5], 60
    ahead = replace(
        whole,
        seconds=SECONDS[: steps + 1],
        air=whole.air[: steps + 1],
        error=whole.error[:steps],
    )
    found = envelope(ahead, hours, CYCLIC, 0.1)
    followed = np.repeat(found.load, 12)[:, None] * np.ones(DRAWS)
    assert chance_of_passing(ahead, followed, CYCLIC) == found.risk
    assert found.risk == pytest.approx(0.1, abs=0.01) and found.risk <= 0.1
    # Whatever stays below the curve passes no more often, however it moves.
    rng = np.random.default_rng(2)
    for _ in range(5):
        below = followed * np.repeat(rng.uniform(0.2, 1.0, len(hours)), 12)[:, None]
        assert chance_of_passing(ahead, below, CYCLIC) <= found.risk
    careful = envelope(ahead, hours, CYCLIC, 0.02)
    assert careful.load.sum() < found.load.sum()


def test_the_factor_makes_the_forecast_pass_with_the_risk():
    ahead, load = day(), course()
    factor = permitted_factor(ahead, load, CYCLIC, 0.1)
    assert chance_of_passing(ahead, factor * load, CYCLIC) == pytest.approx(0.1, abs=1.5 / DRAWS)
    # A limit of the load that is reached first leaves the temperatures below theirs.
    tight = replace(CYCLIC, load=0.9 * factor * float(load[:, 0].max()))
    assert permitted_factor(ahead, load, tight, 0.1) == pytest.approx(0.9 * factor)


def test_the_time_to_a_limit_is_that_of_an_exponential():
    # Without a gradient the hot spot is the top oil, whose way to its target has a closed form.
    unit = replace(UNIT, gradient=1e-9, k21=1.0)
    ahead = replace(day(unit, spread=0.0, warm=0.0), present=State(*np.zeros((3, DRAWS)) + 60.0))
    ahead = replace(ahead, present=replace(ahead.present, winding_part=np.zeros(DRAWS),
                                           oil_part=np.zeros(DRAWS)))  # fmt: skip
    steady = np.full_like(course(), 1.3)
    found = times_to_limit(ahead, [0], steady, 1.0, Ceiling(95.0, 200.0, 9.9))[0, 0]
    target = 25.0 + float(unit.top_oil_target(np.array([1.3]))[0])
    exact = -unit.top_oil_lag * np.log((target - 95.0) / (target - 60.0))
    assert found == pytest.approx(exact, abs=5.0)
    never = times_to_limit(ahead, [0, 12], steady, 1.0, Ceiling(300.0, 300.0, 9.9))
    assert np.isinf(never).all()


def test_a_heavier_trip_comes_sooner_to_its_limit_and_a_later_hour_starts_as_forecast():
    ahead, load = day(), course()
    mild, heavy = (times_to_limit(ahead, HOURS, load, factor, CYCLIC) for factor in (1.6, 2.2))
    assert np.all(heavy <= mild) and np.isfinite(heavy).any()
    # Where the forecast itself passes the limit, nothing is left to wait for.
    assert times_to_limit(ahead, [150], 3 * load, 1.0, CYCLIC).max() == pytest.approx(0.0, abs=300)
