"""Smoothing against Gaussian processes written out, and against truths that it has not seen."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.interpolate import BSpline
from scipy.stats import multivariate_normal

from agewise.engine.splines.basis import SplineBasis, height_functions
from agewise.engine.splines.smoothing import (
    ORDER,
    RIDGE,
    SmoothSeries,
    marginal_variance,
    on_axis,
    smooth,
)

INTERVALS = 16
TIMES = np.linspace(0.0, 1.0, 60)
Series = Callable[[np.random.Generator], Callable[[np.ndarray], np.ndarray]]


def splines(t: np.ndarray, intervals: int = INTERVALS) -> np.ndarray:
    knots = np.arange(-3, intervals + 4) / intervals
    return BSpline.design_matrix(t, knots, 3).toarray()


def prior_precision(penalty: float, ridge: float = RIDGE) -> np.ndarray:
    differences = np.diff(np.eye(INTERVALS + 3), ORDER, axis=0)
    return penalty * differences.T @ differences + ridge * np.eye(INTERVALS + 3)


@pytest.fixture(scope="module")
def measured() -> tuple[np.ndarray, np.ndarray]:
    """Readings of a wave, and their variances, which differ."""
    rng = np.random.default_rng(0)
    variance = rng.uniform(0.05, 0.3, TIMES.size) ** 2
    return np.sin(5 * TIMES) + np.sqrt(variance) * rng.normal(size=TIMES.size), variance


@pytest.fixture(scope="module")
def series(measured: tuple[np.ndarray, np.ndarray]) -> SmoothSeries:
    values, variance = measured
    return smooth(TIMES, values, variance, intervals=INTERVALS)


def test_mean_and_variance_are_those_of_the_dense_posterior(series: SmoothSeries, measured):
    values, variance = measured
    design, t = splines(TIMES), np.linspace(0.0, 1.0, 41)
    weighted = design.T / variance
    covariance = np.linalg.inv(weighted @ design + prior_precision(series.penalty))
    there = splines(t)
    np.testing.assert_allclose(
        series.values(t), there @ covariance @ weighted @ values, rtol=0, atol=1e-8
    )
    expected = np.einsum("ti,ij,tj->t", there, covariance, there)
    np.testing.assert_allclose(series.variance(t), expected, rtol=1e-8)


def test_it_is_a_gaussian_process_conditioned_on_the_readings(series: SmoothSeries, measured):
    """The same from the other side: a covariance of readings instead of a precision."""
    values, variance = measured
    # A prior that is not nearly improper, so that subtracting covariances keeps digits.
    ridge = 1e-3
    prior = np.linalg.inv(prior_precision(series.penalty, ridge))
    t = np.linspace(0.0, 1.0, 7)
    design, there = splines(TIMES), splines(t)
    gain = there @ prior @ design.T @ np.linalg.inv(design @ prior @ design.T + np.diag(variance))
    np.testing.assert_allclose(series.values(t), gain @ values, rtol=0, atol=2e-3)
    expected = np.diag(there @ prior @ there.T - gain @ design @ prior @ there.T)
    np.testing.assert_allclose(series.variance(t), expected, rtol=5e-3)


def test_the_penalty_makes_the_readings_most_likely(series: SmoothSeries, measured):
    values, variance = measured
    design = splines(TIMES)

    def log_evidence(penalty: float) -> float:
        spread = design @ np.linalg.inv(prior_precision(penalty, 1e-4)) @ design.T
        return multivariate_normal.logpdf(values, cov=spread + np.diag(variance))

    best = log_evidence(series.penalty)
    for factor in (1.5, 4.0, 50.0):
        lower, higher = log_evidence(series.penalty / factor), log_evidence(series.penalty * factor)
        assert max(lower, higher) < best
    # Near the maximum it is a parabola, so a maximiser that is off shows as a lopsided pair.
    assert abs(log_evidence(series.penalty * 1.5) - log_evidence(series.penalty / 1.5)) < 0.3 * (
        best - log_evidence(series.penalty / 1.5)
    )


def test_draws_are_the_posterior(series: SmoothSeries):
    rng = np.random.default_rng(1)
    draws = series.basis.values(series.draws(20_000, rng=rng), on_axis(TIMES))
    mean, variance = series.values(TIMES), series.variance(TIMES)
    assert np.abs((draws.mean(axis=1) - mean) / np.sqrt(variance / 20_000)).max() < 5
    np.testing.assert_allclose(draws.var(axis=1), variance, rtol=5 * np.sqrt(2 / 20_000))


def test_smoother_truths_get_larger_penalties():
    rng = np.random.default_rng(2)
    noise = 0.1 * rng.normal(size=400)
    t, variance = np.linspace(0.0, 1.0, 400), np.full(400, 0.01)
    slow, fast = (
        smooth(t, np.sin(rate * t) + noise, variance, intervals=40).penalty for rate in (3.0, 30.0)
    )
    assert slow > 30 * fast


def test_a_gap_is_bridged_with_more_doubt():
    rng = np.random.default_rng(3)
    t = np.concatenate([np.linspace(0.0, 0.35, 100), np.linspace(0.65, 1.0, 100)])
    truth = np.sin(6 * t)
    made = smooth(t, truth + 0.1 * rng.normal(size=200), np.full(200, 0.01), intervals=32)
    beside, within = made.variance(np.array([0.2, 0.5]))
    assert within > 10 * beside
    assert abs(made.values(np.array([0.5]))[0] - np.sin(3.0)) < 3 * np.sqrt(within)


def walk(rng: np.random.Generator):
    """A function of the prior itself: second differences are white noise."""
    coefficients = np.cumsum(np.cumsum(rng.normal(size=35) / 30)) + rng.normal()
    return lambda t: splines(t, 32) @ coefficients


def wave(rng: np.random.Generator):
    rate, phase = rng.uniform(0.5, 3.0), rng.uniform()
    return lambda t: np.sin(2 * np.pi * (rate * t + phase))


@pytest.mark.parametrize("kind", [walk, wave])
def test_errors_are_as_large_as_it_says(kind: Series):
    t, scores = np.linspace(0.0, 1.0, 200), []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth = kind(rng)(t)
        std = rng.uniform(0.02, 0.2, t.size)
        made = smooth(t, truth + std * rng.normal(size=t.size), std**2, intervals=32)
        scores.append((made.values(t) - truth) / np.sqrt(made.variance(t)))
    assert 0.8 < np.sqrt(np.mean(np.square(scores))) < 1.2


def test_marginal_variance_holds_for_functions_of_height_too():
    basis = SplineBasis(6, height_functions(3))
    rng = np.random.default_rng(4)
    points = rng.uniform(size=(50, 2))
    interval, rows = basis.interval(points[:, 1]), basis.rows(points)
    precision = basis.precision(interval, rows, np.ones(50)) + basis.ridge(0.1)
    got = marginal_variance(basis, precision.cholesky, points)
    draws = precision.cholesky.solve(np.eye(basis.size))
    design = basis.values(np.eye(basis.size), points)
    np.testing.assert_allclose(got, np.einsum("pi,ij,pj->p", design, draws, design), rtol=1e-10)
