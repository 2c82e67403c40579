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
"""Names of the laws that each kind of noise is chosen from."""
INTERVALS = 2
"""Spline intervals in a cell: half an hour. A network follows waves of four hours at the fastest,
which bend by 3 % of their height within it, and a step of Gauss-Newton takes 40 % less time than
with cells of a quarter."""
ROUNDING = 0.01
"""Share of a cell [1] by which a time in single precision may fall short of its edge."""
GUESS = 0.01
"""Share of the variance of readings [1] that is taken for noise where no place was read thrice."""
SHARPEST = 1e-3
"""Least share [1] of its variance to which noise is lowered, so that readings lead."""
SILENT = 1e-12
"""Variance of the noise of a problem without readings, scaled: as good as none."""


@dataclass(frozen=True)
class Readings:
    """Readings and the cells into which they fall; a cell holds one sensor's half an hour.

    Within a cell the unknown function is nearly straight, so the mean of its readings says all that
    they say, and a step of training costs a thirtieth.
    """

    points: Points
    """Where each reading was taken, (x, t) in the unit square."""
    values: Float[np.ndarray, " reading"]
    """Readings less the lift, scaled to order one."""
    known: Float[np.ndarray, " reading"]
    """Variance of the noise where it is known beforehand, scaled; else NaN."""
    cell: Int[np.ndarray, " reading"]
    """Number of the cell into which each reading falls."""
    problem: AbstractProblem
    """Problem whose readings these are."""

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
        # Numbered anew without gaps, since an empty cell has no mean.
        _, cell = np.unique(self.cell[rows], return_inverse=True)
        return Readings(self.points[rows], self.values[rows], self.known[rows], cell, self.problem)

    def thinned(self, count: int, *, key: Key) -> "Readings":
        """So many of the readings, picked at random; all where `count` is 0 or too large."""
        total = self.values.size
        if not 0 < count < total:
            return self
        # Sorted, so that readings stay in their order of sensor and time.
        return self.subset(np.sort(generator(key).choice(total, count, replace=False)))

    @property
    def learned(self) -> Bool[np.ndarray, " reading"]:
        """Whether the noise of each reading is to be learned."""
        return np.isnan(self.known)

    @property
    def instants(self) -> Float[np.ndarray, " instant"]:
        """Times about which every place was read."""
        points = self.points[self.learned] if self.learned.any() else self.points
        interval = _intervals(self.problem, points)
        # A place is all coordinates but the time: a sensor, whatever its name.
        _, place = np.unique(np.delete(points, T, axis=1), axis=0, return_inverse=True)
        was_read = np.zeros((interval.max(initial=0) + 1, place.max(initial=0) + 1), dtype=bool)
        was_read[interval, place.ravel()] = True
        # Readings, not intervals, are numbered here: a time of each is given back.
        throughout = np.flatnonzero(np.all(was_read, axis=1)[interval])
        # Sensors that never report in the same interval leave no such instant: then all count.
        return points[throughout if throughout.size else slice(None), T]

    def variance(self, learned: Float[np.ndarray, " reading"]) -> Float[np.ndarray, " reading"]:
        """The variance of every reading: as it is known, else as it was learned."""
        return np.where(self.learned, learned, self.known)

    @property
    def cell_points(self) -> Points:
        """The middle of the readings of each cell."""
        # The mean time of a cell's readings, at which a straight function takes their mean value.
        return np.stack([self._mean(column) for column in self.points.T], axis=1)

    @property
    def cell_values(self) -> Float[np.ndarray, " cell"]:
        """The mean of the readings of each cell."""
        return self._mean(self.values)

    def cell_variance(self, variance: Float[np.ndarray, " reading"]) -> Float[np.ndarray, " cell"]:
        """The variance of the cells' means, given that of each reading; noises are independent."""
        # Var of a mean of n independent readings: their mean variance over n.
        return self._mean(variance) / np.bincount(self.cell)

    def first_variance(self) -> Float[np.ndarray, " reading"]:
        """The variance that is known, or a guess from second differences along time at each place.

        A smooth function hardly moves second differences.
        """
        if not self.learned.any():
            return self.known
        places = np.delete(self.points, T, axis=1)
        # The last key counts most: by place, then by time.
        order = np.lexsort([self.points[:, T], *places.T])
        # Differences that span two places are no noise; sorted readings are compared two apart.
        same = np.all(places[order][2:] == places[order][:-2], axis=1)
        bends = np.abs(np.diff(self.values[order], 2))[same]
        # Second differences of white noise have six times its variance (1 + 4 + 1), and the median
        # size of a standard normal is 0.6745.
        guess = (
            np.median(bends) ** 2 / (0.6745**2 * 6.0) if bends.size else GUESS * self.values.var()
        )
        # A thermometer that stands still has no second differences, and its variance is divided by.
        return self.variance(np.full(self.values.size, guess + 1e-12))

    def leading_variance(
        self, variance: Float[np.ndarray, " cell"], lead: float
    ) -> Float[np.ndarray, " cell"]:
        """The variance of the cells, lowered where they are too few or too noisy to lead.

        From random weights, a network on which the equation weighs more than the readings first
        finds a solution that nothing drives, and then hardly moves. `lead` [nats] is what half the
        sum of squared readings over their variance comes to, within bounds.
        """
        evidence = 0.5 * float(np.sum(self.cell_values**2 / variance))
        # Never raised above what it is: leading only sharpens, and not below a bound.
        return variance * np.clip(evidence / lead, SHARPEST, 1.0)

    def law(
        self,
        mean: Float[np.ndarray, " reading"],
        own: Float[np.ndarray, " reading"] | float,
        *,
        kinds: tuple[str, ...],
    ) -> NoiseLaw:
        """The law of the noise about a function.

        Args:
            mean: The function at every reading, lift left out.
            own: Its own variance there, scaled; 0 takes it as certain.
            kinds: Names of the laws to choose from.
        """
        if not self.values.size:
            # A posterior has a law in any case; without readings nobody can tell it.
            return NoiseLaw("constant", np.log([SILENT]), None)
        value = mean + self.problem.lift(self.points)
        # Where all noise is known, the law is fitted to that, for points at which nothing was read.
        counted = self.learned if self.learned.any() else ~self.learned
        squares = np.where(self.learned, (self.values - mean) ** 2 + own, self.known)
        rows = (self.points[counted], value[counted], squares[counted])
        return fitted_law(*rows, self.problem.period(), kinds=kinds)

    def _mean(self, values: np.ndarray) -> np.ndarray:
        # `subset` numbers cells without gaps, so that no count here is zero.
        return np.bincount(self.cell, weights=values) / np.bincount(self.cell)


def _cells(problem: AbstractProblem, measured: Measured) -> Int[np.ndarray, " reading"]:
    """Number of the cell of each reading: one place, one interval of time."""
    interval = _intervals(problem, measured.points)
    place = np.delete(measured.points, T, axis=1)
    # Readings of known noise stay apart, or they would be averaged with those that teach the noise.
    labels = np.column_stack([place, interval, measured.learned])
    _, cell = np.unique(labels, axis=0, return_inverse=True)
    # The inverse of `unique` along an axis has a second axis in some releases of NumPy.
    return cell.ravel()


def _intervals(problem: AbstractProblem, points: Points) -> Int[np.ndarray, " reading"]:
    """The interval of time in which each reading falls: half an hour."""
    return np.floor(points[:, T] * time_intervals(problem) / INTERVALS + ROUNDING).astype(int)
