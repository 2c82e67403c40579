"""Answers of the oil to its ends: a sum of bends is what the equation makes of their sum."""

import numpy as np
import pytest

from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.heat_equation import HeatEquation
from agewise.transformer.oil.inverse.response import ELEMENTS, START_MODES, responses
from agewise.transformer.oil.tank import Tank

TANK = Tank.closed(
    no_load_losses=842.0, load_losses=9800.0, oil_time_constant=16008.0, top_oil_rise=45.0
)


@pytest.mark.parametrize("bottom_is_air", [True, False])
def test_responses_add_up_to_the_solution(bottom_is_air: bool):
    rng, times = np.random.default_rng(0), np.arange(0.0, 12 * 3600, 600.0)
    heights = np.array([0.2, 0.7])
    bottom, top = rng.normal(size=(2, times.size))
    sines = rng.normal(size=START_MODES)
    mesh = LineElements.uniform(TANK.height, ELEMENTS, 2)
    share = mesh.nodes / TANK.height
    start = (1 - share) * bottom[0] + share * top[0]
    start += sines @ np.sin(np.pi * np.arange(1, START_MODES + 1)[:, None] * share)
    air = (bottom[1:] + bottom[:-1]) / 2 * bottom_is_air
    equation = HeatEquation(mesh, TANK.heat_capacity, TANK.conductivity, TANK.heat_transfer)
    source = TANK.heat_transfer * air[:, None]
    shown = mesh.interpolation(heights)
    solved = equation.solution(times, bottom, top, source, start, shown)
    answers = responses(TANK, times, heights, bottom_is_air=bottom_is_air)
    added = answers.bottom @ bottom + answers.top @ top + answers.start @ sines
    np.testing.assert_allclose(added.T, solved, atol=1e-9)
