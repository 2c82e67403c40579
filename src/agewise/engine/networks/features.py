"""What a network is fed with: the coordinates, and waves of the time."""

from abc import abstractmethod

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.jet import Layers
from agewise.types import Point, T


class AbstractFeatures(eqx.Module):
    """Functions of a point in the unit box, with their derivatives."""

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of features."""

    @abstractmethod
    def __call__(self, point: Point) -> Float[Array, " feature"]:
        """The features at one point."""

    @abstractmethod
    def jet(self, points: Float[Array, "point dim"]) -> Layers:
        """Values, first derivatives, and second along the height."""


class Coordinates(AbstractFeatures):
    """The coordinates themselves, stretched to [-1, 1]."""

    dimension: int = eqx.field(static=True, default=2)
    """Number of coordinates of a point."""

    @property
    def count(self) -> int:
        """One for each coordinate."""
        return self.dimension

    def __call__(self, point: Point) -> Float[Array, " feature"]:
        """The coordinates of one point, stretched."""
        # Centred and of order one, where tanh bends; raw shares would sit on one side of zero.
        return 2 * point - 1

    def jet(self, points: Float[Array, "point dim"]) -> Layers:
        """Straight lines: their second derivative is zero."""
        # One row serves all points, since a line has the same slope everywhere (see `Layers`).
        # One layer a coordinate, each a single row: the slope of 2 c - 1 along its own axis.
        slopes = 2 * jnp.eye(self.dimension)[:, None]
        return 2 * points - 1, *slopes, jnp.zeros((1, self.dimension))


class Harmonics(AbstractFeatures):
    """The coordinates, and harmonics of the window that fade as the power of their number.

    The fading is a prior: fast changes are rarer than slow ones. Without it a network of random
    weights is rough, and second-order training fits the gaps between collocation points.
    """

    harmonics: int = eqx.field(static=True, default=24)
    """Number of harmonics: the fastest has so many waves in the window."""
    fading: float = eqx.field(static=True, default=1.0)
    """Power of its number by which a harmonic is scaled down [1]; 0 leaves all alike."""
    dimension: int = eqx.field(static=True, default=2)
    """Number of coordinates of a point."""

    @property
    def count(self) -> int:
        """The coordinates, a cosine and a sine for each harmonic."""
        return self.dimension + 2 * self.harmonics

    def __call__(self, point: Point) -> Float[Array, " feature"]:
        """Coordinates, cosines, sines."""
        size, speed = self._waves()
        phase = speed * point[T]
        return jnp.concatenate([2 * point - 1, size * jnp.cos(phase), size * jnp.sin(phase)])

    def _waves(self) -> tuple[np.ndarray, np.ndarray]:
        number = np.arange(1, self.harmonics + 1)
        # NumPy constants, so that `number` to a power is worked out when the function is compiled.
        return number**-self.fading, 2 * np.pi * number

    def jet(self, points: Float[Array, "point dim"]) -> Layers:
        """Waves of the time alone: flat along the height."""
        size, speed = self._waves()
        # Cosines and sines are each other's slopes, so they are evaluated once for both layers.
        cosine, sine = (size * wave(speed * points[:, T, None]) for wave in (jnp.cos, jnp.sin))
        slopes = jnp.concatenate([-speed * sine, speed * cosine], axis=-1)
        # Waves run along the time alone: every derivative along the height is zero, its second too.
        flat = jnp.zeros((1, 2 * self.harmonics))
        firsts = [slopes if axis == T else flat for axis in range(self.dimension)]
        waves = jnp.concatenate([cosine, sine], axis=-1), *firsts, flat
        lines = Coordinates(self.dimension).jet(points)
        # Coordinates first, then waves: the order of `__call__`, on which the weights depend.
        return tuple(_beside(line, wave) for line, wave in zip(lines, waves, strict=True))


def _beside(
    left: Float[Array, "_ feature"], right: Float[Array, "_ more"]
) -> Float[Array, "_ all"]:
    """Features of two kinds in one layer, a single row repeated where the other has more."""
    rows = max(len(left), len(right))
    parts = [jnp.broadcast_to(part, (rows, part.shape[1])) for part in (left, right)]
    return jnp.concatenate(parts, axis=1)
