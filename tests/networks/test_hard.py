"""Values that hold by construction, whatever the weights."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agewise.inference.objective import residual_values
from agewise.networks.features import Coordinates, Harmonics
from agewise.networks.hard import HardForm
from agewise.networks.mlp import MLP
from agewise.problems.rod import HeatRod
from agewise.types import Point, Scalar, T, X

KEY = jax.random.key(0)


def arch(point: Point) -> Scalar:
    return jnp.sin(jnp.pi * point[X])


def inside(point: Point) -> Scalar:
    return point[X] * (1 - point[X]) * point[T]


def bent(point: Point) -> Scalar:
    """Curved in both coordinates, so that every derivative counts."""
    return jnp.exp(point[X] - point[T] ** 2) * (2 + point[X] ** 3)


ROD = HardForm(MLP(Harmonics(2), (6, 5), 2), arch, inside)
"""Starts as an arch of a sine between walls at zero: up to rounding, what `HeatRod` asks for."""


def some_weights(network: HardForm, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=scale, size=network.size)


def on_the_edges(count: int = 20) -> np.ndarray:
    """Both walls and the first instant."""
    along = np.linspace(0.0, 1.0, count)
    zero, one = np.zeros(count), np.ones(count)
    sides = ((zero, along), (one, along), (along, zero))
    return np.concatenate([np.stack(side, axis=1) for side in sides])


@jax.jit
def values(network: HardForm, weights, points):
    return network.values(weights, points)


@jax.jit
def jet(network: HardForm, weights, points):
    return network.jet(weights, points)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), scale=st.sampled_from([0.1, 1.0, 100.0]))
def test_what_is_known_holds_exactly(seed: int, scale: float):
    points, weights = on_the_edges(), some_weights(ROD, seed, scale)
    known = jax.vmap(arch)(jnp.asarray(points))
    np.testing.assert_array_equal(values(ROD, weights, points)[:, 0], known)
    np.testing.assert_array_equal(jet(ROD, weights, points)[0, :, 0], known)


def test_elsewhere_the_network_is_free():
    points, weights = np.random.default_rng(1).uniform(0.1, 0.9, (30, 2)), some_weights(ROD)
    raw = jax.jit(ROD.network.values)(weights, points)
    distance = np.prod([points[:, 0], 1 - points[:, 0], points[:, 1]], axis=0)
    found = values(ROD, weights, points)
    np.testing.assert_allclose(
        (found[:, 0] - np.sin(np.pi * points[:, 0])) / distance, raw[:, 0], atol=1e-3
    )
    np.testing.assert_allclose(found[:, 1], raw[:, 1], rtol=1e-6, err_msg="the other output")


@pytest.mark.parametrize(("known", "distance"), [(arch, inside), (bent, arch), (inside, bent)])
def test_a_jet_holds_what_automatic_differentiation_finds(
    known: Callable[[Point], Scalar], distance: Callable[[Point], Scalar]
):
    network = HardForm(MLP(Coordinates(), (6,), 2), known, distance)
    points, weights = np.random.default_rng(2).uniform(size=(9, 2)), some_weights(network)

    @jax.jit
    @jax.vmap
    def truth(point):
        def outputs(point):
            return network.values(weights, point[None])[0]

        slope, bend = jax.jacfwd(outputs)(point), jax.jacfwd(jax.jacfwd(outputs))(point)[:, X, X]
        return jnp.concatenate([outputs(point)[None], slope.T, bend[None]])

    with jax.enable_x64(True):
        found, expected = jet(network, weights, points), np.swapaxes(truth(points), 0, 1)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


def test_the_rod_owes_nothing_at_its_walls_and_its_start():
    problem, weights = HeatRod(), some_weights(ROD)
    for name, residual in problem.residuals().items():
        points = problem.regions()[name].points(12, key=KEY)
        found = jax.jit(lambda p, r=residual: residual_values(r, ROD, weights, p)[0])(points)
        if name == "interior":
            assert np.abs(found).min() > 0
        else:
            # In single precision the sine of pi is not zero.
            np.testing.assert_allclose(found, 0.0, atol=2e-7)


def test_weights_are_those_of_the_network_within():
    assert ROD.size == ROD.network.size
    np.testing.assert_array_equal(ROD.initial(key=KEY), ROD.network.initial(key=KEY))
