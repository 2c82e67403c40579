"""What every registered problem owes to the methods that will solve it."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from contributing import example
from square import SQUARE_PROBLEMS, on_the_square

from agewise.engine.equations.statement import outside
from agewise.engine.problems.base import AbstractProblem, Box, Region, Residual
from agewise.engine.problems.unknowns import Unknowns
from agewise.library import PROBLEMS
from agewise.types import Point, Scalar

KEY = jax.random.key(0)
COUNT = 17
"""A prime: boxes of one size cannot share so many points evenly."""
QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What is compiled here runs once."""
EVERY = PROBLEMS | {"example": example("Add an equation", "Front")}
"""Every registered problem, and the one that the guide for contributors shows."""
MADE = {name: cache(make) for name, make in EVERY.items()}
"""Each made once: those with readings ask their truth for them."""
every_problem = pytest.mark.parametrize("make", MADE.values(), ids=MADE)

Make = Callable[[], AbstractProblem]
Weights = tuple[jax.Array, jax.Array, jax.Array]


def weights(dimension: int, seed: int = 7) -> Weights:
    keys = jax.random.split(jax.random.key(seed), 3)
    shapes = (8, dimension), (8,), (8,)
    inner, shift, outer = (
        jax.random.normal(key, shape) for key, shape in zip(keys, shapes, strict=True)
    )
    return inner, shift, outer


def network(weights: Weights, point: Point) -> Scalar:
    inner, shift, outer = weights
    return outer @ jnp.tanh(inner @ point + shift)


def all_weights(problem: AbstractProblem) -> dict[str, Any]:
    """Of a network for every function, and a standard normal number for every constant."""
    functions = problem.functions()
    of = {name: weights(len(functions[name]), seed) for seed, name in enumerate(functions, 7)}
    return of | dict.fromkeys(problem.constants(), jnp.array(0.3))


def unknowns(problem: AbstractProblem, weights: Mapping[str, Any]) -> Any:
    """What residuals are written in: a function, or `Unknowns` where there is more than one."""
    axes = list(problem.coordinates())

    def of(name: str, own: tuple[str, ...]) -> Callable[[Point], Scalar]:
        seen = np.array([axes.index(axis) for axis in own])
        return lambda point: network(weights[name], point[seen])

    functions = {name: of(name, own) for name, own in problem.functions().items()}
    constants = {name: prior.value(weights[name]) for name, prior in problem.constants().items()}
    if len(functions) == 1 and not constants:
        return next(iter(functions.values()))
    return Unknowns(functions, constants)


def sampled(problem: AbstractProblem, count: int = COUNT, key=KEY) -> dict[str, jax.Array]:
    return {name: region.points(count, key=key) for name, region in problem.regions().items()}


def written(problem: AbstractProblem) -> dict[str, tuple[Residual, jax.Array]]:
    """All that a problem writes at a point, with points: residuals, and what sensors measure."""
    made = {name: (problem.residuals()[name], points) for name, points in sampled(problem).items()}
    for name, sensor in problem.observations().items():
        if sensor.quantity is not None:
            made[f"sensor {name}"] = (sensor.quantity, jnp.asarray(sensor.points))
    return made


@every_problem
def test_residuals_regions_and_scales_share_their_names(make: Make):
    problem = make()
    assert set(problem.residuals()) == set(problem.regions()) == set(problem.scales())
    # A problem may be in its readings alone, those of a source; else something must vanish.
    assert written(problem)
    # A scale of zero says that the equation is exact.
    assert all(np.isfinite(scale) and scale >= 0 for scale in problem.scales().values())


@every_problem
@pytest.mark.parametrize("count", [1, COUNT])
def test_points_lie_in_their_region(make: Make, count: int):
    problem = make()
    for name, points in sampled(problem, count).items():
        boxes = problem.regions()[name].boxes
        assert points.shape == (count, len(boxes[0].lower))
        within = [
            np.all((points >= np.array(box.lower)) & (points <= np.array(box.upper)), axis=1)
            for box in boxes
        ]
        assert np.all(np.any(within, axis=0))


@every_problem
def test_a_key_decides_the_points(make: Make):
    problem = make()
    first, again, other = (sampled(problem, key=jax.random.key(n)) for n in (1, 1, 2))
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
        # The two ends of a line have no other points to offer.
        boxes = problem.regions()[name].boxes
        pinned = all(box.lower == box.upper for box in boxes)
        assert np.allclose(first[name], other[name]) == pinned


@every_problem
def test_what_is_written_can_be_mapped_compiled_and_trained_on(make: Make):
    problem = make()
    parts = written(problem)

    def values(weights: Mapping[str, Any]) -> dict[str, jax.Array]:
        u = unknowns(problem, weights)
        return {name: jax.vmap(lambda p, of=of: of(u, p))(at) for name, (of, at) in parts.items()}

    def alone(weights: Mapping[str, Any]) -> dict[str, jax.Array]:
        u = unknowns(problem, weights)
        return {name: of(u, at[0]) for name, (of, at) in parts.items()}

    def losses(weights: Mapping[str, Any]) -> dict[str, jax.Array]:
        return {name: jnp.mean(row**2) for name, row in values(weights).items()}

    def all_at_once(weights: Mapping[str, Any]):
        return values(weights), alone(weights), jax.jacrev(losses)(weights)

    rows, single, gradients = jax.jit(all_at_once, compiler_options=QUICKLY)(all_weights(problem))
    for name in parts:
        assert single[name].shape == ()
        assert np.all(np.isfinite(rows[name]))
        np.testing.assert_allclose(rows[name][0], single[name], rtol=1e-3, atol=1e-4)
        found = jax.tree.leaves(gradients[name])
        assert all(np.all(np.isfinite(gradient)) for gradient in found)
        assert any(np.any(gradient != 0) for gradient in found)


@every_problem
def test_an_exact_solution_makes_every_residual_vanish(make: Make):
    with jax.enable_x64(True):
        problem = make()
        exact = problem.solution()
        if exact is None:
            pytest.skip("no exact solution is known")
        points, residuals = sampled(problem), problem.residuals()

        @jax.jit
        def values():
            return {
                name: jax.vmap(lambda p, of=of: of(exact, p))(points[name])
                for name, of in residuals.items()
            }

        for name, found in values().items():
            np.testing.assert_allclose(found, 0.0, atol=1e-10, err_msg=name)


@every_problem
def test_observations_are_consistent_and_inside(make: Make):
    problem = make()
    lower, upper = np.array(list(problem.coordinates().values())).T
    # On the unit square values are scaled by hand; elsewhere they are in units of their own.
    scaled = lower.tolist() == [0, 0] and upper.tolist() == [1, 1]
    for sensor in problem.observations().values():
        count = sensor.values.size
        assert sensor.points.shape == (count, len(lower))
        assert sensor.std is None or sensor.std.shape == (count,)
        assert np.all((sensor.points >= lower) & (sensor.points <= upper))
        assert np.all(np.isfinite(sensor.values))
        assert np.abs(sensor.values).max() < (10 if scaled else np.inf)


@every_problem
def test_names_agree_and_boxes_lie_in_the_domain(make: Make):
    problem = make()
    axes = problem.coordinates()
    assert all(low < high for low, high in axes.values())
    assert all(set(own) <= set(axes) for own in problem.functions().values())
    assert not set(problem.functions()) & set(problem.constants())
    assert set(problem.periodic()) <= set(axes)
    assert set(problem.sizes()) <= set(problem.functions())
    for region in problem.regions().values():
        corners = [corner for box in region.boxes for corner in (box.lower, box.upper)]
        assert not outside(np.array(corners), np.array(list(axes.values()))).any()


@pytest.mark.parametrize("name", PROBLEMS)
def test_problems_of_the_unit_square_are_those_that_tests_name(name: str):
    assert on_the_square(MADE[name]()) == (name in SQUARE_PROBLEMS)


def test_a_region_splits_its_points_by_volume():
    small, large = Box((0.0, 0.0), (0.0, 0.25)), Box((1.0, 0.0), (1.0, 0.75))
    points = Region((small, large)).points(40, key=KEY)
    assert np.sum(points[:, 0] == 0) == 10
    assert np.sum(points[:, 0] == 1) == 30
    thirds = Region((small, small, small)).points(10, key=KEY)
    assert thirds.shape == (10, 2)


@pytest.mark.parametrize("seconds", [1.0, 86_400.0])
def test_units_decide_nothing_of_how_walls_and_first_instant_share_their_points(seconds: float):
    first, wall = Box((0.0, 0.0), (1.0, 0.0)), Box((0.0, 0.0), (0.0, seconds))
    points = Region((first, wall, wall)).points(30, key=KEY)
    assert np.sum(points[:, 1] == 0) == 10


@pytest.mark.parametrize(
    ("upper", "volume"), [((1.0, 1.0), 12.0), ((-1.0, 1.0), 6.0), ((-1.0, -5.0), 1.0)]
)
def test_pinned_axes_do_not_count_as_volume(upper: tuple[float, float], volume: float):
    assert Box((-1.0, -5.0), upper).volume == volume


@pytest.mark.parametrize("count", [1_000, 20_000])
def test_points_are_spread_more_evenly_than_chance(count: int):
    points = np.asarray(Box((0.0, 0.0), (1.0, 1.0)).points(count, key=KEY))
    for axis in points.T:
        gaps = np.diff(np.sort(axis))
        # Independent points leave gaps of about log(count)/count; a Kronecker sequence, a few.
        assert gaps.max() < 4 / count
    cells = np.histogram2d(*points.T, bins=10, range=((0, 1), (0, 1)))[0]
    assert np.abs(cells / count - 0.01).max() < 0.2 * 0.01 + 3 / count


def test_means_over_shifted_points_are_unbiased():
    box = Box((0.0,), (2.0,))
    means = jax.vmap(lambda key: box.points(5, key=key).mean())(jax.random.split(KEY, 200))
    assert means.std() > 0
    assert float(means.mean()) == pytest.approx(1.0, abs=0.03)
