"""Between the units of a plant and those in which methods work."""

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Float


def as_jax_has_it(values) -> Float[np.ndarray, "..."]:
    """Numbers in the precision that JAX gives them now, as an array of NumPy."""
    return np.asarray(values, dtype=jax.dtypes.canonicalize_dtype(float))


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

    def point(self, heights, seconds) -> Float[np.ndarray, "*points dim"]:
        """Points (x, t) of the unit square, from heights [m] and times [s]."""
        # In JAX's precision but by NumPy, which compiles nothing for a record of another length.
        given = (as_jax_has_it(axis) for axis in (heights, seconds))
        scaled = (
            axis / axis.dtype.type(unit)
            for axis, unit in zip(given, (self.height, self.window), strict=True)
        )
        return np.stack(np.broadcast_arrays(*scaled), axis=-1)

    def scaled(self, temperature):
        """A scaled temperature, of order one, from one in °C."""
        return (temperature - self.mean) / self.spread

    def celsius(self, u):
        """The temperature [°C] of a scaled one."""
        return self.mean + self.spread * u
