"""Subset simulation against the laws that its levels must follow, and on small regressions."""

import numpy as np
import pytest
from scipy.stats import norm

import agewise
from agewise.engine.equations.draws.subsets import Level, first_level, next_level
from agewise.engine.fit import UnsoundFit

SAMPLES = 20_000


def levels(step: float | None, count: int = 2) -> list[Level]:
    """Levels in ten numbers whose error is the size of the first: the others are free."""

    def errors(numbers: np.ndarray) -> np.ndarray:
        return np.abs(numbers[:, 0])

    rng = np.random.default_rng(0)
    found = [first_level(10, SAMPLES, errors, rng=rng)]
    for _ in range(count):
        found.append(next_level(found[-1], errors, rng=rng, target=0.0, step=step, thinning=5))
    return found


def test_every_level_is_a_fifth_of_the_last():
    for place, level in enumerate(levels(None)[1:], 1):
        rarer = norm.ppf(0.5 + 0.5 * 0.2**place)  # so large is the error of that share of the prior
        assert level.tolerance == pytest.approx(rarer, rel=0.05)
        assert level.errors.max() <= level.tolerance


def test_numbers_that_nothing_was_learned_of_stay_as_the_prior_has_them():
    free = levels(None)[-1].numbers[:, 1:]
    assert np.abs(free.mean(axis=0)).max() < 0.05
    np.testing.assert_allclose(free.std(axis=0), 1.0, atol=0.04)


def test_the_last_level_is_of_all_functions_within_the_target_and_not_of_the_best():
    def errors(numbers: np.ndarray) -> np.ndarray:
        return np.linalg.norm(numbers, axis=1)

    rng = np.random.default_rng(0)
    level = first_level(2, SAMPLES, errors, rng=rng)
    target = 0.9  # a third of the prior is within it
    level = next_level(level, errors, rng=rng, target=target, step=None, thinning=5)
    # The squared size of two standard normal numbers is exponential of mean 2.
    within = 2 - target**2 / np.expm1(target**2 / 2)
    assert level.tolerance == target
    assert np.mean(level.errors**2) == pytest.approx(within, rel=0.02)


def test_published_moves_leave_the_prior():
    assert levels(0.6)[-1].numbers[:, 1:].std() > 1.2


def bend(noise: float) -> agewise.Problem:
    """Readings of half a wave, and no equation."""
    places = np.linspace(-1.0, 1.0, 40)[:, None]
    values = np.sin(np.pi * places[:, 0]) + np.random.default_rng(1).normal(0, noise, 40)
    read = agewise.Observations(places, values, np.full(40, noise))
    return agewise.Problem(equations={}, coordinates={"x": (-1.0, 1.0)}, readings={"y": read})


def test_a_small_network_explains_its_readings_and_says_what_sets_its_bands():
    settings = agewise.EquationSettings(hidden=(3,), samples=1000)
    found = agewise.fit(bend(0.2), method="abc", key=0, settings=settings)
    x = np.linspace(-1.0, 1.0, 21)
    off = found.predict(x).mean - np.sin(np.pi * x)
    assert np.sqrt(np.mean(off**2)) < 0.15
    assert "a tolerance of 1.2 declared errors" in found.check.remarks[0]  # 40 readings, 95 %
    again = agewise.fit(bend(0.2), method="abc", key=0, settings=settings)
    np.testing.assert_array_equal(again.draw(5).numbers, found.draw(5).numbers)


def test_a_search_that_stalls_says_so():
    settings = agewise.EquationSettings(hidden=(12, 12), samples=100, levels=3)
    with pytest.warns(UnsoundFit, match="The search has stalled"):
        agewise.fit(bend(0.01), method="abc", key=0, settings=settings)


def test_as_published_all_levels_are_made_though_one_gains_nothing(monkeypatch):
    """Published moves shrink from level to level: long ones that gain nothing come first."""
    made = []

    def counted(*given, **named):
        made.append(next_level(*given, **named))
        return made[-1]

    monkeypatch.setattr("agewise.engine.equations.draws.search.next_level", counted)
    settings = agewise.EquationSettings(hidden=(2,), samples=500, levels=30, as_published=True)
    with pytest.warns(UnsoundFit):
        agewise.fit(bend(0.05), method="abc", key=0, settings=settings)
    tolerances = np.array([level.tolerance for level in made])
    assert len(made) == 30
    assert np.any(tolerances[:-1] < 1.005 * tolerances[1:])
