"""`exact` against the same density written out: solved densely, and sampled by NUTS.

Everything is built anew here, from the problem alone: splines by scipy, another set of polynomials
in height, derivatives by hand, a finer quadrature, and full matrices.
"""

from dataclasses import dataclass
from functools import cached_property

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.interpolate import BSpline
from scipy.optimize import minimize_scalar

from agewise.engine.inference.exact import Exact, ExactPosterior
from agewise.engine.posterior import Measured
from agewise.engine.splines.ends import Ends, smooth_ends
from agewise.engine.splines.smoothing import ORDER
from agewise.threads import one_thread
from agewise.transformer.oil.heat import INITIAL_STD, TransformerHeat, transformer_heat
from agewise.transformer.oil.tank import Tank

HOURS, HEIGHT_FUNCTIONS = 3.0, 8
KEY = jax.random.key(0)
RIDGE = 1e-6
"""Any weak pull to zero: the readings decide."""
POINTS = np.array([[0.0, 0.5], [0.25, 0.1], [0.5, 0.0], [0.5, 0.6], [0.8, 0.9], [1.0, 0.3]])


def short_window(*inside: float) -> TransformerHeat:
    """Three hours, a reading every five minutes, steady losses; sensors inside where asked."""
    tank = Tank.closed(
        no_load_losses=842.0, load_losses=9800.0, oil_time_constant=9000.0, top_oil_rise=45.0
    )
    rng = np.random.default_rng(4)
    seconds = np.linspace(0.0, HOURS * 3600.0, 37)
    wave = np.sin(2 * np.pi * seconds / 9000.0)
    true = {0.0: 20.0 + wave, 1.0: 42.0 + 3.0 * wave} | {
        height: 20.0 + 22.0 * height + 9.0 * height * (1 - height) * wave for height in inside
    }
    sensors = {height: value + 0.3 * rng.normal(size=37) for height, value in true.items()}
    return transformer_heat(tank, seconds, np.full(37, 0.7), sensors, discrepancy=0.1)


Rows = tuple[np.ndarray, np.ndarray]
"""Rows a and targets y, scaled so that the log density is minus half of the squares of a c - y."""


@dataclass(frozen=True)
class Dense:
    """Readings, residuals and roughness as rows over all coefficients at once."""

    problem: TransformerHeat
    posterior: ExactPosterior

    @cached_property
    def heights(self) -> list[Polynomial]:
        """Two lines and bubbles: the same space as the package's, other functions."""
        bubble = Polynomial([0.0, 1.0, -1.0])
        lines = [Polynomial([1.0, -1.0]), Polynomial([0.0, 1.0])]
        return lines + [bubble * Polynomial([-1.0, 2.0]) ** n for n in range(HEIGHT_FUNCTIONS - 2)]

    @cached_property
    def splines(self) -> BSpline:
        intervals = self.posterior.basis.intervals
        return BSpline(np.arange(-3, intervals + 4) / intervals, np.eye(intervals + 3), 3)

    def design(self, points: np.ndarray, in_height: int = 0, in_time: int = 0) -> np.ndarray:
        """All functions, or their derivatives, at points."""
        x, t = points.T
        shapes = [shape.deriv(in_height) if in_height else shape for shape in self.heights]
        over_time, over_height = self.splines(t, in_time), np.stack([f(x) for f in shapes], axis=1)
        return (over_time[:, :, None] * over_height[:, None, :]).reshape(len(points), -1)

    def readings(self) -> Rows:
        measured = Measured.of(self.problem)
        assert not self.problem.lift(measured.points).any()
        expected = self.posterior.predict(measured.points).mean
        std = np.sqrt(self.posterior.noise.variance(measured.points, expected))
        return self.design(measured.points) / std[:, None], measured.values / std

    def equation(self, factor: float) -> Rows:
        """One observation an hour, as an integral over the window."""
        problem = self.problem
        points, share = gauss_square(self.posterior.basis.intervals)
        rows = (
            problem.relaxation * self.design(points, in_time=1)
            - problem.conduction * self.design(points, in_height=2)
            + self.design(points)
            - self.design(points * [0.0, 1.0])
        )
        scale = np.sqrt(HOURS * share) / (factor * problem.discrepancy)
        return scale[:, None] * rows, scale * float(problem.rise.values[1])

    def first_profile(self) -> Rows:
        """One observation, as an integral over the height."""
        x, share = gauss(8)
        at_start = np.stack([x, 0 * x], axis=1)
        low, high = (self.design(at_start * 0.0 + [end, 0.0]) for end in (0.0, 1.0))
        away = self.design(at_start) - (1 - x)[:, None] * low - x[:, None] * high
        std = INITIAL_STD / self.problem.units.spread
        return np.sqrt(share)[:, None] / std * away, 0 * x

    @cached_property
    def ends(self) -> Ends:
        return smooth_ends(self.problem)

    def smoothness(self) -> Rows:
        """Second differences of both ends, and the ridge."""
        differences = np.diff(np.eye(self.posterior.basis.splines), ORDER, axis=0)
        ends, units = self.ends, np.eye(HEIGHT_FUNCTIONS)
        parts = [
            np.sqrt(series.penalty) * np.kron(differences, unit)
            for series, unit in ((ends.bottom, units[:1]), (ends.top, units[1:2]))
        ]
        ridge = np.sqrt(RIDGE) * np.eye(parts[0].shape[1])
        rows = np.concatenate([*parts, ridge])
        return rows, np.zeros(len(rows))

    def prior(self, factor: float) -> Rows:
        start = [self.first_profile()] if self.problem.initial_std is not None else []
        return stacked(self.equation(factor), self.smoothness(), *start)

    def density(self) -> Rows:
        return stacked(self.prior(self.posterior.discrepancy_factor), self.readings())

    def log_evidence(self, factor: float) -> float:
        """of the readings, up to a constant"""
        before, after = self.prior(factor), stacked(self.prior(factor), self.readings())
        return log_integral(after) - log_integral(before)

    def assert_predicts(self, tolerance: float) -> None:
        """Means and variances at points are those of the density, to a share of its spread."""
        rows, targets = self.density()
        covariance, design = np.linalg.inv(rows.T @ rows), self.design(POINTS)
        variance = np.einsum("pi,ij,pj->p", design, covariance, design)
        prediction = self.posterior.predict(POINTS)
        np.testing.assert_allclose(prediction.epistemic, variance, rtol=tolerance)
        error = prediction.mean - design @ np.linalg.lstsq(rows, targets)[0]
        np.testing.assert_allclose(error / np.sqrt(variance), 0.0, atol=tolerance)


def stacked(*parts: Rows) -> Rows:
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def log_integral(rows_and_targets: Rows) -> float:
    """of exp(-|a c - y|²/2) over all c, up to a constant"""
    triangle = np.linalg.qr(np.column_stack(rows_and_targets), mode="r")
    sizes = np.abs(np.diag(triangle))
    return float(-0.5 * sizes[-1] ** 2 - np.log(sizes[:-1]).sum())


def gauss(count: int) -> Rows:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (nodes + 1) / 2, weights / 2


def gauss_square(intervals: int) -> Rows:
    """Points for which squares of the basis are integrated exactly, and their shares."""
    (x, height_share), (within, time_share) = gauss(8), gauss(4)
    t = (np.arange(intervals)[:, None] + within).ravel() / intervals
    share = np.outer(np.tile(time_share / intervals, intervals), height_share)
    return np.stack([axis.ravel() for axis in np.meshgrid(x, t)], axis=1), share.ravel()


@pytest.fixture(autouse=True)
def one_thread_of_algebra():
    with one_thread():
        yield


@pytest.fixture(scope="module")
def dense() -> Dense:
    problem = short_window()
    return Dense(problem, Exact(HEIGHT_FUNCTIONS).fit(problem, key=KEY))


def test_the_closed_form_is_that_of_the_dense_matrices(dense: Dense):
    assert dense.density()[0].shape[1] < 150
    dense.assert_predicts(tolerance=0.005)


def test_sensors_inside_choose_the_discrepancy_that_makes_them_most_likely():
    problem = short_window(0.3, 0.6)
    dense = Dense(problem, Exact(HEIGHT_FUNCTIONS).fit(problem, key=KEY))
    best = minimize_scalar(
        lambda log_factor: -dense.log_evidence(np.exp(log_factor)), bounds=(0, 6), method="bounded"
    )
    assert dense.posterior.discrepancy_factor == pytest.approx(np.exp(best.x), rel=0.1)
    # Where the first profile is free, it decays faster than three points an interval can follow.
    dense.assert_predicts(tolerance=0.05)


def test_long_chains_agree(dense: Dense):
    """Sampled in coordinates whitened by the density's own curvature, which only saves steps."""
    from numpyro.infer import MCMC, NUTS

    rows, targets = dense.density()
    whiten = np.linalg.inv(np.linalg.qr(rows, mode="r"))
    with jax.enable_x64(True):
        across, wanted = jnp.asarray(rows @ whiten), jnp.asarray(targets)
        sampler = MCMC(
            NUTS(
                potential_fn=lambda white: 0.5 * jnp.sum((across @ white - wanted) ** 2),
                adapt_mass_matrix=False,
            ),
            num_warmup=200,
            num_samples=2000,
            num_chains=2,
            chain_method="sequential",
            progress_bar=False,
        )
        start = np.random.default_rng(1).normal(size=(2, len(whiten)))
        sampler.run(jax.random.key(2), init_params=jnp.asarray(start))
        samples = np.asarray(sampler.get_samples()) @ whiten.T
    values = samples @ dense.design(POINTS).T
    prediction = dense.posterior.predict(POINTS)
    std = np.sqrt(prediction.epistemic)
    print("std", values.std(axis=0) / std, "mean", (values.mean(axis=0) - prediction.mean) / std)
    np.testing.assert_allclose(values.std(axis=0), std, rtol=0.05)
    np.testing.assert_allclose((values.mean(axis=0) - prediction.mean) / std, 0.0, atol=0.05)
