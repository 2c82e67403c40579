"""Life that an ageing rate uses up over time."""

import numpy as np
from jaxtyping import Float, Int

from agewise.units import SECONDS_PER_HOUR


def loss_of_life(
    seconds: Float[np.ndarray, " time"], rate: Float[np.ndarray, "..."], *, axis: int
) -> Float[np.ndarray, "..."]:
    """Life used since the first sample: the integral of V by the trapezoid (IEC 60076-7, 6.4).

    Args:
        seconds: Instants [s], increasing.
        rate: Relative ageing rate at these instants.
        axis: The axis of time in `rate`: 0 over (time, height), 1 over (draw, time, height).

    Returns:
        Hours of life, in the shape of `rate`; 0 at the first instant.

    >>> loss_of_life(np.array([0.0, 1800.0, 3600.0]), np.array([1.0, 2.0, 3.0]), axis=0)
    array([0.  , 0.75, 2.  ])
    """
    if rate.shape[axis] != seconds.size:
        raise ValueError(f"Axis {axis} of {rate.shape} is not the {seconds.size} samples of time.")
    # Time last, so that the lengths of the intervals broadcast over all other axes.
    rate = np.moveaxis(rate, axis, -1)
    used = np.zeros(rate.shape)
    # Halved here, on the short array, for the mean of the two rates of each interval.
    half_hours = np.diff(seconds) / (2 * SECONDS_PER_HOUR)
    np.cumsum((rate[..., 1:] + rate[..., :-1]) * half_hours, axis=-1, out=used[..., 1:])
    return np.moveaxis(used, -1, axis)


def loss_of_life_at(
    seconds: Float[np.ndarray, " time"],
    rate: Float[np.ndarray, "draw time"],
    samples: Int[np.ndarray, " sample"],
) -> Float[np.ndarray, "draw sample"]:
    """Life used since the first instant, at some of the instants alone [h].

    The same as `loss_of_life`, which adds up from instant to instant: where a few are asked for,
    the sums between them take a quarter of the time.

    Args:
        seconds: Instants [s], increasing.
        rate: Relative ageing rate at these instants.
        samples: Places of the instants that are asked for, in any order.

    >>> loss_of_life_at(np.array([0.0, 1800.0, 3600.0]), np.array([[1.0, 2.0, 3.0]]), np.array([2]))
    array([[2.]])
    """
    # An instant for nearly every sample leaves nothing to save.
    if 2 * samples.size > seconds.size:
        return loss_of_life(seconds, rate, axis=1)[:, samples]
    # 0 in front, so that the first sum begins at the first instant.
    ends = np.unique(np.append(0, samples))
    # Cut at the last instant asked for, since the last sum of `reduceat` runs to the end.
    intervals = rate[:, 1 : ends[-1] + 1] + rate[:, : ends[-1]]
    intervals *= np.diff(seconds[: ends[-1] + 1]) / (2 * SECONDS_PER_HOUR)
    used = np.zeros((len(rate), ends.size))
    np.cumsum(np.add.reduceat(intervals, ends[:-1], axis=1), axis=1, out=used[:, 1:])
    # Back into the order, and with the repeats, in which instants were asked for.
    return used[:, np.searchsorted(ends, samples)]
