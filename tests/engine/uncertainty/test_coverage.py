"""Coverage and proper scores against closed forms and against two other packages."""

import math
import warnings

import numpy as np
import pytest
import scoringrules
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import norm

from agewise.engine.uncertainty.coverage import (
    LEVELS,
    coverage,
    crps,
    interval_score,
    measured,
    miscalibration_area,
    negative_log_likelihood,
    rms,
    sharpness,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import uncertainty_toolbox

COUNT = 20_000
SCALES = [1.0, 0.5, 2.0]
"""Predicted over true standard deviation: right, over-confident, timid."""


@pytest.fixture(scope="module")
def readings() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, true standard deviations and readings that obey them."""
    rng = np.random.default_rng(4)
    mean, std = rng.uniform(15.0, 60.0, COUNT), rng.uniform(0.2, 0.8, COUNT)
    return mean, std, rng.normal(mean, std)


def closed_crps(mean, std, observed):
    z = (observed - mean) / std
    density = np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    return std * (z * (2 * ndtr(z) - 1) + 2 * density - 1 / math.sqrt(math.pi))


def test_there_are_99_levels():
    np.testing.assert_allclose(LEVELS, np.linspace(0.01, 0.99, 99), rtol=1e-15)


@pytest.mark.parametrize("scale", SCALES)
def test_coverage_is_the_analytic_one(readings, scale: float):
    mean, std, observed = readings
    expected = 2 * ndtr(scale * ndtri((1 + LEVELS) / 2)) - 1
    got = coverage(LEVELS, mean, scale * std, observed)
    np.testing.assert_allclose(got, expected, atol=4 * 0.5 / math.sqrt(COUNT))
    assert np.all(np.diff(got) >= 0)


def test_coverage_counts_points_of_any_shape(readings):
    mean, std, observed = readings
    flat = coverage(LEVELS, mean, std, observed)
    shaped = coverage(LEVELS, *(values.reshape(100, -1) for values in readings))
    np.testing.assert_array_equal(flat, shaped)


def test_coverage_by_hand():
    observed = np.array([0.0, 0.5, 1.0, 3.0])
    got = coverage(np.array([0.3, 0.5, 0.9, 0.999]), np.zeros(4), np.ones(4), observed)
    np.testing.assert_array_equal(got, [0.25, 0.5, 0.75, 1.0])


def test_certainty_covers_only_what_it_hits():
    got = coverage(LEVELS, np.zeros(4), np.zeros(4), np.array([0.0, 1e-9, -1.0, 2.0]))
    np.testing.assert_array_equal(got, 0.25)


def test_calibrated_readings_leave_almost_no_area(readings):
    assert miscalibration_area(coverage(LEVELS, *readings)) < 0.01


def test_what_calibrated_readings_leave_falls_with_their_number():
    rng = np.random.default_rng(5)
    zeros = np.zeros(400)
    areas = [
        miscalibration_area(coverage(LEVELS, zeros, zeros + 1, rng.normal(size=400)))
        for _ in range(200)
    ]
    assert np.mean(areas) == pytest.approx(0.31 / 20, rel=0.1)


def test_area_of_known_curves():
    assert miscalibration_area(LEVELS) == 0.0
    assert miscalibration_area(np.zeros(99)) == pytest.approx(0.495)
    assert miscalibration_area(np.ones(99)) == pytest.approx(0.495)
    assert miscalibration_area(LEVELS**2) == pytest.approx(1 / 6, abs=1e-4)
    assert miscalibration_area(np.array([0.25]), np.array([0.5])) == pytest.approx(0.125)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_area_agrees_with_uncertainty_toolbox(readings, scale: float):
    mean, std, observed = readings
    ours = miscalibration_area(coverage(LEVELS, mean, scale * std, observed))
    theirs = {
        bins: uncertainty_toolbox.miscalibration_area(
            mean, scale * std, observed, num_bins=bins, vectorized=True
        )
        for bins in (100, 101)
    }
    assert ours == pytest.approx(theirs[101], abs=1e-12)
    assert ours == pytest.approx(theirs[100], abs=1e-4)


def test_area_is_a_little_larger_where_the_curve_crosses_the_diagonal(readings):
    few = [values[:60] for values in readings]
    theirs = uncertainty_toolbox.miscalibration_area(*few, num_bins=101)
    difference = miscalibration_area(coverage(LEVELS, *few)) - theirs
    assert 0 < difference < 1e-3


def test_a_group_without_readings_has_no_area():
    none = np.zeros((0, 4))
    assert math.isnan(miscalibration_area(coverage(LEVELS, none, none, none)))


def test_sharpness_is_the_root_of_the_mean_variance(readings):
    std = readings[1]
    assert sharpness(np.array([3.0, 4.0])) == pytest.approx(math.sqrt(12.5))
    assert sharpness(std) == pytest.approx(uncertainty_toolbox.sharpness(std))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_interval_score_agrees_with_two_packages(readings, level: float):
    mean, std, observed = readings
    got = interval_score(mean, std, observed, level)
    lower, upper = norm.interval(level, mean, std)
    np.testing.assert_allclose(
        got, scoringrules.interval_score(observed, lower, upper, 1 - level), rtol=1e-9
    )
    theirs = uncertainty_toolbox.interval_score(
        mean, std, observed, start_p=level, end_p=level, resolution=1
    )
    assert got.mean() == pytest.approx(theirs)


def test_the_interval_holds_nine_in_ten_unless_told():
    one, far = np.ones(1), np.array([10.0])
    half = float(ndtri(0.95))
    assert interval_score(0 * one, one, 0 * one)[0] == pytest.approx(2 * half)
    assert interval_score(0 * one, one, far)[0] == pytest.approx(2 * half + 20 * (10 - half))


@pytest.mark.parametrize("scale", SCALES)
def test_crps_is_the_closed_form(readings, scale: float):
    mean, std, observed = readings
    got = crps(mean, scale * std, observed)
    np.testing.assert_allclose(got, closed_crps(mean, scale * std, observed), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(got, scoringrules.crps_normal(observed, mean, scale * std))


def test_crps_is_the_integral_that_defines_it():
    y = np.linspace(-30.0, 30.0, 600_001)
    integral = np.trapezoid((ndtr((y - 1.0) / 0.7) - (y >= 2.5)) ** 2, y)
    got = crps(np.array([1.0]), np.array([0.7]), np.array([2.5]))[0]
    assert got == pytest.approx(integral, abs=1e-4)


def test_crps_becomes_the_absolute_error_as_doubt_vanishes():
    mean, observed = np.zeros(4), np.array([0.0, 0.3, -2.0, 5.0])
    np.testing.assert_array_equal(crps(mean, np.zeros(4), observed), np.abs(observed))
    for std in (1e-8, 1e-15, 1e-17, 1e-200, 5e-324):
        np.testing.assert_allclose(crps(mean, np.full(4, std), observed), abs(observed), atol=1e-8)


@pytest.mark.parametrize("std", [1e-2, 1e-4, 1e-8, 1e-14])
def test_crps_far_out_is_the_error_less_a_share_of_the_doubt(std: float):
    got = crps(np.zeros(1), np.full(1, std), np.ones(1))[0]
    assert got == pytest.approx(1 - std / math.sqrt(math.pi), abs=4e-16)


@pytest.mark.parametrize("scale", SCALES)
def test_nll_is_scipys(readings, scale: float):
    mean, std, observed = readings
    got = negative_log_likelihood(mean, scale * std, observed)
    np.testing.assert_allclose(got, -norm.logpdf(observed, mean, scale * std), atol=1e-12)


def test_nll_is_infinite_without_doubt():
    mean, observed = np.zeros(2), np.array([0.0, 1.0])
    np.testing.assert_array_equal(negative_log_likelihood(mean, 0 * mean, observed), math.inf)
    assert negative_log_likelihood(mean, mean + 1e-300, observed)[1] == math.inf


@pytest.mark.parametrize("score", [crps, negative_log_likelihood, interval_score])
def test_proper_scores_are_best_for_the_true_distribution(readings, score):
    mean, std, observed = readings
    honest = score(mean, std, observed).mean()
    for scale in (0.8, 1.25):
        assert score(mean, scale * std, observed).mean() > honest
    assert score(mean + 0.1, std, observed).mean() > honest


@given(scale=st.floats(0.01, 100.0), shift=st.floats(-1e3, 1e3))
def test_scores_follow_the_unit_and_ignore_the_zero(readings, scale: float, shift: float):
    mean, std, observed = (values[:50] for values in readings)
    before, after = (
        (mean, std, observed),
        (scale * mean + shift, scale * std, scale * observed + shift),
    )
    np.testing.assert_allclose(crps(*after), scale * crps(*before), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(
        interval_score(*after), scale * interval_score(*before), rtol=1e-7, atol=1e-9
    )
    moved = negative_log_likelihood(*after) - math.log(scale)
    np.testing.assert_allclose(moved, negative_log_likelihood(*before), rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(coverage(LEVELS, *after), coverage(LEVELS, *before))
    assert sharpness(after[1]) == pytest.approx(scale * sharpness(before[1]))


def test_rms_of_the_infinite_is_infinite():
    assert rms(np.array([3.0, -4.0])) == pytest.approx(math.sqrt(12.5))
    assert rms(np.array([1.0, 1e200])) == math.inf


def two_days(spoil) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A minute's readings of four sensors over two days; `spoil` changes the claimed deviation."""
    rng = np.random.default_rng(6)
    minutes = np.arange(2 * 1440)
    std = np.ones((minutes.size, 4))
    observed = rng.normal(size=std.shape)
    spoil(minutes, std)
    return 60.0 * minutes, std, observed


def judged(seconds, std, observed):
    zeros = np.zeros(std.shape)
    return measured(zeros, std, observed, true_mean=zeros, true_std=zeros + 1, seconds=seconds)


def test_a_bad_hour_is_found_on_every_day():
    def spoil(minutes, std):
        std[(minutes >= 300) & (minutes < 360)] = 0.3
        std[(minutes >= 1740) & (minutes < 1800)] = 0.3

    areas = np.array(judged(*two_days(spoil)).miscalibration_by_hour)
    assert areas.shape == (24,)
    assert areas[5] > 0.2
    assert np.delete(areas, 5).max() < 0.06


def test_a_bad_height_is_found():
    def spoil(minutes, std):
        std[:, 2] = 0.3

    areas = np.array(judged(*two_days(spoil)).miscalibration_by_height)
    assert areas.shape == (4,)
    assert areas[2] > 0.2
    assert np.delete(areas, 2).max() < 0.03


def test_faults_that_cancel_at_large_show_at_each_height():
    def spoil(minutes, std):
        std[:, :2], std[:, 2:] = 0.5, 2.2

    got = judged(*two_days(spoil))
    assert got.miscalibration < 0.07 < 0.12 < min(got.miscalibration_by_height)


def test_hours_that_the_window_does_not_reach_have_no_figure():
    seconds, std, observed = two_days(lambda minutes, std: None)
    areas = judged(seconds[:90], std[:90], observed[:90]).miscalibration_by_hour
    assert [math.isnan(area) for area in areas] == [False] * 2 + [True] * 22


def test_the_oracle_is_scored_by_the_truth_and_the_method_by_itself():
    seconds, std, observed = two_days(lambda minutes, std: None)
    shape = std.shape
    claim = (np.full(shape, 0.2), 0.5 * std, observed)
    got = measured(*claim, true_mean=np.zeros(shape), true_std=np.ones(shape), seconds=seconds)
    assert got.crps == pytest.approx(closed_crps(*claim).mean())
    assert got.oracle_crps == pytest.approx(closed_crps(np.zeros(shape), std, observed).mean())
    assert got.crps_ratio == pytest.approx(got.crps / got.oracle_crps)
    assert got.crps_ratio > 1.05
    assert got.nll == pytest.approx(-norm.logpdf(observed, 0.2, 0.5).mean())
    assert got.oracle_nll == pytest.approx(-norm.logpdf(observed).mean())
    assert got.sharpness == pytest.approx(0.5)
    assert got.interval_score_90 == pytest.approx(interval_score(*claim).mean())
    assert got.coverage == tuple(coverage(LEVELS, *claim))
    assert got.miscalibration == miscalibration_area(np.array(got.coverage))
