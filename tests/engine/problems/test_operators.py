"""Derivatives against pencil and paper, and against JAX's own."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.problems.operators import partial, second_partial
from agewise.types import Point, Scalar

POINTS = np.random.default_rng(0).uniform(-1.0, 1.0, (20, 3)).astype(np.float32)


def mapped(function):
    return jax.jit(jax.vmap(function))


def wave(p: Point) -> Scalar:
    return jnp.sin(2 * p[0]) * jnp.exp(p[1]) + p[0] * p[2] ** 3


def first(p: np.ndarray) -> tuple:
    x, y, z = p.T
    wavy = np.exp(y)
    return 2 * np.cos(2 * x) * wavy + z**3, np.sin(2 * x) * wavy, 3 * x * z**2


def second(p: np.ndarray) -> tuple:
    x, y, z = p.T
    return -4 * np.sin(2 * x) * np.exp(y), np.sin(2 * x) * np.exp(y), 6 * x * z


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_derivatives_are_the_analytic_ones(axis: int):
    points = jnp.asarray(POINTS)
    np.testing.assert_allclose(
        mapped(partial(wave, axis))(points), first(POINTS)[axis], rtol=1e-4, atol=1e-5
    )
    np.testing.assert_allclose(
        mapped(second_partial(wave, axis))(points), second(POINTS)[axis], rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_derivatives_are_those_of_jax(axis: int):
    points = jnp.asarray(POINTS)
    gradients = mapped(jax.grad(wave))(points)
    curvatures = mapped(jax.hessian(wave))(points)
    np.testing.assert_allclose(
        mapped(partial(wave, axis))(points), gradients[:, axis], rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        mapped(second_partial(wave, axis))(points),
        curvatures[:, axis, axis],
        rtol=1e-5,
        atol=1e-6,
    )


def test_a_derivative_may_be_differentiated_and_compiled():
    points = jnp.asarray(POINTS)
    curvatures = mapped(jax.hessian(wave))(points)
    mixed = mapped(partial(partial(wave, 0), 1))(points)
    np.testing.assert_allclose(mixed, curvatures[:, 0, 1], rtol=1e-5, atol=1e-6)
    backward = mapped(jax.grad(partial(wave, 2)))(points)
    np.testing.assert_allclose(backward, curvatures[:, 2], rtol=1e-5, atol=1e-6)
