"""`exact`: the closed-form posterior of a linear problem on a spline basis. Soft physics."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize_scalar

from agewise.engine.method import (
    QUIET,
    AbstractFields,
    AbstractInference,
    AbstractPosterior,
    AbstractProblem,
    Ends,
    Key,
    Measured,
    Monitor,
    NoiseLaw,
    Points,
    Prediction,
    generator,
    smooth_ends,
)
from agewise.engine.splines.basis import SplineBasis, height_functions
from agewise.engine.splines.blocks import BlockCholesky, BlockTridiagonal
from agewise.engine.splines.ends import time_intervals
from agewise.engine.splines.linear import LinearRows, residual_rows
from agewise.engine.splines.noise import fitted_law
from agewise.engine.splines.smoothing import ORDER, RIDGE, marginal_variance

HEIGHT_FUNCTIONS = 8
"""Polynomials over the height, up to degree seven: two lines and six bubbles."""
SCALE_SEARCH = (-5.0, 6.0)
"""Natural logarithm of the factor on the declared discrepancy, where sensors inside can tell."""
ROUNDS = 2
"""Times that the posterior is worked out anew with the noise (and, where there are sensors inside,
the discrepancy) that the last one suggests."""


@dataclass(frozen=True, eq=False)
class ExactFields(AbstractFields):
    """Drawn functions as coefficients."""

    problem: AbstractProblem
    basis: SplineBasis
    coefficients: Float[np.ndarray, "coefficient draw"]
    noise: NoiseLaw

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The drawn functions, lift included."""
        return self.basis.values(self.coefficients, points).T + self.problem.lift(points)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The noise at each drawn value."""
        return np.stack([self.noise.variance(points, mean) for mean in self.means(points)])


@dataclass(frozen=True, eq=False)
class ExactPosterior(AbstractPosterior):
    """A Gaussian over the coefficients of a basis."""

    problem: AbstractProblem
    basis: SplineBasis
    mean: Float[np.ndarray, " coefficient"]
    factor: BlockCholesky
    noise: NoiseLaw
    discrepancy_factor: float
    """On the declared scale of the interior residual; 1 unless sensors inside taught another."""

    def draw(self, count: int, *, key: Key) -> ExactFields:
        """Functions of the posterior."""
        noise = generator(key).standard_normal((self.basis.size, count))
        coefficients = self.mean[:, None] + self.factor.solve_transposed(noise)
        return ExactFields(self.problem, self.basis, coefficients, self.noise)

    def moments(self, points: Points) -> Prediction:
        """Mean and variances in closed form."""
        mean = self.basis.values(self.mean, points) + self.problem.lift(points)
        epistemic = marginal_variance(self.basis, self.factor, points)
        return Prediction(mean, epistemic, self.noise.variance(points, mean))

    def arrays(self) -> dict[str, np.ndarray]:
        """Coefficients, the factor of their precision, and the law of the noise."""
        return {
            "mean": self.mean,
            "diagonal": self.factor.diagonal,
            "below": self.factor.below,
            "intervals": np.array(self.basis.intervals),
            "discrepancy_factor": np.array(self.discrepancy_factor),
        } | self.noise.arrays()


@dataclass(frozen=True)
class Exact(AbstractInference):
    """Closed form: Gaussian data, Gaussian discrepancy, roughness of the ends by evidence."""

    height_functions: int = HEIGHT_FUNCTIONS

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> ExactPosterior:
        """The posterior of a linear problem with measured ends."""
        ends, measured = smooth_ends(problem), Measured.of(problem)
        basis = SplineBasis(time_intervals(problem), height_functions(self.height_functions))
        algebra = _Algebra(basis, measured, residual_rows(problem, basis), _roughness(basis, ends))
        # The noise is first taken along straight lines, then where the posterior has been. The
        # discrepancy comes before the noise, or a misfit would pass for noise.
        noise, lifted = ends.noise, _straight(ends, measured) + problem.lift(measured.points)
        variance = measured.variance(noise.variance(measured.points, lifted))
        factor, mean, cholesky = algebra.fitted(variance)
        for _ in range(ROUNDS):
            expected = basis.values(mean, measured.points)
            lifted = expected + problem.lift(measured.points)
            if measured.has_inside:
                own = marginal_variance(basis, cholesky, measured.points)
                squares, mine = (measured.values - expected) ** 2 + own, measured.learned
                learned = (measured.points[mine], lifted[mine], squares[mine])
                noise = fitted_law(*learned, problem.period())
            variance = measured.variance(noise.variance(measured.points, lifted))
            factor, mean, cholesky = algebra.fitted(variance)
        return ExactPosterior(problem, basis, mean, cholesky, noise, factor)

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> ExactPosterior:
        """The posterior whose `arrays` these are."""
        basis = SplineBasis(int(arrays["intervals"]), height_functions(self.height_functions))
        factor = BlockCholesky(arrays["diagonal"], arrays["below"])
        noise, discrepancy = NoiseLaw.restored(arrays), float(arrays["discrepancy_factor"])
        return ExactPosterior(problem, basis, arrays["mean"], factor, noise, discrepancy)


def _roughness(basis: SplineBasis, ends: Ends) -> BlockTridiagonal:
    """What the ends were found to be, carried by the two straight lines of the basis."""
    rough = basis.ridge(RIDGE)
    for height, series in enumerate((ends.bottom, ends.top)):
        rough = rough + series.penalty * basis.roughness(ORDER, height)
    return rough


def _straight(ends: Ends, measured: Measured) -> Float[np.ndarray, " row"]:
    x, t = measured.points.T
    return (1 - x) * ends.bottom.values(t) + x * ends.top.values(t)


class _Algebra:
    """Data, physics and roughness as precisions that are added up for each trial."""

    def __init__(
        self,
        basis: SplineBasis,
        measured: Measured,
        physics: Mapping[str, LinearRows],
        rough: BlockTridiagonal,
    ):
        self.basis, self.measured = basis, measured
        self.interval = basis.interval(measured.points[:, 1])
        self.rows = basis.rows(measured.points)
        self.physics = {
            name: (
                basis.precision(rows.interval, rows.rows, rows.weights),
                basis.information(rows.interval, rows.rows, rows.weights * rows.target),
            )
            for name, rows in physics.items()
        }
        self.rough = rough

    def prior(self, factor: float) -> tuple[BlockTridiagonal, np.ndarray]:
        """Roughness and physics, the interior's discrepancy times a factor."""
        precision, information = self.rough, np.zeros(self.basis.size)
        for name, (matrix, vector) in self.physics.items():
            weight = factor**-2 if name == "interior" else 1.0
            precision, information = precision + weight * matrix, information + weight * vector
        return precision, information

    def posterior(self, variance: np.ndarray, factor: float) -> tuple[np.ndarray, BlockCholesky]:
        """Mean and factor of the precision, given the noise of every row."""
        precision, information = self.prior(factor)
        precision = precision + self.basis.precision(self.interval, self.rows, 1 / variance)
        information = information + self.basis.information(
            self.interval, self.rows, self.measured.values / variance
        )
        cholesky = precision.cholesky
        return cholesky.solve(information), cholesky

    def fitted(self, variance: np.ndarray) -> tuple[float, np.ndarray, BlockCholesky]:
        """Factor on the discrepancy (learned where sensors inside can tell), mean, precision."""
        factor = self.best_factor(variance) if self.measured.has_inside else 1.0
        return factor, *self.posterior(variance, factor)

    def best_factor(self, variance: np.ndarray) -> float:
        """The factor on the declared discrepancy that makes the data most likely."""
        data = self.basis.precision(self.interval, self.rows, 1 / variance)
        known = self.basis.information(self.interval, self.rows, self.measured.values / variance)

        def loss(log_factor: float) -> float:
            prior, information = self.prior(float(np.exp(log_factor)))
            try:
                before, after = prior.cholesky, (prior + data).cholesky
            except np.linalg.LinAlgError:
                return np.inf  # so little discrepancy that rounding drowns what else is known
            start, end = before.solve(information), after.solve(information + known)
            quadratic = float(information @ start - (information + known) @ end)
            return 0.5 * (quadratic + after.log_determinant - before.log_determinant)

        return float(np.exp(minimize_scalar(loss, bounds=SCALE_SEARCH, method="bounded").x))
