"""The headline figures of a history that can be counted by hand."""

import numpy as np
import pytest

from agewise.transformer.iec60076 import ThermalHistory
from agewise.transformer.thermal_summary import thermal_summary


def test_figures_are_those_of_the_history():
    seconds = 3600.0 * np.array([0.0, 1.0, 2.0, 4.0])
    history = ThermalHistory(
        top_oil=np.array([60.0, 70.0, 90.0, 80.0]),
        hot_spot=np.array([80.0, 121.0, 130.0, 119.0]),
        ageing_rate=np.array([0.1, 14.0, 40.0, 11.0]),
        loss_of_life=np.array([0.0, 7.0, 34.0, 85.0]),
    )
    summary = thermal_summary(seconds, history)
    assert summary.top_oil == (60.0, 90.0)
    assert (summary.hot_spot_peak, summary.hottest_row) == (130.0, 2)
    assert (summary.limit, summary.hours_above_limit) == (120.0, pytest.approx(2.0))
    assert summary.loss_of_life == 85.0
    assert summary.mean_ageing_rate == pytest.approx(85.0 / 4)
