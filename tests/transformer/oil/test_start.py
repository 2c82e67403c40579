"""A network that begins elsewhere than was declared: that is doubt, and the equation forgets it."""

from functools import lru_cache

import jax
import numpy as np
import pytest

from agewise.engine.posterior import AbstractFields, AbstractPosterior, Points
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.transformer.oil.start import BELIEVED, with_start
from agewise.transformer.oil.tank import Tank
from agewise.types import Key
from agewise.units import SECONDS_PER_HOUR

TANK = Tank(1.0, 10.0, 1.653e6, 103.26, 2.29, 842.0, 9800.0)
"""The floating plant's."""
SURE = 1e-6
"""Variance of the made-up network everywhere."""


class BegunFields(AbstractFields):
    """Functions that are all alike."""

    def __init__(self, count: int):
        self.count = count

    def means(self, points: Points):
        return np.zeros((self.count, len(points)))

    def variances(self, points: Points):
        return np.ones((self.count, len(points)))


class Begun(AbstractPosterior):
    """A network that begins a sine above the straight line, and is sure of it."""

    def __init__(self, size: float, variance: float = SURE):
        self.size, self.variance = size, variance

    def draw(self, count: int, *, key: Key) -> BegunFields:
        return BegunFields(count)

    def moments(self, points: Points) -> Prediction:
        x, t = points.T
        flat = np.ones(len(points))
        # A slope between the ends, which is no departure from a straight line.
        mean = x + self.size * np.sin(np.pi * x) * (t == 0)
        return Prediction(mean, self.variance * flat, flat)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}


@lru_cache
def problem(inside: bool = False) -> TransformerHeat:
    """Half a day, without load; nothing is taken out of the unknown."""
    seconds = np.linspace(0.0, 12 * SECONDS_PER_HOUR, 145)
    sensors = {0.0: 20 + np.sin(seconds / 7e3), 1.0: 40 + np.cos(seconds / 9e3)}
    if inside:
        sensors[0.5] = 30 + np.sin(seconds / 8e3)
    return transformer_heat(TANK, seconds, np.zeros(145), sensors)


def along(height: float, times: np.ndarray) -> Points:
    return np.stack([np.full_like(times, height), times], axis=1)


def added(size: float, points: Points, variance: float = SURE) -> np.ndarray:
    """Standard deviation that is added to that of the network."""
    wide = with_start(Begun(size, variance), problem()).predict(points)
    return np.sqrt(wide.epistemic - variance)


def test_a_departure_beyond_what_was_declared_is_doubt_and_fades_as_heat_does():
    std = problem().initial_std
    assert std is not None
    times = np.linspace(0.0, 0.5, 7)
    told = added(50 * std, along(0.5, times))
    assert told[0] == pytest.approx(std * np.sqrt(50**2 - BELIEVED**2), rel=0.01)
    # The slowest mode of a rod between given ends: all of it, but for a narrow foot at each end.
    rate = (1 + problem().conduction * np.pi**2) / problem().relaxation
    np.testing.assert_allclose(told[1:] / told[0], np.exp(-rate * times[1:]), rtol=0.05)
    ends = np.concatenate([along(0.0, times), along(1.0, times)])
    np.testing.assert_allclose(added(50 * std, ends), 0.0, atol=1e-9)


def test_what_was_declared_and_what_a_network_doubts_itself_is_not_counted_again():
    std, middle = problem().initial_std, along(0.5, np.zeros(1))
    assert std is not None
    assert added(1.9 * std, middle) == 0.0
    assert added(2.5 * std, middle) > std
    assert added(2.5 * std, middle, variance=std**2) == 0.0


def test_drawn_functions_have_the_moments():
    std = problem().initial_std
    assert std is not None
    wide, points = with_start(Begun(5 * std), problem()), along(0.4, np.linspace(0.01, 0.3, 5))
    drawn, told = wide.draw(2000, key=jax.random.key(0)), wide.predict(points)
    spread = drawn.means(points).std(axis=0)
    np.testing.assert_allclose(spread, np.sqrt(told.epistemic - SURE), rtol=0.05)


def test_where_sensors_inside_tell_the_first_profile_nothing_is_added():
    network = Begun(5.0)
    assert with_start(network, problem(inside=True)) is network
