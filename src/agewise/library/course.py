"""A function of (x, t) from a solver: a series in x whose coefficients change in time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.types import T, X

BATCH = 2000
"""Points that are evaluated at a time, so that memory does not grow with their number."""


@dataclass(frozen=True, eq=False)
class Course:
    """As accurate at any point as at those of the solver, since nothing is interpolated in x."""

    basis: Callable[[np.ndarray], np.ndarray]
    """Functions of the series at places: one row a place, one column a function."""
    coefficients: Callable[[np.ndarray], np.ndarray]
    """Coefficients at instants: one row a function, one column an instant."""

    def __call__(self, points: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, " point"]:
        """The function at points (x, t)."""
        batches = np.split(points, np.arange(BATCH, len(points), BATCH))
        return np.concatenate([self._at(batch) for batch in batches])

    def _at(self, points: np.ndarray) -> np.ndarray:
        instants, which = np.unique(points[:, T], return_inverse=True)
        # Grids have few instants at many places: each is asked for once.
        coefficients = self.coefficients(instants)[:, which]
        # Row by row and not as a matrix: every place has an instant of its own.
        return np.sum(self.basis(points[:, X]) * coefficients.T, axis=1)
