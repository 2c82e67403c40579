"""Functions of a point that a vector of numbers stands for, each number normal beforehand."""

from abc import abstractmethod
from dataclasses import replace
from itertools import pairwise

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from agewise.engine.equations.functions.features import BoxFeatures
from agewise.types import Point, Scalar

FIRST_BIASES = 0.5
"""Standard deviation of biases to start from [1], so that units do not all bend at one place."""

MARGIN = 0.25
"""By how much the box of waves is wider on each side, as a share of the problem's [1]."""

WIDE = 3.0
"""Factor of every coordinate on the standard deviation of sums of waves beforehand [1]: wider than
the readings are, so that the prior hardly pulls at the answer."""

Numbers = Float[Array | np.ndarray, " number"]
"""What is trained, drawn and stored; the prior of each is N(0, 1)."""


class AbstractNetwork(eqx.Module):
    """A family of functions of one point; a vector of numbers picks one."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many numbers it takes."""

    @abstractmethod
    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """Numbers to start from."""

    @abstractmethod
    def value(self, numbers: Numbers, point: Point) -> Scalar:
        """The function at one point."""

    @property
    def kept(self) -> Float[Array | np.ndarray, " kept"] | None:
        """What was learned beside the numbers and is stored with them; None where nothing was."""
        return None

    def with_kept(self, kept: Float[np.ndarray, " kept"]) -> "AbstractNetwork":
        """The same with what was stored."""
        return self


class AbstractGained(AbstractNetwork):
    """A network whose numbers fall into groups, the size of each of which is learned."""

    gains: eqx.AbstractVar[Float[Array | np.ndarray, " group"]]
    """Standard deviation beforehand of the weights of every group."""

    @property
    @abstractmethod
    def groups(self) -> Int[np.ndarray, " number"]:
        """The group of every number."""


class Perceptron(AbstractGained):
    r"""Layers of tanh units: $W_L \tanh(\dots \tanh(W_1 \phi(p) + b_1) \dots) + b_L$.

    A weight is a number times the gain of its group over the root of the inputs that it is summed
    with, so that with gains of one the prior functions are of order one however wide the layers
    are. Every feature has a group of its own, and so have the weights and the biases of each layer:
    their gains say how fast functions change along each coordinate and how large they are.
    """

    features: BoxFeatures
    """What the first layer is fed with."""
    hidden: tuple[int, ...] = eqx.field(static=True)
    """Units of each hidden layer."""
    gains: Float[Array | np.ndarray, " group"]
    """Standard deviation beforehand of the weights of every group, before the root of inputs."""

    @classmethod
    def plain(cls, features: BoxFeatures, hidden: tuple[int, ...]) -> "Perceptron":
        """A network whose gains are all one."""
        # A gain a feature, one for the biases of every layer, one for the weights of those after.
        gains = np.ones(features.count + 2 * len(hidden) + 1)
        return cls(features=features, hidden=hidden, gains=gains)

    @property
    def widths(self) -> tuple[int, ...]:
        """Width of every layer, the features first."""
        return (self.features.count, *self.hidden, 1)

    @property
    def size(self) -> int:
        """Weights and biases of all layers."""
        return sum((ins + 1) * outs for ins, outs in pairwise(self.widths))

    @property
    def groups(self) -> Int[np.ndarray, " number"]:
        """The group of every number: features of the first layer, then biases and weights."""
        parts, group = [], 0
        for layer, (ins, outs) in enumerate(pairwise(self.widths)):
            # One group a feature: its gain says how fast functions change along that coordinate.
            weights = np.arange(ins) if layer == 0 else np.zeros(ins, dtype=int)
            parts.append(np.repeat(group + weights, outs))
            group += int(weights.max()) + 1
            parts.append(np.full(outs, group))
            group += 1
        return np.concatenate(parts)

    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """Weights as the prior has them, smaller biases."""
        parts = []
        for ins, outs in pairwise(self.widths):
            parts += [rng.standard_normal(ins * outs), FIRST_BIASES * rng.standard_normal(outs)]
        return np.concatenate(parts)

    def value(self, numbers: Numbers, point: Point) -> Scalar:
        """The network, layer by layer."""
        # Numbers are standard normal beforehand; the gain of its group makes a weight of each.
        weights = numbers * jnp.asarray(self.gains)[self.groups]
        return through_layers(weights, self.widths, self.features(point))[1][0]

    @property
    def kept(self) -> Float[Array | np.ndarray, " kept"]:
        """The gains."""
        return self.gains

    def with_kept(self, kept: Float[np.ndarray, " kept"]) -> "Perceptron":
        """The same with other gains."""
        return replace(self, gains=kept)


def through_layers(
    weights: Numbers, widths: tuple[int, ...], state: Float[Array, " input"]
) -> tuple[Float[Array, " unit"], Float[Array, " output"]]:
    """Units of the last hidden layer, and what comes out, of layers of tanh units.

    Args:
        weights: Weights and biases, layer by layer; before the root of inputs.
        widths: Width of every layer, inputs first.
        state: What goes in.
    """
    start, hidden = 0, state
    for ins, outs in pairwise(widths):
        middle, end = start + ins * outs, start + (ins + 1) * outs
        weight = jnp.reshape(weights[start:middle], (ins, outs)) / np.sqrt(ins)
        # Bent before a layer and not after, so that the last one comes out straight.
        hidden = jnp.tanh(state) if start else state
        state, start = hidden @ weight + weights[middle:end], end
    return hidden, state


class Waves(AbstractNetwork):
    """Products of waves along each coordinate, each coefficient fading with its number: linear.

    The waves belong to a box half as wide again, so that at the walls of the problem they are as
    free as inside; along a closed coordinate they are whole ones around the ring. With a fading
    like a bell they are a Gaussian process in few numbers.
    """

    lower: tuple[float, ...] = eqx.field(static=True)
    """Least value of every coordinate, in its unit."""
    upper: tuple[float, ...] = eqx.field(static=True)
    """Largest value of every coordinate, in its unit."""
    closed: tuple[bool, ...] = eqx.field(static=True)
    """Whether the two ends of a coordinate are the same place."""
    count: int = eqx.field(static=True)
    """Waves along each coordinate."""
    reach: float
    """Number of the wave from which coefficients fade [1]: how fast the functions may change."""

    @property
    def size(self) -> int:
        """Products of one wave for each coordinate."""
        return self.count ** len(self.lower)

    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """The zero function: the answer does not depend on where it starts."""
        return np.zeros(self.size)

    def value(self, numbers: Numbers, point: Point) -> Scalar:
        """The sum of all products at one point."""
        sums = jnp.reshape(numbers, (self.count,) * len(self.lower))
        # The last axis is summed first, so that each product takes away the array's last axis.
        for axis in reversed(range(len(self.lower))):
            sums = sums @ self._along(axis, point)
        return jnp.reshape(sums, ())

    def _along(self, axis: int, point: Point) -> Float[Array, " wave"]:
        """All waves along one coordinate, each times its standard deviation beforehand."""
        low, high = self.lower[axis], self.upper[axis]
        share = (point[axis] - low) / (high - low)
        # From zero: the first wave is a constant.
        number = np.arange(self.count)
        if self.closed[axis]:
            # Whole turns as cosine and sine, which is a cosine a quarter of a turn later.
            turns, later = (number + 1) // 2, np.where(number % 2, 0.0, 0.25)
            wave = jnp.cos(2 * np.pi * (turns * share - later * (number > 0)))
            # Half waves of the wider box that change as fast: a reach means the same on both.
            number = 2 * (1 + 2 * MARGIN) * turns
        else:
            # Cosines of half waves are free in value at both ends, unlike sines.
            wave = jnp.cos(np.pi * number * (share + MARGIN) / (1 + 2 * MARGIN))
        # A bell in the number of the wave, as the spectrum of a squared-exponential kernel has.
        fading = jnp.exp(-0.5 * (number / self.reach) ** 2)
        # Together the waves of each coordinate have one variance, whatever their reach.
        # cos² is a half on average over a wave.
        return WIDE * fading / jnp.sqrt(jnp.sum(fading**2) / 2) * wave
