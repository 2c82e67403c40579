"""Functions of a point that a vector of numbers stands for, each number normal beforehand."""

from abc import abstractmethod
from itertools import pairwise

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.equations.features import BoxFeatures
from agewise.types import Point, Scalar

FIRST_BIASES = 0.5
"""Standard deviation of biases to start from [1], so that units do not all bend at one place."""

SCALE_DOUBT = 1.0
"""Standard deviation of the natural logarithm of a scale beforehand [1]: a factor of e."""

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


class Perceptron(AbstractNetwork):
    r"""Layers of tanh units: $W_L \tanh(\dots \tanh(W_1 \phi(p) + b_1) \dots) + b_L$.

    A weight is a number over the root of the inputs that it is summed with, so that the prior
    functions are of order one however wide the layers are. How fast they change along each feature
    and how large they are is learned beside the weights: the first numbers are the logarithms of
    these scales.
    """

    features: BoxFeatures
    """What the first layer is fed with."""
    hidden: tuple[int, ...] = eqx.field(static=True)
    """Units of each hidden layer."""

    @property
    def widths(self) -> tuple[int, ...]:
        """Width of every layer, the features first."""
        return (self.features.count, *self.hidden, 1)

    @property
    def size(self) -> int:
        """Scales, weights and biases of all layers."""
        return self._scales + sum((ins + 1) * outs for ins, outs in pairwise(self.widths))

    @property
    def _scales(self) -> int:
        """One scale for every feature, and one for the function itself."""
        return self.features.count + 1

    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """Scales as they are expected, weights as the prior has them, smaller biases."""
        parts = [np.zeros(self._scales)]
        for ins, outs in pairwise(self.widths):
            parts += [rng.standard_normal(ins * outs), FIRST_BIASES * rng.standard_normal(outs)]
        return np.concatenate(parts)

    def value(self, numbers: Numbers, point: Point) -> Scalar:
        """The network, layer by layer."""
        scales = jnp.exp(SCALE_DOUBT * numbers[: self._scales])
        state, start, last = self.features(point) * scales[:-1], self._scales, len(self.widths) - 2
        for layer, (ins, outs) in enumerate(pairwise(self.widths)):
            middle, end = start + ins * outs, start + (ins + 1) * outs
            weight = jnp.reshape(numbers[start:middle], (ins, outs)) / np.sqrt(ins)
            state, start = state @ weight + numbers[middle:end], end
            state = jnp.tanh(state) if layer < last else state
        return scales[-1] * state[0]


class Polynomials(AbstractNetwork):
    """Products of Chebyshev polynomials, each coefficient fading with the degree: linear.

    What is not affine in the unknown function has no closed form; with these functions what is
    affine has one.
    """

    lower: tuple[float, ...] = eqx.field(static=True)
    """Least value of every coordinate, in its unit."""
    upper: tuple[float, ...] = eqx.field(static=True)
    """Largest value of every coordinate, in its unit."""
    degree: int = eqx.field(static=True)
    """Highest degree along each coordinate."""
    reach: float = eqx.field(static=True)
    """Degree from which coefficients fade [1]: how fast the functions may change."""

    @property
    def size(self) -> int:
        """Products of one polynomial for each coordinate."""
        return (self.degree + 1) ** len(self.lower)

    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """The zero function: the answer does not depend on where it starts."""
        return np.zeros(self.size)

    def value(self, numbers: Numbers, point: Point) -> Scalar:
        """The sum of all products at one point."""
        sizes = self._sizes()
        coefficients = jnp.reshape(numbers, (self.degree + 1,) * len(self.lower))
        for axis in reversed(range(len(self.lower))):
            coefficients = coefficients @ (sizes * self._chebyshev(axis, point))
        return jnp.reshape(coefficients, ())

    def _sizes(self) -> Float[np.ndarray, " degree"]:
        """Standard deviations of the coefficients, by degree."""
        return np.exp(-0.5 * (np.arange(self.degree + 1) / self.reach) ** 2)

    def _chebyshev(self, axis: int, point: Point) -> Float[Array, " degree"]:
        low, high = self.lower[axis], self.upper[axis]
        z = 2 * (point[axis] - low) / (high - low) - 1
        values = [jnp.ones_like(z), z]
        for _ in range(2, self.degree + 1):
            values.append(2 * z * values[-1] - values[-2])
        return jnp.stack(values[: self.degree + 1])
