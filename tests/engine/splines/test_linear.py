"""Rows of a linear problem against its own residual, applied to a function of the basis."""

from collections.abc import Callable
from math import comb

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from square import SQUARE_PROBLEMS

from agewise.engine.problems.base import AbstractProblem, Box, Region
from agewise.engine.problems.linearity import nonlinear_residuals
from agewise.engine.splines.basis import SplineBasis, height_functions
from agewise.engine.splines.linear import LinearRows, _quadrature, residual_rows
from agewise.library.heat_rod import HeatRod
from agewise.transformer.oil.heat import transformer_heat
from agewise.transformer.oil.tank import Tank
from agewise.types import Point, Scalar, T, X


@pytest.fixture(autouse=True)
def double_precision():
    with jax.enable_x64(True):
        yield


def measured_inside() -> AbstractProblem:
    """Without a first profile, and with a load that jumps."""
    tank = Tank.closed(
        no_load_losses=842.0, load_losses=9800.0, oil_time_constant=9000.0, top_oil_rise=45.0
    )
    rng = np.random.default_rng(0)
    sensors = {height: 30.0 + rng.normal(size=25) for height in (0.0, 0.5, 1.0)}
    return transformer_heat(
        tank, np.linspace(0.0, 7200.0, 25), rng.uniform(0.0, 1.2, 25), sensors, discrepancy=0.07
    )


class WarmPatch(HeatRod):
    """A rod whose equation counts in half of its time only, and which declares its scales."""

    def regions(self):
        early = Region((Box((0.0, 0.0), (1.0, 0.5)),))
        return super().regions() | {"interior": early}

    def scales(self):
        return {"interior": 0.3, "wall": 0.02, "initial": 2.0}

    def pseudo_observations(self):
        return {"interior": 7.0, "wall": 11.0, "initial": 1.0}


MADE: dict[str, Callable[[], AbstractProblem]] = {
    **SQUARE_PROBLEMS,
    "measured-inside": measured_inside,
    "warm-patch": WarmPatch,
}
every_problem = pytest.mark.parametrize("make", MADE.values(), ids=MADE)


@pytest.fixture
def problem(make: Callable[[], AbstractProblem]) -> AbstractProblem:
    """One that has rows."""
    made = make()
    if nonlinear_residuals(made):
        pytest.skip("not linear in its unknown")
    return made


BASIS = SplineBasis(8, height_functions(6))


def some_coefficients() -> np.ndarray:
    return np.random.default_rng(5).normal(size=BASIS.size)


def function(coefficients: np.ndarray, xt: Point) -> Scalar:
    """A function of the basis, its splines written as differences of truncated cubes."""
    used = coefficients[: BASIS.splines * len(BASIS.heights)].reshape(BASIS.splines, -1)
    place = xt[T] * BASIS.intervals - jnp.arange(-3, BASIS.splines - 3)
    cubes = [(-1) ** k * comb(4, k) * jnp.maximum(place - k, 0.0) ** 3 / 6 for k in range(5)]
    shapes = jnp.stack(
        [jnp.polyval(jnp.asarray(shape.coef[::-1]), xt[X]) for shape in BASIS.heights]
    )
    return jnp.stack(cubes).sum(axis=0) @ jnp.asarray(used) @ shapes


def residual(problem: AbstractProblem, name: str, coefficients: np.ndarray, points: np.ndarray):
    of = problem.residuals()[name]
    at = jax.jit(jax.vmap(lambda point: of(lambda xt: function(coefficients, xt), point)))
    return np.asarray(at(jnp.asarray(points)))


def applied(rows: LinearRows, coefficients: np.ndarray) -> np.ndarray:
    """a c - y, row by row."""
    seen = rows.interval[:, None] * len(BASIS.heights) + np.arange(BASIS.block)
    return np.sum(rows.rows * coefficients[seen], axis=1) - rows.target


@every_problem
def test_rows_times_coefficients_are_the_residual(problem: AbstractProblem):
    coefficients = some_coefficients()
    for name, rows in residual_rows(problem, BASIS).items():
        boxes = problem.regions()[name].boxes
        points = np.concatenate([_quadrature(box, BASIS.intervals)[0] for box in boxes])
        expected = residual(problem, name, coefficients, points)
        np.testing.assert_allclose(
            applied(rows, coefficients), expected, atol=1e-7 * np.abs(expected).max(), err_msg=name
        )


@every_problem
def test_weights_add_up_to_the_declared_count_over_the_squared_scale(problem: AbstractProblem):
    for name, rows in residual_rows(problem, BASIS).items():
        count, scale = problem.pseudo_observations()[name], problem.scales()[name]
        assert rows.weights.min() > 0
        assert rows.weights.sum() == pytest.approx(count / scale**2, rel=1e-9), name


@every_problem
def test_weighted_squares_are_the_mean_square_over_the_region(problem: AbstractProblem):
    """The log likelihood is that of the declared count, however many points are taken."""
    coefficients = some_coefficients()
    for name, rows in residual_rows(problem, BASIS).items():
        got = np.sum(rows.weights * applied(rows, coefficients) ** 2)
        count, scale = problem.pseudo_observations()[name], problem.scales()[name]
        boxes = problem.regions()[name].boxes
        squares = [
            box.volume * np.mean(residual(problem, name, coefficients, spread(box)) ** 2)
            for box in boxes
        ]
        mean = sum(squares) / sum(box.volume for box in boxes)
        assert got == pytest.approx(count * mean / scale**2, rel=0.02), name


def spread(box: Box) -> np.ndarray:
    """Middles of many small cells."""
    axes = [
        np.array([low]) if low == high else low + (high - low) * (np.arange(96) + 0.5) / 96
        for low, high in zip(box.lower, box.upper, strict=True)
    ]
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes)], axis=1)


def test_what_solves_the_equation_in_the_basis_costs_nothing():
    """A steady profile that is a polynomial: the rod between walls at 1 and 2."""
    coefficients = np.zeros(BASIS.size)
    coefficients[0 :: len(BASIS.heights)], coefficients[1 :: len(BASIS.heights)] = 1.0, 2.0
    rows = residual_rows(HeatRod(looseness=1.0), BASIS)
    np.testing.assert_allclose(applied(rows["interior"], coefficients), 0.0, atol=1e-9)
    walls = applied(rows["wall"], coefficients)
    np.testing.assert_allclose(np.unique(walls.round(9)), [1.0, 2.0])
