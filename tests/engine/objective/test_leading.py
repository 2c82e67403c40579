"""Readings that are few or noisy still lead the equation to where it must go."""

from collections.abc import Callable
from dataclasses import replace

import jax
import numpy as np
import pytest
from soon import soon_trained

from agewise.assessment.oil.methods import NETWORKS
from agewise.engine.objective.readings import SHARPEST, Readings
from agewise.engine.posterior import Measured
from agewise.engine.presets import LEAD
from agewise.transformer.oil.heat import TransformerHeat
from agewise.twin.twin import TwinSettings, make_twin

TWIN = TwinSettings(seed=102, days=1.0)
FEW = 60


def readings(problem: TransformerHeat, factor: float = 1.0) -> Readings:
    """All of them, so many times as large."""
    whole = Readings.of(problem)
    return replace(whole, values=factor * whole.values)


@pytest.fixture(scope="module")
def problem(problem_of: Callable[..., TransformerHeat]) -> TransformerHeat:
    return problem_of(make_twin(TWIN))


def test_the_most_probable_function_of_a_few_readings_follows_them(problem: TransformerHeat):
    # Where the equation leads, Gauss-Newton ends at a function that nothing drives: 5 K away.
    settings = soon_trained("map", "heteroscedastic")
    few = replace(settings, likelihood=replace(settings.likelihood, readings=FEW))
    posterior = NETWORKS["map"](few).fit(problem, key=jax.random.key(0))
    measured = Measured.of(problem)
    mean = posterior.predict(measured.points).mean - problem.lift(measured.points)
    error = problem.units.spread * np.sqrt(np.mean((mean - measured.values) ** 2))
    assert error < 1.0


@pytest.mark.parametrize(("factor", "share"), [(1e3, 1.0), (1e-6, SHARPEST)])
def test_only_readings_that_do_not_lead_are_sharpened(
    problem: TransformerHeat, factor: float, share: float
):
    scaled = readings(problem, factor)
    variance = np.full(scaled.cell_values.size, 1e-4)
    np.testing.assert_allclose(scaled.leading_variance(variance, LEAD), share * variance)


def test_sharpened_readings_lead(problem: TransformerHeat):
    every = readings(problem)
    variance = np.linspace(1e-3, 2e-3, every.cell_values.size)
    sharp = every.leading_variance(variance, LEAD)
    assert 0.5 * np.sum(every.cell_values**2 / sharp) == pytest.approx(LEAD)
    np.testing.assert_allclose(sharp / variance, (sharp / variance)[0])
