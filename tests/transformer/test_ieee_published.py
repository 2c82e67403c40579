"""IEEE C57.91 against figures that the guide's own working group has published.

The group's public code (IEEE SA Open Source, InsLife-WGC57.91, opensource.ieee.org/inslife; also
github.com/pnnl/i2x in `ieee-c57.91-edit`, commit 576eb1d) checks itself against these figures:
losses of life in `Notebooks/Aging_Test.ipynb`, the unit in
`transformer_thermal_models/data_classes.py`. The guide's tables of daily cycles are not among them.
"""

import numpy as np
import pytest

from agewise.transformer.ageing.ieee import IEEE_65
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.ieee_c57 import EXPONENTS, ieee_history

LOSSES = {110.0: (24.0, 0.0133), 140.0: (10.5, 0.1), 200.0: (0.42, 0.4)}
"""Hours at a hot spot [°C], and the loss of life that they cost [% of 180 000 h]."""
FASTER_AT_110_THAN_AT_95 = 4.9288
"""Ageing at 110 °C over that at 95 °C, as the notebook prints it; it takes 273.15 for 273."""
TO_RATED = (52 / 28) ** 2
"""From the load at which the losses of the group's unit were measured to its rated one, squared."""
WARMER = (234.5 + 65) / (234.5 + 75)
"""Resistance of copper at the guaranteed rise over that at which the losses were measured."""
LOAD_LOSSES_W = TO_RATED * (51_690 * WARMER + 21_078 / WARMER)
"""Winding and stray losses of that unit at rated load."""
CORE_LOSSES_W = 36_986.0


@pytest.mark.parametrize("hot_spot", LOSSES)
def test_hours_at_a_hot_spot_cost_the_published_loss_of_life(hot_spot: float):
    hours, percent = LOSSES[hot_spot]
    seconds = np.array([0.0, hours * 3600.0])
    used = loss_of_life(seconds, IEEE_65.rate(np.full(2, hot_spot)), axis=0)[-1]
    assert 100 * used / IEEE_65.normal_life == pytest.approx(percent, rel=0.01)


def test_fifteen_kelvin_more_age_as_much_faster_as_published():
    at_95, at_110 = IEEE_65.rate(np.array([95.0, 110.0]))
    assert at_110 / at_95 == pytest.approx(FASTER_AT_110_THAN_AT_95, rel=0.01)


def test_the_published_unit_comes_to_its_rated_temperatures():
    """52 MVA, ONAN, rises of 55 and 80 K: 85 and 110 °C in air of 30 °C, from cold."""
    chosen = EXPONENTS["ONAN"]
    # Heat capacity by its masses: core and coils, tank, and oil [W h/K].
    capacity = 0.06 * 75_600 + 0.04 * 31_400 + 1.33 * 4_910
    unit = ThermalConstants(
        oil_time_constant=3600 * capacity * 55 / (LOAD_LOSSES_W + CORE_LOSSES_W),
        winding_time_constant=300.0,
        top_oil_rise=55.0,
        gradient=80.0 - 55.0,
        loss_ratio=LOAD_LOSSES_W / CORE_LOSSES_W,
        oil_exponent=chosen.oil,
        winding_exponent=2 * chosen.winding,
        k11=1.0,
        k21=1.0,
        k22=1.0,
    )
    # A thousand minutes as there, without load for the first ten.
    seconds = 60.0 * np.arange(1000.0)
    load = np.where(seconds > 600.0, 1.0, 0.0)
    history = ieee_history(unit, seconds, load, np.full(1000, 30.0), start_top_oil=30.0)
    assert history.top_oil[-1] == pytest.approx(85.0, abs=0.1)
    assert history.hot_spot[-1] == pytest.approx(110.0, abs=0.1)
