"""Constants that change in service: against the plain model, and against an integrator."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from agewise.transformer.iec60076 import ThermalConstants, hot_spot_rise, top_oil
from agewise.transformer.staged import (
    StagedUnit,
    StageRule,
    staged_hot_spot_rise,
    staged_top_oil,
    stages_by_rule,
)

LAST = ThermalConstants(
    oil_time_constant=9000.0,
    winding_time_constant=420.0,
    top_oil_rise=50.0,
    gradient=20.0,
    loss_ratio=6.0,
    oil_exponent=0.8,
    winding_exponent=1.3,
    k11=0.5,
    k21=2.0,
    k22=2.0,
)
FIRST = replace(LAST, oil_time_constant=12600.0, top_oil_rise=95.0)
SECONDS = np.arange(0.0, 2 * 86400.0, 300.0)
LOAD = 0.7 + 0.3 * np.sin(SECONDS / 9000.0)
AIR = 20.0 + 8.0 * np.sin(SECONDS / 86400.0 * 2 * np.pi)


def unit(stage: np.ndarray, *constants: ThermalConstants) -> StagedUnit:
    return StagedUnit(constants, stage)


def test_stages_that_are_alike_change_nothing():
    stage = np.arange(SECONDS.size - 1) // 7 % 2
    both = unit(stage, LAST, LAST)
    assert np.allclose(staged_top_oil(both, SECONDS, LOAD, AIR), top_oil(LAST, SECONDS, LOAD, AIR))
    assert np.allclose(
        staged_hot_spot_rise(both, SECONDS, LOAD), hot_spot_rise(LAST, SECONDS, LOAD)
    )


def test_the_top_oil_agrees_with_an_integrator_through_every_change():
    stage = (np.arange(SECONDS.size - 1) > 100).astype(int)
    ours = staged_top_oil(unit(stage, FIRST, LAST), SECONDS, LOAD, AIR, start=60.0)
    oil, theirs = 60.0, [60.0]
    for n, on in enumerate(stage):
        constants, begin, end = (FIRST, LAST)[on], SECONDS[n], SECONDS[n + 1]
        target = float(constants.top_oil_target(LOAD[n + 1 : n + 2])[0])

        def slope(t, y, target=target, lag=constants.top_oil_lag):
            return (target - y + np.interp(t, SECONDS, AIR)) / lag

        oil = float(solve_ivp(slope, (begin, end), [oil], rtol=1e-8, atol=1e-8).y[0, -1])
        theirs.append(oil)
        if n > 140:
            break
    assert np.allclose(ours[: len(theirs)], theirs, atol=1e-5)


def test_losses_of_a_tap_heat_as_the_load_that_has_them():
    other = LAST.with_load_losses(1.44)
    assert np.allclose(other.top_oil_target(LOAD), LAST.top_oil_target(1.2 * LOAD))
    # At rated load the losses of that tap are those of its own ratio, and so is the rise.
    assert other.top_oil_target(np.ones(1)) == pytest.approx(other.top_oil_rise)
    assert np.array_equal(other.gradient_target(LOAD), LAST.gradient_target(LOAD))
    assert LAST.with_load_losses(1.0) is LAST


def test_a_stage_is_kept_between_its_limits():
    oil = np.array([50.0, 66.0, 60.0, 56.0, 54.0, 60.0, 64.0, 71.0, 90.0, 61.0, 50.0])
    rules = [StageRule(65.0, 55.0), StageRule(80.0, 70.0)]
    assert stages_by_rule(oil, rules).tolist() == [0, 1, 1, 1, 0, 0, 0, 1, 2, 1, 0]
