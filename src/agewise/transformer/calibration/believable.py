"""Readings of the top oil that nothing is learned from: those that no oil can have shown."""

import numpy as np
from jaxtyping import Float
from scipy.ndimage import median_filter

Series = Float[np.ndarray, " time"]
"""A number for each row of a profile."""

HOTTEST_C = 120.0
"""Top oil above which a thermometer is doubted [°C]: IEC 60076-7 permits 115 °C in the shortest
emergency, and an oil that is as hot as this trips its unit."""
COLDER_K = 20.0
"""How much colder than the air oil is not [K]: it follows the air within hours."""
SPIKE_K, SPIKE_ROWS = 15.0, 5
"""Distance from the median of so many neighbouring rows that is a spike [K]: a tank of oil takes an
hour and more to move so far, and comes back no faster."""
RARE = 0.05
"""Share of a record up to which such readings are a thermometer's faults. Where there are more,
nobody knows which of them are right, and all are kept."""


def believable(measured: Series, air: Series) -> Series:
    """Top oil without the few readings that no oil can have shown.

    Args:
        measured: Measured top oil [°C]; NaN where there is no reading.
        air: Air temperature [°C].

    Returns:
        The readings, NaN also where they are doubted.
    """
    there = np.isfinite(measured)
    if not there.any():
        return measured
    # Neighbours are the readings that are there, so that the edge of a hole is no spike.
    series = measured[there]
    usual = median_filter(series, SPIKE_ROWS, mode="nearest")
    doubted = (series > HOTTEST_C) | (series < air[there] - COLDER_K)
    doubted |= np.abs(series - usual) > SPIKE_K
    if doubted.mean() > RARE:
        return measured
    kept = measured.copy()
    kept[there] = np.where(doubted, np.nan, series)
    return kept
