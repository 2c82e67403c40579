"""Derivatives of a function of one point."""

import jax
import jax.numpy as jnp

from agewise.engine.networks.jet import Diffusion, JetField
from agewise.engine.problems.unknowns import Unknowns
from agewise.types import Point, Scalar, ScalarField, T, X


def partial(u: ScalarField, axis: int) -> ScalarField:
    """The partial derivative of a function along an axis, itself a function of a point.

    Args:
        u: Function of one point, or the unknowns of a problem, of which the first is meant.
        axis: Place of the coordinate in a point, from 0.

    Returns:
        The derivative, in the function's unit over the coordinate's.

    Examples:
        >>> import jax.numpy as jnp
        >>> import agewise
        >>> slope = agewise.partial(lambda point: point[0] ** 2, 0)
        >>> float(slope(jnp.array([3.0])))
        6.0
    """
    return _derivative(u, (axis,))


def second_partial(u: ScalarField, axis: int) -> ScalarField:
    """The second partial derivative of a function along an axis, itself a function of a point.

    Args:
        u: Function of one point, or the unknowns of a problem, of which the first is meant.
        axis: Place of the coordinate in a point, from 0.

    Returns:
        The derivative, in the function's unit over the square of the coordinate's.

    Examples:
        >>> import jax.numpy as jnp
        >>> import agewise
        >>> bend = agewise.second_partial(lambda point: point[0] ** 3, 0)
        >>> float(bend(jnp.array([2.0])))
        12.0
    """
    return _derivative(u, (axis, axis))


def mixed_partial(u: ScalarField, first: int, second: int) -> ScalarField:
    """The derivative of `u` along one axis and then along another."""
    return _derivative(u, (first, second))


def diffused(u: ScalarField, factors: Diffusion) -> ScalarField:
    r"""The sum $a u_t - b u_{xx}$ as a function of a point, looked up where a jet holds it."""

    def value(point: Point) -> Scalar:
        if isinstance(u, JetField) and point is u.point and factors.same(u.diffusion):
            return u.diffused
        return factors.of(partial(u, T)(point), second_partial(u, X)(point))

    return value


def _derivative(u: ScalarField, axes: tuple[int, ...]) -> ScalarField:
    """The derivative of `u` along these axes, one after the other.

    It is looked up where a jet holds it. Else a second derivative is two nested forward passes,
    which through a small network cost less than a backward pass inside a forward one.
    """

    # An equation of one function may write `partial(u, 0)`, meaning the first of its unknowns.
    if isinstance(u, Unknowns):
        u = u.first

    def derivative(point: Point) -> Scalar:
        # By identity: while JAX traces, a point has no values that could be compared.
        if isinstance(u, JetField) and point is u.point and axes in u.derivatives:
            return u.derivatives[axes]
        # Differentiated is the function beneath: the jet's own value is fixed at its point.
        function = u.function if isinstance(u, JetField) else u
        for axis in axes:
            # JAX leaves out what lies outside an array: the derivative would be zero, without a
            # word.
            if not -len(point) <= axis < len(point):
                raise IndexError(
                    f"a derivative along coordinate {axis} of a point that has {len(point)}, "
                    "counted from 0"
                )
        # Smooth functions: the order of the axes does not matter, so they are taken as they come.
        for axis in axes:
            function = _forward(function, axis)
        return function(point)

    return derivative


def _forward(u: ScalarField, axis: int) -> ScalarField:
    def derivative(point: Point) -> Scalar:
        direction = jnp.zeros_like(point).at[axis].set(1.0)
        # A forward pass along one unit vector: one derivative, not the whole gradient.
        return jax.jvp(u, (point,), (direction,))[1]

    return derivative
