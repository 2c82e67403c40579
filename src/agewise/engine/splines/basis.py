"""Functions on the unit square: cubic splines in time, polynomials that hold the ends in height."""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy.polynomial import Legendre, Polynomial

from agewise.engine.splines.blocks import BlockTridiagonal

SPAN = 4
"""Cubic splines that are not zero in one interval."""

PIECES = (
    # In an interval's own coordinate s from (1 - s)³/6 to s³/6; the four sum to one.
    Polynomial([1.0, -3.0, 3.0, -1.0]) / 6,
    Polynomial([4.0, 0.0, -6.0, 3.0]) / 6,
    Polynomial([1.0, 3.0, 3.0, -3.0]) / 6,
    Polynomial([0.0, 0.0, 0.0, 1.0]) / 6,
)
"""Pieces of the four cubic B-splines that reach into an interval, over its own coordinate from 0 to
1; the earliest spline comes first."""

VALUES_AT_ONCE = 2**17
"""Values of drawn functions that are worked out at a time: a megabyte, which a cache holds."""


def height_functions(count: int) -> tuple[Polynomial, ...]:
    """Two straight lines that carry the ends, then bubbles that vanish there.

    The bubbles are integrals of Legendre polynomials: their derivatives are orthogonal, which
    keeps the algebra well conditioned.
    """
    # 1 - x and x: their coefficients are the function's own values at the bottom and at the top.
    lines = (Polynomial([1.0, -1.0]), Polynomial([0.0, 1.0]))
    unit = (0.0, 1.0)
    bubbles = []
    for degree in range(1, count - 1):
        # Every Legendre polynomial but the constant integrates to zero over [0, 1], so the integral
        # vanishes at the top as well as at the bottom.
        bubble = Legendre.basis(degree, domain=unit).integ(lbnd=0.0).convert(kind=Polynomial)
        # With this factor the derivatives are orthonormal on [0, 1].
        # A domain equal to its window is the identity: `coef` alone is then the polynomial in x.
        bubbles.append(Polynomial(bubble.convert(domain=[-1, 1]).coef) * np.sqrt(2 * degree + 1))
    return lines + tuple(bubbles)


@dataclass(frozen=True)
class SplineBasis:
    """Products of a spline in time and a function of height, numbered time first.

    One constant function of height, the default, makes a basis for a series alone.
    """

    intervals: int
    """Number of equal pieces into which the unit time is cut."""
    heights: tuple[Polynomial, ...] = (Polynomial([1.0]),)
    """Functions of the height that each spline is multiplied with."""

    @property
    def splines(self) -> int:
        """Number of splines in time."""
        # A spline reaches over four intervals, so three begin before the window does.
        return self.intervals + SPAN - 1

    @property
    def size(self) -> int:
        """Number of functions, padded to whole blocks."""
        return self.block * self.blocks

    @property
    def block(self) -> int:
        """Functions in a block of the algebra: what one interval sees."""
        return SPAN * len(self.heights)

    @property
    def blocks(self) -> int:
        """Number of blocks, one or more beyond the last interval's."""
        # An interval's functions may start within a block and reach into the next, so every
        # interval needs a pair of blocks.
        return -(-self.splines // SPAN) + 1

    def interval(self, t: Float[np.ndarray, " point"]) -> Int[np.ndarray, " point"]:
        """The interval in which each time lies."""
        # The end of the window, t = 1, belongs to the last interval.
        return np.clip((t * self.intervals).astype(int), 0, self.intervals - 1)

    def rows(self, points: Float[np.ndarray, "point 2"]) -> Float[np.ndarray, "point local"]:
        """The values at points (x, t) of the functions that their interval sees."""
        x, t = points[:, 0], points[:, 1]
        # From 0 to 1 within the interval, the coordinate in which the pieces are written.
        local_time = t * self.intervals - self.interval(t)
        splines = np.stack([piece(local_time) for piece in PIECES], axis=1)
        shapes = np.stack([shape(x) for shape in self.heights], axis=1)
        # Splines outer, heights inner, as the coefficients are numbered.
        return (splines[:, :, None] * shapes[:, None, :]).reshape(len(points), self.block)

    def values(
        self, coefficients: Float[np.ndarray, "row *draw"], points: Float[np.ndarray, "point 2"]
    ) -> Float[np.ndarray, "point *draw"]:
        """The function with these coefficients, at points."""
        draws = coefficients.shape[1:]
        # Made once at full size and filled in place, since joining batches would copy all of them.
        total = np.empty((len(points), *draws))
        # A batch of points at a time: new arrays of all points and draws would cost more in page
        # faults than in arithmetic.
        at_once = max(1, VALUES_AT_ONCE // math.prod(draws))
        for first in range(0, len(points), at_once):
            batch = slice(first, first + at_once)
            total[batch] = self._values(coefficients, points[batch])
        return total

    def _values(
        self, coefficients: Float[np.ndarray, "row *draw"], points: Float[np.ndarray, "point 2"]
    ) -> Float[np.ndarray, "point *draw"]:
        # Neighbouring intervals share three of four splines, so the first moves by one.
        start = self.interval(points[:, 1]) * len(self.heights)
        rows = self.rows(points).reshape(len(points), self.block, *[1] * (coefficients.ndim - 1))
        # One function at a time: all at once would gather a whole block for each point and draw.
        total = rows[:, 0] * coefficients[start]
        for local in range(1, self.block):
            total += rows[:, local] * coefficients[start + local]
        return total

    def precision(
        self,
        interval: Int[np.ndarray, " row"],
        rows: Float[np.ndarray, "row local"],
        weights: Float[np.ndarray, " row"],
    ) -> BlockTridiagonal:
        r"""$\sum_r w_r a_r a_r^T$ of local rows, as blocks."""
        # Roots, since the product of the rows with themselves squares what they are scaled by.
        scaled = np.sqrt(weights)[:, None] * rows
        # Local matrices first: all rows of an interval share their indices.
        return self.assembled(_per_interval(interval, scaled, self.intervals))

    def information(
        self,
        interval: Int[np.ndarray, " row"],
        rows: Float[np.ndarray, "row local"],
        weighted: Float[np.ndarray, " row"],
    ) -> Float[np.ndarray, " coefficient"]:
        r"""$\sum_r a_r w_r y_r$, given the products $w_r y_r$."""
        start = interval * len(self.heights)
        vector = np.zeros(self.size)
        # Rows of one interval share their indices, and `+=` would count only one of them.
        np.add.at(vector, start[:, None] + np.arange(self.block), rows * weighted[:, None])
        return vector

    def assembled(self, local: Float[np.ndarray, "interval local local"]) -> BlockTridiagonal:
        """Add up the matrices of the intervals, each where its functions stand."""
        block, wide = self.block, len(self.heights)
        # What stands above the diagonal mirrors what is below, and is not kept.
        diagonal, below = (
            np.zeros((self.blocks, block, block)),
            np.zeros((self.blocks - 1, block, block)),
        )
        for phase in range(SPAN):
            # Intervals a span apart do not overlap, so each phase is one slice assignment.
            part = local[phase::SPAN]
            shift, inside = phase * wide, block - phase * wide
            first, second = slice(0, len(part)), slice(1, len(part) + 1)
            diagonal[first, shift:, shift:] += part[:, :inside, :inside]
            # What starts within a block spills into the next one.
            if shift:
                diagonal[second, :shift, :shift] += part[:, inside:, inside:]
                below[first, :shift, shift:] += part[:, inside:, :inside]
        return BlockTridiagonal(diagonal, below)

    def roughness(self, order: int, height: int) -> BlockTridiagonal:
        """Squared differences of that order (at most 4) between one height function's splines."""
        # Differences of the unit vectors: binomial coefficients with alternating signs.
        stencil = np.diff(np.eye(order + 1), n=order, axis=0)[0]
        wide, reach = len(self.heights), 2 * SPAN
        padded = np.zeros((reach, reach))
        diagonal = np.zeros((self.blocks, self.block, self.block))
        below = np.zeros((self.blocks - 1, self.block, self.block))
        # In a block, the splines of one height function stand `wide` apart.
        functions = slice(height, None, wide)
        for phase in range(SPAN):
            # Differences a span apart stand alike in their pair of blocks.
            padded[:] = 0.0
            padded[phase : phase + order + 1, phase : phase + order + 1] = np.outer(
                stencil, stencil
            )
            count = len(range(phase, self.splines - order, SPAN))
            first, second = slice(0, count), slice(1, count + 1)
            diagonal[first, functions, functions] += padded[:SPAN, :SPAN]
            diagonal[second, functions, functions] += padded[SPAN:, SPAN:]
            below[first, functions, functions] += padded[SPAN:, :SPAN]
        return BlockTridiagonal(diagonal, below)

    def ridge(self, weight: float) -> BlockTridiagonal:
        """A weak pull of every coefficient to zero, and a strong one of the padding."""
        # Nothing else touches the padding: without a pull the matrix would be singular there.
        used = np.arange(self.size) < self.splines * len(self.heights)
        weights = np.where(used, weight, 1.0).reshape(self.blocks, self.block)
        diagonal = weights[:, :, None] * np.eye(self.block)
        return BlockTridiagonal(diagonal, np.zeros((self.blocks - 1, self.block, self.block)))


def _per_interval(
    interval: Int[np.ndarray, " row"], rows: Float[np.ndarray, "row local"], count: int
) -> Float[np.ndarray, "interval local local"]:
    """Gram matrices of the rows of each interval, by one batched product of padded stacks."""
    # Stable, so that sums run in one order and a fit is the same to the bit.
    order = np.argsort(interval, kind="stable")
    # `minlength`, since intervals behind the last reading still need a matrix, of zeros.
    members = np.bincount(interval, minlength=count)
    first = np.append(0, np.cumsum(members)[:-1])
    # Place of each sorted row within its own interval.
    place = np.arange(len(interval)) - np.repeat(first, members)
    # Intervals with fewer rows than the fullest have rows of zeros, which add nothing.
    padded = np.zeros((count, int(members.max(initial=0)), rows.shape[1]))
    padded[interval[order], place] = rows[order]
    # One matrix for each interval, its rows summed out: Aᵀ A without a loop in Python.
    return np.matmul(padded.transpose(0, 2, 1), padded)
