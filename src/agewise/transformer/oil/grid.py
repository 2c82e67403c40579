"""A function of height and time that is kept on a grid."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.oil.elements import LineElements


@dataclass(frozen=True, eq=False)
class GridFunction:
    """Finite elements in height, linear in time; one function, or many with a leading draw axis."""

    elements: LineElements
    """Elements over the height, in the unit of height of the points."""
    times: Float[np.ndarray, " time"]
    """Instants of the grid, increasing, in the unit of time of the points."""
    values: Float[np.ndarray, "*draw time node"]
    """Values at every instant and node."""

    def __call__(self, points: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, "*draw point"]:
        """The values at points (x, t); before and after the grid, those of its first or last
        instant."""
        x, t = points[:, 0], points[:, 1]
        after = np.clip(np.searchsorted(self.times, t), 1, self.times.size - 1)
        # Clipped, so that nothing is extrapolated in time.
        share = np.clip(
            (t - self.times[after - 1]) / (self.times[after] - self.times[after - 1]), 0, 1
        )
        shapes = self.elements.shapes(x)
        # One local function at a time: with many draws, all at once would not fit in memory.
        total = np.zeros((*self.values.shape[:-2], len(points)))
        for column, weight in zip(shapes.columns.T, shapes.values.T, strict=True):
            total += weight * (1 - share) * self.values[..., after - 1, column]
            total += weight * share * self.values[..., after, column]
        return total
