"""The readings of a problem as a network sees them: as they are, or averaged over cells of time."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from agewise.engine.posterior import Measured, Points, generator
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.ends import time_intervals
from agewise.engine.splines.noise import LAWS, NoiseLaw, fitted_law
from agewise.types import Key, T

KINDS = {"heteroscedastic": tuple(LAWS), "homoscedastic": ("constant",)}
"""Laws of noise to choose from."""
ROUNDING = 0.01
"""Share of a cell by which a time in single precision may fall short of its edge."""

GUESS = 0.01
"""Share of the variance of readings that is taken for noise where no place was read thrice."""

SHARPEST = 1e-3
"""Least share of its variance to which noise is lowered, so that readings lead."""


SILENT = 1e-12
"""Variance of readings where nothing is read: as good as none."""


@dataclass(frozen=True)
class Readings:
    """Readings and the cells into which they fall; a cell holds one sensor's quarter of an hour.

    Within a cell the unknown function is nearly straight, so the mean of its readings says all that
    they say, and a step of training costs a fifteenth.
    """

    points: Points
    values: Float[np.ndarray, " reading"]
    known: Float[np.ndarray, " reading"]
    """The variance of the noise where it is known beforehand, else NaN."""
    cell: Int[np.ndarray, " reading"]
    """Number of the cell into which each reading falls."""
    problem: AbstractProblem

    @classmethod
    def of(cls, problem: AbstractProblem, *, averaged: bool = True) -> "Readings":
        """All readings of a problem; none is no error here, since an equation may stand alone."""
        sensors = problem.observations().values()
        if not sensors:
            empty = np.zeros(0)
            return cls(np.zeros((0, 2)), empty, empty, empty.astype(int), problem)
        measured = Measured.of(problem)
        cell = _cells(problem, measured) if averaged else np.arange(len(measured.values))
        return cls(measured.points, measured.values, measured.known, cell, problem)

    def subset(self, rows: Int[np.ndarray, " kept"]) -> "Readings":
        """These readings alone; those that shared a cell still do."""
        _, cell = np.unique(self.cell[rows], return_inverse=True)
        return Readings(self.points[rows], self.values[rows], self.known[rows], cell, self.problem)

    def thinned(self, count: int, *, key: Key) -> "Readings":
        """So many of the readings, picked at random; all of them where `count` is 0 or more."""
        total = self.values.size
        if not 0 < count < total:
            return self
        return self.subset(np.sort(generator(key).choice(total, count, replace=False)))

    @property
    def learned(self) -> Bool[np.ndarray, " reading"]:
        """Readings that teach the noise."""
        return np.isnan(self.known)

    @property
    def instants(self) -> Float[np.ndarray, " instant"]:
        """Times about which every place was read."""
        mine = self.points[self.learned] if self.learned.any() else self.points
        interval = _intervals(self.problem, mine)
        _, place = np.unique(np.delete(mine, T, axis=1), axis=0, return_inverse=True)
        seen = np.zeros((interval.max(initial=0) + 1, place.max(initial=0) + 1), dtype=bool)
        seen[interval, place.ravel()] = True
        throughout = np.flatnonzero(np.all(seen, axis=1)[interval])
        return mine[throughout if throughout.size else slice(None), T]

    def variance(self, learned: Float[np.ndarray, " reading"]) -> Float[np.ndarray, " reading"]:
        """Of every reading: what is known, else what was learned."""
        return np.where(self.learned, learned, self.known)

    @property
    def cell_points(self) -> Points:
        """The middle of the readings of each cell."""
        return np.stack([self._mean(column) for column in self.points.T], axis=1)

    @property
    def cell_values(self) -> Float[np.ndarray, " cell"]:
        """The mean of the readings of each cell."""
        return self._mean(self.values)

    def cell_variance(self, variance: Float[np.ndarray, " reading"]) -> Float[np.ndarray, " cell"]:
        """The variance of those means, given that of each reading."""
        return self._mean(variance) / np.bincount(self.cell)

    def first_variance(self) -> Float[np.ndarray, " reading"]:
        """What is known, or a guess from second differences along the time of each place.

        What is smooth hardly moves those.
        """
        if not self.learned.any():
            return self.known
        places = np.delete(self.points, T, axis=1)
        order = np.lexsort([self.points[:, T], *places.T])
        same = np.all(places[order][2:] == places[order][:-2], axis=1)
        bends = np.abs(np.diff(self.values[order], 2))[same]
        guess = (
            np.median(bends) ** 2 / (0.6745**2 * 6.0) if bends.size else GUESS * self.values.var()
        )
        return self.variance(np.full(self.values.size, guess + 1e-12))

    def leading_variance(
        self, variance: Float[np.ndarray, " cell"], lead: float
    ) -> Float[np.ndarray, " cell"]:
        """The variance of the cells, lowered where they are too few or too noisy to lead.

        From random weights, a network that is told more by the equation than by its readings first
        finds a solution without any driving, and then hardly moves. `lead` is half the sum of
        squares that they come to, within bounds.
        """
        evidence = 0.5 * float(np.sum(self.cell_values**2 / variance))
        return variance * np.clip(evidence / lead, SHARPEST, 1.0)

    def law(
        self,
        mean: Float[np.ndarray, " reading"],
        own: Float[np.ndarray, " reading"] | float,
        *,
        kinds: tuple[str, ...],
    ) -> NoiseLaw:
        """The law of the errors about a function with these values and this variance of its own."""
        if not self.values.size:
            return NoiseLaw("constant", np.log([SILENT]), None)
        value = mean + self.problem.lift(self.points)
        mine = self.learned if self.learned.any() else ~self.learned
        squares = np.where(self.learned, (self.values - mean) ** 2 + own, self.known)
        rows = (self.points[mine], value[mine], squares[mine])
        return fitted_law(*rows, self.problem.period(), kinds=kinds)

    def _mean(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.cell, weights=values) / np.bincount(self.cell)


def _cells(problem: AbstractProblem, measured: Measured) -> Int[np.ndarray, " reading"]:
    """Readings of one place whose times fall into one interval share a cell; guesses do not."""
    interval = _intervals(problem, measured.points)
    place = np.delete(measured.points, T, axis=1)
    own = np.column_stack([place, interval, measured.learned])
    _, cell = np.unique(own, axis=0, return_inverse=True)
    return cell.ravel()


def _intervals(problem: AbstractProblem, points: Points) -> Int[np.ndarray, " reading"]:
    """The quarter of an hour in which each reading falls."""
    return np.floor(points[:, T] * time_intervals(problem) + ROUNDING).astype(int)
