"""The headline of a thermal history."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.iec60076 import ThermalHistory
from agewise.units import SECONDS_PER_HOUR


@dataclass(frozen=True)
class ThermalSummary:
    """The headline of a plain IEC answer."""

    top_oil: tuple[float, float]
    """Lowest and highest top-oil temperature [°C]."""
    hot_spot_peak: float
    """Highest hot-spot temperature [°C]."""
    hottest_row: int
    """Row of the profile, counted from 0, in which the hot spot peaks first."""
    limit: float
    """Limit of the hot spot under normal cyclic loading [°C]."""
    hours_above_limit: float
    """Time for which the hot spot is above that limit [h]."""
    loss_of_life: float
    """Life used from the first row to the last [h]."""
    mean_ageing_rate: float
    """Hours of life that an hour used on average [1]."""


def thermal_summary(seconds: Float[np.ndarray, " time"], history: ThermalHistory) -> ThermalSummary:
    """The figures that a person looks for first."""
    limit = LIMITS["normal cyclic"].hot_spot
    above = history.hot_spot > limit
    # Instants count from the first row, so that the last one is the length.
    hours = seconds[-1] / SECONDS_PER_HOUR
    return ThermalSummary(
        top_oil=(float(history.top_oil.min()), float(history.top_oil.max())),
        hot_spot_peak=float(history.hot_spot.max()),
        hottest_row=int(history.hot_spot.argmax()),
        limit=limit,
        # A row stands for the interval that ends there, as in the guide's difference form.
        hours_above_limit=float(np.diff(seconds) @ above[1:]) / SECONDS_PER_HOUR,
        loss_of_life=float(history.loss_of_life[-1]),
        mean_ageing_rate=float(history.loss_of_life[-1] / hours),
    )
