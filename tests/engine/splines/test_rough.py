"""Series that change fast, against dense algebra and against a truth with known noise."""

import numpy as np
import pytest

from agewise.engine.splines.blocks import BlockTridiagonal
from agewise.engine.splines.rough import PENALTIES, RIDGE, faster_than, smooth_and_rough

NODES, RECALL = 40, 0.2
NOISE = 0.1


def series(rough: float, count: int = 1440, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Times, truth and readings: a day's wave, and a walk that forgets within an hour."""
    rng = np.random.default_rng(seed)
    times, forget = np.linspace(0.0, 1.0, count), 24 / count
    walk = np.zeros(count)
    for k in range(1, count):
        walk[k] = (1 - forget) * walk[k - 1] + rough * np.sqrt(2 * forget) * rng.normal()
    truth = np.sin(2 * np.pi * times) + walk
    return times, truth, truth + NOISE * rng.normal(size=count)


def test_the_posterior_is_that_of_dense_algebra():
    rng = np.random.default_rng(3)
    times, variance = np.sort(rng.uniform(size=70)), rng.uniform(0.1, 0.4, 70)
    values = (
        np.sin(9 * times) + np.cumsum(rng.normal(0, 0.2, 70)) + np.sqrt(variance) * rng.normal()
    )
    fitted = smooth_and_rough(times, values, variance, nodes=NODES, recall=RECALL)
    hats = np.stack([np.interp(times, fitted.nodes, row) for row in np.eye(NODES)], axis=1)
    design = np.repeat(hats, 2, axis=1)  # smooth and rough part of a node stand side by side
    smooth, rough = np.exp(fitted.log_penalties)
    bends, steps = np.diff(np.eye(NODES), n=2, axis=0), np.diff(np.eye(NODES), axis=0)
    pull = np.eye(NODES) / ((NODES - 1) * RECALL) ** 2
    prior = smooth * np.kron(bends.T @ bends, np.diag([1.0, 0.0]))
    prior += rough * np.kron(steps.T @ steps + pull, np.diag([0.0, 1.0]))
    precision = design.T / variance @ design + prior + RIDGE * np.eye(2 * NODES)
    covariance, sums = np.linalg.inv(precision), np.kron(np.eye(NODES), [1.0, 1.0])
    mean = sums @ covariance @ (design.T @ (values / variance))
    spread = np.diag(sums @ covariance @ sums.T)
    np.testing.assert_allclose(fitted.values(fitted.nodes), mean, atol=1e-6)
    np.testing.assert_allclose(fitted.variance(fitted.nodes), spread, rtol=1e-6)
    drawn = fitted.errors(4000, rng=np.random.default_rng(0))
    np.testing.assert_allclose(drawn.var(axis=1), spread, rtol=0.15)


def test_a_rough_series_is_followed_as_far_as_its_noise_allows():
    times, truth, readings = series(rough=0.3)
    known = np.full(times.size, NOISE**2)
    fitted = smooth_and_rough(times, readings, known, nodes=1440, recall=1 / 24)
    error = fitted.values(times) - truth
    z = error / np.sqrt(fitted.variance(times))
    assert np.std(error) < 0.7 * NOISE
    assert 0.9 < np.sqrt(np.mean(z**2)) < 1.1


def test_where_nothing_is_rough_that_part_is_switched_off():
    times, truth, readings = series(rough=0.0)
    known = np.full(times.size, NOISE**2)
    fitted = smooth_and_rough(times, readings, known, nodes=1440, recall=1 / 24)
    assert fitted.log_penalties[1] > PENALTIES[1] - 8
    assert np.std(fitted.values(times) - truth) < 0.15 * NOISE


@pytest.mark.parametrize(("waves", "left"), [(6, 0.5), (12, 16 / 17), (3, 1 / 17)])
def test_what_is_faster_than_a_period(waves: int, left: float):
    """Half of a wave of that period; of others by the fourth power of theirs."""
    times = np.linspace(0.0, 1.0, 2001)
    wave = np.sin(2 * np.pi * waves * times)
    fast = faster_than(wave, 1 / 6)
    inner = slice(500, 1501)  # away from the ends of the window
    np.testing.assert_allclose(fast[inner], left * wave[inner], atol=0.02)
    np.testing.assert_allclose(faster_than(3 + 5 * times, 1 / 6), 0.0, atol=1e-6)


def test_a_band_is_the_matrix_it_stands_for():
    rng = np.random.default_rng(0)
    band = rng.normal(size=(3, 8))
    whole = sum(np.diag(band[d, : 8 - d], -d) for d in range(3))
    whole = whole + np.tril(whole, -1).T
    blocks = BlockTridiagonal.banded(band, 2)
    for row in range(4):
        here = slice(2 * row, 2 * row + 2)
        np.testing.assert_array_equal(blocks.diagonal[row], whole[here, here])
        if row:
            before = slice(2 * row - 2, 2 * row)
            np.testing.assert_array_equal(blocks.below[row - 1], whole[here, before])
