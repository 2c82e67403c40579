"""What is said of constants that are not where they were expected, or as unsure as before."""

import numpy as np
import pytest

import agewise
from agewise.engine.equations.posterior.assumed import (
    excluded_finding,
    joint_remark,
    unlearned_remark,
)
from agewise.engine.fit import UnsoundFit

QUICK = agewise.EquationSettings(hidden=(8, 8), attempts=1)


def decay(prior: agewise.LogNormal) -> agewise.Problem:
    """A body that cools with a time constant of 3, and a constant that nothing depends on."""
    times = np.linspace(0.0, 10.0, 40)
    read = np.exp(-times / 3) + np.random.default_rng(0).normal(0, 0.02, 40)
    return agewise.Problem(
        equations={"cooling": lambda u, p: u.tau * agewise.partial(u, 0)(p) + u(p)},
        coordinates={"t": (0.0, 10.0)},
        constants={"tau": prior, "idle": agewise.Normal(0.0, 1.0)},
        readings={"probe": agewise.Observations(times[:, None], read, np.full(40, 0.02))},
    )


def test_a_constant_that_its_prior_excludes_is_a_finding():
    with pytest.warns(UnsoundFit, match="'tau' is .* standard deviations of its prior"):
        posterior = agewise.fit(
            decay(agewise.LogNormal(6.0, 0.1)), method="laplace", settings=QUICK
        )
    assert "not sound" in repr(posterior)


def test_a_constant_of_which_nothing_is_learned_is_a_remark():
    posterior = agewise.fit(decay(agewise.LogNormal(5.0, 0.7)), method="laplace", settings=QUICK)
    assert posterior.check.sound
    assert [r for r in posterior.check.remarks if "'idle'" in r]
    assert not [r for r in posterior.check.remarks if "'tau'" in r]
    assert len(repr(posterior)) < 500 and "tau = 2.9" in repr(posterior)


@pytest.mark.parametrize("away", [-5.0, 5.0])
def test_both_ends_of_a_prior_count(away: float):
    drawn = away + 0.1 * np.random.default_rng(0).standard_normal(100)
    assert excluded_finding("k", drawn) and not excluded_finding("k", drawn * 0.5)
    assert unlearned_remark("k", 10 * drawn - 50) and not unlearned_remark("k", drawn)


def test_two_rates_of_which_an_equation_has_the_product_are_known_together_alone():
    times = np.linspace(0.0, 6.0, 40)
    read = np.exp(-0.6 * times) + np.random.default_rng(0).normal(0, 0.03, 40)
    prior = agewise.LogNormal(1.0, 0.8)
    problem = agewise.Problem(
        equations={"decay": lambda u, p: agewise.partial(u, 0)(p) + u.a * u.b * u(p)},
        coordinates={"t": (0.0, 6.0)},
        constants={"a": prior, "b": prior},
        readings={"probe": agewise.Observations(times[:, None], read)},
    )
    check = agewise.fit(problem, method="laplace", settings=QUICK).check
    assert check.sound
    assert [r for r in check.remarks if "'a' and 'b' are known together alone" in r]


def test_constants_that_are_known_or_not_known_at_all_are_no_combination():
    known, other = np.random.default_rng(0).standard_normal((2, 1000))
    assert joint_remark({"a": 0.1 * known, "b": 0.1 * known + 0.01 * other}) is None
    assert joint_remark({"a": known, "b": 0.1 * other}) is None
    assert joint_remark({"a": 0.7 * known, "b": -0.7 * known}) is not None
    assert joint_remark({"a": known[:1], "b": known[:1]}) is None
