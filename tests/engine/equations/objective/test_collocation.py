"""Points of a residual: wherever they are denser, the loss stays the same integral."""

import jax
import numpy as np
import pytest

import agewise
from agewise.engine.equations.functions.unknown import perceptrons, waves
from agewise.engine.equations.objective.collocation import MOST_ON_WALLS, box_of, collocation
from agewise.library import KNOWN

RESIDUALS = {
    "vanishes": lambda u, p: 0.0 * u(p),
    "is the same everywhere": lambda u, p: 0.0 * u(p) + 2.0,
    "grows": lambda u, p: 0.0 * u(p) + p[0] ** 3,
}


@pytest.mark.parametrize("name", RESIDUALS)
def test_refined_points_stand_for_the_whole_region(name: str):
    problem = agewise.Problem(
        equations={"inside": RESIDUALS[name]},
        coordinates={"x": (0.0, 1.0)},
        scales={"inside": 1.0},
    )
    unknown = waves(problem, 5, 2.0, {"u": (0.0, 1.0)})
    taken = collocation(problem, unknown, key=jax.random.key(0))
    refined = taken.refined(problem, unknown, np.zeros(unknown.size), key=jax.random.key(1))
    # Importance weights of 200 points scatter by their standard deviation over its root.
    assert refined.shares["inside"].sum() == pytest.approx(1.0, abs=4 * 0.6 / np.sqrt(200))


def test_walls_have_points_at_their_ends():
    heat = KNOWN["heat-rod"](seed=0)
    unknown = waves(heat, 5, 2.0, {"u": (0.0, 1.0)})
    points = collocation(heat, unknown, key=jax.random.key(0)).points
    low, high = box_of(heat)
    corners = {(x, t) for x in (low[0], high[0]) for t in (low[1], high[1])}
    # Past the last point of a wall a function is extrapolated: there it went astray first.
    assert corners <= set(map(tuple, points["wall"]))
    assert {(low[0], low[1]), (high[0], low[1])} <= set(map(tuple, points["initial"]))


def test_ends_of_a_line_are_one_point_each():
    bratu = KNOWN["bratu"](seed=0)
    unknown = waves(bratu, 5, 2.0, {"u": (0.0, 1.0)})
    points = collocation(bratu, unknown, key=jax.random.key(0)).points["ends"]
    assert sorted(points[:, 0]) == [0.0, 1.0]


@pytest.mark.parametrize("axes", [5, 20])
def test_ends_of_walls_of_many_coordinates_are_no_points(axes: int):
    # A wall of n coordinates has 2^n ends: half a million for each of the 40 of a box of 20.
    names = [f"x{axis}" for axis in range(axes)]
    problem = agewise.Problem(
        equations={"wall": lambda u, p: u(p) - 1.0},
        coordinates=dict.fromkeys(names, (0.0, 1.0)),
        places={"wall": [{name: end} for name in names for end in (0.0, 1.0)]},
    )
    unknown = perceptrons(problem, (4,), 2.0, {"u": (0.0, 1.0)})
    points = collocation(problem, unknown, key=jax.random.key(0)).points["wall"]
    assert len(points) == MOST_ON_WALLS
