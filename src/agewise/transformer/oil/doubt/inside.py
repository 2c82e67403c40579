"""Readings of sensors between the ends, gathered into cells."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

LEAST_STD = 0.02
"""Least standard deviation of the mean of a cell [K]: no thermometer is better calibrated."""
UNTOLD_STD = 0.6
"""Standard deviation of a reading where too few tell it [K]: what IEC 60751 tolerates of a
resistance thermometer of class B at 60 °C."""


@dataclass(frozen=True, eq=False)
class InsideReadings:
    """Means of cells of readings between the ends, less what the equation expects there."""

    points: Float[np.ndarray, "cell 2"]
    """Height (fraction) and instant (share of the window) of each cell."""
    error: Float[np.ndarray, " cell"]
    """Mean reading minus expected oil [K]."""
    std: Float[np.ndarray, " cell"]
    """Standard deviation of that mean [K]."""
    ends: Float[np.ndarray, "cell column"]
    """What may be wrong with the expected oil though the equation be right, since its ends are
    smoothed readings [K]: a root of the covariance of the cells."""


def inside_readings(
    sensors: Mapping[float, Float[np.ndarray, " time"]],
    times: Float[np.ndarray, " time"],
    expected: Mapping[float, Float[np.ndarray, " time"]],
    window: float,
    cell_s: float,
) -> InsideReadings | None:
    """Readings of the sensors between the ends in cells; None where there are none.

    Args:
        sensors: Temperatures [°C] by height, NaN where there is none.
        times: Instants of the rows, as shares of the window.
        expected: What is expected of each sensor at these instants [°C].
        window: Length of the window [s].
        cell_s: Length of a cell [s].
    """
    parts = []
    for height, values in sensors.items():
        there = np.isfinite(values)
        if not there.any():
            continue
        off, cell = (
            (values - expected[height])[there],
            (times[there] * window // cell_s).astype(int),
        )
        # Numbered anew without holes, as `bincount` needs it.
        cell = np.unique(cell, return_inverse=True)[1]
        count = np.bincount(cell)
        mean = np.bincount(cell, off) / count
        noise = _noise(off - mean[cell], mean, count)
        # Readings of a cell share a calibration, so that their mean is never better than that.
        std = np.sqrt(np.maximum(noise / count, LEAST_STD**2))
        at = np.bincount(cell, times[there]) / count
        parts.append((np.stack([np.full(at.size, height), at], axis=1), mean, std))
    if not parts:
        return None
    points, error, std = (np.concatenate(column) for column in zip(*parts, strict=True))
    # No columns yet: what the ends leave open is known to the posterior alone.
    return InsideReadings(points, error, std, np.zeros((len(std), 0)))


def _noise(
    inner: Float[np.ndarray, " reading"],
    mean: Float[np.ndarray, " cell"],
    count: Int[np.ndarray, " cell"],
) -> float:
    """Variance of a single reading [K²], from readings less the mean of their cell, these means,
    and the number of readings in each cell."""
    # Each cell's mean has taken one degree of freedom.
    free = inner.size - count.size
    # How readings scatter within their cells is noise; a single one a cell tells none, and then
    # neighbours do.
    if free >= count.size:
        return float(inner @ inner) / free
    steps = np.diff(mean)
    # A single step may be a drift as well as noise.
    if steps.size < 2:
        return UNTOLD_STD**2
    # The variance of a step is that of two means, and a mean of two readings has half of theirs.
    return float(np.var(steps)) / float(np.mean(1 / count[1:] + 1 / count[:-1]))
