"""What a fit says of itself, against the same worked out by hand."""

import jax
import numpy as np
import pytest

import agewise
from agewise.engine.equations.methods.base import posterior_of
from agewise.engine.equations.methods.laplace import Laplace
from agewise.engine.equations.posterior.weights import CertainWeights
from agewise.engine.training import QUIET


def test_the_mean_square_of_errors_is_in_the_unit_of_the_readings_where_their_noise_is_uneven():
    times = np.linspace(0.0, 1.0, 40)
    std = np.where(times < 0.5, 0.01, 1.0)
    values = times + std * np.random.default_rng(0).standard_normal(40)
    problem = agewise.Problem(
        equations={"straight": lambda u, p: agewise.second_partial(u, 0)(p)},
        coordinates={"t": (0.0, 1.0)},
        readings={"probe": agewise.Observations(times[:, None], values, std)},
    )
    small = agewise.EquationSettings(hidden=(4,), single_start=True, attempts=1)
    fitted = Laplace(small).fitted(problem, key=jax.random.key(0), monitor=QUIET)
    weights = CertainWeights(fitted.numbers)
    line = posterior_of(Laplace(small), fitted, weights, fitted.check).predict(times)
    assert fitted.mean_square("probe") == pytest.approx(np.mean((values - line.mean) ** 2))
