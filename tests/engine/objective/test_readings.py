"""Readings averaged within cells: nothing is mixed that should not be, and nothing is lost."""

from collections.abc import Mapping

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.engine.objective.readings import KINDS, Readings
from agewise.engine.problems.base import AbstractProblem, Box, Observations, Region
from agewise.library import PROBLEMS

HOURS = 6
INTERVALS = 2 * HOURS
RNG = np.random.default_rng(0)


class Sensors(AbstractProblem):
    """Nothing but sensors, over a window of six hours."""

    sensors: Mapping[str, Observations]
    slope: float = 0.0
    """of the lift along the height"""

    def residuals(self):
        return {"interior": lambda u, p: u(p)}

    def regions(self):
        return {"interior": Region((Box((0.0, 0.0), (1.0, 1.0)),))}

    def pseudo_observations(self):
        return {"interior": float(HOURS)}

    def observations(self):
        return self.sensors

    def lift(self, points):
        return self.slope * points[:, 0]


def sensor(x: float, times: np.ndarray, values: np.ndarray, std=None) -> Observations:
    points = np.stack([np.full_like(times, x), times], axis=1)
    known = None if std is None else jnp.asarray(std)
    return Observations(jnp.asarray(points), jnp.asarray(values), known)


def some_readings(count: int = 300, *, std: bool = False, **options) -> Readings:
    """Three sensors at any times, well inside their half hours."""
    sensors = {}
    for x in (0.0, 0.4, 1.0):
        times = np.sort(RNG.integers(0, INTERVALS, count) + RNG.uniform(0.1, 0.9, count))
        known = RNG.uniform(0.1, 0.5, count) if std else None
        values = RNG.normal(size=count)
        sensors[f"x={x}"] = sensor(x, times / INTERVALS, values, known)
    return Readings.of(Sensors(sensors, **options))


READINGS = some_readings()


def membership(readings: Readings) -> np.ndarray:
    """The matrix that averages: a row for each cell."""
    member = readings.cell == np.arange(readings.cell.max() + 1)[:, None]
    return member / member.sum(axis=1, keepdims=True)


def test_no_cell_mixes_places_or_half_hours():
    place, interval = READINGS.points[:, 0], np.floor(READINGS.points[:, 1] * INTERVALS)
    kinds = {(x, k) for x, k in zip(place, interval, strict=True)}
    assert len(kinds) == READINGS.cell.max() + 1 < len(READINGS.values)
    for cell in range(READINGS.cell.max() + 1):
        members = cell == READINGS.cell
        assert len(np.unique(place[members])) == len(np.unique(interval[members])) == 1


def test_a_cell_is_the_mean_of_its_readings():
    average = membership(READINGS)
    np.testing.assert_allclose(READINGS.cell_points, average @ READINGS.points, rtol=1e-12)
    np.testing.assert_allclose(READINGS.cell_values, average @ READINGS.values, atol=1e-12)


@given(seed=st.integers(0, 1000))
def test_the_variance_of_a_mean_is_that_of_independent_readings(seed: int):
    variance = np.random.default_rng(seed).uniform(0.01, 2.0, READINGS.values.size)
    average = membership(READINGS)
    truth = np.diag(average @ np.diag(variance) @ average.T)
    np.testing.assert_allclose(READINGS.cell_variance(variance), truth, rtol=1e-12)


def test_equal_noise_tells_of_a_constant_what_the_readings_tell():
    """The weighted mean of the cells is the mean of all, and as certain."""
    precision = 1 / READINGS.cell_variance(np.full(READINGS.values.size, 0.3))
    mean = precision @ READINGS.cell_values / precision.sum()
    assert mean == pytest.approx(READINGS.values.mean(), abs=1e-12)
    assert 1 / precision.sum() == pytest.approx(0.3 / READINGS.values.size, rel=1e-12)


def test_readings_that_are_not_averaged_stay_as_they_are():
    readings = Readings.of(READINGS.problem, averaged=False)
    np.testing.assert_array_equal(readings.cell_points, readings.points)
    np.testing.assert_array_equal(readings.cell_values, readings.values)
    variance = RNG.uniform(size=readings.values.size)
    np.testing.assert_array_equal(readings.cell_variance(variance), variance)
    few = readings.subset(np.array([3, 5, 700]))
    np.testing.assert_array_equal(few.cell_values, readings.values[[3, 5, 700]])
    np.testing.assert_array_equal(few.cell_points, readings.points[[3, 5, 700]])


def test_some_of_the_readings_still_share_their_cells():
    # Else a thinned record would be a larger problem than a whole one.
    half = READINGS.subset(np.arange(0, READINGS.values.size, 2))
    assert half.cell_values.size == READINGS.cell_values.size
    np.testing.assert_array_equal(half.values, READINGS.values[::2])
    lone = READINGS.subset(np.array([3, 700]))
    np.testing.assert_array_equal(lone.cell_values, READINGS.values[[3, 700]])


def test_two_readings_a_quarter_of_an_hour_apart_share_a_cell_and_three_do_not():
    readings = Readings.of(PROBLEMS["transformer-heat"]())
    assert np.bincount(readings.cell).max() == 2


def test_no_readings_are_no_error():
    readings = Readings.of(Sensors({}))
    assert readings.cell_points.shape == (0, 2)
    assert readings.cell_values.shape == (0,)


def test_the_noise_of_no_readings_is_no_error():
    assert Readings.of(Sensors({})).first_variance().shape == (0,)


def test_a_known_noise_wins():
    readings = some_readings(std=True)
    stds = [np.asarray(s.std) for s in readings.problem.observations().values()]
    truth = np.concatenate(stds, dtype=float) ** 2
    np.testing.assert_array_equal(readings.first_variance(), truth)
    # The law is that of the known noise, however large the errors are.
    one, other = (
        readings.law(mean, 5.0, kinds=("constant",)).variance(readings.points, mean)
        for mean in (readings.values, readings.values + 100.0)
    )
    np.testing.assert_allclose(one, truth.mean(), rtol=1e-6)
    np.testing.assert_allclose(other, one)
    kept = readings.subset(np.array([1, 2]))
    np.testing.assert_array_equal(kept.first_variance(), truth[[1, 2]])


def smooth(times: np.ndarray) -> np.ndarray:
    return 2 * np.sin(2 * np.pi * times)


def noisy(std: float, offset: float = 0.0, count: int = 2000) -> list[Observations]:
    times = np.linspace(0.0, 1.0, count)
    noise = np.random.default_rng(1).normal(scale=std, size=(2, count))
    return [
        sensor(0.0, times, smooth(times) + noise[0]),
        sensor(1.0, times, smooth(times) + offset + noise[1]),
    ]


def guessed(sensors: list[Observations]) -> np.ndarray:
    problem = Sensors({str(n): one for n, one in enumerate(sensors)})
    return Readings.of(problem, averaged=False).first_variance()


@pytest.mark.parametrize("std", [0.03, 0.3])
def test_the_first_guess_of_the_noise_is_near(std: float):
    """A median of absolute values, each of which three readings share."""
    np.testing.assert_allclose(guessed(noisy(std)), std**2, rtol=0.2)


def test_the_first_guess_knows_neither_order_nor_what_other_places_read():
    guess = guessed(noisy(0.1))
    np.testing.assert_allclose(guessed(noisy(0.1, offset=50.0)), guess, rtol=1e-3)
    np.testing.assert_allclose(guessed(noisy(0.1)[::-1]), guess, rtol=1e-12)
    shuffled = [
        Observations(one.points[order], one.values[order])
        for one in noisy(0.1)
        for order in [np.random.default_rng(2).permutation(len(one.values))]
    ]
    np.testing.assert_allclose(guessed(shuffled), guess, rtol=1e-12)
    # Taken in turns from one place and another.
    both = noisy(0.1, offset=50.0)
    points = np.stack([one.points for one in both], axis=1).reshape(-1, 2)
    values = np.stack([one.values for one in both], axis=1).ravel()
    mixed = Observations(jnp.asarray(points), jnp.asarray(values))
    np.testing.assert_allclose(guessed([mixed]), guess, rtol=1e-3)


def test_where_no_places_repeat_a_guess_is_a_share_of_the_spread():
    places = [sensor(x, np.array([0.3]), np.array([4 * x])) for x in (0.0, 0.25, 0.5, 1.0)]
    guess = guessed(places)
    assert (guess > 0).all()
    assert guess[0] < np.var([0.0, 1.0, 2.0, 4.0])


def test_one_noise_for_all_is_the_mean_square_of_the_errors():
    mean = READINGS.values + np.where(READINGS.points[:, 0] == 1.0, 0.5, 0.1)
    law = READINGS.law(mean, 0.02, kinds=KINDS["homoscedastic"])
    assert law.kind == "constant"
    expected = np.mean((READINGS.values - mean) ** 2) + 0.02
    np.testing.assert_allclose(law.variance(READINGS.points, mean), expected, rtol=1e-6)


def test_noise_that_differs_between_places_is_told_apart():
    errors = np.random.default_rng(3).normal(size=READINGS.values.size)
    std = np.exp(-2 + 2 * READINGS.points[:, 0])
    mean = READINGS.values - std * errors
    law = READINGS.law(mean, 0.0, kinds=KINDS["heteroscedastic"])
    assert law.kind == "end"
    found = law.variance(READINGS.points, mean)
    np.testing.assert_allclose(found, std**2, rtol=0.25)


def test_a_law_by_value_sees_the_whole_value_and_not_what_is_left_of_it():
    """Noise that grows with the temperature, most of which is the lift."""
    readings = some_readings(slope=3.0)
    mean = readings.values
    errors = np.random.default_rng(4).normal(size=mean.size)
    whole = mean + 3.0 * readings.points[:, 0]
    shifted = Readings(
        readings.points,
        mean + np.exp(-2 + 0.5 * whole) * errors,
        np.full(mean.size, np.nan),
        readings.cell,
        readings.problem,
    )
    law = shifted.law(mean, 0.0, kinds=KINDS["heteroscedastic"])
    assert law.kind == "value"
    ratio = law.variance(shifted.points, whole) / np.exp(-4 + whole)
    assert np.abs(np.log(ratio)).mean() < 0.2
