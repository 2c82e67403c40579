"""A noisy series as a smooth function with its uncertainty: a spline whose roughness is learned."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize_scalar

from agewise.engine.splines.basis import SplineBasis
from agewise.engine.splines.blocks import BlockCholesky

ORDER = 2
"""Order of the differences that are penalised: before any data, the function's second derivative is
white noise. Higher orders gain 10 % on smooth air temperatures, and lose 20 % on rough ones."""
RIDGE = 1e-8
"""Pull of every coefficient to zero, in units of the series: too weak to matter, enough for a
proper density."""
LOG_PENALTY = (-12.0, 30.0)
"""Range of the natural logarithm of the penalty that is searched."""


@dataclass(frozen=True)
class SmoothSeries:
    """A Gaussian over splines in the unit time."""

    basis: SplineBasis
    """Splines in time, constant over the height."""
    mean: Float[np.ndarray, " coefficient"]
    """Expected coefficients of the splines."""
    factor: BlockCholesky
    """Factor of the precision of the coefficients."""
    penalty: float
    """Weight on the squared differences of neighbouring coefficients, learned from the series."""

    def values(self, times: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """The expected function."""
        return self.basis.values(self.mean, on_axis(times))

    def variance(self, times: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """The variance of the function, without the noise of a reading."""
        return marginal_variance(self.basis, self.factor, on_axis(times))

    def draws(
        self, count: int, *, rng: np.random.Generator
    ) -> Float[np.ndarray, "coefficient draw"]:
        """Coefficients of drawn functions."""
        noise = rng.standard_normal((self.basis.size, count))
        # Precision P = L Lᵀ: L⁻ᵀ z has the covariance P⁻¹.
        return self.mean[:, None] + self.factor.solve_transposed(noise)


def smooth(
    times: Float[np.ndarray, " time"],
    values: Float[np.ndarray, " time"],
    variance: Float[np.ndarray, " time"],
    *,
    intervals: int,
) -> SmoothSeries:
    """Smooth a series, with the penalty on its roughness that makes the data most likely.

    Args:
        times: When it was read, as shares of the window [1].
        values: What was read, scaled to order one.
        variance: Variance of the noise of each reading, in squared units of the values.
        intervals: Number of spline intervals over the window.
    """
    basis = SplineBasis(intervals)
    points = on_axis(times)
    rows, interval = basis.rows(points), basis.interval(times)
    data = basis.precision(interval, rows, 1 / variance) + basis.ridge(RIDGE)
    information = basis.information(interval, rows, values / variance)
    rough = basis.roughness(ORDER, 0)
    # Straight lines cost nothing, so the penalty holds all but two directions of the coefficients.
    rank = basis.splines - ORDER

    def posterior(log_penalty: float) -> tuple[np.ndarray, BlockCholesky]:
        factor = (data + np.exp(log_penalty) * rough).cholesky
        return factor.solve(information), factor

    # The penalty is searched by its logarithm, over eighteen decades.
    def loss(log_penalty: float) -> float:
        mean, factor = posterior(log_penalty)
        # bᵀ P⁻¹ b, the part of the data's squares that the function explains.
        quadratic = float(information @ mean)
        # Minus the log evidence, less what does not depend on the penalty.
        return 0.5 * (factor.log_determinant - quadratic - rank * log_penalty)

    best = float(minimize_scalar(loss, bounds=LOG_PENALTY, method="bounded").x)
    mean, factor = posterior(best)
    return SmoothSeries(basis, mean, factor, float(np.exp(best)))


def marginal_variance(
    basis: SplineBasis, factor: BlockCholesky, points: Float[np.ndarray, "point 2"]
) -> Float[np.ndarray, " point"]:
    """The variance at points of a function whose coefficients have this precision."""
    # Only pairs of neighbouring blocks are needed: no row reaches farther than two.
    pairs, wide = factor.covariance_pairs, len(basis.heights)
    interval, rows = basis.interval(points[:, 1]), basis.rows(points)
    # The functions of an interval lie within a pair of neighbouring blocks; how far into the first
    # of them they start is the phase, and intervals of one phase are taken together.
    block, phase = np.divmod(interval, basis.block // wide)
    variance = np.empty(len(points))
    for first in range(basis.block // wide):
        in_phase = phase == first
        window = slice(first * wide, first * wide + basis.block)
        # The pair of blocks that starts at the interval's own, cut to the functions that it sees.
        covariance = pairs[block[in_phase], window, window]
        variance[in_phase] = np.einsum(
            "pi,pij,pj->p", rows[in_phase], covariance, rows[in_phase], optimize=True
        )
    return variance


def on_axis(times: Float[np.ndarray, " time"]) -> Float[np.ndarray, "time 2"]:
    """Points of a series: its height does not matter."""
    # A basis for a series has one constant function of height, which is one at any x.
    return np.stack([np.zeros_like(times), times], axis=1)
