"""Permitted loads: the guide's steady state, its step-by-step answer, and what must be monotone."""

from dataclasses import replace

import numpy as np
import pytest

from agewise.transformer.iec60076 import ThermalConstants, hot_spot_parts, top_oil
from agewise.transformer.prognostics.rating import Ahead, Ceiling, permit, permitted_loads

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
SETTLED = 40 * 9000.0


def steady(load: float, ambient: float) -> tuple[float, float]:
    """Top oil and hot spot by the guide's formula of the steady state."""
    oil = ambient + float(UNIT.top_oil_target(np.array([load]))[0])
    return oil, oil + float(UNIT.gradient_target(np.array([load]))[0])


def known(load: float, ambient: float, seconds: np.ndarray) -> Ahead:
    """A unit about which everything is known, steady at a load."""
    oil, hot = steady(load, ambient)
    winding, slow = UNIT.k21 * (hot - oil), (UNIT.k21 - 1) * (hot - oil)
    return Ahead(
        constants=[UNIT],
        top_oil=np.array([oil]),
        winding_part=np.array([winding]),
        oil_part=np.array([slow]),
        seconds=seconds,
        error=np.zeros((1, seconds.size)),
    )


def unsure(count: int = 400, hours: float = 8.0) -> Ahead:
    """A unit with draws of gradient, exponent, present oil and error."""
    rng, seconds = np.random.default_rng(0), np.arange(1, 12 * hours + 1) * 300.0
    constants = [
        replace(UNIT, gradient=24 * share, winding_exponent=y)
        for share, y in rng.normal([1.0, 1.3], [0.05, 0.1], (count, 2)).tolist()
    ]
    error = rng.normal(0, 1.5, (count, 1)) * np.ones(seconds.size)
    start = rng.normal(70.0, 0.3, count)
    return Ahead(constants, start, np.full(count, 30.0), np.full(count, 15.0), seconds, error)


def test_a_load_held_to_the_steady_state_gives_exactly_the_limit():
    seconds = np.array([SETTLED])
    found = permit(known(0.3, 20.0, seconds), 20.0, CYCLIC, 0.05)
    assert steady(found.load, 20.0)[1] == pytest.approx(120.0, abs=0.02)
    assert found.binding == "hot spot"
    oil_bound = permit(known(0.3, 20.0, seconds), 20.0, replace(CYCLIC, hot_spot=160.0), 0.05)
    assert steady(oil_bound.load, 20.0)[0] == pytest.approx(105.0, abs=0.02)
    assert oil_bound.binding == "top oil"


def test_peaks_are_those_of_the_guide_step_by_step():
    seconds = np.arange(1, 4 * 60 + 1) * 60.0
    top, hot = known(0.5, 20.0, seconds).peaks(1.3, 35.0)
    instants = np.append(0.0, seconds)
    load, air = np.full(instants.size, 1.3), np.full(instants.size, 35.0)
    start_oil, start_hot = steady(0.5, 20.0)
    oil = top_oil(UNIT, instants, load, air, start=start_oil)
    winding, slow = hot_spot_parts(UNIT, instants, load, start=start_hot - start_oil)
    assert top[0] == pytest.approx(oil[1:].max(), abs=1e-9)
    assert hot[0] == pytest.approx((oil + winding - slow)[1:].max(), abs=1e-9)


def test_the_permitted_load_meets_the_limit_in_four_hours_of_steps():
    seconds = np.arange(1, 4 * 60 + 1) * 60.0
    found = permit(known(0.2, 20.0, seconds), 30.0, CYCLIC, 0.05)
    instants = np.append(0.0, seconds)
    load, air = np.full(instants.size, found.load), np.full(instants.size, 30.0)
    start_oil, start_hot = steady(0.2, 20.0)
    oil = top_oil(UNIT, instants, load, air, start=start_oil)
    winding, slow = hot_spot_parts(UNIT, instants, load, start=start_hot - start_oil)
    assert (oil + winding - slow).max() == pytest.approx(120.0, abs=0.02)


def test_the_share_of_draws_that_pass_is_the_risk():
    for risk in (0.05, 0.2, 0.5):
        found = permit(unsure(), 30.0, CYCLIC, risk)
        assert found.risk == pytest.approx(risk, abs=0.006)


def test_less_risk_hotter_air_and_longer_hours_permit_less():
    ahead = unsure()
    loads = [permit(ahead, 30.0, CYCLIC, risk).load for risk in (0.01, 0.05, 0.2, 0.5)]
    assert loads == sorted(loads)
    assert len(set(loads)) == 4
    table = permitted_loads(ahead, (10.0, 25.0, 40.0), (3, 12, 48, 96), CYCLIC, 0.05)
    found = np.array([[one.load for one in row] for row in table])
    assert np.all(np.diff(found, axis=0) < 0)
    assert np.all(np.diff(found, axis=1) <= 0)
    assert found[0, 0] > found[0, -1]


def test_the_current_binds_in_cold_air():
    cold = replace(unsure(), top_oil=np.full(400, 10.0))
    found = permit(cold, -20.0, CYCLIC, 0.05, steps=12)
    assert (found.load, found.binding, found.risk) == (1.5, "current", 0.0)


def test_nothing_is_permitted_to_a_unit_beyond_its_limit():
    ahead = replace(unsure(), top_oil=np.full(400, 130.0))
    found = permit(ahead, 30.0, CYCLIC, 0.05)
    assert found.load == 0.0
    assert found.risk > 0.9
    assert found.binding == "top oil"


def test_one_row_of_constants_serves_all_draws():
    single = replace(unsure(), constants=[UNIT])
    repeated = replace(unsure(), constants=[UNIT] * 400)
    assert permit(single, 30.0, CYCLIC, 0.1) == permit(repeated, 30.0, CYCLIC, 0.1)
