"""Values that hold by construction, whatever the weights."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.networks.features import Coordinates
from agewise.engine.networks.hard import HardForm
from agewise.engine.networks.mlp import MLP
from agewise.library.rod import HeatRod
from agewise.types import Point, Scalar, T, X

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
NETWORK = MLP(Coordinates(), (6,), 2)


def arch(point: Point) -> Scalar:
    return jnp.sin(jnp.pi * point[X])


def inside(point: Point) -> Scalar:
    return point[X] * (1 - point[X]) * point[T]


def bent(point: Point) -> Scalar:
    """Curved in both coordinates, so that every derivative counts."""
    return jnp.exp(point[X] - point[T] ** 2) * (2 + point[X] ** 3)


ROD = HardForm(NETWORK, arch, inside)
"""Starts as an arch of a sine between walls at zero, which is what `HeatRod` asks for."""
FORMS = {"rod": ROD, "bent": HardForm(NETWORK, bent, arch), "free": HardForm(NETWORK, inside, bent)}


def some_weights(scale: float = 1.0) -> np.ndarray:
    return np.random.default_rng(0).normal(scale=scale, size=NETWORK.size)


def on_the_edges(count: int = 8) -> np.ndarray:
    """Both walls, and the first instant."""
    along = np.linspace(0.0, 1.0, count)
    zero, one = np.zeros(count), np.ones(count)
    sides = ((zero, along), (one, along), (along, zero))
    return np.concatenate([np.stack(side, axis=1) for side in sides])


@partial(jax.jit, static_argnums=0, compiler_options=QUICKLY)
def found(name: str, weights, points):
    """Values; jet; the same by automatic differentiation; what is known, and the distance."""
    form = FORMS[name]

    def along(function, axis: int):
        direction = jnp.zeros_like(points).at[:, axis].set(1.0)
        return lambda points: jax.jvp(function, (points,), (direction,))[1]

    def values(points):
        return form.values(weights, points)

    first = [along(values, axis)(points) for axis in (X, T)]
    truth = jnp.stack([values(points), *first, along(along(values, X), X)(points)])
    return {
        "values": values(points),
        "jet": jnp.stack(form.jet(weights, points)),
        "truth": truth,
        "network": NETWORK.values(weights, points),
        "known": jax.vmap(form.known)(points),
        "distance": jax.vmap(form.distance)(points),
    }


@pytest.fixture(scope="module", params=FORMS)
def inner(request: pytest.FixtureRequest) -> dict[str, np.ndarray]:
    """At points anywhere, in double precision."""
    points = np.random.default_rng(2).uniform(size=(24, 2))
    with jax.enable_x64(True):
        return jax.tree.map(np.asarray, found(request.param, some_weights(), points))


@pytest.mark.parametrize("scale", [0.0, 1.0, 1e4])
def test_what_is_known_holds_exactly(scale: float):
    with jax.enable_x64(True):
        edges = found("rod", some_weights(scale), on_the_edges())
    for values in (edges["values"], edges["jet"][0]):
        np.testing.assert_array_equal(values[:, 0], edges["known"])
    assert scale == 0 or np.abs(edges["network"][:, 0]).min() > 0


def test_the_form_is_what_is_known_plus_what_vanishes_there(inner: dict[str, np.ndarray]):
    expected = inner["known"] + inner["distance"] * inner["network"][:, 0]
    np.testing.assert_allclose(inner["values"][:, 0], expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(inner["values"][:, 1], inner["network"][:, 1])


def test_a_jet_holds_what_automatic_differentiation_finds(inner: dict[str, np.ndarray]):
    np.testing.assert_allclose(inner["jet"], inner["truth"], rtol=1e-10, atol=1e-10)
    assert np.abs(inner["truth"][:, :, 0]).max(axis=1).min() > 0.1, "nothing was compared"


def test_the_rod_owes_nothing_at_its_walls_and_its_start():
    problem, weights = HeatRod(), some_weights()

    def owed(name: str, point: Point) -> Scalar:
        return problem.residuals()[name](ROD.field(weights), point)

    edges = on_the_edges()
    walls, start = edges[:16], edges[16:]

    @partial(jax.jit, compiler_options=QUICKLY)
    def both(walls, start):
        return jax.vmap(partial(owed, "wall"))(walls), jax.vmap(partial(owed, "initial"))(start)

    with jax.enable_x64(True):
        at_walls, at_start = both(walls, start)
    np.testing.assert_array_equal(at_start, 0.0)
    # The sine of pi is a rounding away from zero.
    np.testing.assert_allclose(at_walls, 0.0, atol=1e-15)


def test_weights_are_those_of_the_network_within():
    key = jax.random.key(0)
    assert ROD.size == NETWORK.size
    one, other = (jax.jit(n.initial, compiler_options=QUICKLY)(key=key) for n in (ROD, NETWORK))
    np.testing.assert_array_equal(one, other)
