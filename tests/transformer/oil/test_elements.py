"""Identities that finite elements owe to their definition."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.transformer.oil.elements import Degree, LineElements

DEGREES = get_args(Degree)
HEIGHT = 1.7


def mesh(degree: Degree, count: int = 7) -> LineElements:
    return LineElements.uniform(HEIGHT, count, degree)


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize("count", [1, 4, 50, 100])
def test_ends_belong_to_the_mesh(degree: Degree, count: int):
    elements = LineElements.uniform(1.0, count, degree)
    rows = elements.interpolation(np.array([0.0, 1.0]))
    np.testing.assert_allclose(rows[:, [0, -1]], np.eye(2), atol=1e-12)


@pytest.mark.parametrize("degree", DEGREES)
@given(millimetres=st.integers(0, round(1000 * HEIGHT)))
def test_functions_are_a_partition_of_unity_and_nodal(degree: Degree, millimetres: int):
    elements = mesh(degree)
    row = elements.interpolation(np.array([millimetres / 1000]))[0]
    assert row.sum() == pytest.approx(1.0)
    assert row @ elements.nodes == pytest.approx(millimetres / 1000)
    np.testing.assert_allclose(
        elements.interpolation(elements.nodes), np.eye(elements.nodes.size), atol=1e-12
    )


@pytest.mark.parametrize("degree", DEGREES)
def test_matrices_integrate_what_they_say(degree: Degree):
    elements = mesh(degree)
    x, one = elements.nodes, np.ones(elements.nodes.size)
    assert x.size == 7 * degree + 1
    assert elements.weights.sum() == pytest.approx(HEIGHT)
    assert one @ elements.mass @ one == pytest.approx(HEIGHT)
    assert x @ elements.mass @ x == pytest.approx(HEIGHT**3 / 3)
    assert x @ elements.stiffness(3.0) @ x == pytest.approx(3.0 * HEIGHT)
    assert x @ elements.advection @ x == pytest.approx(HEIGHT**2 / 2)
    assert one @ elements.advection @ x == pytest.approx(HEIGHT)


@pytest.mark.parametrize("degree", DEGREES)
def test_stiffness_and_advection_kill_constants(degree: Degree):
    elements = mesh(degree)
    one = np.ones(elements.nodes.size)
    varying = 1.0 + (elements.values @ elements.nodes) ** 2
    for matrix in (elements.stiffness(2.0), elements.stiffness(varying), elements.advection):
        np.testing.assert_allclose(matrix @ one, 0.0, atol=1e-12)


@pytest.mark.parametrize("degree", DEGREES)
def test_matrices_have_the_symmetry_of_their_integrals(degree: Degree):
    elements = mesh(degree)
    for matrix in (elements.mass, elements.stiffness(2.0)):
        np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
        assert np.linalg.eigvalsh(matrix).min() > -1e-12
    # By parts: what flows in at one end and out at the other.
    ends = np.zeros_like(elements.mass)
    ends[0, 0], ends[-1, -1] = -1.0, 1.0
    np.testing.assert_allclose(elements.advection + elements.advection.T, ends, atol=1e-12)


@pytest.mark.parametrize("degree", DEGREES)
def test_a_varying_coefficient_is_integrated(degree: Degree):
    elements = mesh(degree)
    points = elements.values @ elements.nodes
    energy = elements.nodes @ elements.stiffness(1.0 + points) @ elements.nodes
    assert energy == pytest.approx(HEIGHT + HEIGHT**2 / 2)


@pytest.mark.parametrize("degree", DEGREES)
@given(coefficients=st.tuples(*[st.floats(-3.0, 3.0)] * 3))
def test_polynomials_of_the_degree_are_reproduced(degree: Degree, coefficients):
    elements = mesh(degree)
    polynomial = np.polynomial.Polynomial(coefficients[: degree + 1])
    nodal = polynomial(elements.nodes)
    anywhere = np.linspace(0.0, HEIGHT, 83)
    np.testing.assert_allclose(
        elements.interpolation(anywhere) @ nodal, polynomial(anywhere), atol=1e-10
    )
    points = elements.values @ elements.nodes
    np.testing.assert_allclose(elements.values @ nodal, polynomial(points), atol=1e-10)
    np.testing.assert_allclose(elements.slopes @ nodal, polynomial.deriv()(points), atol=1e-9)
