"""The law of total variance, and how its two parts stand against a known truth."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from agewise.engine.uncertainty.decomposition import Prediction, decomposition, split

DRAWS, SHAPE = 40, (5, 3)


@pytest.fixture(scope="module")
def draws() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    means = 50.0 + rng.normal(size=(DRAWS, *SHAPE)) * rng.uniform(0.1, 2.0, SHAPE)
    return means, rng.uniform(0.05, 1.5, (DRAWS, *SHAPE))


@pytest.fixture(scope="module")
def truth() -> tuple[np.ndarray, np.ndarray]:
    """Oil and noise on 60 times and 11 heights, hotter and noisier towards the top."""
    oil = 20.0 + 3.0 * np.arange(11.0) + np.sin(np.arange(60.0))[:, None]
    return oil, 0.05 + 0.012 * oil


def test_the_parts_add_up_to_the_variance_of_the_mixture(draws):
    means, variances = draws
    parts = decomposition(means, variances)
    np.testing.assert_array_equal(parts.total, parts.epistemic + parts.aleatoric)
    second_moment = np.mean(variances + (means - 50.0) ** 2, axis=0)
    exact = second_moment - np.mean(means - 50.0, axis=0) ** 2
    np.testing.assert_allclose(parts.total, exact, rtol=1e-12)


def test_readings_drawn_from_the_mixture_spread_as_the_total_says(draws):
    means, variances = draws
    rng = np.random.default_rng(2)
    which = rng.integers(DRAWS, size=40_000)
    readings = rng.normal(means[which], np.sqrt(variances[which]))
    parts = decomposition(means, variances)
    np.testing.assert_allclose(readings.mean(axis=0), parts.mean, atol=0.05)
    np.testing.assert_allclose(readings.var(axis=0), parts.total, rtol=0.04)


def test_each_part_sees_its_own_draws_only(draws):
    means, variances = draws
    parts = decomposition(means, variances)
    np.testing.assert_allclose(parts.mean, means.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(parts.epistemic, means.var(axis=0, ddof=0), rtol=1e-10)
    np.testing.assert_allclose(parts.aleatoric, variances.mean(axis=0), rtol=1e-14)


@pytest.mark.parametrize("count", [1, 3, 7, 200])
def test_draws_that_agree_leave_no_epistemic_part(draws, count: int):
    one, variance = draws[0][:1] + 0.1, draws[1][:1]
    parts = decomposition(np.repeat(one, count, axis=0), np.repeat(variance, count, axis=0))
    np.testing.assert_array_equal(parts.epistemic, 0.0)
    np.testing.assert_array_equal(parts.mean, one[0])
    np.testing.assert_allclose(parts.total, variance[0], rtol=1e-14)


@given(scale=st.floats(0.01, 100.0), shift=st.floats(-1e3, 1e3))
def test_units_of_temperature_do_not_matter(draws, scale: float, shift: float):
    means, variances = draws
    parts = decomposition(means, variances)
    moved = decomposition(scale * means + shift, scale**2 * variances)
    np.testing.assert_allclose(moved.mean, scale * parts.mean + shift, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(moved.epistemic, scale**2 * parts.epistemic, rtol=1e-8)
    np.testing.assert_allclose(moved.aleatoric, scale**2 * parts.aleatoric, rtol=1e-12)


def test_single_precision_draws_are_averaged_in_double(draws):
    single = [values.astype(np.float32) for values in draws]
    parts, exact = decomposition(*single), decomposition(*(v.astype(float) for v in single))
    for got, want in zip(astuple(parts), astuple(exact), strict=True):
        assert got.dtype == np.float64
        np.testing.assert_allclose(got, want, rtol=1e-14)


def test_what_cannot_be_split_is_refused(draws):
    means, variances = draws
    with pytest.raises(ValueError, match="one or more draws"):
        decomposition(means[:0], variances[:0])
    with pytest.raises(ValueError, match="aleatoric variance is negative"):
        decomposition(means, -variances)
    with pytest.raises(ValueError, match="epistemic variance"):
        Prediction(means[0], np.full(SHAPE, np.nan), variances[0])


@given(
    boundary=st.floats(0.1, 10.0),
    inside=st.floats(0.1, 10.0),
    doubt=st.floats(0.01, 10.0),
    error=st.floats(0.01, 10.0),
)
def test_known_variances_give_their_ratios(truth, boundary, inside, doubt, error):
    oil, noise = truth
    factor = np.full(oil.shape, inside)
    factor[:, [0, -1]] = boundary
    sign = np.where(np.arange(oil.size).reshape(oil.shape) % 2, 1.0, -1.0)
    known = Prediction(oil + sign * error, np.full(oil.shape, doubt**2), factor * noise**2)
    got = split(known, oil, noise)
    assert astuple(got.aleatoric_ratio_boundary) == pytest.approx((boundary,) * 3)
    assert astuple(got.aleatoric_ratio_inside) == pytest.approx((inside,) * 3)
    assert got.epistemic_z == pytest.approx(error / doubt, rel=1e-9)
    assert got.rms_ratio == pytest.approx(error / doubt, rel=1e-9)


def test_the_range_of_the_ratios_holds_nine_in_ten(truth):
    oil, noise = truth
    ratio = np.linspace(1.0, 3.0, oil[:, 1:-1].size).reshape(oil[:, 1:-1].shape)
    wide = np.ones(oil.shape)
    wide[:, 1:-1] = ratio
    got = split(Prediction(oil, noise**2, wide * noise**2), oil, noise).aleatoric_ratio_inside
    assert astuple(got) == pytest.approx((2.0, 1.1, 2.9), abs=1e-9)


def test_ranks_follow_the_noise_whatever_its_size(truth):
    oil, noise = truth
    for aleatoric, expected in ((noise, 1.0), (1 / noise, -1.0), (5 * noise**4, 1.0)):
        got = split(Prediction(oil, noise, aleatoric), oil, noise).aleatoric_rank_correlation
        assert got == pytest.approx(expected)


def test_the_rank_correlation_is_spearmans_with_ties(truth):
    oil, noise = truth
    rng = np.random.default_rng(0)
    estimated, injected = (0.1 + rng.integers(0, 9, oil.shape) / 10 for _ in range(2))
    got = split(Prediction(oil, noise, estimated + injected), oil, np.sqrt(injected))
    expected = spearmanr((estimated + injected).ravel(), np.sqrt(injected).ravel() ** 2).statistic
    assert 0.5 < expected < 0.9
    assert got.aleatoric_rank_correlation == pytest.approx(expected, abs=1e-12)


def test_noise_that_is_one_number_has_no_ranks(truth):
    oil, noise = truth
    for aleatoric in (np.zeros(oil.shape), np.full(oil.shape, 0.1)):
        got = split(Prediction(oil, noise, aleatoric), oil, noise)
        assert math.isnan(got.aleatoric_rank_correlation)
    rounding = 0.1 * (1 + 1e-15 * np.arange(oil.size).reshape(oil.shape) % 3e-15)
    got = split(Prediction(oil, noise, rounding), oil, noise)
    assert math.isnan(got.aleatoric_rank_correlation)


def test_a_model_that_knows_its_doubt_has_z_of_one(truth):
    oil, noise = truth
    rng = np.random.default_rng(3)
    doubt = rng.uniform(0.1, 5.0, oil.shape)
    mean = rng.normal(oil, doubt)
    honest = split(Prediction(mean, doubt**2, noise**2), oil, noise)
    assert honest.epistemic_z == pytest.approx(1.0, abs=0.08)
    assert honest.rms_ratio == pytest.approx(1.0, abs=0.12)


def test_the_two_epistemic_figures_differ_when_doubt_is_misplaced(truth):
    oil, noise = truth
    doubt = np.full(oil.shape, 1.0)
    doubt[::2] = 7.0
    error = np.where(doubt > 1, 1.0, 7.0)
    got = split(Prediction(oil + error, doubt**2, noise**2), oil, noise)
    assert got.rms_ratio == pytest.approx(1.0)
    assert got.epistemic_z == pytest.approx(math.sqrt((49 + 1 / 49) / 2))


def test_certainty_is_punished_without_bound_unless_it_is_right(truth):
    oil, noise = truth
    none = np.zeros(oil.shape)
    wrong = split(Prediction(oil + 0.1, none, noise**2), oil, noise)
    right = split(Prediction(oil, none, noise**2), oil, noise)
    assert (wrong.epistemic_z, wrong.rms_ratio) == (math.inf, math.inf)
    assert (right.epistemic_z, right.rms_ratio) == (0.0, 0.0)
    spot = noise**2
    spot[3, 4] = 0.0
    assert split(Prediction(oil + 0.1, spot, noise**2), oil, noise).epistemic_z == math.inf
    nearly = Prediction(oil + 0.1, np.full(oil.shape, 1e-320), noise**2)
    assert split(nearly, oil, noise).epistemic_z > 1e150
