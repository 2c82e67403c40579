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
    """°C, lowest and highest"""
    hot_spot_peak: float
    """°C"""
    hottest_row: int
    limit: float
    """°C, of the hot spot under normal cyclic loading"""
    hours_above_limit: float
    """h with the hot spot above that"""
    loss_of_life: float
    """h"""
    mean_ageing_rate: float


def thermal_summary(seconds: Float[np.ndarray, " time"], history: ThermalHistory) -> ThermalSummary:
    """The figures that a person looks for first."""
    limit = LIMITS["normal cyclic"].hot_spot
    above = history.hot_spot > limit
    hours = seconds[-1] / SECONDS_PER_HOUR
    return ThermalSummary(
        top_oil=(float(history.top_oil.min()), float(history.top_oil.max())),
        hot_spot_peak=float(history.hot_spot.max()),
        hottest_row=int(history.hot_spot.argmax()),
        limit=limit,
        hours_above_limit=float(np.diff(seconds) @ above[1:]) / SECONDS_PER_HOUR,
        loss_of_life=float(history.loss_of_life[-1]),
        mean_ageing_rate=float(history.loss_of_life[-1] / hours),
    )
