"""What is worked out at a few heights, and asked for at all of them."""

import numpy as np
from scipy.interpolate import PchipInterpolator

from agewise.assessment.field import over_height
from agewise.assessment.life.window import NODES

HEIGHTS = np.linspace(0.0, 1.0, 201)


def test_a_spread_that_vanishes_at_the_ends_is_nowhere_more_than_at_its_nodes():
    spread = np.full((1, len(NODES)), 0.02)
    spread[:, [0, -1]] = 0.0
    assert over_height(HEIGHTS, spread, PchipInterpolator).max() <= 0.02 * (1 + 1e-9)


def test_a_smooth_course_over_the_height_is_followed_between_its_nodes():
    course = np.exp(3 * np.sin(2 * np.array(NODES)))[None]
    off = over_height(HEIGHTS, course) / np.exp(3 * np.sin(2 * HEIGHTS)) - 1
    assert np.abs(off).max() < 1e-3
