"""A Gaussian process as the last layer of a network: random waves of its hidden units."""

from dataclasses import replace
from itertools import pairwise

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from agewise.engine.equations.functions.networks import (
    AbstractGained,
    Numbers,
    Perceptron,
    through_layers,
)
from agewise.engine.equations.functions.unknown import Unknown
from agewise.types import Point, Scalar

BOUND = 0.95
"""Largest factor by which a hidden layer may stretch a distance [1] (Liu et al. 2020)."""


class LastProcess(AbstractGained):
    r"""$a \sqrt{2/n} \sum_k w_k \cos(\omega_k \cdot h(p)/\ell + b_k)$, linear in its numbers $w$.

    $h$ is the place itself beside the last hidden units of a trained network whose layers were held
    to stretch no distance, so that far places are far in $h$. With random $\omega$ and $b$ the sum
    is a Gaussian process of length $\ell$ and amplitude $a$ in $n$ numbers.
    """

    base: Perceptron
    """The network whose hidden units these are."""
    count: int = eqx.field(static=True)
    """Number of random waves, and of numbers."""
    gains: Float[Array | np.ndarray, " group"]
    """Amplitude of the process beforehand, one number in an array."""
    length: Float[Array | np.ndarray, ""]
    """Length over which the process forgets, in units of `h`."""
    hidden: Float[Array | np.ndarray, " weight"]
    """Weights of the trained network, held to stretch no distance, gains included."""

    @property
    def size(self) -> int:
        """One number a wave."""
        return self.count

    @property
    def groups(self) -> Int[np.ndarray, " number"]:
        """All numbers have the one amplitude."""
        return np.zeros(self.count, dtype=int)

    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """A function of the process."""
        return rng.standard_normal(self.count)

    def value(self, numbers: Numbers, point: Point) -> Scalar:
        """The sum of all waves."""
        place = self.base.features(point)
        units, _ = through_layers(jnp.asarray(self.hidden), self.base.widths, place)
        rng = np.random.default_rng(0)  # one seed for all: a file holds no waves
        # The place itself too: hidden units may be alike at places that are far apart.
        inputs = self.base.widths[-2] + self.base.features.count
        waves = rng.standard_normal((self.count, inputs))
        # Normal frequencies over ℓ: the kernel is e^(-|h - h'|²/2ℓ²) (Rahimi and Recht).
        phases = waves @ jnp.concatenate([units, place]) / self.length
        turned = jnp.cos(phases + rng.uniform(0, 2 * np.pi, self.count))
        # cos² is a half on average, so that √(2/n) makes the variance one.
        return self.gains[0] * np.sqrt(2 / self.count) * jnp.dot(numbers, turned)

    @property
    def kept(self) -> Float[np.ndarray, " kept"]:
        """Amplitude, length and the held network."""
        length = np.reshape(self.length, 1)
        return np.concatenate([np.asarray(self.gains), length, np.asarray(self.hidden)])

    def with_kept(self, kept: Float[np.ndarray, " kept"]) -> "LastProcess":
        """The same with what was stored."""
        return replace(self, gains=kept[:1], length=np.asarray(kept[1]), hidden=kept[2:])


def processes(unknown: Unknown, count: int) -> Unknown:
    """Unknowns whose functions are processes on the hidden units that they have; none is held."""
    functions = {}
    for name, function in unknown.functions.items():
        base = function.network
        assert isinstance(base, Perceptron)
        # The learned gains go into the held weights, so the base here must not apply them again.
        plain = base.with_kept(np.ones(len(base.gains)))
        network = LastProcess(
            base=plain,
            count=count,
            gains=np.ones(1),
            length=np.asarray(1.0),
            hidden=np.zeros(base.size),
        )
        functions[name] = replace(function, network=network)
    return Unknown.of(functions, unknown.constants)


def held(network: Perceptron, numbers: Float[np.ndarray, " number"]) -> np.ndarray:
    """Weights of a trained network, every hidden layer scaled down to stretch no distance."""
    weights, start = numbers * np.asarray(network.gains)[network.groups], 0
    for ins, outs in pairwise(network.widths):
        end = start + ins * outs
        layer = weights[start:end].reshape(ins, outs) / np.sqrt(ins)
        # Spectral norm, the most by which a layer stretches; tanh itself never stretches.
        weights[start:end] *= min(1.0, BOUND / np.linalg.norm(layer, 2))
        # Biases move places but stretch nothing, and stay.
        start = end + outs
    return weights
