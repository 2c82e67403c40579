"""The closed form over waves: which waves, and whether it is centred on its own density."""

import jax
import jax.numpy as jnp
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


def around_a_ring(periodic: tuple[str, ...]) -> agewise.Problem:
    """A driven wave around a ring that was read on one side of it."""
    rng, turn = np.random.default_rng(0), 2 * np.pi
    x = rng.uniform(0.3, 0.7, 20)[:, None]

    def driven(u, p):
        return (
            agewise.second_partial(u, 0)(p) / 50 - u(p) + (1 + turn**2 / 50) * jnp.sin(turn * p[0])
        )

    return agewise.Problem(
        equations={"driven": driven},
        coordinates={"x": (0.0, 1.0)},
        periodic=periodic,
        scales={"driven": 0.05},
        readings={
            "gauge": agewise.Observations(
                x, np.sin(turn * x[:, 0]) + rng.normal(0, 0.02, 20), np.full(20, 0.02)
            )
        },
    )


def test_the_ends_of_a_ring_are_one_place():
    """To the last of all derivatives: every drawn function is whole waves."""
    posterior = agewise.fit(around_a_ring(("x",)), method="exact")
    x = np.array([0.0, 1.0, 0.001, 0.999])
    drawn = posterior.draw(20, seed=0).values(x[:, None])
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 1], atol=1e-9)
    slopes = (drawn[:, 2] - drawn[:, 0]) - (drawn[:, 1] - drawn[:, 3])
    assert np.abs(slopes).max() < 1e-3 * np.abs(drawn[:, 2] - drawn[:, 3]).max()


def test_a_ring_is_surer_than_a_line_of_the_same_readings():
    """Where the ends meet there is no wall, beyond which nothing is known."""
    x = np.linspace(0.0, 1.0, 21)
    ring, line = (
        agewise.fit(around_a_ring(periodic), method="exact").predict(x) for periodic in (("x",), ())
    )
    assert ring.epistemic[0] < 0.5 * line.epistemic[0]
    for found in (ring, line):
        errors = (found.mean - np.sin(2 * np.pi * x)) / np.sqrt(found.epistemic)
        assert np.sqrt(np.mean(errors**2)) < 2
