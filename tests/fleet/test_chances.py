"""Chances of an end, and what would be left of their doubt if the unit were known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from agewise.fleet.chances import chance_interval, unit_chances

NORMAL = np.random.default_rng(100).standard_normal(4000)


@given(st.floats(0.0, 1.0), st.floats(0.5, 3.0), st.floats(0.3, 0.9))
def test_the_mean_over_possible_units_is_the_chance(future: float, middle: float, spread: float):
    """The law of total probability, for years whose logarithm is normal."""
    years = np.exp(middle + spread * NORMAL)
    known = ndtr((np.log(10.0) - middle) / spread)
    assert unit_chances(years, 10.0, future=future).mean() == pytest.approx(known, abs=0.02)


def test_where_all_doubt_is_the_future_every_possible_unit_has_the_same_chance():
    chances = unit_chances(np.exp(2 + 0.5 * NORMAL), 10.0, future=1.0)
    assert np.ptp(chances) < 1e-9


def test_the_less_is_the_future_the_wider_is_the_interval():
    years = np.exp(2 + 0.5 * NORMAL)
    widths = [np.ptp(chance_interval(years, 10.0, future=share)) for share in (1.0, 0.5, 0.1)]
    assert widths == sorted(widths)


def test_ends_beyond_every_horizon_have_no_chance():
    assert chance_interval(np.full(100, np.inf), 10.0, future=0.5) == pytest.approx((0.0, 0.0))
