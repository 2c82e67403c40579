"""The basis against scipy's splines and against sums written out in full."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline

from agewise.engine.splines.basis import SplineBasis, height_functions
from agewise.engine.splines.blocks import BlockTridiagonal

sizes = pytest.mark.parametrize(("intervals", "heights"), [(1, 1), (2, 3), (5, 2), (8, 4), (13, 1)])


def made(intervals: int, heights: int) -> SplineBasis:
    shapes = height_functions(heights) if heights > 1 else None
    return SplineBasis(intervals) if shapes is None else SplineBasis(intervals, shapes)


def some_points(count: int = 60, seed: int = 0) -> np.ndarray:
    """Points anywhere, and on both ends of time."""
    points = np.random.default_rng(seed).uniform(size=(count, 2))
    points[:2, 1] = 0.0, 1.0
    return points


def splines_in_time(intervals: int, t: np.ndarray, derivative: int = 0) -> np.ndarray:
    """Cubic splines on equal knots, one a column, by scipy."""
    knots = np.arange(-3, intervals + 4) / intervals
    count = intervals + 3
    return np.stack([BSpline(knots, row, 3)(t, derivative) for row in np.eye(count)], axis=1)


def design(basis: SplineBasis, points: np.ndarray) -> np.ndarray:
    """All functions at points, numbered time first, and zeros for the padding."""
    x, t = points.T
    shapes = np.stack([shape(x) for shape in basis.heights], axis=1)
    products = splines_in_time(basis.intervals, t)[:, :, None] * shapes[:, None, :]
    return np.pad(flat := products.reshape(len(x), -1), ((0, 0), (0, basis.size - flat.shape[1])))


def dense(matrix: BlockTridiagonal) -> np.ndarray:
    blocks, size = matrix.diagonal.shape[:2]
    whole = np.zeros((blocks, size, blocks, size))
    for i in range(blocks):
        whole[i, :, i] = matrix.diagonal[i]
    for i in range(blocks - 1):
        whole[i + 1, :, i], whole[i, :, i + 1] = matrix.below[i], matrix.below[i].T
    return whole.reshape(blocks * size, blocks * size)


@sizes
def test_values_are_those_of_scipy(intervals: int, heights: int):
    basis, points = made(intervals, heights), some_points()
    rng = np.random.default_rng(1)
    for trailing in ((), (4,), (2, 3)):
        coefficients = rng.normal(size=(basis.size, *trailing))
        expected = np.tensordot(design(basis, points), coefficients, 1)
        np.testing.assert_allclose(basis.values(coefficients, points), expected, atol=1e-12)


@sizes
def test_rows_are_the_part_of_the_design_that_an_interval_sees(intervals: int, heights: int):
    basis, points = made(intervals, heights), some_points()
    whole, rows = design(basis, points), basis.rows(points)
    interval = basis.interval(points[:, 1])
    assert interval.min() >= 0
    assert interval.max() == intervals - 1, "the end of time belongs to the last interval"
    for point, row, first in zip(whole, rows, interval, strict=True):
        mine = slice(first * heights, (first + 4) * heights)
        np.testing.assert_allclose(row, point[mine], atol=1e-12)
        assert np.abs(np.delete(point, np.r_[mine])).sum() < 1e-12


@sizes
def test_precision_and_information_are_sums_over_rows(intervals: int, heights: int):
    basis, rng = made(intervals, heights), np.random.default_rng(2)
    points, weights, values = some_points(), rng.uniform(0.5, 2.0, 60), rng.normal(size=60)
    whole, interval, rows = design(basis, points), basis.interval(points[:, 1]), basis.rows(points)
    got = dense(basis.precision(interval, rows, weights))
    np.testing.assert_allclose(got, whole.T @ (weights[:, None] * whole), atol=1e-12)
    information = basis.information(interval, rows, weights * values)
    np.testing.assert_allclose(information, whole.T @ (weights * values), atol=1e-12)


def test_intervals_without_rows_say_nothing():
    basis = made(9, 2)
    points = np.array([[0.3, 0.5]])
    interval, rows, weights = basis.interval(points[:, 1]), basis.rows(points), np.ones(1)
    whole = design(basis, points)
    np.testing.assert_allclose(dense(basis.precision(interval, rows, weights)), whole.T @ whole)
    none = np.zeros(0, dtype=int)
    empty = basis.precision(none, np.zeros((0, basis.block)), np.zeros(0))
    assert not dense(empty).any()


@sizes
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_roughness_is_the_sum_of_squared_differences(intervals: int, heights: int, order: int):
    basis, rng = made(intervals, heights), np.random.default_rng(3)
    for height in range(heights):
        coefficients = rng.normal(size=basis.size)
        used = coefficients[: basis.splines * heights].reshape(basis.splines, heights)
        matrix = dense(basis.roughness(order, height))
        expected = np.sum(np.diff(used[:, height], order) ** 2) if basis.splines > order else 0.0
        assert coefficients @ matrix @ coefficients == pytest.approx(expected, rel=1e-12, abs=1e-12)


@sizes
def test_ridge_is_weak_where_functions_are_and_strong_where_they_are_not(
    intervals: int, heights: int
):
    basis = made(intervals, heights)
    used = basis.splines * heights
    expected = np.diag(np.where(np.arange(basis.size) < used, 1e-3, 1.0))
    np.testing.assert_array_equal(dense(basis.ridge(1e-3)), expected)
    assert basis.size == basis.blocks * basis.block >= used


@given(intervals=st.integers(1, 40), t=st.floats(0.0, 1.0))
def test_splines_share_out_one(intervals: int, t: float):
    rows = SplineBasis(intervals).rows(np.array([[0.0, t]]))
    assert rows.sum() == pytest.approx(1.0, abs=1e-12)
    assert rows.min() > -1e-12


@pytest.mark.parametrize("power", range(4))
def test_cubics_in_time_times_polynomials_in_height_are_reproduced(power: int):
    basis = made(7, 5)
    points = some_points(400)
    x, t = points.T
    for degree in range(5):
        wanted = (t - 0.3) ** power * x**degree
        coefficients = np.linalg.lstsq(design(basis, points), wanted, rcond=None)[0]
        elsewhere = some_points(50, seed=8)
        got = basis.values(coefficients, elsewhere)
        expected = (elsewhere[:, 1] - 0.3) ** power * elsewhere[:, 0] ** degree
        np.testing.assert_allclose(got, expected, atol=1e-10)


def test_functions_are_smooth_across_knots():
    """Twice differentiable: the second difference at a knot goes to its value beside the knot."""
    basis = SplineBasis(6)
    coefficients = np.random.default_rng(4).normal(size=basis.size)
    step = 1e-4
    knot = 3 / 6 + step * np.arange(-3, 4)
    values = basis.values(coefficients, np.stack([np.zeros(7), knot], axis=1))
    second = np.diff(values, 2) / step**2
    third = 6**3 * np.abs(np.diff(coefficients, 3)).max()
    assert np.abs(np.diff(second)).max() < 1.1 * third * step


def test_two_lines_carry_the_ends_and_bubbles_vanish_there():
    lower, upper, *bubbles = height_functions(8)
    ends = np.array([0.0, 1.0])
    np.testing.assert_allclose(lower(ends), [1.0, 0.0], atol=1e-14)
    np.testing.assert_allclose(upper(ends), [0.0, 1.0], atol=1e-14)
    assert [bubble.degree() for bubble in bubbles] == [2, 3, 4, 5, 6, 7]
    for bubble in bubbles:
        np.testing.assert_allclose(bubble(ends), 0.0, atol=1e-11)


def test_slopes_of_bubbles_are_orthonormal():
    _, _, *bubbles = height_functions(8)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    slopes = np.stack([bubble.deriv()((nodes + 1) / 2) for bubble in bubbles])
    np.testing.assert_allclose(slopes @ np.diag(weights / 2) @ slopes.T, np.eye(6), atol=1e-9)
