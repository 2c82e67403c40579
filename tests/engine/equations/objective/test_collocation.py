"""Points of a residual: wherever they are denser, the loss stays the same integral."""

import jax
import numpy as np
import pytest

import agewise
from agewise.engine.equations.functions.unknown import waves
from agewise.engine.equations.objective.collocation import collocation

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
