"""Finite elements on a line: linear or quadratic, assembled once as small dense matrices."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy.polynomial.polynomial import polyder

Degree = Literal[1, 2]
"""Degree of the polynomials: linear or quadratic."""

_SHAPES: dict[Degree, np.ndarray] = {
    1: np.array([[1.0, 0.0], [-1.0, 1.0]]),
    2: np.array([[1.0, 0.0, 0.0], [-3.0, 4.0, -1.0], [2.0, -4.0, 2.0]]),
}
"""Shape functions of one element's nodes over its unit length: coefficients by power (the lowest
first) and node."""


@dataclass(frozen=True)
class LineElements:
    r"""Continuous piecewise polynomials on $0 \le x \le H$, given by their values at nodes.

    A hundred nodes make matrices that a processor multiplies in microseconds, so they are dense.
    """

    nodes: Float[np.ndarray, " node"]
    """Places of the nodes, from 0 to the height [m, or in the unit of the height given]."""
    values: Float[np.ndarray, "quadrature node"]
    """Shape function of each node at the quadrature points."""
    slopes: Float[np.ndarray, "quadrature node"]
    """Derivative of each node's shape function at the quadrature points [1/m]."""
    weights: Float[np.ndarray, " quadrature"]
    """Length that each quadrature point stands for [m]."""
    degree: Degree
    """Degree of the polynomials."""

    @classmethod
    def uniform(cls, height: float, count: int, degree: Degree = 1) -> "LineElements":
        """`count` equal elements over the height, integrated by Gauss's rule."""
        nodes = np.linspace(0.0, height, count * degree + 1)
        # Exact up to degree 2 d + 1, and the product of two shape functions has degree 2 d.
        abscissae, weights = np.polynomial.legendre.leggauss(degree + 1)
        size = height / count
        corners = size * np.arange(count)[:, None]
        # Gauss's abscissae lie between -1 and 1, elements between their corners.
        points = (corners + size * (abscissae + 1) / 2).ravel()
        shapes = _shapes(nodes, points, degree)
        values, slopes = (
            _scattered(shapes.columns, entries, nodes.size)
            for entries in (shapes.values, shapes.slopes)
        )
        return cls(nodes, values, slopes, np.tile(size * weights / 2, count), degree)

    @cached_property
    def mass(self) -> Float[np.ndarray, "node node"]:
        r"""The mass matrix, $\int \phi_i \phi_j$."""
        return self.values.T @ (self.weights[:, None] * self.values)

    def stiffness(
        self, coefficient: float | Float[np.ndarray, " quadrature"]
    ) -> Float[np.ndarray, "node node"]:
        r"""The stiffness matrix, $\int k \phi_i' \phi_j'$.

        The coefficient $k$ is a number, or given at the quadrature points.
        """
        return self.slopes.T @ ((self.weights * coefficient)[:, None] * self.slopes)

    @cached_property
    def advection(self) -> Float[np.ndarray, "node node"]:
        r"""The advection matrix, $\int \phi_i \phi_j'$."""
        return self.values.T @ (self.weights[:, None] * self.slopes)

    def interpolation(
        self, heights: Float[np.ndarray, " height"]
    ) -> Float[np.ndarray, "height node"]:
        """The matrix that takes nodal values to values at any heights."""
        shapes = _shapes(self.nodes, heights, self.degree)
        return _scattered(shapes.columns, shapes.values, self.nodes.size)

    def shapes(self, heights: Float[np.ndarray, " point"]) -> "Shapes":
        """The entries of `interpolation` that are not zero, which is smaller for many points."""
        return _shapes(self.nodes, heights, self.degree)


@dataclass(frozen=True)
class Shapes:
    """Shape functions that are not zero at each of several points: those of its own element."""

    columns: Int[np.ndarray, "point local"]
    """Indices of the nodes that they belong to."""
    values: Float[np.ndarray, "point local"]
    """Values of these shape functions at the point."""
    slopes: Float[np.ndarray, "point local"]
    """Derivatives of these shape functions at the point [1/m]."""


def _shapes(nodes: np.ndarray, points: np.ndarray, degree: Degree) -> Shapes:
    corners = nodes[::degree]
    size = corners[1] - corners[0]
    # Clipped, so that the upper end belongs to the last element; a point outside is extrapolated.
    element = np.clip(np.searchsorted(corners, points, side="right") - 1, 0, corners.size - 2)
    local = (points - corners[element]) / size
    columns = element[:, None] * degree + np.arange(degree + 1)
    shape = _SHAPES[degree]
    return Shapes(columns, _values(shape, local), _values(polyder(shape), local) / size)


def _values(coefficients: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Polynomials with these coefficients (power, node) at points, a column each."""
    powers = np.vander(x, len(coefficients), increasing=True)
    # Summed from the lowest power, as twins have always been: by Horner's rule the last bit moves.
    total = np.zeros((x.size, coefficients.shape[1]))
    for power, row in zip(powers.T, coefficients, strict=True):
        total += power[:, None] * row
    return total


def _scattered(
    columns: Int[np.ndarray, "point local"], entries: Float[np.ndarray, "point local"], width: int
) -> Float[np.ndarray, "point node"]:
    """A dense matrix with a row a point, zero but for the entries."""
    matrix = np.zeros((columns.shape[0], width))
    np.put_along_axis(matrix, columns, entries, axis=1)
    return matrix
