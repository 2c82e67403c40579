"""A belief that a day moves is the exact posterior where that is known."""

import numpy as np

from agewise.fleet.watch.belief import Belief

NAMES = ("air.bias_k", "air.sun_k", "oil.exponent")
PRIOR = np.array([[1.0, 0.3, 0.0], [0.3, 2.0, -0.2], [0.0, -0.2, 0.5]])


def belief(count: int = 500) -> Belief:
    """Draws whose mean and covariance are exactly those of the prior."""
    white = np.random.default_rng(0).standard_normal((count, 3))
    white = np.linalg.solve(np.linalg.cholesky(np.cov(white.T)), (white - white.mean(0)).T).T
    points = np.array([1.0, -2.0, 0.8]) + white @ np.linalg.cholesky(PRIOR).T
    return Belief(dict(zip(NAMES, points.T, strict=True)), NAMES)


def density(value: float, noise: float):
    """A reading of the sum of the first two numbers."""

    def at(of: Belief) -> np.ndarray:
        off = value - of.draws[NAMES[0]] - of.draws[NAMES[1]]
        return -0.5 * (off / noise) ** 2

    return at


def exact(value: float, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance after that reading, by the textbook's Kalman update."""
    mean, shown = np.array([1.0, -2.0, 0.8]), np.array([1.0, 1.0, 0.0])
    gain = PRIOR @ shown / (shown @ PRIOR @ shown + noise**2)
    return mean + gain * (value - shown @ mean), PRIOR - np.outer(gain, shown @ PRIOR)


def test_one_reading_moves_the_belief_to_the_exact_posterior():
    for value, noise in ((-0.5, 1.0), (4.0, 0.3)):  # a usual day, and one like no other
        seen = density(value, noise)
        after = belief().taught(seen(belief()), seen)
        points = np.stack([after.draws[name] for name in NAMES], axis=1)
        mean, covariance = exact(value, noise)
        assert np.allclose(points.mean(axis=0), mean, atol=1e-6)
        assert np.allclose(np.cov(points.T), covariance, atol=1e-6)


def test_readings_that_say_nothing_move_nothing():
    after = belief().taught(np.zeros(500), lambda of: np.zeros(500))
    assert after.distance(belief()) < 1e-9


def test_two_days_are_as_good_as_both_at_once():
    first, second = density(-0.5, 1.0), density(-1.5, 2.0)

    def both(of: Belief) -> np.ndarray:
        return first(of) + second(of)

    one = belief().taught(first(belief()), first)
    by_turns = one.taught(second(one), second)
    at_once = belief().taught(both(belief()), both)
    for name in NAMES:
        assert np.isclose(by_turns.mean(name), at_once.mean(name), atol=1e-6)
        assert np.isclose(by_turns.std(name), at_once.std(name), atol=1e-6)
