"""The noise is learned from squares of errors whose law is known."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agewise.engine.splines.noise import LAWS, NoiseLaw, fitted_law

COUNT = 6000
PERIOD = 0.5
"""Two days in the window."""


def readings(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Points at both ends, and values: cool below, warm above, each with a slow wave."""
    rng = np.random.default_rng(seed)
    x, t = rng.integers(0, 2, COUNT).astype(float), rng.uniform(size=COUNT)
    return np.stack([x, t], axis=1), 1.6 * x - 0.8 + np.sin(2 * np.pi * t / 0.7 + x)


def by_value(points: np.ndarray, value: np.ndarray) -> np.ndarray:
    """A straight line in the standard deviation, which no cubic in the logarithm holds exactly."""
    return (0.3 + 0.08 * value) ** 2


def by_end(points: np.ndarray, value: np.ndarray) -> np.ndarray:
    return np.where(points[:, 0] == 0, 0.04, 0.09)


def by_hour(points: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Quiet and loud at other hours below than above, on levels of their own."""
    x, t = points.T
    return 0.04 * (1 + x) * np.exp(0.9 * np.cos(2 * np.pi * t / PERIOD + 2 * x))


TRUE: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "value": by_value,
    "end": by_end,
    "hour": by_hour,
}


def squares(variance: np.ndarray, seed: int = 1) -> np.ndarray:
    return variance * np.random.default_rng(seed).normal(size=variance.size) ** 2


@pytest.mark.parametrize("kind", TRUE)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_law_is_found_and_recovered(kind: str, seed: int):
    points, value = readings(seed)
    truth = TRUE[kind](points, value)
    law = fitted_law(points, value, squares(truth, 10 + seed), PERIOD)
    assert law.kind == kind
    ratio = law.variance(points, value) / truth
    # k parameters from n squares: a relative variance of 2k/n on average, 6 % at ten parameters.
    expected = np.sqrt(2 * law.weights.size / COUNT)
    assert np.sqrt(np.mean((ratio - 1) ** 2)) < 2.5 * expected
    assert np.abs(np.log(ratio)).max() < 0.25


@pytest.mark.parametrize("kind", TRUE)
def test_no_weight_can_be_moved_to_make_the_squares_more_likely(kind: str):
    points, value = readings()
    found = squares(TRUE[kind](points, value))
    law = fitted_law(points, value, found, PERIOD)
    variance = law.variance(points, value)
    design = LAWS[law.kind](points, value, PERIOD)
    gradient = design.T @ (1 - found / variance)
    assert np.abs(gradient).max() / COUNT < 1e-5

    def loss(weights: np.ndarray) -> float:
        trial = NoiseLaw(law.kind, weights, PERIOD).variance(points, value)
        return float(np.sum(np.log(trial) + found / trial))

    least = loss(law.weights)
    for step in 0.02 * np.concatenate([np.eye(law.weights.size), -np.eye(law.weights.size)]):
        assert loss(law.weights + step) > least


def test_noise_that_is_the_same_everywhere_gets_the_plainest_law():
    points, value = readings()
    law = fitted_law(points, value, squares(np.full(COUNT, 0.04)), PERIOD)
    assert law.kind == "constant"
    np.testing.assert_allclose(law.variance(points, value), 0.04, rtol=0.1)


def test_the_hour_does_not_matter_where_there_is_no_cycle():
    points, value = readings()
    law = fitted_law(points, value, squares(by_hour(points, value)), None)
    assert law.kind != "hour"
    found = NoiseLaw("hour", np.log([0.04, 0.09]), None).variance(points, value)
    np.testing.assert_allclose(found, by_end(points, value))


def test_between_the_ends_the_law_is_between():
    law = NoiseLaw("end", np.log([0.04, 0.09]), None)
    points = np.array([[0.0, 0.2], [0.5, 0.2], [1.0, 0.2]])
    np.testing.assert_allclose(law.variance(points, np.zeros(3)), [0.04, 0.06, 0.09])


def test_the_law_of_the_hour_comes_back_after_its_cycle():
    law = NoiseLaw("hour", np.random.default_rng(0).normal(size=10), 0.25)
    day = np.stack([np.full(9, 0.3), np.linspace(0.0, 0.25, 9)], axis=1)
    first, second = (
        law.variance(day + np.array([0.0, shift]), np.zeros(9)) for shift in (0.0, 0.5)
    )
    np.testing.assert_allclose(first, second)
    assert np.ptp(np.log(first)) > 0.5


@settings(max_examples=15)
@given(factor=st.floats(1e-6, 1e6), kind=st.sampled_from(sorted(TRUE)))
def test_another_unit_of_the_noise_is_no_other_law(factor: float, kind: str):
    points, value = readings()
    found = squares(TRUE[kind](points, value))
    one, other = (fitted_law(points, value, f * found, PERIOD) for f in (1.0, factor))
    assert one.kind == other.kind
    np.testing.assert_allclose(
        other.variance(points, value), factor * one.variance(points, value), rtol=1e-3
    )


@pytest.mark.parametrize("kind", LAWS)
@pytest.mark.parametrize("period", [0.4, None])
def test_a_law_comes_back_from_its_arrays(kind: str, period: float | None):
    points, value = readings()
    count = LAWS[kind](points[:1], value[:1], period).shape[1]
    law = NoiseLaw(kind, np.random.default_rng(0).normal(size=count), period)
    back = NoiseLaw.restored(law.arrays())
    assert (back.kind, back.period) == (kind, period)
    np.testing.assert_array_equal(back.variance(points, value), law.variance(points, value))


def test_a_law_does_not_run_away_from_its_readings():
    """A cubic of the logarithm is anything far from where it was fitted; ten times is enough."""
    points, value = readings()
    truth = by_value(points, value)
    law = fitted_law(points, value, squares(truth), PERIOD, kinds=["value"])
    low, high = np.quantile(law.variance(points, value), [0.02, 0.98])
    far = law.variance(np.zeros((2, 2)), np.array([-50.0, 50.0]))
    assert (far >= low / 10.001).all()
    assert (far <= high * 10.001).all()
    again = NoiseLaw.restored(law.arrays())
    np.testing.assert_array_equal(again.variance(np.zeros((2, 2)), np.array([-50.0, 50.0])), far)
