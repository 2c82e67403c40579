"""Functions that equations determine but for a few numbers: readings alone tell these."""

import jax
import numpy as np
import pytest
from scipy.optimize import least_squares

import agewise
from agewise.engine.equations.fitting.determined import determined_by_equations, with_wide_gains
from agewise.engine.equations.fitting.stated import on_network
from agewise.engine.equations.functions.unknown import values_at
from agewise.engine.equations.objective.sensors import sensors_of
from agewise.engine.training import Monitor, Stages
from agewise.library import KNOWN

pytestmark = pytest.mark.xdist_group("fits")
QUICK = agewise.EquationSettings(hidden=(12, 12), attempts=1)
NOISE, LAST, STIFFNESS = 0.2, 6.0, 4.0
PRIOR = agewise.LogNormal(3.0, 1.0)


def swing(**places) -> agewise.Problem:
    """An oscillator of unknown stiffness, read a dozen times with much noise."""
    rng, instants = np.random.default_rng(5), np.linspace(0.0, LAST, 12)
    values = np.cos(np.sqrt(STIFFNESS) * instants) + rng.normal(0, NOISE, len(instants))
    return agewise.Problem(
        equations={"swing": lambda u, t: agewise.second_partial(u, 0)(t) + u.k * u(t)},
        coordinates={"t": (0.0, LAST)},
        places=places,
        constants={"k": PRIOR},
        readings={
            "gauge": agewise.Observations(instants[:, None], values, np.full(12, NOISE)),
        },
    )


def solved(problem: agewise.Problem) -> tuple[float, float]:
    """Stiffness, and how sure its logarithm is, by least squares on the solution."""
    read = problem.observations()["gauge"]
    instants, values = np.asarray(read.points)[:, 0], np.asarray(read.values)

    def errors(numbers):
        standard, size, other = numbers
        phase = np.sqrt(PRIOR.median * np.exp(PRIOR.log_std * standard)) * instants
        off = size * np.cos(phase) + other * np.sin(phase) - values
        return np.append(off / NOISE, standard)

    best = least_squares(errors, [0.3, 1.0, 0.0], xtol=1e-12, ftol=1e-12)
    slopes = np.asarray(best.jac)
    std = np.sqrt(np.linalg.inv(slopes.T @ slopes)[0, 0])
    return float(PRIOR.value(best.x[0])), float(PRIOR.log_std * std)


def test_a_constant_is_what_a_solver_learns_of_it():
    """Neither does the prior of weights pull at it, nor does the fit end before it is there."""
    problem = swing()
    stiffness, std = solved(problem)
    drawn = agewise.fit(problem, method="laplace", settings=QUICK).draw(4000, seed=0)
    logs = np.log(drawn.constants["k"])
    assert np.mean(logs) == pytest.approx(np.log(stiffness), abs=0.1 * std)
    assert np.std(logs) == pytest.approx(std, rel=0.1)


@pytest.mark.parametrize(
    ("name", "determined"),
    {
        "kraichnan-orszag": True,
        "linka": True,
        "logistic": True,
        # Two functions and one equation.
        "random-source": False,
        # What it measures is its equation.
        "poisson-inverse": False,
        # A partial equation, whose first instant is a function.
        "oil-inside": False,
    }.items(),
)
def test_ordinary_equations_determine_their_functions(name: str, determined: bool):
    assert determined_by_equations(KNOWN[name](seed=0), read=True) is determined


@pytest.mark.parametrize(("scale", "determined"), [(0.0, True), (0.1, False)])
def test_exact_equations_determine_what_nobody_reads(scale: float, determined: bool):
    problem = agewise.Problem(
        equations={"flat": lambda u, p: agewise.partial(u, 0)(p)},
        coordinates={"x": (0.0, 1.0), "y": (0.0, 1.0)},
        scales={"flat": scale},
    )
    # Of a loose one, many functions are left that nothing tells apart.
    assert determined_by_equations(problem, read=False) is determined
    assert not determined_by_equations(problem, read=True)


def test_an_equation_at_one_instant_leaves_the_others_open():
    assert determined_by_equations(swing(), read=True)
    assert not determined_by_equations(swing(swing=[{"t": 0.0}]), read=True)


def test_wide_gains_leave_functions_as_they_are():
    problem, stages = swing(), Stages(jax.random.key(0), Monitor(None))
    stated = on_network(problem, QUICK, sensors_of(problem), stages)
    numbers = stated.unknown.initial(np.random.default_rng(0))
    instants = np.linspace(0.0, LAST, 5)[:, None]
    wide, smaller = with_wide_gains(stated, numbers)
    with jax.enable_x64(True):
        before = values_at(stated.unknown, numbers, "u", instants)
        after = values_at(wide.unknown, smaller, "u", instants)
    np.testing.assert_allclose(before, after, rtol=1e-12)
    # A prior that hardly pulls: numbers that stand for the same are far smaller.
    assert np.sum(smaller[:-1] ** 2) < 0.01 * np.sum(numbers[:-1] ** 2)


def test_a_rate_that_nothing_leads_from_the_middle_of_its_prior_is_found():
    """u' = -k (1 - k) u: at k = 1/2 no step of k changes anything to first order."""
    times = np.linspace(0.0, 8.0, 30)
    read = np.exp(-0.16 * times) + np.random.default_rng(0).normal(0, 0.02, 30)
    problem = agewise.Problem(
        equations={"law": lambda u, p: agewise.partial(u, 0)(p) + u.k * (1 - u.k) * u(p)},
        coordinates={"t": (0.0, 8.0)},
        constants={"k": agewise.Uniform(0.0, 1.0)},
        readings={"gauge": agewise.Observations(times[:, None], read)},
    )
    posterior = agewise.fit(problem, method="laplace", key=0, settings=QUICK)
    k, _ = posterior.constants["k"]
    assert posterior.check.sound
    assert abs(k * (1 - k) - 0.16) < 0.01
