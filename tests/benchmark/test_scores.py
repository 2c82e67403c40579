"""Scores are what they are said to be, on posteriors whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest

from agewise.benchmark.judging.branches import nearest_draws, solution_scores
from agewise.benchmark.judging.judged import judged
from agewise.benchmark.judging.new_readings import held_back
from agewise.benchmark.judging.scores import coverage, function_scores, grid, interval
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.weights import DrawnWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.fit import fit
from agewise.errors import InputError
from agewise.library import KNOWN
from agewise.library.known import AbstractKnownProblem


@pytest.fixture(scope="module")
def read() -> AbstractKnownProblem:
    return KNOWN["poisson-read"](seed=3)


@pytest.fixture(scope="module")
def linear() -> AbstractKnownProblem:
    return KNOWN["poisson"](seed=3, noise=0.1)


@pytest.fixture(scope="module")
def cells(read):
    return judged(read, ["exact", "exact+conformal", "exact+local"], seed=3)


@pytest.fixture(scope="module")
def posterior(linear):
    return fit(linear, method="exact", key=3)


def test_normal_errors_are_covered_as_often_as_the_level_says():
    errors = np.random.default_rng(0).standard_normal(200_000)
    found = coverage(errors, np.ones(errors.size))
    for level in (0.5, 0.9, 0.95):
        assert found[f"coverage_{level:g}"] == pytest.approx(level, abs=0.003)


def test_an_exact_equation_leaves_hardly_an_error(cells):
    assert cells["exact"]["functions"]["u"]["relative_l2"] < 1e-3
    assert cells["exact"]["noise"]["values"]["ratio"] == pytest.approx(1.0, abs=0.4)
    assert cells["exact"]["readings"]["coverage_0.95"] == pytest.approx(0.95, abs=0.06)


def test_bands_by_unseen_readings_hold_new_ones(cells):
    """Thirty readings are kept back, so a share is known to 0.07 or so."""
    assert cells["exact+conformal"]["readings"]["coverage_0.9"] == pytest.approx(0.9, abs=0.15)
    assert "constants" not in cells["exact+conformal"]
    assert set(cells["exact+local"]["readings"]) >= {"coverage_0.5", "coverage_0.95"}


def test_what_is_kept_back_and_what_is_fitted_are_all_readings_once(read):
    fewer, function, unseen = held_back(read, seed=0)
    both = np.concatenate([fewer.observations()["values"].values, unseen.values])
    assert function == "u"
    assert np.array_equal(np.sort(both), np.sort(read.observations()["values"].values))


def test_too_few_readings_are_refused():
    with pytest.raises(InputError, match="of u there are 8 in all"):
        held_back(KNOWN["poisson-inverse"](), seed=0)


def test_drawn_functions_are_scored_like_their_normal(posterior, linear):
    """Many draws of a normal distribution, as if they were all that is known of it."""
    rng = np.random.default_rng(0)
    drawn = DrawnWeights(posterior.weights.centre, posterior.weights.draw(500, rng=rng))
    settings = replace(posterior.settings, draws=500)
    # The same functions: a drawn posterior evaluates them one by one, a normal one is linear.
    other = replace(posterior, weights=drawn, settings=settings)
    normal, draws = (function_scores(linear, each)["u"] for each in (posterior, other))
    assert (normal["crps_of"], draws["crps_of"]) == ("normal", "draws")
    for score in ("std", "z", "crps"):
        assert draws[score] == pytest.approx(normal[score], rel=0.15)


class Both(EquationPosterior):
    """Half of the draws on each solution of Bratu's equation, as an ensemble leaves them."""

    def __init__(self):
        object.__setattr__(self, "settings", EquationSettings(draws=10))

    def available(self, wanted):
        return wanted

    def draw(self, count, *, seed=0):  # pyright: ignore[reportIncompatibleMethodOverride]
        return self

    def values(self, points, of=None):
        lower, upper = (KNOWN[name]().reference(points)["u"] for name in ("bratu", "bratu-upper"))
        return np.repeat([lower, upper], 5, axis=0)


def test_two_solutions_are_never_averaged():
    bratu = KNOWN["bratu"]()
    points = grid(bratu)
    own = nearest_draws(bratu, Both(), points)["u"]
    assert own.shape[0] == 5
    assert own.max() == pytest.approx(0.1405, abs=1e-4)
    found = solution_scores(bratu, Both(), points)
    assert list(found) == list(bratu.solutions())
    assert {of["share"] for of in found.values()} == {0.5}
    assert found["upper"]["maximum"] == pytest.approx(4.0915, abs=1e-3)


@pytest.mark.parametrize("members", [10, 20, 1000])
def test_an_interval_of_few_draws_holds_as_often_as_so_many_can(members: int):
    """A truth that is one more draw lies between the least and the most of ten in 9 of 11."""
    rng, level, held = np.random.default_rng(0), 0.9, []
    for _ in range(3000):
        draws = rng.standard_normal(members)
        low, high = interval(draws, level)
        held.append(low <= rng.standard_normal() <= high)
    can = min(level, (members - 1) / (members + 1))
    assert np.mean(held) == pytest.approx(can, abs=4 * np.sqrt(can * (1 - can) / 3000))
