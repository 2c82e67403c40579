"""Equations with two solutions: the one that is meant is given, and the other is told of."""

from dataclasses import replace

import numpy as np
import pytest

import agewise
from agewise.engine.equations.settings import EquationSettings
from agewise.library.bratu import Bratu

SMALL = EquationSettings(hidden=(12, 12), attempts=1)
HIGHEST = {"lower": 0.1405, "upper": 4.0915}


@pytest.mark.parametrize("branch", ["lower", "upper"])
def test_of_two_solutions_the_one_of_the_stated_size_is_given(branch):
    found = agewise.fit(Bratu.made(branch=branch), method="map", key=0, settings=SMALL)
    highest = found.predict(np.linspace(0.0, 1.0, 201)).mean.max()
    assert highest == pytest.approx(HIGHEST[branch], rel=1e-2)
    if branch == "upper":
        assert "more than one solution" in found.check.remarks[0]


def test_an_ensemble_finds_both_solutions_and_says_so():
    settings = replace(SMALL, members=8)
    found = agewise.fit(Bratu.made(branch="upper"), method="ensemble", key=0, settings=settings)
    highest = found.draw(8).values(np.linspace(0.0, 1.0, 201)).max(axis=1)
    lower = highest < 1.0
    np.testing.assert_allclose(highest[lower], HIGHEST["lower"], atol=1e-3)
    np.testing.assert_allclose(highest[~lower], HIGHEST["upper"], atol=1e-3)
    assert 0 < lower.sum() < 8
    assert "2 different solutions" in found.check.remarks[0]
    # Of eight members one solution has four at the most.
    assert "Fewer than 5 say nothing of how sure one is" in found.check.remarks[0]


def test_an_ensemble_whose_members_all_find_one_solution_keeps_a_further_one_away():
    settings = replace(SMALL, members=2)
    found = agewise.fit(Bratu.made(branch="lower"), method="ensemble", key=0, settings=settings)
    highest = found.draw(3).values(np.linspace(0.0, 1.0, 201)).max(axis=1)
    np.testing.assert_allclose(np.sort(highest)[:2], HIGHEST["lower"], atol=1e-3)
    assert highest.max() == pytest.approx(HIGHEST["upper"], abs=1e-3)
    assert "(2, 1 of 3)" in found.check.remarks[0]
    assert "kept away" in found.check.remarks[1]


class LooseBratu(Bratu):
    """The same equation, known to a twentieth only."""

    def scales(self):
        return dict.fromkeys(self.residuals(), 0.05)


def test_two_functions_within_a_loose_equation_are_no_two_solutions():
    found = agewise.fit(LooseBratu.made(branch="upper"), method="map", key=0, settings=SMALL)
    assert not any("more than one solution" in remark for remark in found.check.remarks)
