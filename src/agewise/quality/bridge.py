"""Bridges: straight lines across short holes."""

import numpy as np
from jaxtyping import Float


def bridged(
    seconds: Float[np.ndarray, " time"], values: Float[np.ndarray, " time"], reach_s: float
) -> Float[np.ndarray, " time"]:
    """The values with straight lines across short holes.

    Args:
        seconds: Times of the values [s], increasing.
        values: The values; NaN in holes.
        reach_s: Longest time between the two observations beside a hole that is bridged [s].
    """
    present = np.flatnonzero(~np.isnan(values))
    if present.size in (0, values.size):
        return values
    holes = np.flatnonzero(np.isnan(values))
    place = np.searchsorted(present, holes)
    # At either end of the series a hole has one neighbour only, and stays.
    inside = (place > 0) & (place < present.size)
    holes, place = holes[inside], place[inside]
    short = seconds[present[place]] - seconds[present[place - 1]] <= reach_s
    filled = values.copy()
    bridgeable = holes[short]
    filled[bridgeable] = np.interp(seconds[bridgeable], seconds[present], values[present])
    return filled
