"""A linear problem as rows: what each residual says of the coefficients of a basis."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

from agewise.engine.problems.base import AbstractProblem, Box
from agewise.engine.problems.linearity import refuse_nonlinear
from agewise.engine.splines.basis import PIECES, SplineBasis
from agewise.types import T, X

GAUSS_IN_TIME = 3
"""Gauss points in each interval: exact for products of the cubics' first derivatives (degree 4)."""
GAUSS_IN_HEIGHT = 12
"""Gauss points over the height: exact for squares of the polynomials used (degree 14)."""


@dataclass(frozen=True)
class LinearRows:
    """Rows a with weights w and targets y: the log likelihood is minus half of w (a c - y)²."""

    interval: Int[np.ndarray, " row"]
    """Interval of the basis in which each row lies."""
    rows: Float[np.ndarray, "row local"]
    """Coefficients a of the functions that the interval sees."""
    weights: Float[np.ndarray, " row"]
    """Weights w: precisions of the rows."""
    target: Float[np.ndarray, " row"]
    """Targets y that the rows should come to."""


def residual_rows(problem: AbstractProblem, basis: SplineBasis) -> Mapping[str, LinearRows]:
    """The rows of every residual, its count spread over the quadrature of its region.

    A problem that is not linear in its unknown has no such rows and is refused in a sentence.
    """
    refuse_nonlinear(problem)
    regions, scales, counts = problem.regions(), problem.scales(), problem.pseudo_observations()
    result = {}
    # The precision squares these rows: in single, a stiff equation would drown the readings.
    with jax.enable_x64(True):
        for name in problem.residuals():
            boxes = regions[name].boxes
            volume = sum(box.volume for box in boxes)
            parts = [_quadrature(box, basis.intervals) for box in boxes]
            points = np.concatenate([part[0] for part in parts])
            # By volume: two walls of a region weigh by their lengths, not one half each.
            share = np.concatenate(
                [part[1] * box.volume / volume for part, box in zip(parts, boxes, strict=True)]
            )
            rows, target = _rows(problem, name, basis, points)
            # The shares sum to one, so the region weighs its count however many points it has.
            weights = counts[name] * share / scales[name] ** 2
            interval = basis.interval(points[:, T])
            result[name] = LinearRows(interval, rows, weights, target)
    return result


def _rows(
    problem: AbstractProblem, name: str, basis: SplineBasis, points: Float[np.ndarray, "point 2"]
) -> tuple[Float[np.ndarray, "point local"], Float[np.ndarray, " point"]]:
    """The residual of each function that an interval sees, and minus that of zero."""
    pieces = _coefficients([piece.coef for piece in PIECES])
    heights = _coefficients([shape.coef for shape in basis.heights])
    interval = basis.interval(points[:, T]).astype(float)
    # Numbers as arrays: then what is compiled for one window of a record serves the others.
    traced = jax.tree.map(_array, problem.without_lift())
    count = np.array(float(basis.intervals))
    rows, zero = _residuals_of(traced, name, pieces, heights, count, points, interval)
    # An affine residual is its value at zero plus a linear part; rows hold the linear part.
    return np.asarray(rows) - np.asarray(zero)[:, None], -np.asarray(zero)


def _array(leaf: Any) -> Any:
    return np.array(leaf) if isinstance(leaf, float) else leaf


@eqx.filter_jit
def _residuals_of(problem, name, pieces, heights, count, points, interval):
    """The residual at points of every product of a spline and a height, and that of zero."""
    residual = problem.residuals()[name]

    def at(point, interval):
        def residual_of(spline, height):
            def function(xt):
                # Within its interval the spline is this cubic, so its derivatives are exact.
                # The cubic goes on beyond its interval, but residuals are taken within it alone.
                local_time = xt[T] * count - interval
                return jnp.polyval(spline, local_time) * jnp.polyval(height, xt[X])

            return residual(function, point)

        # Splines outer, heights inner: the order in which `SplineBasis.rows` numbers them.
        products = jax.vmap(jax.vmap(residual_of, (None, 0)), (0, None))(pieces, heights)
        # Zero times x, so that it is traced with the type of the point like any other function.
        return products.ravel(), residual(lambda xt: 0.0 * xt[X], point)

    return jax.vmap(at)(points, interval)


def _coefficients(polynomials: list[np.ndarray]) -> Float[np.ndarray, "polynomial power"]:
    """Highest power first, as `polyval` wants them, padded to one length."""
    length = max(map(len, polynomials))
    # NumPy's coefficients start with the constant, so zeros go behind before all are turned.
    return np.stack([np.pad(coef, (0, length - len(coef)))[::-1] for coef in polynomials])


def _quadrature(
    box: Box, intervals: int
) -> tuple[Float[np.ndarray, "point 2"], Float[np.ndarray, " point"]]:
    """Gauss points of a box and their share of it; time is cut at the knots of the splines."""
    heights, height_share = _gauss(box.lower[X], box.upper[X], 1, GAUSS_IN_HEIGHT)
    # A box from the first instant to the last has one cell for each spline interval.
    cells = max(1, round(intervals * (box.upper[T] - box.lower[T])))
    times, time_share = _gauss(box.lower[T], box.upper[T], cells, GAUSS_IN_TIME)
    # Times along the first axis: flat, time is outer, as in the outer product of shares.
    x, t = np.meshgrid(heights, times)
    return np.stack([x.ravel(), t.ravel()], axis=1), np.outer(time_share, height_share).ravel()


def _gauss(lower: float, upper: float, cells: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points of equal cells from `lower` to `upper`, and their shares, which sum to 1."""
    if lower == upper:  # a wall or an instant: one point stands for the pinned axis
        return np.array([lower]), np.ones(1)
    nodes, weights = np.polynomial.legendre.leggauss(count)
    size = (upper - lower) / cells
    corners = lower + size * np.arange(cells)[:, None]
    # `leggauss` lives on [-1, 1] with weights that sum to two, hence both halvings.
    return (corners + size * (nodes + 1) / 2).ravel(), np.tile(weights / 2 / cells, cells)
