"""A measured series as a function of time, for equations that are differentiated and compiled."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.transformer.between_samples import Hold
from agewise.types import Scalar


class HeldSignal(eqx.Module):
    """Constant over the interval that a sample ends (`backward`) or starts (`forward`): loads."""

    times: Float[Array, " time"]
    """Instants of the samples, increasing, in the unit of time of the equation."""
    values: Float[Array, " time"]
    """Values of the samples."""
    hold: Hold = eqx.field(static=True, default="backward")
    """Interval that a sample stands for, `backward` or `forward`."""

    def __call__(self, t: Scalar) -> Scalar:
        """The value at `t`; at a sample itself, that sample's."""
        if self.hold == "backward":
            index = jnp.searchsorted(self.times, t, side="left")
        else:
            index = jnp.searchsorted(self.times, t, side="right") - 1
        # Clipped, so that before the first sample and after the last their own values hold.
        return self.values[jnp.clip(index, 0, self.values.size - 1)]

    def at(self, times: Float[np.ndarray, " instant"]) -> Float[np.ndarray, " instant"]:
        """The values at many instants, in double precision but equal to those of calls one by one.

        By NumPy: nothing is traced, which for a thousand instants takes longer than the search.
        """
        known, values = np.asarray(self.times), np.asarray(self.values)
        # Instants as an equation would have them, so that both find the same sample.
        instants = times.astype(known.dtype)
        if self.hold == "backward":
            index = np.searchsorted(known, instants, side="left")
        else:
            index = np.searchsorted(known, instants, side="right") - 1
        return values[np.clip(index, 0, values.size - 1)].astype(float)
