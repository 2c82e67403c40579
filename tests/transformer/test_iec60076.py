"""IEC 60076-7 against its published example, an independent integration and its own laws."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.registry import LAWS
from agewise.transformer.between_samples import Hold
from agewise.transformer.cooling_defaults import Cooling, CoolingDefaults, cooling_defaults
from agewise.transformer.iec60076 import (
    ThermalConstants,
    hot_spot_rise,
    thermal_history,
    top_oil,
)
from agewise.transformer.lag import Scheme

HOLDS = ("backward", "forward")
ROWS = [cooling_defaults(cooling, 25_000.0) for cooling in get_args(Cooling)]
ROWS.append(cooling_defaults("ONAN", 1_000.0))

# The step-load example of the 2018 edition, annex H.
AMBIENT, FIRST_TOP_OIL, FIRST_RISE = 25.6, 38.3, 0.0
STEP_ENDS = np.array([0.0, 190.0, 365.0, 500.0, 705.0, 730.0, 745.0])
STEP_LOADS = np.array([1.0, 0.6, 1.5, 0.3, 2.1, 0.0])
PUBLISHED = [(61.9, 83.8), (44.4, 54.0), (89.2, 127.0), (35.0, 37.5), (67.9, 138.6), (60.3, 75.3)]
NOT_EXACT_IN_PRINT = 2
"""At 500 min the printed 89.2/127 stem from a coarse step; exact is 89.84/128.05."""
EXAMPLE = ThermalConstants(
    oil_time_constant=150 * 60.0,
    winding_time_constant=7 * 60.0,
    top_oil_rise=38.3,
    gradient=14.5 * 1.4,
    loss_ratio=1000.0,
    oil_exponent=0.8,
    winding_exponent=1.3,
    k11=0.5,
    k21=2.0,
    k22=2.0,
)


def constants_of(row: CoolingDefaults, *, loss_ratio: float = 8.0) -> ThermalConstants:
    return ThermalConstants(
        oil_time_constant=60 * row.oil_time_constant_min,
        winding_time_constant=60 * row.winding_time_constant_min,
        top_oil_rise=55.0,
        gradient=row.gradient_k,
        loss_ratio=loss_ratio,
        oil_exponent=row.oil_exponent,
        winding_exponent=row.winding_exponent,
        k11=row.k11,
        k21=row.k21,
        k22=row.k22,
    )


def example_rows(minutes: np.ndarray, hold: Hold) -> np.ndarray:
    """The example's load as a logger with that habit writes it."""
    side = "left" if hold == "backward" else "right"
    step = np.searchsorted(STEP_ENDS, minutes, side=side) - 1
    return STEP_LOADS[np.clip(step, 0, STEP_LOADS.size - 1)]


def example(minutes: np.ndarray, hold: Hold = "backward", **options):
    return thermal_history(
        EXAMPLE,
        60 * minutes,
        example_rows(minutes, hold),
        np.full(minutes.size, AMBIENT),
        hold=hold,
        start_top_oil=FIRST_TOP_OIL,
        start_hot_spot_rise=FIRST_RISE,
        **options,
    )


def slopes(load: float) -> Callable[[float, np.ndarray], np.ndarray]:
    """The guide's three equations per minute with the example's numbers, written out anew."""
    gradient = 14.5 * 1.4 * load**1.3
    rise = 38.3 * ((1 + 1000 * load**2) / 1001) ** 0.8

    def right_hand_side(_, state):
        oil, fast, slow = state
        return np.array(
            [
                (rise - (oil - AMBIENT)) / (0.5 * 150),
                (2 * gradient - fast) / (2 * 7),
                (gradient - slow) / (150 / 2),
            ]
        )

    return right_hand_side


def integrated_example() -> np.ndarray:
    """Top oil and hot spot at the end of each step, by an adaptive integrator."""
    state, ends = np.array([FIRST_TOP_OIL, 0.0, 0.0]), []
    for span, load in zip(pairwise(STEP_ENDS), STEP_LOADS, strict=True):
        state = solve_ivp(slopes(load), span, state, rtol=1e-10, atol=1e-10).y[:, -1]
        ends.append((state[0], state[0] + state[1] - state[2]))
    return np.array(ends)


def explicit_example(step: float) -> tuple[np.ndarray, np.ndarray]:
    """Minutes and hot spots by explicit steps, as the paper's difference form takes them."""
    minutes = np.arange(0.0, STEP_ENDS[-1] + step / 2, step)
    states = [np.array([FIRST_TOP_OIL, 0.0, 0.0])]
    for load in example_rows(minutes, "backward")[1:]:
        states.append(states[-1] + step * slopes(load)(0.0, states[-1]))
    oil, fast, slow = np.array(states).T
    return minutes, oil + fast - slow


@pytest.mark.parametrize("hold", HOLDS)
@pytest.mark.parametrize("minutes", [STEP_ENDS, np.arange(746.0)], ids=["steps", "minutes"])
def test_step_load_example_is_integrated_exactly(minutes: np.ndarray, hold: Hold):
    history = example(minutes, hold)
    ends = np.searchsorted(minutes, STEP_ENDS[1:])
    ours = np.stack([history.top_oil[ends], history.hot_spot[ends]], axis=1)
    np.testing.assert_allclose(ours, integrated_example(), atol=1e-6)


def test_step_load_example_agrees_with_print():
    history = example(STEP_ENDS)
    ours = np.stack([history.top_oil, history.hot_spot], axis=1)[1:]
    as_printed = np.arange(len(ours)) != NOT_EXACT_IN_PRINT
    np.testing.assert_allclose(ours[as_printed], np.array(PUBLISHED)[as_printed], atol=0.1)
    np.testing.assert_allclose(ours[NOT_EXACT_IN_PRINT], (89.84, 128.05), atol=0.01)


@pytest.mark.parametrize("hold", HOLDS)
@pytest.mark.parametrize("row", ROWS)
def test_sampling_of_a_held_load_does_not_matter(row: CoolingDefaults, hold: Hold):
    rng = np.random.default_rng(3)
    quarters = np.arange(0.0, 48 * 3600 + 1, 900.0)
    blocks = rng.uniform(0.0, 1.5, quarters.size)
    air = rng.uniform(-10.0, 40.0, quarters.size)

    def sampled(step: float):
        seconds = np.arange(0.0, quarters[-1] + 1, step)
        side = "left" if hold == "backward" else "right"
        shift = 0 if hold == "backward" else -1
        load = blocks[np.searchsorted(quarters, seconds, side=side) + shift]
        ambient = np.interp(seconds, quarters, air)
        history = thermal_history(constants_of(row), seconds, load, ambient, hold=hold)
        common = slice(None, None, round(900 / step))
        return np.stack([history.top_oil[common], history.hot_spot[common]])

    for step in (60.0, 300.0):
        np.testing.assert_allclose(sampled(step), sampled(900.0), atol=1e-8)


@pytest.mark.parametrize("hold", HOLDS)
@given(data=st.data())
def test_rows_inside_a_constant_stretch_may_be_missing(hold: Hold, data: st.DataObject):
    lengths = data.draw(st.lists(st.integers(1, 12), min_size=2, max_size=8))
    loads = data.draw(st.lists(st.floats(0.0, 2.0), min_size=len(lengths), max_size=len(lengths)))
    load = np.repeat(loads, lengths)
    same_as_next = load[:-1] == load[1:]
    inner = same_as_next if hold == "backward" else np.roll(same_as_next, 1)
    lost = data.draw(st.lists(st.booleans(), min_size=load.size, max_size=load.size))
    kept = ~(np.append(inner, False) & lost)
    kept[[0, -1]] = True
    seconds = 60.0 * np.arange(load.size)
    air = 20.0 + seconds / 3600

    def rows(choice) -> np.ndarray:
        history = thermal_history(EXAMPLE, seconds[choice], load[choice], air[choice], hold=hold)
        return np.stack([history.top_oil, history.hot_spot])

    everything = np.ones(load.size, bool)
    np.testing.assert_allclose(rows(kept), rows(everything)[:, kept], rtol=1e-9)


def test_difference_scheme_is_the_explicit_one():
    minutes, hot_spot = explicit_example(1.0)
    np.testing.assert_allclose(example(minutes, scheme="difference").hot_spot, hot_spot, rtol=1e-12)


def test_difference_scheme_takes_ambient_and_load_of_the_row_it_reaches():
    ambient, load, start = np.array([20.0, 26.0]), np.array([0.2, 1.0]), 50.0
    oil = top_oil(EXAMPLE, np.array([0.0, 60.0]), load, ambient, start=start, scheme="difference")
    assert oil[1] == pytest.approx(start + (38.3 - (start - 26.0)) / 75)


def test_difference_scheme_converges_at_first_order():
    errors = []
    for step in (1.0, 0.5, 0.25):
        minutes = np.arange(0.0, STEP_ENDS[-1] + step / 2, step)
        rough, exact = example(minutes, scheme="difference"), example(minutes)
        errors.append(np.abs(rough.hot_spot - exact.hot_spot).max())
    orders = np.log2(errors[:-1]) - np.log2(errors[1:])
    assert np.all((orders > 0.9) & (orders < 1.15))


def test_difference_scheme_refuses_the_step_that_would_mislead():
    minutes, hot_spot = explicit_example(5.0)
    at_730 = np.searchsorted(minutes, 730.0)
    assert abs(hot_spot[at_730] - integrated_example()[4, 1]) > 5.0
    with pytest.raises(ValueError, match=r"3\.5 min.*5 min"):
        example(minutes, scheme="difference")


@pytest.mark.parametrize("function", [top_oil, hot_spot_rise])
def test_difference_scheme_accepts_half_the_winding_time_constant(function):
    allowed = EXAMPLE.winding_time_constant / 2
    for step, refused in ((allowed, False), (1.01 * allowed, True)):
        seconds = step * np.arange(5.0)
        series = (np.ones(5), np.full(5, 20.0))[: 2 if function is top_oil else 1]
        if refused:
            with pytest.raises(ValueError, match="winding time constant"):
                function(EXAMPLE, seconds, *series, scheme="difference")
        else:
            function(EXAMPLE, seconds, *series, scheme="difference")


@pytest.mark.parametrize("row", ROWS)
@given(load=st.floats(0.0, 2.0), ambient=st.floats(-40.0, 50.0))
def test_steady_start_stays_steady(row: CoolingDefaults, load: float, ambient: float):
    seconds = np.array([0.0, 60.0, 600.0, 7200.0, 1e6])
    constants = constants_of(row)
    history = thermal_history(constants, seconds, np.full(5, load), np.full(5, ambient))
    rise = constants.top_oil_rise * ((1 + 8.0 * load**2) / 9.0) ** row.oil_exponent
    gradient = row.gradient_k * load**row.winding_exponent
    np.testing.assert_allclose(history.top_oil, ambient + rise, atol=1e-9)
    np.testing.assert_allclose(history.hot_spot, ambient + rise + gradient, atol=1e-9)


@pytest.mark.parametrize("row", ROWS)
@given(loads=st.tuples(st.floats(0.0, 2.0), st.floats(0.0, 2.0)))
def test_more_load_is_never_cooler_in_steady_state(row: CoolingDefaults, loads):
    def steady(load: float) -> float:
        two = np.full(2, load)
        return thermal_history(
            constants_of(row), np.array([0.0, 60.0]), two, np.full(2, 20.0)
        ).hot_spot[-1]

    assert steady(max(loads)) >= steady(min(loads)) - 1e-9


@pytest.mark.parametrize("row", ROWS)
def test_hot_spot_overshoots_exactly_where_k21_is_above_one(row: CoolingDefaults):
    seconds = 60.0 * np.arange(3000.0)
    load = np.where(seconds == 0, 0.0, 1.0)
    rise = hot_spot_rise(constants_of(row), seconds, load)
    assert rise[-1] == pytest.approx(row.gradient_k, abs=1e-3)
    assert (rise.max() > 1.01 * row.gradient_k) == (row.k21 > 1)


def test_load_free_losses_heat_the_oil():
    constants = replace(EXAMPLE, loss_ratio=8.0)
    idle = top_oil(constants, np.array([0.0, 60.0]), np.zeros(2), np.full(2, 20.0))
    np.testing.assert_allclose(idle, 20.0 + 38.3 / 9**0.8)


@pytest.mark.parametrize("hold", HOLDS)
def test_a_load_sample_belongs_to_its_interval(hold: Hold):
    seconds = 60.0 * np.arange(4.0)
    rise = hot_spot_rise(EXAMPLE, seconds, np.array([0.0, 0.0, 1.0, 1.0]), hold=hold)
    assert (rise[2] > 0) == (hold == "backward")
    assert rise[3] > 0


def test_measured_top_oil_is_used_as_it_is():
    seconds, load = 60.0 * np.arange(50.0), np.linspace(0.2, 1.2, 50)
    measured = np.random.default_rng(0).normal(60.0, 5.0, 50)
    history = thermal_history(EXAMPLE, seconds, load, np.full(50, 20.0), measured_top_oil=measured)
    np.testing.assert_array_equal(history.top_oil, measured)
    np.testing.assert_allclose(
        history.hot_spot - measured, hot_spot_rise(EXAMPLE, seconds, load), atol=1e-9
    )


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_day_at_the_reference_temperature_is_a_day_of_life(law: AbstractAgeingLaw):
    seconds = np.array([0.0, 60.0, 4000.0, 86400.0])
    history = thermal_history(
        EXAMPLE,
        seconds,
        np.zeros(4),
        np.zeros(4),
        measured_top_oil=np.full(4, law.reference_hot_spot),
        law=law,
    )
    assert history.loss_of_life[-1] == pytest.approx(24.0)


@pytest.mark.parametrize("scheme", ["exact", "difference"])
def test_a_single_sample_is_the_start(scheme: Scheme):
    one = np.ones(1)
    history = thermal_history(EXAMPLE, 0 * one, one, 20 * one, scheme=scheme)
    steady = 20 + EXAMPLE.top_oil_rise, 20 + EXAMPLE.top_oil_rise + EXAMPLE.gradient
    assert (history.top_oil[0], history.hot_spot[0]) == pytest.approx(steady)
    assert history.loss_of_life == [0.0]
