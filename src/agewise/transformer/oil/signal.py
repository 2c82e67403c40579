"""A measured series as a function of time, for equations that are differentiated and compiled."""

from dataclasses import dataclass

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.oil.scales import as_jax_has_it
from agewise.types import Scalar


class HeldSignal(eqx.Module):
    """Constant over the interval that a sample ends (`backward`) or starts (`forward`): loads."""

    times: Float[Array | np.ndarray, " time"]
    """Instants of the samples, increasing, in the unit of time of the equation."""
    values: Float[Array | np.ndarray, " time"]
    """Values of the samples, in the unit of the equation."""
    hold: Hold = eqx.field(static=True, default="backward")
    """Interval that a sample stands for, `backward` or `forward`."""

    def __call__(self, t: Scalar) -> Scalar:
        """The value at `t`; at a sample itself, that sample's."""
        if self.hold == "backward":
            # The first sample that is not before t ends the interval in which t lies.
            index = jnp.searchsorted(self.times, t, side="left")
        else:
            # The last sample that is not after t starts the interval in which t lies.
            index = jnp.searchsorted(self.times, t, side="right") - 1
        # Clipped, so that before the first sample and after the last their own values hold.
        return jnp.asarray(self.values)[jnp.clip(index, 0, self.values.size - 1)]

    def at(self, times: Float[np.ndarray, " instant"]) -> Float[np.ndarray, " instant"]:
        """The values at many instants, in double precision but equal to those of calls one by one.

        By NumPy: nothing is traced, which for a thousand instants takes longer than the search.
        """
        sample_times, values = np.asarray(self.times), np.asarray(self.values)
        # Instants as an equation would have them, so that both find the same sample.
        instants = times.astype(sample_times.dtype)
        if self.hold == "backward":
            index = np.searchsorted(sample_times, instants, side="left")
        else:
            index = np.searchsorted(sample_times, instants, side="right") - 1
        return values[np.clip(index, 0, values.size - 1)].astype(float)


@dataclass(frozen=True, eq=False)
class HeldLoad:
    """The load and its doubt, constant over the interval that a sample stands for."""

    load: Float[np.ndarray, " time"]
    """Load of the interval [p.u.]."""
    doubt: Float[np.ndarray, " time"] | None
    """Error of an hour's mean rise due to the load [K]; None where there is none."""
    hold: Hold
    """Which interval that is, `backward` or `forward`."""

    @classmethod
    def of(cls, load: np.ndarray, doubt: np.ndarray | None, hold: Hold) -> "HeldLoad":
        """A held signal cannot be linear: each interval gets its mean load, and the larger of the
        doubts at its two ends."""
        if hold != "linear":
            return cls(load, doubt, hold)
        # The first sample ends no interval; it stands for itself alone.
        load = np.append(load[:1], interval_load(load, hold))
        if doubt is not None:
            doubt = np.append(doubt[:1], np.maximum(doubt[1:], doubt[:-1]))
        return cls(load, doubt, "backward")

    def looseness(
        self, times: Float[Array | np.ndarray, " time"], declared: float
    ) -> HeldSignal | None:
        """Factor on the declared error of the equation [K] over scaled time; None without doubt."""
        if self.doubt is None:
            return None
        # Independent errors add in squares: that of the equation, and that of the load.
        return HeldSignal(times, as_jax_has_it(np.hypot(1.0, self.doubt / declared)), self.hold)


def interval_means(values: Float[np.ndarray, " time"], hold: Hold) -> Float[np.ndarray, " time"]:
    """The mean of each interval between samples, at the sample that stands for the interval."""
    # What is straight between samples has its mean in the middle.
    middle = (values[1:] + values[:-1]) / 2
    if hold == "forward":
        return np.append(middle, values[-1:])
    return np.append(values[:1], middle)
