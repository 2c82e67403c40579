"""Bridges: straight lines across short holes."""

import numpy as np
from jaxtyping import Float


def bridged(
    seconds: Float[np.ndarray, " time"], values: Float[np.ndarray, " time"], reach_s: float
) -> Float[np.ndarray, " time"]:
    """The values with straight lines across holes between observations `reach_s` apart or less."""
    present = np.flatnonzero(~np.isnan(values))
    if present.size in (0, values.size):
        return values
    holes = np.flatnonzero(np.isnan(values))
    place = np.searchsorted(present, holes)
    inside = (place > 0) & (place < present.size)
    holes, place = holes[inside], place[inside]
    short = seconds[present[place]] - seconds[present[place - 1]] <= reach_s
    filled = values.copy()
    at = holes[short]
    filled[at] = np.interp(seconds[at], seconds[present], values[present])
    return filled
