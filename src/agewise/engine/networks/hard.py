"""Initial and boundary values that hold by construction."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from agewise.engine.networks.jet import Layers, joined, product
from agewise.engine.networks.mlp import AbstractNetwork, Weights
from agewise.types import Key, Point, Scalar, X


class HardForm(AbstractNetwork):
    r"""$u = g(x,t) + d(x,t)\,N(x,t)$, where $d$ vanishes wherever $u$ must equal $g$.

    `known` and `distance` are functions of one point, such as `x (1 - x) t`. Other outputs of the
    network are left as they are.
    """

    network: AbstractNetwork
    known: Callable[[Point], Scalar]
    distance: Callable[[Point], Scalar]

    @property
    def size(self) -> int:
        """As the network's."""
        return self.network.size

    def initial(self, *, key: Key) -> Weights:
        """As the network's."""
        return self.network.initial(key=key)

    def at(self, weights: Weights, point: Point) -> Float[Array, " output"]:
        """The network's mean, bent to what is known."""
        raw = self.network.at(weights, point)
        return raw.at[0].set(self.known(point) + self.distance(point) * raw[0])

    def jet(self, weights: Weights, points: Float[Array, "point dim"]) -> Layers:
        """The product rule on the network's jet."""
        raw = joined(self.network.jet(weights, points))
        known, distance = _jet(self.known, points), _jet(self.distance, points)
        return tuple(raw.at[:, :, 0].set(known + product(distance, raw[:, :, 0])))


def _jet(
    function: Callable[[Point], Scalar], points: Float[Array, "point dim"]
) -> Float[Array, "layer point"]:
    """The jet of a plain function, by automatic differentiation."""

    def at(point: Point) -> Float[Array, " layer"]:
        bend = jax.hessian(function)(point)[X, X]
        return jnp.concatenate([function(point)[None], jax.grad(function)(point), bend[None]])

    return jax.vmap(at)(points).T
