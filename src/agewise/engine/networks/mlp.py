"""A multilayer perceptron as a function of its weights, which are one flat vector."""

from abc import abstractmethod
from itertools import pairwise

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.features import AbstractFeatures
from agewise.engine.networks.jet import (
    ACTIVATIONS,
    ActivationName,
    Diffusion,
    Layers,
    affine,
    outputs,
)
from agewise.types import Key, Point, ScalarField, T

Weights = Float[Array | np.ndarray, " weight"]
"""All weights and biases in a row: what is drawn, trained and stored."""


Layer = tuple[Float[Array, "feature out"], Float[Array, " out"]]
"""Weights and biases of one layer."""


class AbstractNetwork(eqx.Module):
    """A function of points for every vector of weights; its first output is the mean."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of weights and biases."""

    @abstractmethod
    def initial(self, *, key: Key) -> Weights:
        """Weights to start from."""

    @abstractmethod
    def at(self, weights: Weights, point: Point) -> Float[Array, " output"]:
        """The outputs at one point."""

    @abstractmethod
    def jet(
        self,
        weights: Weights,
        points: Float[Array, "point dim"],
        diffusion: Diffusion | None = None,
    ) -> Layers:
        """The outputs with their derivatives; what a residual does not ask for costs nothing.

        Args:
            weights: The weights of the network.
            points: Where it is asked for.
            diffusion: A sum that takes the place of the last layer, the second derivative.
        """

    def values(
        self, weights: Weights, points: Float[Array, "point dim"]
    ) -> Float[Array, "point output"]:
        """The outputs at points."""
        return jax.vmap(self.at, (None, 0))(weights, points)

    def field(self, weights: Weights) -> ScalarField:
        """The mean as a function of one point."""
        # The first output alone: a second one is the noise, which no equation sees.
        return lambda point: self.at(weights, point)[0]


class MLP(AbstractNetwork):
    """Features, hidden layers and linear outputs.

    The first output is the mean; a second one is a number of any sign, of which the caller makes
    the variance of the noise.
    """

    features: AbstractFeatures
    """What the first layer is fed with."""
    hidden: tuple[int, ...] = eqx.field(static=True, default=(50, 50))
    """Units of each hidden layer."""
    outputs: int = eqx.field(static=True, default=2)
    """Number of outputs: 1 for the mean alone, 2 with the noise."""
    activation: ActivationName = eqx.field(static=True, default="tanh")
    """Name of the function that bends the hidden layers."""

    @property
    def widths(self) -> tuple[int, ...]:
        """Width of every layer, the features first."""
        return (self.features.count, *self.hidden, self.outputs)

    @property
    def size(self) -> int:
        """Weights and biases of all layers."""
        # One more input than the layer has: its bias.
        return sum((ins + 1) * outs for ins, outs in pairwise(self.widths))

    def initial(self, *, key: Key) -> Weights:
        """Normal with the variance of one over the inputs; no biases."""
        keys = jax.random.split(key, len(self.widths) - 1)
        parts = []
        # Weights first, then the biases of the same layer: the order that `layers` cuts.
        for (ins, outs), layer_key in zip(pairwise(self.widths), keys, strict=True):
            # Over the root of the inputs: a unit's sum keeps the variance of one of them.
            parts += [jax.random.normal(layer_key, (ins * outs,)) / ins**0.5, jnp.zeros(outs)]
        return jnp.concatenate(parts)

    def layers(self, weights: Weights) -> list[Layer]:
        """The vector cut into a matrix and a bias for each layer."""
        cut, start = [], 0
        for ins, outs in pairwise(self.widths):
            middle, end = start + ins * outs, start + (ins + 1) * outs
            cut.append((weights[start:middle].reshape(ins, outs), weights[middle:end]))
            start = end
        return cut

    def split_layers(self, weights: Weights) -> list[Layer]:
        """The same by one operation, whose gradient is one vector put together and not a sum of
        padded parts: quicker for one function of many points, not for a gradient at each."""
        shapes = list(pairwise(self.widths))
        sizes = [size for ins, outs in shapes for size in (ins * outs, outs)]
        parts = jax.lax.split(jnp.asarray(weights), sizes)
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return [(w.reshape(shape), bias) for shape, (w, bias) in zip(shapes, pairs, strict=True)]

    def at(self, weights: Weights, point: Point) -> Float[Array, " output"]:
        """The network, layer by layer, at one point."""
        *hidden, (last, last_bias) = self.layers(jnp.asarray(weights))
        state, bend = self.features(point), ACTIVATIONS[self.activation].plain
        # One for each point: where this is mapped over points, sums with it stay in columns (see
        # `Columns`), while a bias as it is would turn all of them into rows.
        one = 1 + 0 * point[:1]
        for weight, bias in hidden:
            state = bend(weight.T @ state + bias[:, None] @ one)
        # No bend after the last layer, or values would be held within (-1, 1).
        return jnp.stack([unit @ state for unit in last.T]) + last_bias

    def values(
        self, weights: Weights, points: Float[Array, "point dim"]
    ) -> Float[Array, "point output"]:
        """The network, layer by layer, at many points."""
        *hidden, (last, last_bias) = self.split_layers(weights)
        state, bend = jax.vmap(self.features)(points).T, ACTIVATIONS[self.activation].plain
        for weight, bias in hidden:
            state = bend(affine((state,), weight, bias)[0])
        return outputs((state,), last, last_bias)[0]

    def jet(
        self,
        weights: Weights,
        points: Float[Array, "point dim"],
        diffusion: Diffusion | None = None,
    ) -> Layers:
        """The network, layer by layer, at many points with all derivatives at once."""
        # A single point is one of many rows, each with a gradient of its own.
        cut = self.split_layers if len(points) > 1 else self.layers
        *hidden, (last, last_bias) = cut(jnp.asarray(weights))
        value, *firsts, bend = (layer.T for layer in self.features.jet(points))
        # Layers of weights are linear, so the sum passes them as derivatives do.
        summed = bend if diffusion is None else diffusion.of(firsts[T], bend)
        bending = 1.0 if diffusion is None else -diffusion.conduction
        state = value, *firsts, summed
        for weight, bias in hidden:
            state = ACTIVATIONS[self.activation].jet(affine(state, weight, bias), bending)
        # Layers that are the same everywhere had one column on the way; callers map over points.
        return tuple(jnp.broadcast_arrays(*outputs(state, last, last_bias)))
