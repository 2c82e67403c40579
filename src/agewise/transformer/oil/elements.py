"""Finite elements on a line: linear or quadratic, assembled once as small dense matrices."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from scipy.interpolate import PPoly

Degree = Literal[1, 2]

_SHAPES: dict[Degree, PPoly] = {
    1: PPoly(np.array([[[-1.0, 1.0]], [[1.0, 0.0]]]), np.array([0.0, 1.0])),
    2: PPoly(
        np.array([[[2.0, -4.0, 2.0]], [[-3.0, 4.0, -1.0]], [[1.0, 0.0, 0.0]]]), np.array([0.0, 1.0])
    ),
}
"""The functions of one element's nodes over its length, as polynomials, highest power first."""


@dataclass(frozen=True)
class LineElements:
    r"""Continuous piecewise polynomials on $0 \le x \le H$, given by their values at nodes.

    A hundred nodes make matrices that a processor multiplies in microseconds, so they are dense.
    """

    nodes: Float[np.ndarray, " node"]
    values: Float[np.ndarray, "quadrature node"]
    """Each node's function at the quadrature points."""
    slopes: Float[np.ndarray, "quadrature node"]
    """Its derivative there."""
    weights: Float[np.ndarray, " quadrature"]
    """m, the length that each quadrature point stands for."""
    degree: Degree

    @classmethod
    def uniform(cls, height: float, count: int, degree: Degree = 1) -> "LineElements":
        """`count` equal elements over the height, integrated by Gauss's rule."""
        nodes = np.linspace(0.0, height, count * degree + 1)
        abscissae, weights = np.polynomial.legendre.leggauss(degree + 1)
        size = height / count
        corners = size * np.arange(count)[:, None]
        points = (corners + size * (abscissae + 1) / 2).ravel()
        shapes = _shapes(nodes, points, degree)
        values, slopes = (
            _scattered(shapes.columns, entries, nodes.size)
            for entries in (shapes.values, shapes.slopes)
        )
        return cls(nodes, values, slopes, np.tile(size * weights / 2, count), degree)

    @cached_property
    def mass(self) -> Float[np.ndarray, "node node"]:
        r"""$\int \phi_i \phi_j$"""
        return self.values.T @ (self.weights[:, None] * self.values)

    def stiffness(
        self, coefficient: float | Float[np.ndarray, " quadrature"]
    ) -> Float[np.ndarray, "node node"]:
        r"""$\int k \phi_i' \phi_j'$, the coefficient a number or given at the quadrature points."""
        return self.slopes.T @ ((self.weights * coefficient)[:, None] * self.slopes)

    @cached_property
    def advection(self) -> Float[np.ndarray, "node node"]:
        r"""$\int \phi_i \phi_j'$"""
        return self.values.T @ (self.weights[:, None] * self.slopes)

    def interpolation(
        self, heights: Float[np.ndarray, " height"]
    ) -> Float[np.ndarray, "height node"]:
        """The matrix that takes nodal values to values at any heights."""
        shapes = _shapes(self.nodes, heights, self.degree)
        return _scattered(shapes.columns, shapes.values, self.nodes.size)

    def shapes(self, heights: Float[np.ndarray, " point"]) -> "Shapes":
        """The same, without its zeros: for many points."""
        return _shapes(self.nodes, heights, self.degree)


@dataclass(frozen=True)
class Shapes:
    """The functions that are not zero at each of some points."""

    columns: Int[np.ndarray, "point local"]
    """The nodes they belong to."""
    values: Float[np.ndarray, "point local"]
    slopes: Float[np.ndarray, "point local"]


def _shapes(nodes: np.ndarray, points: np.ndarray, degree: Degree) -> Shapes:
    corners = nodes[::degree]
    size = corners[1] - corners[0]
    element = np.clip(np.searchsorted(corners, points, side="right") - 1, 0, corners.size - 2)
    local = (points - corners[element]) / size
    columns = element[:, None] * degree + np.arange(degree + 1)
    shape = _SHAPES[degree]
    return Shapes(columns, shape(local), shape.derivative()(local) / size)


def _scattered(
    columns: Int[np.ndarray, "point local"], entries: Float[np.ndarray, "point local"], width: int
) -> Float[np.ndarray, "point node"]:
    matrix = np.zeros((columns.shape[0], width))
    np.put_along_axis(matrix, columns, entries, axis=1)
    return matrix
