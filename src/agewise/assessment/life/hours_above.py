"""Time above limits of a temperature, in draws."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.exposure import Batches
from agewise.units import SECONDS_PER_HOUR


def hours_above(
    seconds: Float[np.ndarray, " time"], temperatures: Batches, count: int, limits: Sequence[float]
) -> Float[np.ndarray, "limit draw"]:
    """Time above each of some limits in `count` draws [h].

    A sample stands for the interval that ends there.
    """
    steps, hours = np.diff(seconds) / SECONDS_PER_HOUR, np.empty((len(limits), count))
    for rows, batch in temperatures:
        for place, limit in enumerate(limits):
            hours[place, rows] = (batch[:, 1:] > limit) @ steps
    return hours
