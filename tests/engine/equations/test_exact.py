"""The closed form over waves: which waves, and whether it is centred on its own density."""

import jax
import numpy as np
import pytest

import agewise
from agewise.engine.equations.draws.density import Density
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.methods.exact import Exact
from agewise.engine.training import QUIET


@pytest.fixture(scope="module")
def fast_wave() -> Fitted:
    """A fast wave that was read with unknown noise: waves too slow to follow it
    would call it noise."""
    rng, speed = np.random.default_rng(0), 15 * np.pi
    x = np.sort(rng.uniform(0.0, 1.0, 60))[:, None]
    problem = agewise.Problem(
        equations={"wave": lambda u, p: agewise.second_partial(u, 0)(p) / speed**2 + u(p)},
        coordinates={"x": (0.0, 1.0)},
        scales={"wave": 0.01},
        readings={
            "gauge": agewise.Observations(x, np.sin(speed * x[:, 0]) + rng.normal(0, 0.1, 60))
        },
    )
    return Exact().fitted(problem, key=jax.random.key(0), monitor=QUIET)


def test_the_reach_of_waves_is_one_that_follows_the_readings(fast_wave):
    assert fast_wave.check.sound
    assert np.sqrt(fast_wave.variances["gauge"].mean()) == pytest.approx(0.1, rel=0.3)


def test_the_centre_of_the_closed_form_is_where_its_density_is_highest(fast_wave):
    """However the noise was learned: chains over the same density have their mean there."""
    weights, _ = Exact().weights(fast_wave, key=jax.random.key(0))
    density = Density.of(fast_wave)
    with jax.enable_x64(True):
        slope = jax.grad(density)(density.white(weights.centre))
    assert np.linalg.norm(slope) < 1e-6
