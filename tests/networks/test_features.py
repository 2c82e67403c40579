"""What a network is fed with: laws of waves, and derivatives against JAX's own."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.networks.features import AbstractFeatures, Coordinates, Harmonics, RandomFourier
from agewise.types import T, X

KEY = jax.random.key(5)
POINTS = np.random.default_rng(0).uniform(size=(11, 3))
FEATURES = {
    "one coordinate": (Coordinates(1), 1),
    "coordinates": (Coordinates(), 2),
    "harmonics": (Harmonics(4, 0.7), 2),
    "harmonics of three": (Harmonics(2, dimension=3), 3),
    "random waves": (RandomFourier.drawn(5, scale=3.0, key=KEY), 2),
    "random waves of three": (RandomFourier.drawn(2, scale=1.0, key=KEY, dimension=3), 3),
}
every_kind = pytest.mark.parametrize(("features", "dimension"), FEATURES.values(), ids=FEATURES)


def jet(features: AbstractFeatures, points: np.ndarray) -> np.ndarray:
    with jax.enable_x64(True):
        return np.asarray(jax.jit(features.jet)(jnp.asarray(points)))


def waves(features: Harmonics, points: np.ndarray) -> np.ndarray:
    """Values of cosines and sines, apart."""
    values = jet(features, points)[0, :, features.dimension :]
    return values.reshape(len(points), 2, features.harmonics)


@every_kind
def test_derivatives_are_those_of_jax(features: AbstractFeatures, dimension: int):
    points = POINTS[:, :dimension]

    @jax.jit
    @jax.vmap
    def truth(point):
        def values(point):
            return features.jet(point[None])[0, 0]

        bend = jax.jacfwd(jax.jacfwd(values))(point)[:, X, X]
        return jnp.concatenate([values(point)[None], jax.jacfwd(values)(point).T, bend[None]])

    with jax.enable_x64(True):
        expected = np.swapaxes(np.asarray(truth(points)), 0, 1)
    found = jet(features, points)
    assert found.shape == (dimension + 2, len(points), features.count)
    # The second derivative of the fastest wave is of order a thousand.
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


def test_coordinates_fill_the_square_around_zero():
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    expected = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [0.0, 0.0]])
    np.testing.assert_array_equal(jet(Coordinates(), corners)[0], expected)
    np.testing.assert_array_equal(jet(Harmonics(3), corners)[0, :, :2], expected)


@given(harmonics=st.integers(1, 6), fading=st.floats(0, 3), x=st.floats(0, 1), t=st.floats(0, 1))
def test_harmonics_fade_as_the_power_of_their_number(
    harmonics: int, fading: float, x: float, t: float
):
    features = Harmonics(harmonics, fading)
    cosine, sine = waves(features, np.array([[x, t]]))[0]
    size = np.arange(1.0, harmonics + 1) ** -fading
    np.testing.assert_allclose(np.hypot(cosine, sine), size, rtol=1e-9)
    turns = np.arange(1, harmonics + 1) * t
    np.testing.assert_allclose(cosine + 1j * sine, size * np.exp(2j * np.pi * turns), atol=1e-9)


def test_harmonics_close_over_the_window_and_know_no_height():
    features, times = Harmonics(5), np.linspace(0.0, 1.0, 8)
    low, high = (waves(features, np.stack([np.full(8, x), times], 1)) for x in (0.1, 0.9))
    np.testing.assert_array_equal(low, high)
    np.testing.assert_allclose(low[0], low[-1], atol=1e-12)
    # Over whole turns, different waves have nothing in common: a Fourier series.
    flat = low[:-1].reshape(7, -1)[:, [0, 1, 2, 5, 6, 7]]
    np.testing.assert_allclose(flat.T @ flat, np.diag(np.diag(flat.T @ flat)), atol=1e-12)


def test_random_waves_are_the_features_of_a_gaussian_kernel():
    count, scale = 4000, 1.7
    features = RandomFourier.drawn(count, scale=scale, key=KEY)
    points = POINTS[:, :2]
    values = jet(features, points)[0]
    distance = np.linalg.norm(points[:, None] - points, axis=-1)
    kernel = np.exp(-0.5 * (scale * distance) ** 2)
    # Each is a mean of cosines, of standard deviation below one.
    assert np.abs(values @ values.T / count - kernel).max() < 4 / np.sqrt(count)
    assert np.std(features.frequencies) == pytest.approx(scale, rel=4 / np.sqrt(4 * count))


def test_a_key_decides_the_random_waves():
    one, again = (RandomFourier.drawn(4, scale=1.0, key=KEY).frequencies for _ in range(2))
    np.testing.assert_array_equal(one, again)
    other = RandomFourier.drawn(4, scale=1.0, key=jax.random.key(6)).frequencies
    assert not np.isin(one, other).any()
    assert one.shape == (4, 2)
    assert RandomFourier(one).jet(jnp.zeros((1, 2))).shape[-1] == 8
    assert abs(T - X) == 1
