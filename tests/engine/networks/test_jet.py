"""Derivatives carried through a network against JAX's own, and the weights in their row."""

from functools import lru_cache
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.networks.features import AbstractFeatures, Coordinates, Harmonics
from agewise.engine.networks.jet import Diffusion, JetField, Layers
from agewise.engine.networks.mlp import MLP
from agewise.engine.objective.objective import residual_values
from agewise.engine.problems.base import Residual
from agewise.engine.problems.operators import diffused, partial, second_partial
from agewise.types import Point, Scalar, T, X

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
EXACT = 1e-10
"""What rounding leaves in double precision, where derivatives are of order a hundred."""


class Waves(AbstractFeatures):
    """Sines of slanted directions: unlike those of the package, they bend along the height."""

    speeds: np.ndarray

    @property
    def count(self) -> int:
        return len(self.speeds)

    @property
    def dimension(self) -> int:
        return self.speeds.shape[1]

    def __call__(self, point: Point) -> jax.Array:
        return jnp.sin(self.speeds @ point)

    def jet(self, points: jax.Array) -> Layers:
        phase = points @ self.speeds.T
        firsts = (speed * jnp.cos(phase) for speed in self.speeds.T)
        return jnp.sin(phase), *firsts, -jnp.sin(phase) * self.speeds[:, X] ** 2


def waves(dimension: int = 2) -> Waves:
    return Waves(np.random.default_rng(3).normal(scale=2.0, size=(6, dimension)))


NETWORKS = {
    "coordinates": MLP(Coordinates(), (8, 8), 2),
    "harmonics": MLP(Harmonics(3, 1.5), (8,), 2),
    "waves": MLP(waves(), (7, 8), 1),
    "lots of units and a rest": MLP(waves(), (18, 33), 2),
    "one unit": MLP(Coordinates(), (3, 1), 1),
    "no hidden layer": MLP(Harmonics(2, dimension=3), (), 2),
    "three coordinates": MLP(waves(3), (6,), 3),
    "relu": MLP(waves(), (7, 8), 2, "relu"),
    "relu of coordinates": MLP(Coordinates(), (8, 8), 2, "relu"),
}
STRAIGHT = ("no hidden layer", "relu of coordinates")
"""Networks without a second derivative along the height."""
every_network = pytest.mark.parametrize("name", NETWORKS)


def some_weights(network: MLP) -> np.ndarray:
    """Not small, and with biases, so that every layer bends."""
    return np.random.default_rng(1).normal(scale=0.8, size=network.size)


def some_points(dimension: int = 2, count: int = 9) -> np.ndarray:
    return np.random.default_rng(2).uniform(size=(count, dimension))


def dimension_of(features: AbstractFeatures) -> int:
    assert isinstance(features, Coordinates | Harmonics | Waves)
    return features.dimension


def layers_by_jax(network: MLP, weights, points):
    """Values, derivatives along each coordinate, and twice along the height."""

    def outputs(points):
        return network.values(weights, points)

    def along(function, axis: int):
        direction = jnp.zeros_like(points).at[:, axis].set(1.0)
        return lambda points: jax.jvp(function, (points,), (direction,))[1]

    first = [along(outputs, axis)(points) for axis in range(points.shape[1])]
    return jnp.stack([outputs(points), *first, along(along(outputs, X), X)(points)])


@lru_cache
def both_ways(name: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Jets, and how weights move them; carried, and differentiated after."""
    network = NETWORKS[name]
    weights, points = some_weights(network), some_points(dimension_of(network.features))

    def both(weights, points):
        layers = len(points.T) + 2, len(points), network.outputs
        mixture = np.random.default_rng(4).normal(size=layers)

        def mixed(weights, way):
            jet = jnp.stack(way(network, weights, points))
            # Squared, so that a layer counts by what it is and not by a constant.
            return jnp.sum(mixture * jet**2), jet

        return {
            way.__name__: jax.grad(mixed, has_aux=True)(weights, way)
            for way in (MLP.jet, layers_by_jax)
        }

    with jax.enable_x64(True):
        compiled = jax.jit(both, compiler_options=QUICKLY)
        return jax.tree.map(np.asarray, compiled(weights, points))


@every_network
def test_a_jet_holds_what_automatic_differentiation_finds(name: str):
    network, (carried, after) = NETWORKS[name], both_ways(name).values()
    dimension = dimension_of(network.features)
    assert carried[1].shape == (dimension + 2, len(some_points()), network.outputs)
    assert carried[1].dtype == np.float64
    np.testing.assert_allclose(carried[1], after[1], rtol=EXACT, atol=EXACT)
    sizes = np.abs(after[1]).max(axis=(1, 2))
    assert sizes[:-1].min() > 1e-3
    assert sizes[-1] == 0 if name in STRAIGHT else sizes[-1] > 1e-3


@every_network
def test_weights_move_a_jet_as_they_move_the_derivatives(name: str):
    (carried, _), (after, _) = both_ways(name).values()
    np.testing.assert_allclose(carried, after, rtol=1e-9, atol=1e-9 * np.abs(after).max())


@pytest.mark.parametrize("name", ["harmonics", "waves", "relu"])
def test_a_sum_of_derivatives_is_carried_as_one(name: str):
    network, factors = NETWORKS[name], Diffusion(0.7, 0.3)

    def last(weights, points):
        return network.jet(weights, points, factors)[-1]

    with jax.enable_x64(True):
        compiled = jax.jit(last, compiler_options=QUICKLY)
        carried = compiled(some_weights(network), some_points())
    _, _, change, bend = both_ways(name)["layers_by_jax"][1]
    np.testing.assert_allclose(carried, 0.7 * change - 0.3 * bend, rtol=EXACT, atol=EXACT)


@pytest.mark.parametrize("name", ["coordinates", "lots of units and a rest"])
def test_weights_move_one_point_after_the_other_as_they_move_many(name: str):
    """Many points are multiplied in lots of units, one point is not."""
    network = NETWORKS[name]

    def squares(weights, points, values):
        return jnp.sum(values(weights, points) ** 2)

    def slopes(weights, points):
        ways = (network.values, jax.vmap(network.at, (None, 0)))
        return [jax.grad(squares)(weights, points, way) for way in ways]

    with jax.enable_x64(True):
        compiled = jax.jit(slopes, compiler_options=QUICKLY)
        many, single = compiled(some_weights(network), some_points())
    np.testing.assert_allclose(many, single, rtol=EXACT, atol=EXACT * np.abs(single).max())


@pytest.mark.parametrize("name", ["coordinates", "relu of coordinates"])
def test_layers_are_what_the_network_computes_with(name: str):
    """The forward pass written out in numpy."""
    network = NETWORKS[name]
    (first, one), (second, two), (last, three) = cut(network, some_weights(network))
    bent = np.tanh if network.activation == "tanh" else lambda values: np.maximum(values, 0)
    hidden = bent(bent((2 * some_points() - 1) @ first + one) @ second + two)
    for _, jet in both_ways(name).values():
        np.testing.assert_allclose(jet[0], hidden @ last + three, rtol=1e-12)


def cut(network: MLP, weights: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    with jax.enable_x64(True):
        compiled = jax.jit(lambda weights: network.layers(weights), compiler_options=QUICKLY)
        layers = compiled(weights)
        return [(np.asarray(weight), np.asarray(bias)) for weight, bias in layers]


@pytest.mark.parametrize("name", NETWORKS)
def test_every_weight_has_one_place(name: str):
    network = NETWORKS[name]
    row = np.arange(float(network.size))
    layers = cut(network, row)
    widths = [network.features.count, *network.hidden, network.outputs]
    assert [weight.shape for weight, _ in layers] == list(pairwise(widths))
    assert [bias.shape for _, bias in layers] == [(width,) for width in widths[1:]]
    back = np.concatenate([np.ravel(part) for layer in layers for part in layer])
    np.testing.assert_array_equal(back, row)


def test_initial_weights_have_the_variance_of_one_over_their_inputs():
    network, count = MLP(Harmonics(2), (4, 2), 2), 4000
    keys = jax.random.split(jax.random.key(0), count)
    many = jax.jit(jax.vmap(lambda key: network.initial(key=key)), compiler_options=QUICKLY)
    drawn = np.asarray(many(keys))
    assert drawn.shape == (count, network.size)
    place = 0
    for inputs, outputs in ((6, 4), (4, 2), (2, 2)):
        weights, biases = np.split(drawn[:, place : place + (inputs + 1) * outputs], [-outputs], 1)
        covariance = inputs * weights.T @ weights / count
        # Means of products of independent standard normals, which vary by one or by two.
        assert np.abs(covariance - np.eye(inputs * outputs)).max() < 5 * np.sqrt(2 / count)
        assert np.abs(weights.mean(0)).max() < 5 / np.sqrt(inputs * count)
        np.testing.assert_array_equal(biases, 0.0)
        place += (inputs + 1) * outputs


def below(point: Point) -> Point:
    return point.at[X].set(0.0)


RESIDUALS: dict[str, Residual] = {
    "u": lambda u, p: u(p),
    "u_x": lambda u, p: partial(u, X)(p),
    "u_t": lambda u, p: partial(u, T)(p),
    "u_xx": lambda u, p: second_partial(u, X)(p),
    "u_tt": lambda u, p: second_partial(u, T)(p),
    "u_xt": lambda u, p: partial(partial(u, X), T)(p),
    "u below": lambda u, p: u(below(p)),
    "u_xx below": lambda u, p: second_partial(u, X)(below(p)),
    "the same place, made anew": lambda u, p: partial(u, T)(p.at[X].add(0.0)),
    "gradient of JAX": lambda u, p: jax.grad(u)(p) @ jnp.array([0.3, -2.0]),
    "u²_x": lambda u, p: partial(lambda q: u(q) ** 2, X)(p),
    "Burgers": lambda u, p: partial(u, T)(p) + u(p) * partial(u, X)(p) - second_partial(u, X)(p),
}
TRAINED = ("u_xt", "Burgers")
"""Residuals of which the gradient is compared too."""


@pytest.fixture(scope="module")
def residuals() -> dict[str, dict[str, np.ndarray]]:
    """Every residual on the jet and on the plain function, and how weights move some of them."""
    network = MLP(Coordinates(), (3,), 2)

    def on_jet(residual: Residual, weights, points):
        return residual_values(residual, network, weights, points)[0]

    def on_function(residual: Residual, weights, points):
        return jax.vmap(lambda p: residual(network.field(weights), p))(points)

    def all_of(weights, points):
        def values(weights, way):
            found = {name: way(residual, weights, points) for name, residual in RESIDUALS.items()}
            factors = enumerate(TRAINED, start=1)
            return sum(n * jnp.sum(found[name] ** 2) for n, name in factors), found

        grads = {
            way.__name__: jax.grad(values, has_aux=True)(weights, way)
            for way in (on_jet, on_function)
        }
        return {way: found | {"gradient": slope} for way, (slope, found) in grads.items()}

    with jax.enable_x64(True):
        compiled = jax.jit(all_of, compiler_options=QUICKLY)
        return jax.tree.map(np.asarray, compiled(some_weights(network), some_points()))


@pytest.mark.parametrize("name", [*RESIDUALS, "gradient"])
def test_an_equation_cannot_tell_a_jet_from_a_function(name: str, residuals):
    np.testing.assert_allclose(
        residuals["on_jet"][name], residuals["on_function"][name], rtol=EXACT, atol=EXACT
    )
    assert np.abs(residuals["on_function"][name]).max() > 1e-2, "nothing was compared"


def test_what_a_jet_holds_is_looked_up_and_the_rest_is_not():
    def unknown(point: Point) -> Scalar:
        raise LookupError("the function was asked")

    point, layers = jnp.array([0.2, 0.7]), jnp.array([1.0, 2.0, 3.0, 4.0])
    u = JetField(unknown, point, tuple(layers))
    held = u(point), partial(u, X)(point), partial(u, T)(point), second_partial(u, X)(point)
    np.testing.assert_array_equal(held, layers)
    for derivative in (second_partial(u, T), partial(partial(u, X), T), jax.grad(u)):
        with pytest.raises(LookupError):
            derivative(point)
    for function in (u, partial(u, X), second_partial(u, X)):
        with pytest.raises(LookupError):
            function(jnp.array([0.2, 0.7]))


def test_a_sum_is_looked_up_by_its_own_factors_alone():
    def unknown(point: Point) -> Scalar:
        raise LookupError("the function was asked")

    point, factors = jnp.array([0.2, 0.7]), Diffusion(jnp.array(0.7), jnp.array(0.3))
    u = JetField(unknown, point, tuple(jnp.array([1.0, 2.0, 3.0, 4.0])), factors)
    assert diffused(u, Diffusion(*factors))(point) == 4.0
    for function in (
        diffused(u, Diffusion(jnp.array(0.7), factors.conduction)),
        second_partial(u, X),
    ):
        with pytest.raises(LookupError):
            function(point)
