"""Fans that a modelled oil switches: against rules on that oil, and whatever the rows are."""

import numpy as np
import pytest

from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.ruled_stages import ruled_stages
from agewise.transformer.stage_ratios import StageRatios
from agewise.transformer.staged import (
    StagedUnit,
    StageRule,
    staged_history,
    staged_top_oil,
    stages_by_rule,
)

LAST = ThermalConstants(9000.0, 420.0, 50.0, 20.0, 6.0, 0.8, 1.3, 0.5, 2.0, 2.0)
UNIT = (StageRatios(0.6, 1.1, 1.4).constants(LAST), LAST)
RULES = [StageRule(65.0, 55.0)]
SECONDS = np.arange(0.0, 2 * 86400.0 + 1, 120.0)
LOAD = 0.7 + 0.3 * np.sin(SECONDS / 9000.0)
AIR = 20.0 + 8.0 * np.sin(SECONDS / 86400.0 * 2 * np.pi)


def test_rules_on_modelled_oil_agree_with_rules_on_that_oil():
    ruled = ruled_stages(UNIT, RULES, SECONDS, LOAD, AIR)
    assert set(ruled.stage) == {0, 1}
    start = float(ruled.top_oil[0])
    oil = staged_top_oil(StagedUnit(UNIT, ruled.stage), SECONDS, LOAD, AIR, start=start)
    assert np.allclose(oil, ruled.top_oil, atol=1e-9)
    # The oil that these stages make switches these very stages.
    again = stages_by_rule(oil, RULES, first=int(ruled.stage[0]))
    assert np.array_equal(again[:-1], ruled.stage)


@pytest.mark.parametrize("rows_each", [5, 30])
def test_rows_of_ten_minutes_or_an_hour_have_the_answer_of_short_ones(rows_each: int):
    """Fans switch between two rows: hot spot and life must not depend on how often it is read."""
    load, air = np.full_like(SECONDS, 0.85), np.full_like(SECONDS, 25.0)
    rules = [StageRule(70.0, 67.0)]

    def answer(rows: slice):
        series = (SECONDS[rows], load[rows], air[rows])
        ruled = ruled_stages(UNIT, rules, *series)
        return staged_history(StagedUnit(UNIT, ruled.stage, ruled.top_oil), *series)

    often, rarely = answer(slice(None)), answer(slice(None, None, rows_each))
    assert np.allclose(often.top_oil[::rows_each], rarely.top_oil, atol=1e-6)
    assert often.hot_spot.max() == pytest.approx(rarely.hot_spot.max(), abs=0.5)
    assert rarely.loss_of_life[-1] == pytest.approx(often.loss_of_life[-1], rel=0.05)


def test_fans_that_keep_up_hold_the_oil_between_their_limits():
    load, air = np.full_like(SECONDS, 0.75), np.full_like(SECONDS, 20.0)
    steady = [float(unit.top_oil_target(load[:1])[0]) + 20.0 for unit in UNIT]
    assert steady[1] < 55.0 and steady[0] > 65.0, "neither stage can stay on"
    ruled = ruled_stages(UNIT, RULES, SECONDS, load, air)
    assert ruled.top_oil[0] == 60.0, "the middle of the limits"
    step = 120.0 / LAST.top_oil_lag * 35.0  # what the oil moves in a step at the most [K]
    assert ruled.top_oil.max() < 65.0 + step and ruled.top_oil.min() > 55.0 - step
    assert np.count_nonzero(np.diff(ruled.stage)) > 4


@pytest.mark.parametrize("load", [0.3, 1.0])
def test_a_steady_start_is_in_the_stage_that_its_own_oil_keeps(load: float):
    flat, air = np.full_like(SECONDS, load), np.full_like(SECONDS, 20.0)
    ruled = ruled_stages(UNIT, RULES, SECONDS, flat, air)
    assert (ruled.stage == int(load == 1.0)).all()
    assert np.ptp(ruled.top_oil) < 1e-9


def test_a_given_start_is_where_the_oil_begins():
    ruled = ruled_stages(UNIT, RULES, SECONDS, LOAD, AIR, start=40.0)
    assert ruled.top_oil[0] == 40.0 and ruled.stage[0] == 0
