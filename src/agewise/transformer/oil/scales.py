"""Between the units of a plant and those in which methods work."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float


class Scales(eqx.Module):
    """Between plant units and the unit square: m, s and °C on one side, order one on the other."""

    height: float
    """Height of the oil, which becomes 1 [m]."""
    window: float
    """Length of the record, which becomes 1 [s]."""
    mean: float
    """Temperature that becomes 0 [°C]."""
    spread: float
    """Temperature difference that becomes 1 [K]."""

    def point(self, heights, seconds) -> Float[Array, "*points dim"]:
        """Points (x, t) of the unit square, from heights [m] and times [s]."""
        scaled = jnp.broadcast_arrays(
            jnp.asarray(heights) / self.height, jnp.asarray(seconds) / self.window
        )
        return jnp.stack(scaled, axis=-1)

    def scaled(self, temperature):
        """A scaled temperature, of order one, from one in °C."""
        return (temperature - self.mean) / self.spread

    def celsius(self, u):
        """The temperature [°C] of a scaled one."""
        return self.mean + self.spread * u
