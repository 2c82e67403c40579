"""How wrong an equation is: the density of the readings against one written out in full."""

from dataclasses import replace

import jax
import numpy as np
import pytest
from scipy.stats import multivariate_normal

from agewise.engine.objective.architecture import prior_of
from agewise.engine.objective.discrepancy import _Evidence, likeliest_looseness
from agewise.engine.objective.families import Point
from agewise.engine.objective.setup import Setup
from agewise.engine.presets import default
from agewise.engine.training import QUIET
from agewise.library.heat_rod import HeatRod

RIDGE = 2.5


def rows(count: int, weights: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, weights))


@pytest.mark.parametrize("factor", [0.3, 1.0, 7.0])
def test_the_density_in_the_space_of_rows_is_the_one_in_the_space_of_weights(factor: float):
    equation, readings = rows(4, 9, 0), rows(6, 9, 1)
    wanted, seen = rows(4, 1, 2)[:, 0], rows(6, 1, 3)[:, 0]
    precision = RIDGE * np.eye(9) + equation.T @ equation / factor**2
    prior = np.linalg.inv(precision)
    mean = readings @ prior @ equation.T @ wanted / factor**2
    direct = multivariate_normal(mean, np.eye(6) + readings @ prior @ readings.T).logpdf(seen)
    found = -_Evidence(equation, wanted, readings, seen).loss(factor, RIDGE)
    assert found - 3 * np.log(2 * np.pi) == pytest.approx(direct)


@pytest.mark.parametrize("truth", [0.3, 2.0])
def test_a_factor_is_found_again(truth: float):
    """Weights that obey the equation up to `truth`, seen through many readings."""
    rng, many = np.random.default_rng(5), 150
    equation, readings = rows(60, 80, 6), rows(many, 80, 7)
    precision = RIDGE * np.eye(80) + equation.T @ equation / truth**2
    weights = np.linalg.cholesky(np.linalg.inv(precision)) @ rng.normal(size=80)
    seen = readings @ weights + rng.normal(size=many)
    evidence = _Evidence(equation, np.zeros(60), readings, seen)
    losses = {factor: evidence.loss(truth * factor, RIDGE) for factor in (0.25, 0.5, 1, 2, 4)}
    assert min(losses, key=lambda factor: losses[factor]) in (0.5, 1, 2)


def test_sensors_inside_are_asked_and_others_are_not():
    problem, chosen = HeatRod(looseness=1.0), default("map", "heteroscedastic")
    small, few = replace(chosen.network, hidden=(8,)), replace(chosen.training, rows=40)
    chosen = replace(chosen, network=small, training=few)
    setup = Setup.of(problem, chosen, key=jax.random.key(0), monitor=QUIET)
    inside = {name: np.asarray(one.points)[:, 0] for name, one in problem.observations().items()}
    asked = any(((x > 0) & (x < 1)).any() for x in inside.values())
    assert setup.learns_discrepancy == asked
    objective = setup.objective(Point(prior_of(chosen.network)))
    weights = np.asarray(setup.network.initial(key=jax.random.key(1)))
    factor = likeliest_looseness(objective, weights, setup.first_aux(), key=jax.random.key(2))
    assert 1.0 <= factor <= np.exp(6.0)
