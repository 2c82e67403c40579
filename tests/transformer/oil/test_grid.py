"""A function on a grid is what its elements and its straight lines in time say."""

import numpy as np
import pytest

from agewise.transformer.oil.elements import Degree, LineElements
from agewise.transformer.oil.grid import GridFunction

TIMES = np.array([0.0, 0.1, 0.4, 1.0])


def some_points(count: int = 50) -> np.ndarray:
    points = np.random.default_rng(0).uniform(size=(count, 2))
    points[:4] = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.4]]
    return points


def sampled(function, degree: Degree = 2) -> GridFunction:
    mesh = LineElements.uniform(1.0, 3, degree)
    return GridFunction(mesh, TIMES, function(mesh.nodes[None, :], TIMES[:, None]))


@pytest.mark.parametrize("degree", [1, 2])
def test_polynomials_in_height_that_are_linear_in_time_are_reproduced(degree: Degree):
    def function(x, t):
        return (2.0 - t) * (1.0 - 3.0 * x**degree) + 0.5 * t * x

    points = some_points()
    np.testing.assert_allclose(
        sampled(function, degree)(points), function(*points.T), rtol=0, atol=1e-13
    )


def test_grid_points_give_the_values_there():
    mesh = LineElements.uniform(1.0, 3, 2)
    values = np.random.default_rng(1).normal(size=(TIMES.size, mesh.nodes.size))
    t, x = np.meshgrid(TIMES, mesh.nodes, indexing="ij")
    got = GridFunction(mesh, TIMES, values)(np.stack([x.ravel(), t.ravel()], axis=1))
    np.testing.assert_allclose(got, values.ravel(), atol=1e-14)


def test_between_instants_the_value_is_between():
    made = sampled(lambda x, t: np.cos(9 * t) * (1 + x))
    before, middle, after = made(np.array([[0.3, 0.1], [0.3, 0.25], [0.3, 0.4]]))
    assert middle == pytest.approx((before + after) / 2)


def test_before_the_first_and_after_the_last_instant_the_value_is_held():
    made = sampled(lambda x, t: 1 + t + x)
    early, late = made(np.array([[0.5, -2.0], [0.5, 7.0]]))
    assert (early, late) == pytest.approx((1.5, 2.5))


def test_many_functions_are_each_themselves():
    mesh = LineElements.uniform(1.0, 3, 2)
    values = np.random.default_rng(2).normal(size=(2, 5, TIMES.size, mesh.nodes.size))
    points = some_points()
    together = GridFunction(mesh, TIMES, values)(points)
    assert together.shape == (2, 5, len(points))
    for i in range(2):
        for j in range(5):
            alone = GridFunction(mesh, TIMES, values[i, j])(points)
            np.testing.assert_allclose(together[i, j], alone, atol=1e-14)
