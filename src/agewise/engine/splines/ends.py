"""The two measured ends as smooth functions, with the noise of their sensors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import Measured
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.basis import SplineBasis
from agewise.engine.splines.blocks import BlockCholesky
from agewise.engine.splines.noise import NoiseLaw, fitted_law
from agewise.engine.splines.smoothing import SmoothSeries, smooth
from agewise.errors import InputError

KNOTS_PER_COUNT = 4
"""Spline intervals for each pseudo-observation of the problem: an interval is a quarter of an hour
where a problem counts one an hour."""
ROUNDS = 4
"""Times that ends are smoothed and their noise is learned in turn; the law settles to a per cent in
two."""


@runtime_checkable
class Series(Protocol):
    """A Gaussian over functions of the time."""

    def values(self, times: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """The expected function."""
        ...

    def variance(self, times: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """The variance of the function, without the noise of a reading."""
        ...


AnySeries = TypeVar("AnySeries", bound=Series)
"""One kind of series, for both ends."""


@dataclass(frozen=True)
class Ends:
    """Bottom and top, and the law of the noise."""

    bottom: SmoothSeries
    """The function at the bottom, x = 0."""
    top: SmoothSeries
    """The function at the top, x = 1."""
    noise: NoiseLaw
    """Law of the noise, which both ends share."""

    def arrays(self) -> dict[str, np.ndarray]:
        """Both series and the law, as a stored run holds them."""
        ends = {"bottom": self.bottom, "top": self.top}
        arrays = {
            f"{name}_{part}": array
            for name, series in ends.items()
            for part, array in (
                ("mean", series.mean),
                ("diagonal", series.factor.diagonal),
                ("below", series.factor.below),
                ("penalty", np.array(series.penalty)),
                ("intervals", np.array(series.basis.intervals)),
            )
        }
        return arrays | self.noise.arrays()

    @classmethod
    def restored(cls, arrays: Mapping[str, np.ndarray]) -> "Ends":
        """The ends whose `arrays` these are."""

        def series(name: str) -> SmoothSeries:
            factor = BlockCholesky(arrays[f"{name}_diagonal"], arrays[f"{name}_below"])
            basis = SplineBasis(int(arrays[f"{name}_intervals"]))
            return SmoothSeries(
                basis, arrays[f"{name}_mean"], factor, float(arrays[f"{name}_penalty"])
            )

        return cls(series("bottom"), series("top"), NoiseLaw.restored(arrays))


def smooth_ends(problem: AbstractProblem) -> Ends:
    """Smooth both ends and learn their noise, in turn until both settle."""
    intervals = time_intervals(problem)

    def smoothed(times: np.ndarray, values: np.ndarray, variance: np.ndarray) -> SmoothSeries:
        return smooth(times, values, variance, intervals=intervals)

    bottom, top, noise = settled_ends(problem, smoothed)
    return Ends(bottom, top, noise)


def settled_ends(
    problem: AbstractProblem, smoothed: Callable[[np.ndarray, np.ndarray, np.ndarray], AnySeries]
) -> tuple[AnySeries, AnySeries, NoiseLaw]:
    """Bottom, top and the law of their noise, each learned from the other in turn.

    Args:
        problem: What was measured at both ends.
        smoothed: Makes a series of the times of readings, the readings and their variances.
    """
    measured = Measured.of(problem)
    # Exact comparison: 0 and 1 are the same in every precision, and heights between are not ends.
    rows = [np.flatnonzero(measured.points[:, 0] == x) for x in (0.0, 1.0)]
    if not all(len(row) for row in rows):
        raise InputError(
            "This method needs a sensor at the bottom, x = 0, and one at the top, x = 1.",
            hint="measure both ends, or choose a method that does without.",
        )
    # Bottom first, then top: `split` is where the rows of the top begin.
    ends, split = measured.rows(np.concatenate(rows)), len(rows[0])
    points, values = ends.points, ends.values
    # One number for all: the first smoothing needs only the size of the noise, not its law.
    guess = np.full(len(values), _rough_variance(values[ends.learned]))
    variance = ends.variance(guess)

    def both(variance: np.ndarray) -> list[AnySeries]:
        return [
            # Each end has its own roughness: air changes otherwise than top oil does.
            smoothed(points[end_rows, 1], values[end_rows], variance[end_rows])
            for end_rows in (slice(None, split), slice(split, None))
        ]

    parts = both(variance)
    noise, variance = _learned_noise(problem, parts, ends, split)
    # Each needs the other: smoothing weighs readings by their noise, and leaves what is noise.
    for _ in range(ROUNDS - 1):
        parts = both(variance)
        noise, variance = _learned_noise(problem, parts, ends, split)
    return parts[0], parts[1], noise


def time_intervals(problem: AbstractProblem) -> int:
    """Spline intervals over the window."""
    # At least a handful, so that a window of an hour has splines at all.
    return max(8, round(KNOTS_PER_COUNT * max(problem.pseudo_observations().values())))


def _learned_noise(
    problem: AbstractProblem,
    parts: Sequence[Series],
    ends: Measured,
    split: int,
) -> tuple[NoiseLaw, Float[np.ndarray, " row"]]:
    """The law of the noise about the smoothed ends, and the variance of every reading by it.

    The ends are uncertain themselves, so the expected square of a reading's error is the square of
    its residual plus the variance of the smooth function there.
    """
    points = ends.points
    times = (points[:split, 1], points[split:, 1])
    # In the order of the rows: bottom, then top.
    fit = np.concatenate([part.values(t) for part, t in zip(parts, times, strict=True)])
    fit_variance = np.concatenate([part.variance(t) for part, t in zip(parts, times, strict=True)])
    # The noise may depend on the measured quantity, which includes the lift.
    lifted = fit + problem.lift(points)
    squares = (ends.values - fit) ** 2 + fit_variance
    # Both ends together: laws that tell them apart compete with laws that do not.
    noise = fitted_law(*ends.noise_errors(lifted, squares), problem.period())
    return noise, ends.variance(noise.variance(points, lifted))


def _rough_variance(values: np.ndarray) -> float:
    """A first guess from second differences, which a smooth function hardly moves."""
    # Too few for a second difference: the variance of values that are scaled to order one.
    if values.size < 3:
        return 1.0
    # White noise has second differences of six times its variance (1 + 4 + 1), and the median size
    # of a standard normal is 0.6745. Readings that do not move still need a variance to divide by.
    return float(np.median(np.abs(np.diff(values, 2))) ** 2 / (0.6745**2 * 6.0)) + 1e-12
