"""The library on the command line."""

from agewise.library import PROBLEMS
from tests.commands import here


def test_all_problems_are_listed():
    listed = here("problems")
    assert listed.returncode == 0, listed.stderr
    assert [line for line in listed.stdout.splitlines() if line[:1].strip()] == list(PROBLEMS)
    assert "unknown u1(t), u2(t), u3(t), a, b" in listed.stdout


def test_one_problem_is_shown_with_its_readings_and_figures():
    shown = here("problems", "poisson-inverse").stdout
    for text in ("Normal(mean 0.5, std 1)", "32 of source, noise 0.01", "true k", "0.705 ± 0.006"):
        assert text in shown
    assert "noise to be learned" in here("problems", "transformer-heat").stdout
    assert "from a solver" in here("problems", "allen-cahn").stdout


def test_another_name_is_refused_with_those_that_there_are():
    refused = here("problems", "navier-stokes")
    assert refused.returncode == 2
    assert "There is no problem 'navier-stokes'" in refused.stderr
    assert "choose from heat-rod, poisson" in refused.stderr
