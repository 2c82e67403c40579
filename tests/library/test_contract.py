"""What every registered problem owes to the methods that will solve it."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from contributing import example

from agewise.engine.problems.base import AbstractProblem, Box, Region
from agewise.library import PROBLEMS
from agewise.types import Point, Scalar

KEY = jax.random.key(0)
COUNT = 64
MADE = PROBLEMS | {"example": example("Add an equation", "Burgers")}
"""Every registered problem, and the one that the guide for contributors shows."""
every_problem = pytest.mark.parametrize("make", MADE.values(), ids=MADE)

Make = Callable[[], AbstractProblem]
Weights = tuple[jax.Array, jax.Array, jax.Array]


def weights(dimension: int) -> Weights:
    keys = jax.random.split(jax.random.key(7), 3)
    shapes = (8, dimension), (8,), (8,)
    inner, shift, outer = (
        jax.random.normal(key, shape) for key, shape in zip(keys, shapes, strict=True)
    )
    return inner, shift, outer


def network(weights: Weights, point: Point) -> Scalar:
    inner, shift, outer = weights
    return outer @ jnp.tanh(inner @ point + shift)


def sampled(problem: AbstractProblem, count: int = COUNT, key=KEY) -> dict[str, jax.Array]:
    return {name: region.points(count, key=key) for name, region in problem.regions().items()}


@every_problem
def test_residuals_regions_and_scales_share_their_names(make: Make):
    problem = make()
    assert set(problem.residuals()) == set(problem.regions()) == set(problem.scales())
    assert problem.residuals()
    assert all(np.isfinite(scale) and scale > 0 for scale in problem.scales().values())


@every_problem
@pytest.mark.parametrize("count", [1, 7, COUNT])
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
        assert not np.allclose(first[name], other[name])


@every_problem
def test_residuals_can_be_mapped_compiled_and_trained_on(make: Make):
    problem = make()
    for name, points in sampled(problem).items():
        residual = problem.residuals()[name]

        def at(weights: Weights, point: Point, residual=residual) -> Scalar:
            return residual(lambda p: network(weights, p), point)

        def loss(weights: Weights, at=at, points=points) -> tuple[Scalar, jax.Array]:
            values = jax.vmap(at, (None, 0))(weights, points)
            return jnp.mean(values**2), values

        start = weights(points.shape[1])
        alone = jax.jit(at)(start, points[0])
        assert alone.shape == ()
        gradients, mapped = jax.jit(jax.grad(loss, has_aux=True))(start)
        assert np.all(np.isfinite(mapped))
        np.testing.assert_allclose(mapped[0], alone, rtol=1e-3, atol=1e-4)
        gradients = jax.tree.leaves(gradients)
        assert all(np.all(np.isfinite(gradient)) for gradient in gradients)
        assert any(np.any(gradient != 0) for gradient in gradients)


@every_problem
def test_an_exact_solution_makes_every_residual_vanish(make: Make):
    with jax.enable_x64(True):
        problem = make()
        exact = problem.solution()
        if exact is None:
            pytest.skip("no exact solution is known")
        for name, points in sampled(problem).items():
            residual = problem.residuals()[name]
            values = jax.jit(jax.vmap(lambda p, residual=residual: residual(exact, p)))(points)
            np.testing.assert_allclose(values, 0.0, atol=1e-10, err_msg=name)


@every_problem
def test_observations_are_consistent_and_inside(make: Make):
    problem = make()
    dimension = next(iter(sampled(problem).values())).shape[1]
    for sensor in problem.observations().values():
        count = sensor.values.size
        assert sensor.points.shape == (count, dimension)
        assert sensor.std is None or sensor.std.shape == (count,)
        assert np.all((sensor.points >= 0) & (sensor.points <= 1))
        assert np.all(np.isfinite(sensor.values))
        assert np.abs(sensor.values).max() < 10


def test_a_region_splits_its_points_by_volume():
    small, large = Box((0.0, 0.0), (0.0, 0.25)), Box((1.0, 0.0), (1.0, 0.75))
    points = Region((small, large)).points(40, key=KEY)
    assert np.sum(points[:, 0] == 0) == 10
    assert np.sum(points[:, 0] == 1) == 30
    thirds = Region((small, small, small)).points(10, key=KEY)
    assert thirds.shape == (10, 2)


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


def test_a_box_contains_its_edges_and_nothing_beyond():
    box = Box((0.0, 0.3), (1.0, 0.3))
    assert box.contains(jnp.array([[0.0, 0.3], [1.0, 0.3]]))
    assert not box.contains(jnp.array([[0.5, 0.3], [1.01, 0.3]]))
    assert not box.contains(jnp.array([[0.5, 0.31]]))
