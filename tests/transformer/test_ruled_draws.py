"""Fans of many draws at once against those of one unit, and against what they are for."""

import numpy as np

from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.ruled_draws import ruled_top_oil
from agewise.transformer.ruled_stages import ruled_stages
from agewise.transformer.stage_ratios import StageRatios
from agewise.transformer.staged import StagedUnit, StageRule, staged_top_oil

LAST = ThermalConstants(9000.0, 420.0, 50.0, 20.0, 6.0, 0.8, 1.3, 0.5, 2.0, 2.0)
UNIT = (StageRatios(0.6, 1.1, 1.4).constants(LAST), LAST)
RULES = [StageRule(65.0, 55.0)]
SECONDS = np.arange(0.0, 2 * 86400.0, 120.0)
LOAD = 0.8 + 0.2 * np.sin(SECONDS / 9000.0)
AIR = np.full((1, SECONDS.size), 20.0)


def test_each_draw_is_a_unit_of_its_own():
    hotter = (StageRatios(0.6, 1.3, 1.4).constants(LAST), LAST)
    air = np.repeat(AIR, 2, axis=0)
    both = ruled_top_oil([UNIT, hotter], RULES, SECONDS, LOAD[1:], air, 0 * air)
    for units, oil, stage in zip((UNIT, hotter), both.top_oil, both.stage, strict=True):
        alone = ruled_stages(units, RULES, SECONDS, LOAD, AIR[0])
        # One alone begins at the first load, and the draws at the first that is held.
        assert np.mean(alone.stage == stage) > 0.99
        own = staged_top_oil(StagedUnit(units, stage), SECONDS, LOAD, AIR[0], start=float(oil[0]))
        assert np.allclose(own, oil, atol=1e-9) and abs(alone.top_oil[0] - oil[0]) < 0.5


def test_fans_see_what_their_thermometer_reads():
    error = np.full_like(AIR, 5.0)
    read = ruled_top_oil([UNIT], RULES, SECONDS, LOAD[1:], AIR, error)
    shifted = [StageRule(60.0, 50.0)]
    true = ruled_top_oil([UNIT], shifted, SECONDS, LOAD[1:], AIR, 0 * error)
    assert np.allclose(read.top_oil, true.top_oil) and np.array_equal(read.stage, true.stage)


def test_rows_that_are_far_apart_are_followed_in_short_steps():
    rare = slice(None, None, 15)  # half an hour
    load = np.full(SECONDS.size, 0.75)
    fine = ruled_top_oil([UNIT], RULES, SECONDS, load[1:], AIR, 0 * AIR).top_oil[0, rare]
    air = AIR[:, rare]
    coarse = ruled_top_oil([UNIT], RULES, SECONDS[rare], load[rare][1:], air, 0 * air).top_oil[0]
    assert np.allclose(fine, coarse, atol=1e-6)
    assert coarse.max() < 65.5 and coarse.min() > 54.5, "fans hold it between their limits"
