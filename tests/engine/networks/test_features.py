"""What a network is fed with: laws of waves, and derivatives against JAX's own."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.engine.networks.features import Coordinates, Harmonics
from agewise.types import X

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
POINTS = np.random.default_rng(0).uniform(size=(11, 3))
FEATURES = {
    "one coordinate": (Coordinates(1), 1),
    "coordinates": (Coordinates(), 2),
    "harmonics": (Harmonics(4, 0.7), 2),
    "harmonics of three": (Harmonics(2, dimension=3), 3),
}


@pytest.fixture(scope="module")
def jets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Of every kind: what it says of its derivatives, and what JAX finds."""

    def found(features, points):
        def along(function, axis: int):
            direction = jnp.zeros_like(points).at[:, axis].set(1.0)
            return lambda points: jax.jvp(function, (points,), (direction,))[1]

        def values(points):
            return jax.vmap(features)(points)

        first = [along(values, axis)(points) for axis in range(points.shape[1])]
        truth = jnp.stack([values(points), *first, along(along(values, X), X)(points)])
        return jnp.stack(jnp.broadcast_arrays(*features.jet(points))), truth

    def all_of(points):
        return {
            name: found(features, points[:, :dimension])
            for name, (features, dimension) in FEATURES.items()
        }

    with jax.enable_x64(True):
        return jax.tree.map(np.asarray, jax.jit(all_of, compiler_options=QUICKLY)(POINTS))


@pytest.mark.parametrize("name", FEATURES)
def test_derivatives_are_those_of_jax(name: str, jets):
    (features, dimension), (jet, truth) = FEATURES[name], jets[name]
    assert jet.shape == (dimension + 2, len(POINTS), features.count)
    np.testing.assert_allclose(jet, truth, rtol=1e-10, atol=1e-10)


SEVEN = Harmonics(7, 0.7)


@partial(jax.jit, compiler_options=QUICKLY)
def seven(points):
    values = SEVEN.jet(points)[0]
    return values[:, :2], *jnp.split(values[:, 2:], 2, axis=1)


def along_time(x: float, times: np.ndarray) -> np.ndarray:
    return np.stack([np.full_like(times, x), times], axis=1)


def test_coordinates_fill_the_square_around_zero():
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5], *np.zeros((4, 2))])
    expected = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [0.0, 0.0], *-np.ones((4, 2))])
    np.testing.assert_array_equal(seven(corners)[0], expected)


@given(times=st.lists(st.floats(0, 1), min_size=8, max_size=8), x=st.floats(0, 1))
def test_harmonics_fade_as_the_power_of_their_number(times: list[float], x: float):
    _, cosine, sine = seven(along_time(x, np.array(times)))
    number = np.arange(1, 8)
    truth = number**-0.7 * np.exp(2j * np.pi * number * np.array(times)[:, None])
    # Single precision, and a phase of up to seven turns.
    np.testing.assert_allclose(cosine + 1j * sine, truth, atol=1e-5)


def test_harmonics_close_over_the_window_and_know_no_height():
    times = np.linspace(0.0, 1.0, 8)
    low, high = (np.concatenate(seven(along_time(x, times))[1:], axis=1) for x in (0.1, 0.9))
    np.testing.assert_array_equal(low, high)
    np.testing.assert_allclose(low[0], low[-1], atol=1e-5)
