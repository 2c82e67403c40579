"""IEEE C57.91, clause 7, against closed forms, an independent integration and its own laws.

The guide's own tables of a day's cycle are not at hand in print, so that none of them is quoted
here: what stands instead is what its formulas give by hand, and a second way to integrate them.
"""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from agewise.transformer.ageing.ieee import END_OF_LIFE_HOURS, IEEE_55, IEEE_65, AverageWindingRise
from agewise.transformer.ageing.upgraded import UpgradedPaper
from agewise.transformer.between_samples import Hold
from agewise.transformer.cooling_defaults import Cooling
from agewise.transformer.iec60076 import ThermalConstants, thermal_history
from agewise.transformer.ieee_c57 import (
    EXPONENTS,
    HOT_SPOT_RISE,
    ieee_history,
    top_oil_rise,
    top_oil_time_constant,
)

HOUR, DAY = 3600.0, 86_400.0
RATIO = 4.5
"""Load losses over no-load losses."""


def unit(cooling: Cooling = "ONAN", *, rise: float = 55.0, hot_spot: float = 80.0):
    """A unit whose oil needs three hours, its winding five minutes."""
    chosen = EXPONENTS[cooling]
    return ThermalConstants(
        oil_time_constant=3 * HOUR,
        winding_time_constant=300.0,
        top_oil_rise=rise,
        gradient=hot_spot - rise,
        loss_ratio=RATIO,
        oil_exponent=chosen.oil,
        winding_exponent=2 * chosen.winding,
        k11=1.0,
        k21=1.0,
        k22=1.0,
    )


def air_at(seconds):
    """Air that swings over the day [°C]."""
    return 25.0 + 8.0 * np.sin(2 * np.pi * (seconds / DAY - 0.4))


def day_cycle(step: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Instants [s], a load that is held for hours [p.u.], and the air [°C]."""
    seconds = np.arange(0.0, DAY + 1, step)
    hourly = np.array([0.6, 0.55, 0.5, 0.5, 0.55, 0.7, 0.9, 1.0, 1.05, 1.1, 1.15, 1.2] * 2)
    load = hourly[np.clip(np.ceil(seconds / HOUR).astype(int) - 1, 0, 23)]
    return seconds, load, air_at(seconds)


def integrated_day(constants: ThermalConstants) -> np.ndarray:
    """Top-oil rise, hot-spot rise over it and hours of life at every hour, by another integrator.

    The equations behind the clause, written out anew: heat that is stored is heat that is made less
    heat that is given off, and what is given off goes with the rise to the power 1/n.
    """
    seconds, load, _ = day_cycle(HOUR)
    n, y = constants.oil_exponent, constants.winding_exponent
    state = np.array([55.0 * ((RATIO * load[0] ** 2 + 1) / 5.5) ** n, 25.0 * load[0] ** y, 0.0])
    states = [state]
    for first, last, k in zip(seconds[:-1], seconds[1:], load[1:], strict=True):

        def slopes(t, now, k=k):
            made = (RATIO * k**2 + 1) / (RATIO + 1)
            hot = air_at(t) + now[0] + now[1]
            return [
                55.0 * (made - (now[0] / 55.0) ** (1 / n)) / (3 * HOUR),
                (25.0 * k**y - now[1]) / 300.0,
                np.exp(15000 / 383 - 15000 / (hot + 273)) / HOUR,
            ]

        state = solve_ivp(slopes, (first, last), state, rtol=1e-9, atol=1e-9).y[:, -1]
        states.append(state)
    return np.array(states).T


@pytest.mark.parametrize("cooling", get_args(Cooling))
def test_a_day_in_minutes_is_the_clause_integrated_independently(cooling: Cooling):
    constants = unit(cooling)
    seconds, load, air = day_cycle(60.0)
    history = ieee_history(constants, seconds, load, air)
    oil, winding, _ = integrated_day(constants)
    hours = slice(None, None, 60)
    np.testing.assert_allclose(history.top_oil[hours], air[hours] + oil, atol=0.01)
    rise = history.hot_spot[hours] - history.top_oil[hours]
    np.testing.assert_allclose(rise, winding, atol=1e-6)


def test_loss_of_life_of_a_day_is_that_of_the_independent_integration():
    constants = unit()
    seconds, load, air = day_cycle(60.0)
    ours = ieee_history(constants, seconds, load, air)
    _, _, used = integrated_day(constants)
    assert ours.loss_of_life[-1] == pytest.approx(used[-1], rel=2e-3)


def test_shorter_rows_come_nearer_to_the_equation_at_first_order():
    constants, errors = unit(), []
    exact, _, _ = integrated_day(constants)
    for step in (900.0, 450.0, 225.0):
        seconds, load, _ = day_cycle(step)
        rise = top_oil_rise(constants, seconds, load)[:: round(HOUR / step)]
        errors.append(np.abs(rise - exact).max())
    orders = np.log2(errors[:-1]) - np.log2(errors[1:])
    assert np.all((orders > 0.9) & (orders < 1.3))


@pytest.mark.parametrize("cooling", get_args(Cooling))
def test_one_row_is_one_step_of_the_printed_formulas(cooling: Cooling):
    """Eight hours of 1.2 p.u. after 0.5 p.u., by hand."""
    constants, n = unit(cooling), EXPONENTS[cooling].oil
    before, after = (((RATIO * k**2 + 1) / (RATIO + 1)) ** n for k in (0.5, 1.2))
    corrected = 3.0 * (after - before) / (after ** (1 / n) - before ** (1 / n))
    by_hand = 55.0 * ((after - before) * (1 - np.exp(-8.0 / corrected)) + before)
    rise = top_oil_rise(constants, np.array([0.0, 8 * HOUR]), np.array([0.5, 1.2]))
    assert rise[1] == pytest.approx(by_hand, abs=1e-9)


def test_the_corrected_time_constant_has_the_slope_of_the_heat_balance():
    constants = unit()
    before, after = (float(constants.top_oil_target(np.array([k]))[0]) for k in (0.3, 1.4))
    slope = (after - before) / top_oil_time_constant(constants, before, after)
    heat = (after / 55.0) ** (1 / 0.8) - (before / 55.0) ** (1 / 0.8)
    assert slope == pytest.approx(55.0 * heat / (3 * HOUR))
    # Towards its target it is the derivative, not 0/0.
    near, at = (top_oil_time_constant(constants, off * after, after) for off in (1 - 1e-5, 1.0))
    assert near == pytest.approx(at, rel=1e-4)


def test_with_directed_oil_and_steady_air_it_is_iec_with_all_factors_one():
    seconds, load, _ = day_cycle(300.0)
    air = np.full(seconds.size, 20.0)
    ieee, iec = (model(unit("OD"), seconds, load, air) for model in (ieee_history, thermal_history))
    np.testing.assert_allclose(ieee.hot_spot, iec.hot_spot, atol=1e-9)


def test_air_is_added_without_a_lag():
    seconds, load = np.array([0.0, 60.0]), np.full(2, 0.8)
    warmer = ieee_history(unit(), seconds, load, np.array([20.0, 30.0]))
    assert np.diff(warmer.top_oil) == pytest.approx([10.0])


@pytest.mark.parametrize("hold", get_args(Hold))
def test_a_load_belongs_to_its_interval(hold: Hold):
    rise = top_oil_rise(unit(), HOUR * np.arange(3.0), np.array([0.0, 1.0, 1.0]), hold=hold)
    assert (rise[1] > rise[0]) == (hold != "forward")


@pytest.mark.parametrize("winding_rise", HOT_SPOT_RISE)
def test_rated_load_at_30_degrees_uses_a_day_a_day(winding_rise: AverageWindingRise):
    """The point for which a unit is built: 110 or 95 °C, 0.0133 % of 180 000 h a day."""
    constants = unit(rise=45.0, hot_spot=HOT_SPOT_RISE[winding_rise])
    seconds = np.array([0.0, HOUR, DAY])
    history = ieee_history(
        constants, seconds, np.ones(3), np.full(3, 30.0), winding_rise=winding_rise
    )
    assert history.hot_spot == pytest.approx({65: 110.0, 55: 95.0}[winding_rise])
    assert history.loss_of_life[-1] == pytest.approx(24.0)
    percent = {
        end: 100 * history.loss_of_life[-1] / hours for end, hours in END_OF_LIFE_HOURS.items()
    }
    assert percent["functional life"] == pytest.approx(0.0133, abs=5e-5)
    # A stricter end of life is nearer: half of the tensile strength after 65 000 h.
    assert percent["tensile strength 50 %"] == pytest.approx(0.0369, abs=5e-5)


def test_the_law_of_65_degrees_is_that_of_upgraded_paper_and_55_the_same_15_kelvin_lower():
    celsius = np.linspace(-40.0, 180.0, 221)
    np.testing.assert_array_equal(IEEE_65.rate(celsius), UpgradedPaper().rate(celsius))
    by_hand = np.exp(15000 / 368 - 15000 / (celsius + 273))
    np.testing.assert_allclose(IEEE_55.rate(celsius), by_hand, rtol=1e-12)
    assert (IEEE_55.rate(celsius) > IEEE_65.rate(celsius)).all()


@given(load=st.floats(0.0, 2.0), ambient=st.floats(-40.0, 50.0))
def test_a_steady_start_stays_steady(load: float, ambient: float):
    seconds = np.array([0.0, 60.0, 7200.0, 1e6])
    history = ieee_history(unit(), seconds, np.full(4, load), np.full(4, ambient))
    rise = 55.0 * ((RATIO * load**2 + 1) / 5.5) ** 0.8
    np.testing.assert_allclose(history.top_oil, ambient + rise, atol=1e-9)
    np.testing.assert_allclose(history.hot_spot, ambient + rise + 25.0 * load**1.6, atol=1e-9)


@given(start=st.floats(-60.0, 150.0), load=st.floats(0.0, 2.0), step=st.floats(1.0, 1e6))
def test_the_oil_never_passes_its_target(start: float, load: float, step: float):
    """Whatever the step and the start, oil below the air's temperature included."""
    constants = unit()
    target = float(constants.top_oil_target(np.array([load]))[0])
    rise = top_oil_rise(constants, np.array([0.0, step]), np.full(2, load), start=start)[1]
    assert min(start, target) - 1e-9 <= rise <= max(start, target) + 1e-9


def test_a_start_may_be_given_and_a_measured_oil_is_used_as_it_is():
    seconds, load, air = HOUR * np.arange(3.0), np.full(3, 0.7), np.full(3, 20.0)
    begun = ieee_history(unit(), seconds, load, air, start_top_oil=35.0, start_hot_spot_rise=0.0)
    assert (begun.top_oil[0], begun.hot_spot[0]) == (35.0, 35.0)
    oil = np.array([50.0, 52.0, 51.0])
    measured = ieee_history(unit(), seconds, load, air, measured_top_oil=oil)
    np.testing.assert_array_equal(measured.top_oil, oil)
    slower = replace(unit(), oil_time_constant=9 * HOUR)
    again = ieee_history(slower, seconds, load, air, measured_top_oil=oil)
    np.testing.assert_array_equal(again.hot_spot, measured.hot_spot)
