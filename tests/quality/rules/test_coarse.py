"""Filters of the coarse view, beside those of SciPy."""

import numpy as np
import pytest
from scipy.ndimage import uniform_filter1d
from scipy.signal import lfilter

from agewise.quality.rules.coarse import edge_weights, lagged, steps, window_sums
from agewise.quality.rules.exchanged import _beside
from agewise.quality.sheet import local_medians

rng = np.random.default_rng(0)


@pytest.mark.parametrize("size", [1, 2, 100])
@pytest.mark.parametrize("bins", [0.5, 3.0, 50.0])
def test_a_lag_is_the_recursive_filter(size: int, bins: float):
    values, keep = rng.normal(size=size), np.exp(-1 / bins)
    expected, _ = lfilter([1 - keep], [1.0, -keep], values, zi=[keep * values[0]])
    np.testing.assert_allclose(lagged(values, bins), expected, atol=1e-13)


@pytest.mark.parametrize("width", [1, 2, 7, 8, 200])
def test_sums_over_a_window_are_those_of_a_moving_mean(width: int):
    values = rng.normal(size=100)
    expected = width * uniform_filter1d(values, width, mode="constant")
    np.testing.assert_allclose(window_sums(values, width), expected, atol=1e-12)


def test_a_step_is_found_in_its_bin_with_its_size():
    values = np.where(np.arange(60) < 30, 0.0, 2.5)
    found = steps(values, edge_weights(8, 6.0, 0.1))
    assert np.isnan(found[:8]).all() and np.isnan(found[-8:]).all()
    assert found[30] == pytest.approx(2.5, rel=1e-2)
    assert np.abs(found[8:20]).max() < 1e-6


@pytest.mark.parametrize("side", [-1, 1])
def test_medians_beside_leave_the_bin_and_empty_ones_out(side: int):
    values = np.where(rng.random(50) < 0.3, np.nan, rng.normal(size=50))
    medians = _beside(values, side)
    for place in range(50):
        near = [place + side * k for k in (1, 2, 3)]
        known = [values[n] for n in near if 0 <= n < 50 and not np.isnan(values[n])]
        assert medians[place] == np.median(known) if known else np.isnan(medians[place])


@pytest.mark.parametrize("side", [1, 3, 8])
def test_local_medians_mirror_at_the_ends_and_leave_the_sample_out(side: int):
    values = rng.normal(size=40)
    mirrored = np.pad(values, side, mode="reflect")
    windows = [np.delete(mirrored[n : n + 2 * side + 1], side) for n in range(40)]
    np.testing.assert_array_equal(local_medians(values, side), np.median(windows, axis=1))
