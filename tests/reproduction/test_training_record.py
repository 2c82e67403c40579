"""When a term has converged, and how weights are distributed."""

import numpy as np
import pytest

from reproduction.training_record import WEIGHTS, convergence, weight_density

STEPS = np.arange(20.0, 15_001.0, 20.0)


def test_a_slower_term_converges_later():
    arrays = {
        "history_own_step": STEPS,
        "history_own_total": np.zeros_like(STEPS),
        "history_own_readings": np.exp(-STEPS / 500),
        "history_own_interior": np.exp(-STEPS / 2000),
    }
    found = convergence(arrays)
    # A decay is within a twentieth of its way after log(20) of its times.
    assert found["readings"] == pytest.approx(np.log(20) * 500 / 15_000, abs=0.02)
    assert found["interior"] == pytest.approx(np.log(20) * 2000 / 15_000, abs=0.03)


def test_the_first_stage_counts():
    arrays = {
        "history_start_step": np.arange(1.0, 25.0),
        "history_start_readings": np.array([10.0, *np.zeros(23)]),
        "history_own_step": STEPS,
        "history_own_readings": STEPS,
    }
    assert convergence(arrays)["readings"] < 0.1
    assert convergence({}) == {}


def test_the_density_of_weights_is_one():
    density = weight_density(np.array([-1.0, 0.5]), np.array([0.1, 0.3]))
    assert np.trapezoid(density, WEIGHTS) == pytest.approx(1.0, abs=1e-3)
    assert np.trapezoid(density * WEIGHTS, WEIGHTS) == pytest.approx(-0.25, abs=1e-3)
