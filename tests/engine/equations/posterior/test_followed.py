"""Errors of a fit are not white: what it follows of the noise is set aside first."""

import numpy as np
import pytest

from agewise.engine.equations.posterior.followed import Followed
from agewise.engine.equations.posterior.reading_errors import course_chance
from agewise.engine.equations.posterior.weights import GaussianWeights

NOISE = 0.03


def _fitted(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, Followed]:
    """Errors, over their noise, of the best decay a e^(-kt), and what that follows."""

    def errors_at(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        decay = np.exp(-numbers[1] * times)
        gradients = np.stack([decay, -numbers[0] * times * decay], axis=1)
        return values - numbers[0] * decay, gradients

    numbers = np.array([2.0, 0.5])
    for _ in range(50):
        errors, gradients = errors_at(numbers)
        numbers = numbers + np.linalg.lstsq(gradients, errors, rcond=None)[0]
    errors, gradients = errors_at(numbers)
    std = np.sqrt(np.sum(errors**2) / (len(times) - 2))
    precision = gradients.T @ gradients / std**2 + 1e-4 * np.eye(2)
    doubt = GaussianWeights(numbers, np.linalg.cholesky(precision))
    return errors / std, Followed.of(gradients, np.full(len(times), std), doubt)


def _found(count: int, course, draws: int, *, heavy: bool = False) -> tuple[float, float]:
    """How often a course is found below a chance of 1e-2, with what is followed and without."""
    times = np.linspace(0.0, 5.0, count)
    found = np.zeros(2)
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        noise = rng.standard_t(2, count) if heavy else rng.standard_normal(count)
        errors, followed = _fitted(times, course(times) + NOISE * noise)
        for place, of in enumerate((followed, None)):
            found[place] += course_chance(times[:, None] / 5, errors, followed=of)[0] < 1e-2
    return tuple(found / draws)


def _decay(times: np.ndarray) -> np.ndarray:
    return 2 * np.exp(-0.6 * times)


def _forgotten(times: np.ndarray) -> np.ndarray:
    """u' = -0.3 u - u²/2 from 2, which the decay has no second term for."""
    fade = np.exp(-0.3 * times)
    return 0.6 * fade / (0.3 + (1 - fade))


@pytest.mark.parametrize("count", [8, 15, 40])
@pytest.mark.parametrize("heavy", [False, True])
def test_errors_of_a_right_fit_follow_a_course_as_seldom_as_the_chance_says(count, heavy):
    draws = 500
    # Three standard deviations of a count above what the chance allows.
    assert _found(count, _decay, draws, heavy=heavy)[0] < 0.01 + 3 * np.sqrt(0.01 / draws)


def test_a_forgotten_term_is_found_in_few_readings():
    found, before = _found(10, _forgotten, 100)
    assert before < 0.3
    assert found > 0.55


def test_a_fit_that_follows_two_patterns_loses_two():
    errors, followed = _fitted(times := np.linspace(0.0, 5.0, 12), _forgotten(times))
    assert followed.lost == 2
    # What was followed is gone, and the rest as large as it was.
    np.testing.assert_allclose(followed.whitened(errors), errors, atol=1e-3)
    assert np.linalg.norm(followed.left(followed.patterns)) < 1e-6


def test_errors_are_as_large_as_noise_where_the_fit_follows_half():
    rng = np.random.default_rng(0)
    # One number, as large beforehand as the noise of its one reading: a half is followed.
    prior, noise = rng.standard_normal((2, 4000))
    fit = 0.5 * (prior + noise)
    doubt = GaussianWeights(np.zeros(1), np.full((1, 1), np.sqrt(2)))
    followed = Followed.of(np.ones((1, 1)), np.ones(1), doubt)
    assert followed.lost == 0
    np.testing.assert_allclose(followed.shares, 0.5)
    assert followed.whitened((prior + noise - fit)[None]).std() == pytest.approx(1.0, abs=0.05)
