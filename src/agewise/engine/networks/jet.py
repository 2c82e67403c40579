"""A function with its derivatives, carried through it together instead of differentiated after.

A jet of `D` coordinates is an array of `D + 2` layers: the value, the first derivative along each
coordinate, and the second along the height, or a `Diffusion` in its place.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from agewise.types import Point, Scalar, ScalarField, X

Layers = tuple[Float[Array, "_ feature"], ...]
"""A jet in pieces, as it comes in and goes out; a layer that is the same everywhere has one row.

Joined up at every step it would be copied forth and back, which takes a third of the time."""
Columns = tuple[Float[Array, "feature _"], ...]
"""The same as it goes through a network, a column for each point: products of a layer's weights
with columns take three quarters of the time of those with rows, since there are more points than
units and a processor works on whole lots of them."""


class Diffusion(NamedTuple):
    r"""The sum $a u_t - b u_{xx}$, for equations that ask for these derivatives in no other form.

    Carried as one layer it spares a network the layer of $u_t$: in a step of training a quarter of
    the products at points of the equation.
    """

    storage: float | Scalar
    """The factor $a$ of the derivative in time."""
    conduction: float | Scalar
    """The factor $b$ of the second derivative along the height."""

    def of(self, change: Array, bend: Array) -> Array:
        """The sum of a derivative in time and a second one along the height."""
        return self.storage * change - self.conduction * bend

    def same(self, other: "Diffusion | None") -> bool:
        """Whether the other has these very factors: while JAX traces, they cannot be compared."""
        return other is not None and all(a is b for a, b in zip(self, other, strict=True))


LOT = 16
"""Single-precision numbers that a processor works on at once."""


def affine(
    columns: Columns, weight: Float[Array, "feature out"], bias: Float[Array, " out"]
) -> tuple[Float[Array, "out _"], ...]:
    """A layer of weights: linear in every layer of the jet, and the bias moves the value alone."""
    # Differentiation commutes with the matrix, so each layer of the jet meets it alike.
    value, *derivatives = (product(weight, layer) for layer in columns)
    return value + bias[:, None], *derivatives


@jax.custom_jvp
def product(
    weight: Float[Array, "feature out"], layer: Float[Array, "feature _"]
) -> Float[Array, "out _"]:
    """The weights of every unit times the features of every point."""
    return weight.T @ layer


@product.defjvp
def _(values, changes):
    """The same, by the weights of whole lots of units and of the few that are left over."""
    (weight, layer), (weight_change, layer_change) = values, changes
    # Backwards this is the product that differentiates a layer's weights. Of 50 units in one piece
    # it takes 12 µs, since a processor does the last two of them one by one; of 48 and 2, 8 µs.
    whole = weight.shape[1] // LOT * LOT if layer.shape[1] > 1 else 0
    lots = [lot for lot in (weight_change[:, :whole], weight_change[:, whole:]) if lot.size]
    by_weight = jnp.concatenate([lot.T @ layer for lot in lots])
    return weight.T @ layer, by_weight + weight.T @ layer_change


def outputs(
    columns: Columns, weight: Float[Array, "feature out"], bias: Float[Array, " out"]
) -> tuple[Float[Array, "_ out"], ...]:
    """The last layer of weights, points in rows again."""
    # One output after the other: a matrix of two rows takes longer than two vectors, and what
    # nobody asks for, such as derivatives of the noise, is left out when it is compiled.
    value, *derivatives = (
        jnp.stack([unit @ layer for unit in weight.T], axis=1) for layer in columns
    )
    return value + bias, *derivatives


def tanh(columns: Columns, bending: float | Scalar = 1.0) -> Columns:
    r"""$y = \tanh v$: $y' = (1 - y^2) v'$ and $y'' = (1 - y^2) v'' - 2 y y' v'$.

    Args:
        columns: The jet of $v$.
        bending: What the last layer has of the second derivative along the height [1]; the rest of
            it are first derivatives, which pass as $y'$ does.
    """
    value, *firsts, last = columns
    value = jnp.tanh(value)
    slope = 1 - value**2
    slopes = [slope * first for first in firsts]
    # The chain rule's second term, -2 y (1 - y²) v'², with the slope that is at hand already.
    return value, *slopes, slope * last - bending * 2 * value * slopes[X] * firsts[X]


def relu(columns: Columns, bending: float | Scalar = 1.0) -> Columns:
    r"""$y = \max(v, 0)$: derivatives pass where $v > 0$, and the bend at zero is not seen."""
    value, *derivatives = columns
    # At v = 0 itself the slope is taken as zero, as `jax.nn.relu` does.
    return jax.nn.relu(value), *(jnp.where(value > 0, derivative, 0) for derivative in derivatives)


class Activation(NamedTuple):
    """What bends a hidden layer: at one point, and with derivatives."""

    plain: Callable[[Float[Array, "feature *point"]], Float[Array, "feature *point"]]
    """Values at one point or at many, without derivatives."""
    jet: Callable[[Columns, float | Scalar], Columns]
    """Values at many points with their derivatives, given what the last layer has of the bend."""


ActivationName = Literal["tanh", "relu"]
"""Name of an activation."""
ACTIVATIONS: dict[ActivationName, Activation] = {
    "tanh": Activation(jnp.tanh, tanh),
    "relu": Activation(jax.nn.relu, relu),
}
"""Every activation by its name."""


class JetField:
    """A function of one point whose derivatives at that point are already known.

    Equations are written with `partial` and `second_partial`; given this, those look the answer
    up, and differentiate only what the jet does not hold.
    """

    def __init__(
        self,
        function: ScalarField,
        point: Point,
        jet: tuple[Scalar, ...],
        diffusion: Diffusion | None = None,
    ):
        self.function, self.point = function, point
        self.value, self.diffusion = jet[0], diffusion
        self.diffused = jet[-1]
        """The last layer, which is that sum where there is one."""
        # Else it is the bend along the height, the only second derivative that a jet holds.
        self.derivatives: dict[tuple[int, ...], Scalar] = {}
        """Each by the axes along which it is taken."""
        if diffusion is None:
            self.derivatives[(X, X)] = jet[-1]
        # Between the value and the bend stand the first derivatives, in the order of the axes.
        for axis in range(len(jet) - 2):
            self.derivatives[(axis,)] = jet[1 + axis]

    def __call__(self, point: Point) -> Scalar:
        """The function; free at the point of the jet."""
        # By identity: while JAX traces, a point has no values that could be compared.
        return self.value if point is self.point else self.function(point)
