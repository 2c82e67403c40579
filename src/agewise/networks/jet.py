"""A function with its derivatives, carried through it together instead of differentiated after.

A jet of `D` coordinates is an array of `D + 2` layers: the value, the first derivative along each
coordinate, and the second along the height. One matrix product serves all layers, which is what
makes a step cheap.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from agewise.types import Point, Scalar, ScalarField, X

Jet = Float[Array, "layer point feature"]


def affine(
    jet: Jet, weight: Float[Array, "feature out"], bias: Float[Array, " out"]
) -> Float[Array, "layer point out"]:
    """A layer of weights: linear in every layer of the jet, and the bias moves the value alone."""
    layers, points, features = jet.shape
    # As one matrix: a product of three axes takes three times as long.
    product = jet.reshape(layers * points, features) @ weight
    return product.reshape(layers, points, -1).at[0].add(bias)


def tanh(jet: Jet) -> Jet:
    r"""$y = \tanh v$: $y' = (1 - y^2) v'$ and $y'' = (1 - y^2) v'' - 2 y (1 - y^2) v'^2$."""
    value = jnp.tanh(jet[0])
    slope = 1 - value**2
    bend = slope * jet[-1] - 2 * value * slope * jet[1 + X] ** 2
    return jnp.stack([value, *(slope * first for first in jet[1:-1]), bend])


def product(
    one: Float[Array, "layer *rest"], other: Float[Array, "layer *rest"]
) -> Float[Array, "layer *rest"]:
    """Two functions multiplied."""
    value = one[0] * other[0]
    first = one[1:-1] * other[0] + one[0] * other[1:-1]
    cross = 2 * one[1 + X] * other[1 + X]
    bend = one[-1] * other[0] + cross + one[0] * other[-1]
    return jnp.concatenate([value[None], first, bend[None]])


class JetField:
    """A function of one point whose derivatives at that point are already known.

    Equations are written with `partial` and `second_partial`; given this, those look the answer
    up, and differentiate only what the jet does not hold.
    """

    def __init__(self, function: ScalarField, point: Point, jet: Float[Array, " layer"]):
        self.function, self.point = function, point
        self.value = jet[0]
        self.derivatives: dict[tuple[int, ...], Scalar] = {(X, X): jet[-1]}
        """Each by the axes along which it is taken."""
        for axis in range(jet.shape[0] - 2):
            self.derivatives[(axis,)] = jet[1 + axis]

    def __call__(self, point: Point) -> Scalar:
        """The function; free at the point of the jet."""
        return self.value if point is self.point else self.function(point)
