"""Fast changes of the ends: taken out by the equation, and never lost as certainty or as noise."""

from functools import lru_cache

import jax
import numpy as np
import pytest

from agewise.assessment.oil.problem import heat_problem
from agewise.assessment.oil.settings import Settings
from agewise.engine.objective.readings import KINDS, Readings
from agewise.engine.posterior import AbstractFields, AbstractPosterior, Measured, Points
from agewise.engine.splines.ends import smooth_ends
from agewise.engine.splines.rough_ends import rough_ends
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.fast import with_fast_changes
from agewise.transformer.oil.heat import TransformerHeat
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.types import Key

SURE = 1e-4
"""Variance of the made-up network everywhere."""


class SureFields(AbstractFields):
    """Functions about zero."""

    def __init__(self, count: int):
        self.count = count

    def means(self, points: Points):
        white = np.random.default_rng(0).standard_normal((self.count, 1))
        return np.sqrt(SURE) * white * np.ones(len(points))

    def variances(self, points: Points):
        return np.ones((self.count, len(points)))


class Sure(AbstractPosterior):
    """A network that says zero, and is as sure of it everywhere."""

    def draw(self, count: int, *, key: Key) -> SureFields:
        return SureFields(count)

    def moments(self, points: Points) -> Prediction:
        zero = np.zeros(len(points))
        return Prediction(zero, zero + SURE, zero + 1.0)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"weights": np.zeros(3)}


@lru_cache
def twin(rough: bool = True) -> Twin:
    return make_twin(TwinSettings(seed=102, days=2.0, rough_ambient=rough))


@lru_cache
def problem(method: str = "vi", rough: bool = True) -> TransformerHeat:
    """As a method sees it: a network without fast changes, a closed form with them."""
    made = twin(rough)
    return heat_problem(made.profile, made.nameplate, Settings(method=method, as_given=True))


def along(height: float, times: np.ndarray) -> Points:
    return np.stack([np.full_like(times, height), times], axis=1)


def bottom_noise_ratio(variance: np.ndarray) -> float:
    """Median of a scaled variance of the noise at the bottom, over that of the twin."""
    true = twin().truth["noise_std"].to_numpy()[:, 0] ** 2
    return float(np.median(variance * problem().units.spread ** 2 / true))


def test_readings_are_the_rest_and_what_was_taken_out():
    whole, rest = Measured.of(problem("exact")), Measured.of(problem("vi"))
    taken = problem("vi").lift(rest.points) - problem("exact").lift(whole.points)
    np.testing.assert_allclose(rest.values + taken, whole.values, atol=1e-5)
    bottom = rest.points[:, 0] == 0.0
    assert taken[bottom].std() > 0.8 * 0.5 / problem().units.spread, "0.5 K of rough air"


def test_what_was_taken_out_obeys_the_equation():
    """By differences on a fine grid, away from the end where it changes by the minute."""
    made, step = problem("vi"), 1 / 120
    times = np.linspace(0.3, 0.7, 2001)

    def taken(height: float) -> np.ndarray:
        points = along(height, times)
        return made.lift(points) - problem("exact").lift(points)

    for height in (0.3, 0.5, 0.7):
        storage = made.relaxation * np.gradient(taken(height), times)
        low, here, high = (taken(height + k * step) for k in (-1, 0, 1))
        conduction = made.conduction * (low - 2 * here + high) / step**2
        residual = storage - conduction + here - taken(0.0)
        # Smoothed over a quarter of an hour: the grid is straight between its minutes.
        smooth = np.convolve(residual, np.ones(13) / 13, mode="valid")
        assert smooth.std() < 0.05 * taken(0.0).std()


def test_rough_air_is_no_noise_of_its_sensor():
    """Readings know the noise to a few per cent; fast air, half a kelvin, is more than that."""
    points = along(0.0, twin().profile.seconds / twin().profile.seconds[-1])
    value = Measured.of(problem("exact")).values[: len(points)]
    lifted = value + problem("exact").lift(points)
    old, new = smooth_ends(problem("exact")).noise, rough_ends(problem("exact")).noise
    assert bottom_noise_ratio(old.variance(points, lifted)) > 2.0
    assert 0.8 < bottom_noise_ratio(new.variance(points, lifted)) < 1.3


def seen(made: TransformerHeat) -> np.ndarray:
    """What six harmonics a day say of the readings, end by end: all that a network is shown."""
    measured, fitted = Measured.of(made), np.zeros(0)
    for height in (0.0, 1.0):
        rows = measured.points[:, 0] == height
        phase = 2 * np.pi * measured.points[rows, 1:] * np.arange(13)
        design = np.concatenate([np.cos(phase), np.sin(phase), measured.points[rows, 1:]], axis=1)
        best = np.linalg.lstsq(design, measured.values[rows], rcond=None)[0]
        fitted = np.append(fitted, design @ best)
    return fitted


def test_a_network_does_not_take_rough_air_for_noise():
    """Harmonics in the place of a network, on the problem with fast changes and without."""
    ratios = {}
    for name in ("exact", "vi"):
        made, readings = problem(name), Readings.of(problem(name))
        mean, own = seen(made), made.lift_variance(readings.points)
        law = readings.law(mean, own, kinds=KINDS["heteroscedastic"])
        bottom = readings.points[:, 0] == 0.0
        value = (mean + made.lift(readings.points))[bottom]
        ratios[name] = bottom_noise_ratio(law.variance(readings.points[bottom], value))
    assert ratios["exact"] > 2.0
    assert 0.8 < ratios["vi"] < 1.3


def test_the_doubt_about_fast_changes_is_part_of_the_answer():
    wide, times = with_fast_changes(Sure(), problem()), np.linspace(0.1, 0.9, 97)
    told = [wide.predict(along(height, times)).epistemic.mean() for height in (0.0, 0.1, 0.3)]
    assert told[0] > 4 * told[1] > 4 * told[2] > 4 * SURE, "largest where air is read"
    # Against the truth: the expected fast part plus the slow truth would be as far off as said.
    series = rough_ends(problem("exact")).bottom
    truth = problem().units.scaled(twin().truth["oil_true"].to_numpy()[:, 0])
    rows = np.arange(100, 2780, 10)
    at = rows / 2879
    z = (series.values(at) - truth[rows]) / np.sqrt(series.variance(at))
    assert 0.8 < np.sqrt(np.mean(z**2)) < 1.3
    assert told[0] - SURE == pytest.approx(series.variance(times).mean(), rel=0.25)


def test_drawn_functions_have_the_moments():
    wide = with_fast_changes(Sure(), problem())
    points = along(0.0, np.arange(40, 240, 20) / 288)
    drawn, told = wide.draw(600, key=jax.random.key(0)), wide.predict(points)
    np.testing.assert_allclose(drawn.means(points).std(axis=0), np.sqrt(told.epistemic), rtol=0.2)
    np.testing.assert_array_equal(drawn.variances(points), 1.0)
    assert list(wide.arrays()) == ["weights"]


def test_a_problem_without_a_lift_keeps_its_fast_changes():
    assert problem("exact").fast is None
    sure = Sure()
    assert with_fast_changes(sure, problem("exact")) is sure
