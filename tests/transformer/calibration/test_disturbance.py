"""The filter of a model's residual: the same density as a Gaussian process written out in full."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import multivariate_normal

from agewise.transformer.calibration.disturbance import (
    GAP_S,
    START_STD,
    Disturbance,
    filtered,
    lagged,
    steps_between,
)

HOUR = 3600.0


def sizes() -> Disturbance:
    """In the precision of the moment."""
    return Disturbance(*map(jnp.asarray, (2 * HOUR, 0.9, 5 * HOUR, 0.5, 60 * HOUR, 0.3)))


def covariance(seconds: np.ndarray, readings: np.ndarray) -> np.ndarray:
    """Covariance of the residual, from the kernels of its parts."""
    apart = np.abs(seconds[:, None] - seconds)
    rate = np.sqrt(3) / (5 * HOUR)
    wandering = 0.9**2 * (1 + rate * apart) * np.exp(-rate * apart)
    lasting = 0.5**2 * np.exp(-apart / (60 * HOUR))
    start = START_STD**2 * np.exp(-(seconds[:, None] + seconds - 2 * seconds[0]) / (2 * HOUR))
    return wandering + lasting + start + np.diag(0.3**2 / readings)


def test_the_filter_gives_the_density_of_the_process():
    rng = np.random.default_rng(0)
    seconds = np.cumsum(rng.uniform(300.0, 5000.0, 40).round(3))
    readings = rng.choice([0.5, 1.0, 2.0], 40)
    residual = rng.normal(size=40)
    with jax.enable_x64(True):
        steps = steps_between(seconds)
        found = filtered(sizes(), jnp.asarray(residual), steps, jnp.asarray(readings))
    assert np.diff(seconds).max() < GAP_S
    told = multivariate_normal(np.zeros(40), covariance(seconds, readings)).logpdf(residual)
    assert float(found.log_density) == pytest.approx(told, abs=1e-8)


def test_a_cell_without_readings_says_nothing():
    rng = np.random.default_rng(1)
    seconds, residual = np.arange(30) * 600.0, rng.normal(size=30)
    readings = np.ones(30)
    readings[10:14] = 0.0
    seen = readings > 0
    with jax.enable_x64(True):
        wild = jnp.asarray(np.where(seen, residual, 1e6))
        steps = steps_between(seconds)
        found = filtered(sizes(), wild, steps, jnp.asarray(readings))
    told = multivariate_normal(
        np.zeros(int(seen.sum())), covariance(seconds[seen], readings[seen])
    ).logpdf(residual[seen])
    assert float(found.log_density) == pytest.approx(told, abs=1e-8)


def test_behind_a_gap_nobody_knows_the_oil():
    """After a day without rows, the first reading is expected within the start's own doubt."""
    seconds = np.append(np.arange(20) * 600.0, 20 * 600.0 + 86400.0)
    with jax.enable_x64(True):
        steps = steps_between(seconds)
        found = filtered(sizes(), jnp.zeros(21), steps, jnp.ones(21))
    assert float(found.variances[-1]) > 0.9 * START_STD**2
    assert float(found.variances[-2]) < 1.0


def test_steps_of_one_length_are_kept_once():
    instants = np.cumsum([10.0, 600.0, 600.0 + 1e-9, 900.0, 600.0])
    steps = steps_between(instants)
    np.testing.assert_array_equal(steps.lengths, [0.0, 600.0, 900.0])
    np.testing.assert_array_equal(steps.seconds, [0.0, 600.0, 600.0, 900.0, 600.0])


def test_lags_follow_step_by_step():
    rng = np.random.default_rng(2)
    decay, gain = rng.uniform(0.5, 1.0, 50), rng.normal(size=50)
    told, state = [], 3.0
    for d, g in zip(decay, gain, strict=True):
        state = d * state + g
        told.append(state)
    with jax.enable_x64(True):
        found = lagged(jnp.asarray(decay), jnp.asarray(gain), jnp.asarray(3.0))
    np.testing.assert_allclose(found, told, rtol=1e-12)
