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
    hours = np.empty((len(limits), count))
    for _ in counted(seconds, temperatures, limits, hours):
        pass
    return hours


def counted(
    seconds: Float[np.ndarray, " time"],
    temperatures: Batches,
    limits: Sequence[float],
    hours: Float[np.ndarray, "limit draw"],
) -> Batches:
    """The same batches, whose time above each limit is written into `hours` as they pass [h]."""
    steps = np.diff(seconds) / SECONDS_PER_HOUR
    for rows, batch in temperatures:
        for place, limit in enumerate(limits):
            hours[place, rows] = (batch[:, 1:] > limit) @ steps
        yield rows, batch
