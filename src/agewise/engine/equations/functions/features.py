"""What a network on any box is fed with: stretched coordinates, and waves where a box closes."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.types import Point

STRETCH = 2.0
"""Half the width of the box as a network sees it [1]. Measured on Burgers', Helmholtz' and the wave
equation: with 1 steep fronts come late, with 4 the wave equation is ten times further off."""
RING_WAVES = 4
"""Waves around a closed coordinate. Measured on Allen-Cahn's equation: ten take twice the time to
the same error."""


class BoxFeatures(eqx.Module):
    """Every open coordinate stretched to both sides of zero, every closed one as waves.

    The waves fade with their number, since fast changes are rarer than slow ones.
    """

    lower: tuple[float, ...] = eqx.field(static=True)
    """Least value of every coordinate, in its unit."""
    upper: tuple[float, ...] = eqx.field(static=True)
    """Largest value of every coordinate, in its unit."""
    closed: tuple[bool, ...] = eqx.field(static=True)
    """Whether the two ends of a coordinate are the same place."""
    stretch: float = STRETCH
    """Half the width of the box as the network sees it [1]."""

    @property
    def count(self) -> int:
        """Number of features."""
        return sum(2 * RING_WAVES if closed else 1 for closed in self.closed)

    def __call__(self, point: Point) -> Float[Array, " feature"]:
        """The features at one point."""
        return jnp.concatenate([self._along(axis, point) for axis in range(len(self.lower))])

    def _along(self, axis: int, point: Point) -> Float[Array, " feature"]:
        low, high = self.lower[axis], self.upper[axis]
        share = (point[axis] - low) / (high - low)
        if not self.closed[axis]:
            # From -stretch to stretch, where tanh of a unit's sum bends.
            return jnp.reshape(self.stretch * (2 * share - 1), (1,))
        number = np.arange(1, RING_WAVES + 1)
        # Whole waves around the ring: value and all derivatives agree where the ends meet.
        phase, size = 2 * np.pi * number * share, self.stretch / number
        return jnp.concatenate([size * jnp.cos(phase), size * jnp.sin(phase)])
