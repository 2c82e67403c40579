"""Hypotheses about the equation: their evidence, and which of them readings choose."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from agewise.transformer.oil.doubt import hypotheses
from agewise.transformer.oil.doubt.hypotheses import CONSTANT_SIZES, WANDERING_SIZES, taught
from agewise.transformer.oil.doubt.inside import InsideReadings
from agewise.transformer.oil.doubt.profile_doubt import (
    MODES,
    hats,
    knots_of,
    shapes,
    wandering_covariance,
)

WINDOW = 86400.0
STD = 0.1


def constants(rng: np.random.Generator) -> np.ndarray:
    """Draws of five constants; that of the conductivity is the third."""
    return rng.standard_normal((400, 5)) * [0.03, 0.03, 0.5, 1e-3, 1e-3]


def slopes(times: np.ndarray) -> np.ndarray:
    """Effects of the constants at the cells [K], each with a course of its own."""
    return 10.0 * np.stack([np.cos(2 * np.pi * n * times + n) for n in range(5)], axis=1)


def cells(error: np.ndarray, times: np.ndarray, ends: np.ndarray | None = None) -> InsideReadings:
    points = np.stack([np.full_like(times, 0.6), times], axis=1)
    columns = np.zeros((times.size, 0)) if ends is None else ends
    return InsideReadings(points, error, np.full(times.size, STD), columns)


def test_evidence_is_the_density_of_the_readings():
    """Against the dense covariance of the readings, hypothesis by hypothesis."""
    rng, times = np.random.default_rng(0), np.linspace(0.02, 0.98, 30)
    drawn, span, knots = constants(rng), np.full(30, 20.0), knots_of(WINDOW)
    readings = cells(rng.normal(size=30), times, ends=0.2 * rng.normal(size=(30, 4)))
    modes = (span * shapes(readings.points[:, 0])).T
    at_knots = (modes[:, :, None] * hats(knots, times)[:, None, :]).reshape(30, -1)
    design = np.concatenate([slopes(times), modes, at_knots], axis=1)
    between = hypotheses.BETWEEN_KNOTS * np.sum(modes**2, axis=1)
    fits, _ = hypotheses._weighed(readings, design, between, drawn, knots, WINDOW)
    noise = STD**2 * np.eye(30) + readings.ends @ readings.ends.T
    of_constants = slopes(times) @ np.cov(drawn.T) @ slopes(times).T
    centre = slopes(times) @ drawn.mean(axis=0)
    wander = np.kron(np.eye(MODES), wandering_covariance(knots, WINDOW))
    places = {1: (0.0, 0.0)}
    for row, column in ((3, 5), (8, 2), (11, 13)):
        place = 2 + row * len(CONSTANT_SIZES) + column
        places[place] = (CONSTANT_SIZES[column], WANDERING_SIZES[row])
    differences = []
    for place, (constant, wandering) in places.items():
        error = constant**2 * modes @ modes.T + wandering**2 * (
            at_knots @ wander @ at_knots.T + np.diag(between)
        )
        dense = multivariate_normal(centre, noise + of_constants + error)
        differences.append(fits[place].log_evidence - dense.logpdf(readings.error))
    # The circle's number is left out of all of them; a small ridge keeps matrices whole.
    np.testing.assert_allclose(differences, 15 * np.log(2 * np.pi), atol=0.01)


@pytest.mark.parametrize("conductivity", [0.0, 0.7])
def test_readings_that_agree_make_the_equation_right(conductivity: float):
    rng, times = np.random.default_rng(1), np.linspace(0.01, 0.99, 48)
    truth = np.array([0.01, -0.01, conductivity, 0.0, 0.0])
    error = slopes(times) @ truth + STD * rng.normal(size=48)
    found = taught(
        cells(error, times), np.full(48, 20.0), slopes(times), constants(rng), WINDOW, rng=rng
    )
    right = (found.amplitudes.values == 0).all(axis=(1, 2))
    assert right.mean() > 0.9
    assert found.constants[:, 2].mean() == pytest.approx(conductivity, abs=0.01)
    if not conductivity:
        # As it stands: most draws have the declared conductivity to the digit.
        assert np.mean(np.abs(found.constants[:, 2]) < 2e-3) > 0.8


def test_an_error_that_no_constant_explains_is_the_equations_own():
    rng, times = np.random.default_rng(2), np.linspace(0.01, 0.99, 48)
    # A tenth of the span, and it wanders with noise of its own.
    error = 2.0 + np.cumsum(0.3 * rng.normal(size=48)) + STD * rng.normal(size=48)
    found = taught(
        cells(error, times),
        np.full(48, 20.0),
        0.01 * slopes(times),
        constants(rng),
        WINDOW,
        rng=rng,
    )
    assert found.size > 0.05
    modes = 20.0 * shapes(np.array([0.6]))[:, 0]
    at_sensor = np.einsum("njt,j->nt", found.amplitudes.at(times), modes)
    assert np.sqrt(np.mean((at_sensor.mean(axis=0) - error) ** 2)) < 0.5
    # Elsewhere nobody looked, and the draws say so.
    elsewhere = 20.0 * shapes(np.array([0.2]))[:, 0]
    at_other = np.einsum("njt,j->nt", found.amplitudes.at(times), elsewhere)
    assert at_other.std(axis=0).mean() > 3 * at_sensor.std(axis=0).mean()
