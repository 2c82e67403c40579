"""What every problem of the library tells of its truth, and how its readings are made."""

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.problems import Unknowns
from agewise.library import KNOWN
from agewise.library.bratu import Bratu
from agewise.library.known import AbstractKnownProblem, values_at
from agewise.library.kraichnan_orszag import KraichnanOrszag
from agewise.library.noise_islands import NoiseIslands
from agewise.library.random_source import CENTRES, HEIGHT_STD, LENGTH, RandomSource

MADE = {name: cache(make) for name, make in KNOWN.items()}
"""Each made once for every seed."""
every_problem = pytest.mark.parametrize("make", MADE.values(), ids=MADE)

Make = Callable[..., AbstractKnownProblem]


def some_points(problem: AbstractKnownProblem, count: int = 50) -> np.ndarray:
    lower, upper = np.array(list(problem.coordinates().values())).T
    return np.random.default_rng(0).uniform(lower, upper, (count, len(lower)))


@every_problem
def test_the_truth_is_given_for_every_unknown(make: Make):
    problem = make()
    points = some_points(problem)
    truth = problem.reference(points)
    assert list(truth) == list(problem.functions())
    for values in truth.values():
        assert values.shape == (len(points),)
        assert np.isfinite(values).all()
        assert values.dtype == float
    assert list(problem.true_constants()) == list(problem.constants())


@every_problem
def test_true_functions_depend_on_their_own_coordinates_alone(make: Make):
    problem = make()
    points, truth = some_points(problem), problem.reference(some_points(problem))
    for axis, name in enumerate(problem.coordinates()):
        moved = points.copy()
        moved[:, axis] = np.roll(points[:, axis], 1)
        changed = problem.reference(moved)
        for function, own in problem.functions().items():
            same = np.allclose(changed[function], truth[function], rtol=0, atol=1e-12)
            assert same == (name not in own)


@every_problem
def test_readings_are_the_truth_and_noise_of_the_stated_size(make: Make):
    """Over four seeds, so that a factor of 1.5 on the noise shows where readings are few."""
    quotients = {}
    for seed in range(4):
        problem = make(seed=seed)
        for name, sensor in problem.observations().items():
            noise = problem.true_noise(name, np.asarray(sensor.points))
            assert noise is not None
            if sensor.std is not None:
                np.testing.assert_allclose(sensor.std, noise)
            departures = (np.asarray(sensor.values) - shown(problem, name)) / noise
            quotients.setdefault(name, []).append(departures)
    for rows in quotients.values():
        pooled = np.concatenate(rows)
        # Four standard deviations of the mean, and of the variance of as many normal numbers.
        assert abs(pooled.mean()) < 4 / np.sqrt(pooled.size)
        assert abs(pooled.var() - 1) < 4 * np.sqrt(2 / pooled.size)


def shown(problem: AbstractKnownProblem, name: str) -> np.ndarray:
    """What a sensor would show without noise."""
    sensor = problem.observations()[name]
    points, quantity, exact = np.asarray(sensor.points), sensor.quantity, problem.solution()
    if quantity is None:
        return next(iter(problem.reference(points).values()))
    if exact is None:
        # All points at once: a quantity without derivatives does not ask how many they are.
        truth: Any = {
            name: lambda _, row=row: row for name, row in problem.reference(points).items()
        }
        at: Any = points
        return np.asarray(quantity(Unknowns(truth, problem.true_constants()), at))
    return values_at(lambda point: quantity(exact, point), points)


@every_problem
def test_a_seed_decides_the_readings(make: Make):
    first, other = make(seed=1), make(seed=2)
    # Past the cache, or it would be compared with itself.
    again = make.__wrapped__(seed=1)  # pyright: ignore[reportFunctionMemberAccess]
    assert first.observations().keys() == other.observations().keys()
    for name, sensor in first.observations().items():
        np.testing.assert_array_equal(sensor.values, again.observations()[name].values)
        assert not np.allclose(sensor.values, other.observations()[name].values)
        # What is compiled for one seed then serves all.
        assert sensor.quantity is other.observations()[name].quantity
        assert sensor.values.shape == other.observations()[name].values.shape


@every_problem
def test_what_is_told_of_a_problem_is_true_and_has_a_source(make: Make):
    problem = make()
    assert all(text for text in problem.ABOUT)
    assert (problem.ABOUT.noisy != "nothing") == bool(problem.observations())
    functions = (f"{name}({', '.join(own)})" for name, own in problem.functions().items())
    assert problem.ABOUT.unknown == ", ".join([*functions, *problem.constants()])
    for figure in problem.PUBLISHED:
        assert figure.source and figure.method and figure.quantity
        assert np.isfinite(figure.value) and (figure.std is None or figure.std > 0)


def test_sources_are_those_of_the_equations_worked_out_by_hand():
    """Readings and what is fitted to them share one function, so it is checked by itself."""
    x = np.linspace(-0.6, 0.6, 7)
    sine, cosine = np.sin(6 * x), np.cos(6 * x)
    bent = 0.01 * (216 * sine * cosine**2 - 108 * sine**3)
    reacting = bent + 0.7 * np.tanh(sine**3)
    for name, expected in (("poisson", bent), ("poisson-nonlinear", reacting)):
        np.testing.assert_allclose(source(name, x[:, None]), expected, atol=1e-12)
    np.testing.assert_allclose(source("poisson-inverse", x[:, None]), reacting, atol=1e-12)
    points = np.array([[0.3, 0.2], [-0.7, 0.4]])
    u = np.prod(np.sin(np.pi * points), axis=1)
    spreading = -0.02 * np.pi**2 * u
    np.testing.assert_allclose(source("poisson-plane", points), spreading + u**3 - u)
    np.testing.assert_allclose(source("poisson-plane-inverse", points), spreading + u**2)


def source(name: str, points: np.ndarray) -> np.ndarray:
    """What sensors of the source would show at points."""
    problem = MADE[name]()
    quantity, exact = problem.observations()["source"].quantity, problem.solution()
    assert quantity is not None
    return values_at(lambda point: quantity(exact, point), points)


def test_both_solutions_of_bratu_have_their_known_maxima():
    with jax.enable_x64(True):
        both = Bratu().solutions()
        heights = {name: float(u(jnp.array([0.5]))) for name, u in both.items()}
    assert heights["lower"] == pytest.approx(0.1405, abs=5e-5)
    assert heights["upper"] == pytest.approx(4.0915, abs=5e-5)


def test_modes_of_kraichnan_orszag_keep_what_they_must():
    """The sum of squares, and b u1² - a u2², do not change in time."""
    problem = KraichnanOrszag.made()
    u1, u2, u3 = problem.reference(np.linspace(0, 10, 101)[:, None]).values()
    np.testing.assert_allclose(u1**2 + u2**2 + u3**2, 1 + 0.64 + 0.25, rtol=1e-9)
    np.testing.assert_allclose(u1**2 - u2**2, 1 - 0.64, rtol=1e-8)


def test_noise_islands_end_at_their_edges():
    noise = NoiseIslands.made().true_noise("place", np.array([[0.5], [1.0], [1.21], [2.19]]))
    expected = [0.05, 0.35, 0.05, 0.05 + 0.3 * np.exp(-0.5 * 0.95**2)]
    np.testing.assert_allclose(noise, expected)  # pyright: ignore[reportArgumentType]


def test_the_random_source_is_the_process_that_it_is_said_to_be():
    """Covariance of f over the bumps, and of u by integrating the kernel with Green's function."""
    x = np.linspace(-1, 1, 21)
    f = np.exp(-(((x[:, None] - CENTRES) / LENGTH) ** 2)) * HEIGHT_STD
    kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * LENGTH**2))
    np.testing.assert_allclose(f @ f.T, kernel, atol=1e-7)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    inner = np.exp(-((nodes[:, None] - nodes) ** 2) / (2 * LENGTH**2))
    green = np.where(nodes < 0.3, (1 + nodes) * 0.7, 1.3 * (1 - nodes)) / 2
    variance = (weights * green) @ inner @ (weights * green)
    mean, std = RandomSource.made().over_draws(np.array([[0.3]]))
    # Gauss's rule sees the kink of Green's function, hence four digits.
    assert std[0] == pytest.approx(np.sqrt(variance), rel=1e-4)
    assert mean[0] == pytest.approx(10 * np.sin(0.3 * np.pi) / np.pi**2)
