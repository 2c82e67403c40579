"""Derivatives carried through a network against JAX's own, and the weights in their row."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.inference.objective import residual_values
from agewise.networks.features import AbstractFeatures, Coordinates, Harmonics, RandomFourier
from agewise.networks.jet import JetField, product
from agewise.networks.mlp import MLP
from agewise.problems.base import Residual
from agewise.problems.operators import partial, second_partial
from agewise.types import Point, Scalar, T, X

KEY = jax.random.key(0)
EXACT = {"rtol": 1e-10, "atol": 1e-10}
"""What rounding leaves in double precision, where derivatives are of order a hundred."""


def fourier(dimension: int = 2) -> RandomFourier:
    frequencies = np.random.default_rng(3).normal(scale=2.0, size=(3, dimension))
    return RandomFourier(frequencies)


NETWORKS = {
    "coordinates": MLP(Coordinates(), (8, 8), 2),
    "harmonics": MLP(Harmonics(3, 1.5), (8, 5), 2),
    "random waves": MLP(fourier(), (7, 8), 1),
    "no hidden layer": MLP(Harmonics(2), (), 2),
    "one unit": MLP(Coordinates(), (1,), 1),
    "deep": MLP(Harmonics(2), (4, 6, 5, 3), 3),
    "three coordinates": MLP(Harmonics(2, dimension=3), (6, 4), 2),
    "three coordinates, random waves": MLP(fourier(3), (6,), 1),
}
every_network = pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)


def some_weights(network: MLP) -> np.ndarray:
    """Not small, and with biases, so that every layer bends."""
    return np.random.default_rng(1).normal(scale=0.8, size=network.size)


def some_points(dimension: int = 2, count: int = 9) -> np.ndarray:
    return np.random.default_rng(2).uniform(size=(count, dimension))


def dimension_of(features: AbstractFeatures) -> int:
    if isinstance(features, RandomFourier):
        return features.frequencies.shape[1]
    assert isinstance(features, Coordinates | Harmonics)
    return features.dimension


@jax.jit
def layers_by_jax(network: MLP, weights, points):
    """Value, gradient and second derivative along the height, as an array of jets."""

    def at(point):
        def outputs(point):
            return network.values(weights, point[None])[0]

        slope = jax.jacrev(outputs)(point)
        bend = jax.jacfwd(jax.jacfwd(outputs))(point)[:, X, X]
        return jnp.concatenate([outputs(point)[None], slope.T, bend[None]])

    return jnp.swapaxes(jax.vmap(at)(points), 0, 1)


@jax.jit
def layers_by_jet(network: MLP, weights, points):
    return network.jet(weights, points)


@every_network
def test_a_jet_holds_what_automatic_differentiation_finds(network: MLP):
    dimension = dimension_of(network.features)
    weights, points = some_weights(network), some_points(dimension)
    with jax.enable_x64(True):
        jet, truth = (by(network, weights, points) for by in (layers_by_jet, layers_by_jax))
    assert jet.shape == (dimension + 2, len(points), network.outputs)
    assert jet.dtype == np.float64
    np.testing.assert_allclose(jet, truth, **EXACT)
    assert len(network.hidden) == 0 or np.abs(truth[1:]).min(axis=(1, 2)).all()


@pytest.mark.parametrize("name", ["coordinates", "random waves", "deep"])
def test_weights_move_a_jet_as_they_move_the_derivatives(name: str):
    network = NETWORKS[name]
    weights, points = some_weights(network), some_points()
    mixture = np.random.default_rng(4).normal(size=(4, len(points), network.outputs))

    def slope(by):
        # Squared, so that a layer counts by what it is and not by a constant.
        return jax.jit(jax.grad(lambda w: jnp.sum(mixture * by(network, w, points) ** 2)))(weights)

    with jax.enable_x64(True):
        jet, truth = slope(layers_by_jet), slope(layers_by_jax)
    np.testing.assert_allclose(jet, truth, rtol=1e-9, atol=1e-9 * np.abs(truth).max())


def test_the_mean_is_the_first_output():
    network = NETWORKS["harmonics"]
    weights, points = some_weights(network), some_points()
    field = jax.jit(jax.vmap(network.field(weights)))(points)
    values = jax.jit(network.values)(weights, points)
    np.testing.assert_allclose(field, values[:, 0], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(layers_by_jet(network, weights, points)[0].shape, values.shape)


@given(
    one=st.lists(st.floats(-3, 3), min_size=4, max_size=4),
    other=st.lists(st.floats(-3, 3), min_size=4, max_size=4),
)
def test_products_of_functions_obey_the_rules_of_derivatives(one: list[float], other: list[float]):
    """A jet at the origin is a polynomial a + b x + c t + d x²/2, and polynomials multiply."""

    def polynomial(jet: list[float]) -> np.ndarray:
        """Coefficients by the powers of x and t."""
        table = np.zeros((3, 2))
        table[0, 0], table[1, 0], table[0, 1], table[2, 0] = jet[0], jet[1], jet[2], jet[3] / 2
        return table

    a, b = polynomial(one), polynomial(other)
    expected = [
        a[0, 0] * b[0, 0],
        a[0, 0] * b[1, 0] + a[1, 0] * b[0, 0],
        a[0, 0] * b[0, 1] + a[0, 1] * b[0, 0],
        2 * np.convolve(a[:, 0], b[:, 0])[2],
    ]
    found = product(*(jnp.asarray(np.array(jet)[:, None, None]) for jet in (one, other)))
    np.testing.assert_allclose(found[:, 0, 0], expected, rtol=1e-4, atol=1e-4)


def elsewhere(point: Point) -> Point:
    return point.at[X].set(0.0)


RESIDUALS: dict[str, Residual] = {
    "u": lambda u, p: u(p),
    "u_x": lambda u, p: partial(u, X)(p),
    "u_t": lambda u, p: partial(u, T)(p),
    "u_xx": lambda u, p: second_partial(u, X)(p),
    "u_tt": lambda u, p: second_partial(u, T)(p),
    "u_xt": lambda u, p: partial(partial(u, X), T)(p),
    "u_xxt": lambda u, p: partial(second_partial(u, X), T)(p),
    "u below": lambda u, p: u(elsewhere(p)),
    "u_x below": lambda u, p: partial(u, X)(elsewhere(p)),
    "u_xx below": lambda u, p: second_partial(u, X)(elsewhere(p)),
    "the same place, made anew": lambda u, p: partial(u, T)(p.at[X].add(0.0)),
    "gradient of JAX": lambda u, p: jax.grad(u)(p) @ jnp.array([0.3, -2.0]),
    "hessian of JAX": lambda u, p: jnp.sum(jax.hessian(u)(p)),
    "a square": lambda u, p: partial(lambda q: u(q) ** 2, X)(p),
    "Burgers": lambda u, p: partial(u, T)(p) + u(p) * partial(u, X)(p) - second_partial(u, X)(p),
}


@pytest.fixture(scope="module")
def both_ways() -> dict[str, dict[str, np.ndarray]]:
    """Every residual and how weights move it, on the jet and on the plain function."""
    network = MLP(Harmonics(2), (5, 4), 2)
    weights, points = some_weights(network), some_points()

    def on_jet(weights, residual: Residual):
        return residual_values(residual, network, weights, points)[0]

    def on_function(weights, residual: Residual):
        return jax.vmap(lambda p: residual(network.field(weights), p))(points)

    @jax.jit
    def all_of(weights):
        return {
            way.__name__: {
                name: (way(weights, residual), jax.jacrev(way)(weights, residual))
                for name, residual in RESIDUALS.items()
            }
            for way in (on_jet, on_function)
        }

    with jax.enable_x64(True):
        points = jnp.asarray(points)
        return jax.tree.map(np.asarray, all_of(weights))


@pytest.mark.parametrize("name", RESIDUALS)
def test_an_equation_cannot_tell_a_jet_from_a_function(name: str, both_ways):
    (value, slope), (plain, plain_slope) = (way[name] for way in both_ways.values())
    np.testing.assert_allclose(value, plain, **EXACT)
    np.testing.assert_allclose(slope, plain_slope, **EXACT)
    assert np.abs(plain).max() > 1e-2, "nothing was compared"


def test_what_a_jet_holds_is_looked_up_and_the_rest_is_not():
    def unknown(point: Point) -> Scalar:
        raise LookupError("the function was asked")

    point, layers = jnp.array([0.2, 0.7]), jnp.array([1.0, 2.0, 3.0, 4.0])
    u = JetField(unknown, point, layers)
    held = u(point), partial(u, X)(point), partial(u, T)(point), second_partial(u, X)(point)
    np.testing.assert_array_equal(jnp.stack(held), layers)
    for derivative in (second_partial(u, T), partial(partial(u, X), T), jax.grad(u)):
        with pytest.raises(LookupError):
            derivative(point)
    for function in (u, partial(u, X), second_partial(u, X)):
        with pytest.raises(LookupError):
            function(jnp.array([0.2, 0.7]))


@given(
    hidden=st.lists(st.integers(1, 9), max_size=4),
    outputs=st.integers(1, 3),
    harmonics=st.integers(1, 4),
)
def test_every_weight_has_one_place(hidden: list[int], outputs: int, harmonics: int):
    network = MLP(Harmonics(harmonics), tuple(hidden), outputs)
    row = np.arange(float(network.size))
    layers = network.layers(row)  # pyright: ignore[reportArgumentType]
    widths = [2 + 2 * harmonics, *hidden, outputs]
    assert [weight.shape for weight, _ in layers] == list(zip(widths, widths[1:], strict=False))
    assert [bias.shape for _, bias in layers] == [(width,) for width in widths[1:]]
    back = np.concatenate([np.ravel(part) for layer in layers for part in layer])
    np.testing.assert_array_equal(back, row)


def test_layers_are_what_the_network_computes_with():
    """The forward pass written out in numpy."""
    network = NETWORKS["coordinates"]
    weights, points = some_weights(network), some_points()
    (first, one), (second, two), (last, three) = network.layers(weights)  # pyright: ignore[reportArgumentType]
    hidden = np.tanh(np.tanh((2 * points - 1) @ first + one) @ second + two)
    with jax.enable_x64(True):
        values = layers_by_jet(network, weights, points)[0]
    np.testing.assert_allclose(values, hidden @ last + three, rtol=1e-12)


def test_initial_weights_have_the_variance_of_one_over_their_inputs():
    network = MLP(Harmonics(20), (300, 200), 100)
    weights = network.initial(key=KEY)
    assert weights.shape == (network.size,)
    for weight, bias in network.layers(weights):
        ratio = np.asarray(weight) * np.sqrt(weight.shape[0])
        # Mean and variance of n independent standard normals.
        assert abs(ratio.mean()) < 4 / np.sqrt(ratio.size)
        assert abs(ratio.var() - 1) < 4 * np.sqrt(2 / ratio.size)
        np.testing.assert_array_equal(bias, 0.0)
    np.testing.assert_array_equal(weights, network.initial(key=KEY))
    assert not np.isin(weights[weights != 0], network.initial(key=jax.random.key(1))).any()
