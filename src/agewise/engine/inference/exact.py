"""`exact`: the closed-form posterior of a linear problem on a spline basis. Soft physics."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize_scalar

from agewise.engine.inference.offered import (
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
from agewise.engine.splines.rounded import RoundedFactor
from agewise.engine.splines.smoothing import ORDER, RIDGE, marginal_variance

HEIGHT_FUNCTIONS = 8
"""Polynomials over the height, up to degree seven: two lines and six bubbles."""
SCALE_SEARCH = (-5.0, 6.0)
"""Range of the natural logarithm of the factor on the declared discrepancy [1], which is searched
where there are sensors inside."""
ROUNDS = 2
"""Times that the posterior is worked out anew with the noise (and, where there are sensors inside,
the discrepancy) that the last one suggests."""


@dataclass(frozen=True, eq=False)
class ExactFields(AbstractFields):
    """Drawn functions as coefficients."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    basis: SplineBasis
    """Functions that the coefficients multiply."""
    coefficients: Float[np.ndarray, "coefficient draw"]
    """Coefficients of every drawn function."""
    noise: NoiseLaw
    """Law of the noise of a reading."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The drawn functions, lift included."""
        # Draws come last in coefficients and first in what is given back.
        return self.basis.values(self.coefficients, points).T + self.problem.lift(points)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The noise at each drawn value."""
        return np.stack([self.noise.variance(points, mean) for mean in self.means(points)])


@dataclass(frozen=True, eq=False)
class ExactPosterior(AbstractPosterior):
    """A Gaussian over the coefficients of a basis."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    basis: SplineBasis
    """Functions that the coefficients multiply."""
    mean: Float[np.ndarray, " coefficient"]
    """Expected coefficients."""
    rounded: RoundedFactor
    """Factor of the precision of the coefficients."""
    noise: NoiseLaw
    """Law of the noise of a reading."""
    discrepancy_factor: float
    """Factor on the declared scale of the interior residual [1]: 1, unless sensors inside show that
    another is likelier."""

    def draw(self, count: int, *, key: Key) -> ExactFields:
        """Functions of the posterior."""
        white = generator(key).standard_normal((self.basis.size, count))
        # L⁻ᵀ times white noise has the covariance (L Lᵀ)⁻¹, the inverse of the precision.
        coefficients = self.mean[:, None] + self.rounded.factor.solve_transposed(white)
        return ExactFields(self.problem, self.basis, coefficients, self.noise)

    def moments(self, points: Points) -> Prediction:
        """Mean and variances in closed form."""
        mean = self.basis.values(self.mean, points) + self.problem.lift(points)
        epistemic = marginal_variance(self.basis, self.rounded.factor, points)
        return Prediction(mean, epistemic, self.noise.variance(points, mean))

    def arrays(self) -> dict[str, np.ndarray]:
        """Coefficients, the factor of their precision, and the law of the noise."""
        own = {
            "mean": self.mean,
            "intervals": np.array(self.basis.intervals),
            "discrepancy_factor": np.array(self.discrepancy_factor),
        }
        return own | self.rounded.arrays() | self.noise.arrays()


@dataclass(frozen=True)
class Exact(AbstractInference):
    """Closed form: Gaussian noise, Gaussian discrepancy, roughness of the ends by evidence."""

    height_functions: int = HEIGHT_FUNCTIONS
    """Number of polynomials over the height."""

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> ExactPosterior:
        """The posterior of a linear problem with measured ends; the key is not used."""
        basis = SplineBasis(time_intervals(problem), height_functions(self.height_functions))
        # First of all, since an equation that is not linear is refused here, whatever was measured.
        equation = residual_rows(problem, basis)
        ends, measured = smooth_ends(problem), Measured.of(problem)
        algebra = _Algebra(basis, measured, equation, _roughness(basis, ends))
        # The noise is first taken along straight lines, then where the posterior has been. The
        # discrepancy comes before the noise, or a misfit would pass for noise.
        noise, lifted = ends.noise, _straight(ends, measured) + problem.lift(measured.points)
        variance = measured.variance(noise.variance(measured.points, lifted))
        factor, mean, cholesky = algebra.fitted(variance)
        for _ in range(ROUNDS):
            expected = basis.values(mean, measured.points)
            lifted = expected + problem.lift(measured.points)
            # Without sensors inside, the law that was learned at the ends stands.
            if measured.has_inside:
                epistemic = marginal_variance(basis, cholesky, measured.points)
                # E(y - u)² = (y - mean)² + Var u: else noise that the mean has followed is lost.
                squares = (measured.values - expected) ** 2 + epistemic
                noise = fitted_law(*measured.noise_errors(lifted, squares), problem.period())
            variance = measured.variance(noise.variance(measured.points, lifted))
            factor, mean, cholesky = algebra.fitted(variance)
        return ExactPosterior(problem, basis, mean, RoundedFactor.of(cholesky), noise, factor)

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> ExactPosterior:
        """The posterior whose `arrays` these are."""
        basis = SplineBasis(int(arrays["intervals"]), height_functions(self.height_functions))
        factor = RoundedFactor.restored(arrays)
        noise, discrepancy = NoiseLaw.restored(arrays), float(arrays["discrepancy_factor"])
        return ExactPosterior(problem, basis, arrays["mean"], factor, noise, discrepancy)


def _roughness(basis: SplineBasis, ends: Ends) -> BlockTridiagonal:
    """How rough the ends were found to be, put on the two straight lines that carry them.

    Between the ends it is the equation that keeps the function smooth.
    """
    # The ridge also holds coefficients of padding, which nothing else touches.
    rough = basis.ridge(RIDGE)
    for height, series in enumerate((ends.bottom, ends.top)):
        # Height functions 0 and 1 are the lines whose coefficients are the ends' own values.
        rough = rough + series.penalty * basis.roughness(ORDER, height)
    return rough


def _straight(ends: Ends, measured: Measured) -> Float[np.ndarray, " row"]:
    """The straight line between the smoothed ends, at every reading, lift left out."""
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
        # At a factor of one, since the search for the factor only rescales them.
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
            # A deviation f times as large is a precision f² times as small; walls keep theirs.
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
        """Factor on the discrepancy (1 without sensors inside), mean, Cholesky factor."""
        factor = self.best_factor(variance) if self.measured.has_inside else 1.0
        return factor, *self.posterior(variance, factor)

    def best_factor(self, variance: np.ndarray) -> float:
        """The factor on the declared discrepancy that makes the data most likely."""
        data = self.basis.precision(self.interval, self.rows, 1 / variance)
        data_information = self.basis.information(
            self.interval, self.rows, self.measured.values / variance
        )

        def loss(log_factor: float) -> float:
            prior, information = self.prior(float(np.exp(log_factor)))
            try:
                # The prior's own normalisation depends on the factor too, so both are needed.
                before, after = prior.cholesky, (prior + data).cholesky
            except np.linalg.LinAlgError:
                return np.inf  # so little discrepancy that rounding drowns what else is known
            start, end = before.solve(information), after.solve(information + data_information)
            # Minus the log evidence, less what does not depend on the factor: the normalising
            # constants of the Gaussian before the data and after.
            quadratic = float(information @ start - (information + data_information) @ end)
            return 0.5 * (quadratic + after.log_determinant - before.log_determinant)

        return float(np.exp(minimize_scalar(loss, bounds=SCALE_SEARCH, method="bounded").x))
