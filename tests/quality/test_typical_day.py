"""The typical day: its middle, and a spread that is the standard deviation from day to day."""

import numpy as np
import pytest

from agewise.quality.thresholds import DEFAULT_THRESHOLDS
from agewise.quality.typical_day import calendar, typical_load

DAY = 96
"""Quarters of an hour."""


def typical(days: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Value and spread of a missing last day after days that each held one load."""
    load = np.append(np.repeat(days, DAY), np.full(DAY, np.nan))
    dates = calendar(900.0 * np.arange(load.size), None)
    value, std = typical_load(load, np.isnan(load), dates, DEFAULT_THRESHOLDS)
    return value[-DAY:], std[-DAY:]


def test_the_spread_of_two_days_is_their_standard_deviation():
    value, std = typical(np.array([0.5, 0.7]))
    np.testing.assert_allclose(value, 0.6)
    np.testing.assert_allclose(std, np.std([0.5, 0.7], ddof=1))


@pytest.mark.parametrize("count", [3, 7, 20])
def test_the_spread_is_that_of_the_days(count: int):
    """About the median, with one day's freedom spent on it: on average what days differ by."""
    rng = np.random.default_rng(count)
    squares = [np.mean(typical(rng.normal(0.6, 0.1, count))[1] ** 2) for _ in range(300)]
    # The median is off by more than the mean would be, at most by half as much again.
    assert 0.1**2 * 0.9 < np.mean(squares) < 0.1**2 * (1 + 1 / count)


def test_days_alike_have_no_spread():
    np.testing.assert_allclose(typical(np.full(4, 0.6))[1], 0.0, atol=1e-12)


def test_each_quarter_has_its_own_middle_and_spread():
    clock = np.arange(DAY)
    shape, unrest = 0.5 + 0.2 * np.sin(2 * np.pi * clock / DAY), 0.001 * (1 + clock)
    load = np.concatenate([shape - unrest, shape + unrest, np.full(DAY, np.nan)])
    dates = calendar(900.0 * np.arange(load.size) + 450.0, None)  # the middles of the quarters
    value, std = typical_load(load, np.isnan(load), dates, DEFAULT_THRESHOLDS)
    np.testing.assert_allclose(value[-DAY:], shape, atol=1e-12)
    np.testing.assert_allclose(std[-DAY:], np.sqrt(2) * unrest, atol=1e-12)
