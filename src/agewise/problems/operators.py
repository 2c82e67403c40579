"""Derivatives of a function of one point."""

import jax
import jax.numpy as jnp

from agewise.types import Point, Scalar, ScalarField


def partial(u: ScalarField, axis: int) -> ScalarField:
    """The partial derivative of `u` along an axis, itself a function of a point.

    Forward mode: two nested forward passes through a small network cost less than one backward
    pass inside a forward one.
    """

    def derivative(point: Point) -> Scalar:
        direction = jnp.zeros_like(point).at[axis].set(1.0)
        return jax.jvp(u, (point,), (direction,))[1]

    return derivative


def second_partial(u: ScalarField, axis: int) -> ScalarField:
    """The second partial derivative of `u` along an axis."""
    return partial(partial(u, axis), axis)
