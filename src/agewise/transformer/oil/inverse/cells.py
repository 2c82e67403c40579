"""Readings between the ends, gathered into means over stretches of time."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.sparse import csr_matrix

from agewise.transformer.oil.doubt.inside import LEAST_STD


@dataclass(frozen=True, eq=False)
class Cells:
    """Means of the readings of single sensors over stretches of time.

    Values at all sensors and rows are one long vector, sensor after sensor.
    """

    heights: Float[np.ndarray, " sensor"]
    """Heights of the sensors, as fractions."""
    readings: Float[np.ndarray, " reading"]
    """Every reading [°C]."""
    places: Int[np.ndarray, " reading"]
    """Place of every reading among the values at all sensors and rows."""
    cell: Int[np.ndarray, " reading"]
    """Number of the cell that every reading belongs to."""
    sensor: Int[np.ndarray, " cell"]
    """Number of the sensor of every cell."""
    seconds: Float[np.ndarray, " cell"]
    """Mean instant of the readings of every cell [s]."""
    values: int
    """Number of values at all sensors and rows."""

    @classmethod
    def of(
        cls,
        sensors: Mapping[float, Float[np.ndarray, " time"]],
        seconds: Float[np.ndarray, " time"],
        length: float,
    ) -> "Cells":
        """Cells of so many seconds of readings [°C] by height; NaN is no reading."""
        heights = np.array(sorted(sensors))
        table = np.stack([sensors[height] for height in heights])
        sensor, row = np.nonzero(np.isfinite(table))
        stretch = (seconds[row] // length).astype(int)
        # Numbered by sensor and stretch, then without holes.
        numbers = sensor * (stretch.max(initial=0) + 1) + stretch
        _, first, cell = np.unique(numbers, return_index=True, return_inverse=True)
        at = np.bincount(cell, seconds[row]) / np.bincount(cell)
        places = sensor * seconds.size + row
        return cls(heights, table[sensor, row], places, cell, sensor[first], at, table.size)

    @property
    def count(self) -> Int[np.ndarray, " cell"]:
        """Number of readings of every cell."""
        return np.bincount(self.cell)

    @property
    def mean(self) -> Float[np.ndarray, " cell"]:
        """Mean reading of every cell [°C]."""
        return np.bincount(self.cell, self.readings) / self.count

    @property
    def averages(self) -> csr_matrix:
        """The matrix that takes values at all sensors and rows to means of the cells."""
        shape = (self.count.size, self.values)
        return csr_matrix((1 / self.count[self.cell], (self.cell, self.places)), shape=shape)

    def std(
        self, expected: Float[np.ndarray, " value"], law: Float[np.ndarray, " value"]
    ) -> Float[np.ndarray, " cell"]:
        """Standard deviation of the mean of every cell [K].

        Sensors inside are of the make of those at the ends, each noisier or quieter by a factor of
        its own: by how its readings scatter within their cells.

        Args:
            expected: What is expected at all sensors and rows [°C].
            law: Variance of a reading there by the law of the ends' sensors [K²].
        """
        off, size = self.readings - expected[self.places], len(self.heights)
        inner = off - (np.bincount(self.cell, off) / self.count)[self.cell]
        sensor, own = self.sensor[self.cell], law[self.places]
        # Each cell's mean has taken one degree of freedom.
        free = own * (1 - 1 / self.count[self.cell])
        squares, foreseen = (np.bincount(sensor, each, minlength=size) for each in (inner**2, free))
        # Cells of single readings tell nothing of their noise: then the law alone does.
        factor = np.where(foreseen > 0, squares / np.where(foreseen > 0, foreseen, 1.0), 1.0)
        variance = factor[self.sensor] * np.bincount(self.cell, own) / self.count**2
        return np.sqrt(np.maximum(variance, LEAST_STD**2))
