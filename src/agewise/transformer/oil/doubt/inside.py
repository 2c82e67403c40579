"""Readings of sensors between the ends, gathered into cells."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

LEAST_STD = 0.02
"""Least standard deviation of the mean of a cell [K]: no thermometer is better calibrated."""


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
        # How readings scatter within their cells is noise; a single one a cell tells none, and
        # then neighbours do.
        inner = off - mean[cell]
        # Each cell's mean has taken one degree of freedom.
        free = inner.size - count.size
        noise = (
            float(inner @ inner) / free if free > count.size else float(np.var(np.diff(mean))) / 2
        )
        # Readings of a cell share a calibration, so that their mean is never better than that.
        std = np.sqrt(np.maximum(noise / count, LEAST_STD**2))
        at = np.bincount(cell, times[there]) / count
        parts.append((np.stack([np.full(at.size, height), at], axis=1), mean, std))
    if not parts:
        return None
    points, error, std = (np.concatenate(column) for column in zip(*parts, strict=True))
    # No columns yet: what the ends leave open is known to the posterior alone.
    return InsideReadings(points, error, std, np.zeros((len(std), 0)))
