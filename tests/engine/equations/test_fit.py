"""The front door on problems whose answer is known in closed form or by another method."""

from dataclasses import replace
from itertools import islice

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from lines import SMALL, line, regression, same_programs

import agewise
from agewise.engine.equations.methods.base import posterior_of
from agewise.engine.equations.methods.registry import METHODS
from agewise.engine.equations.objective.noise import learned_noise
from agewise.engine.equations.objective.sensors import sensors_of, sizes_of
from agewise.engine.equations.posterior.check import followed_remark, unsized_remark
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.weights import DrawnWeights
from agewise.engine.fit import UnsoundFit
from agewise.engine.problems import Unknowns
from agewise.engine.training import Monitor
from agewise.engine.training.checkpoint import Keeper
from agewise.errors import InputError

pytestmark = pytest.mark.xdist_group(same_programs("laplace"))
QUICK = agewise.EquationSettings(hidden=(12, 12), attempts=1)


@pytest.fixture(scope="module")
def laplace() -> EquationPosterior:
    return agewise.fit(line(), method="laplace", key=0, settings=SMALL)


def test_the_doubt_of_a_straight_line_is_that_of_regression(laplace):
    x = np.linspace(0.0, 2.0, 9)
    mean, std = regression(x)
    told = laplace.predict(x)
    assert np.abs(told.mean - mean).max() < 0.25 * std.min()
    np.testing.assert_allclose(np.sqrt(told.epistemic), std, rtol=0.15)
    assert laplace.check.sound


@pytest.mark.xdist_group(same_programs("exact"))
def test_the_closed_form_agrees():
    x = np.linspace(0.0, 2.0, 9)
    mean, std = regression(x)
    told = agewise.fit(line(), method="exact", settings=SMALL).predict(x)
    assert np.abs(told.mean - mean).max() < 0.25 * std.min()
    np.testing.assert_allclose(np.sqrt(told.epistemic), std, rtol=0.15)


def test_draws_have_the_moments_that_are_predicted(laplace):
    x = np.linspace(0.0, 2.0, 5)[:, None]
    drawn, found = laplace.draw(2000, seed=1).values(x), laplace.predict(x)
    assert np.abs(drawn.mean(axis=0) - found.mean).max() < 0.1 * np.sqrt(found.epistemic).min()
    np.testing.assert_allclose(drawn.var(axis=0), found.epistemic, rtol=0.15)


def test_another_problem_s_file_is_refused(laplace, tmp_path):
    laplace.save(tmp_path / "line.npz")
    other = agewise.Problem(
        equations={"start": lambda u, p: u(p)},
        coordinates={"t": (0.0, 1.0)},
        places={"start": [{"t": 0.0}]},
    )
    with pytest.raises(InputError, match="belongs to another problem"):
        agewise.load(tmp_path / "line.npz", other)


def test_points_of_another_shape_are_refused_in_a_sentence(laplace):
    with pytest.raises(InputError, match=r"this problem needs \(count, 1\)"):
        laplace.predict(np.zeros((3, 2)))
    with pytest.raises(InputError, match="no function 'v'"):
        laplace.predict([0.5], "v")


@pytest.mark.parametrize("place", [-0.5, 2.5, np.nan])
def test_points_outside_the_box_are_refused_in_a_sentence(laplace, place: float):
    with pytest.raises(InputError, match=r"1 of 2 points lie outside the box, such as \("):
        laplace.predict([0.5, place])
    with pytest.raises(InputError, match="outside the box"):
        laplace.draw(3).values([place])
    assert len(laplace.predict([0.0, 2.0 + 1e-9]).mean) == 2


def test_readings_that_contradict_the_equation_are_said():
    rng = np.random.default_rng(0)
    places = np.linspace(0.0, 2.0, 40)
    bent = agewise.Problem(
        equations={"straight": lambda u, p: agewise.second_partial(u, 0)(p)},
        coordinates={"x": (0.0, 2.0)},
        readings={
            "gauge": agewise.Observations(
                places[:, None],
                np.sin(3 * places) + rng.normal(0, 0.02, 40),
                np.full(40, 0.02),
            )
        },
    )
    with pytest.warns(UnsoundFit, match="miss the fit|further from zero"):
        found = agewise.fit(bent, method="map", key=0, settings=QUICK)
    assert not found.check.sound


def test_more_functions_than_were_drawn_are_refused():
    with pytest.raises(ValueError, match="3 functions were asked for and there are 2"):
        DrawnWeights(np.zeros(4), np.zeros((2, 4))).draw(3, rng=np.random.default_rng(0))


@pytest.mark.parametrize("law", ["constant", "value", "smooth", "regimes"])
def test_the_law_of_the_noise_is_found_by_evidence(law: str):
    rng = np.random.default_rng(5)
    points = np.sort(rng.uniform(0.0, 5.0, 600))[:, None]
    value = np.sin(2 * points[:, 0])
    true = {
        "constant": np.full(600, 0.2),
        "value": 0.1 * np.exp(value),
        "smooth": 0.05 + 0.3 * np.exp(-0.5 * ((points[:, 0] - 2.5) / 0.3) ** 2),
        "regimes": np.where(np.abs(points[:, 0] % 2.0 - 1.0) < 0.2, 0.3, 0.05),
    }[law]
    squares = (true * rng.standard_normal(600)) ** 2
    noise = learned_noise(points, value, squares, np.array([[0.0], [5.0]]))
    assert noise.kind == law
    ratio = noise.variance(points, value) / true**2
    assert 0.8 < np.median(ratio) < 1.25
    assert np.quantile(ratio, 0.05) > 0.4
    assert np.quantile(ratio, 0.95) < 2.5


def test_unknowns_of_a_solution_make_its_equations_vanish():
    problem = line()
    exact = Unknowns({"u": lambda p: 0.3 + 0.8 * p[0]}, {})
    with jax.enable_x64(True):
        left = problem.residuals()["straight"](exact, jnp.array([0.7]))
    assert abs(float(left)) < 1e-12


def test_an_equation_that_says_too_little_is_told():
    loose = agewise.Problem(
        equations={
            "slope": lambda u, p: agewise.partial(u, 0)(p) - 1.0,
            "start": lambda u, p: u(p),
        },
        coordinates={"t": (0.0, 1.0)},
        places={"start": [{"t": 0.0}]},
        scales={"slope": 100.0, "start": 100.0},
    )
    with pytest.warns(UnsoundFit, match="what was assumed beforehand"):
        agewise.fit(loose, method="laplace", key=0, settings=QUICK)


@pytest.mark.parametrize(
    ("equation", "constants"),
    [
        (lambda u, p: agewise.partial(u, 0)(p) + u(p) ** 2, {}),
        (lambda u, p: agewise.partial(u, 0)(p) + u.k * u(p), {"k": agewise.Normal(1.0, 0.1)}),
    ],
    ids=["a square", "an unknown constant"],
)
def test_the_closed_form_refuses_what_is_not_linear(equation, constants):
    problem = agewise.Problem(
        equations={"law": equation, "start": lambda u, p: u(p) - 1.0},
        coordinates={"t": (0.0, 1.0)},
        places={"start": [{"t": 0.0}]},
        constants=constants,
    )
    with pytest.raises(InputError, match="not linear in its unknown"):
        agewise.fit(problem, method="exact")


def test_the_closed_form_refuses_a_reading_that_is_not_linear():
    squared = agewise.Observations(
        np.array([[0.1], [0.9]]), np.ones(2), np.ones(2), lambda u, p: u(p) ** 2
    )
    problem = agewise.Problem(equations={}, coordinates={"t": (0.0, 1.0)}, readings={"s": squared})
    with pytest.raises(InputError, match="readings of s"):
        agewise.fit(problem, method="exact")


def test_constants_keep_their_names_whatever_these_are():
    """JAX sorts dictionaries by their names, which once exchanged two constants."""
    times = np.linspace(0.0, 10.0, 60)
    rng = np.random.default_rng(2)
    values = 5.0 + 40.0 * np.exp(-times / 3.0) + rng.normal(0, 0.2, 60)
    problem = agewise.Problem(
        equations={"cooling": lambda u, p: u.tau * agewise.partial(u, 0)(p) + u(p) - u.air},
        coordinates={"t": (0.0, 10.0)},
        constants={"tau": agewise.LogNormal(4.0, 0.5), "air": agewise.Normal(0.0, 10.0)},
        readings={"probe": agewise.Observations(times[:, None], values, np.full(60, 0.2))},
    )
    found = agewise.fit(problem, method="laplace", key=0, settings=QUICK).constants
    for name, truth in {"tau": 3.0, "air": 5.0}.items():
        mean, std = found[name]
        assert abs(mean - truth) < 3 * std < 0.5


def test_a_fit_that_follows_its_readings_one_by_one_says_so():
    assert followed_remark(30.0, 100) is None
    assert followed_remark(30.0, 40) is None  # every fit follows a few readings
    remark = followed_remark(80.0, 100)
    assert remark is not None
    assert "80 numbers from 100 readings" in remark


def test_what_an_equation_determines_is_not_learned_from_readings():
    # Its network takes a dozen numbers, of which readings have two to tell: tau and the start.
    times = np.linspace(0.0, 10.0, 60)
    values = 5.0 * np.exp(-times / 3.0) + np.random.default_rng(3).normal(0, 0.2, 60)
    problem = agewise.Problem(
        equations={"cooling": lambda u, p: u.tau * agewise.partial(u, 0)(p) + u(p)},
        coordinates={"t": (0.0, 10.0)},
        constants={"tau": agewise.LogNormal(4.0, 0.5)},
        readings={"probe": agewise.Observations(times[:, None], values, np.full(60, 0.2))},
    )
    method = METHODS["map"](QUICK)
    fitted = method.fitted(problem, key=jax.random.key(0), monitor=Monitor())
    assert fitted.determined_by_readings(fitted.gaussian()) == pytest.approx(2.0, abs=0.1)
    # And `map` says nothing of how sure it is of tau, not even "± 5.6e-17".
    posterior = posterior_of(method, fitted, *method.weights(fitted, key=jax.random.key(0)))
    assert posterior.constants["tau"][1] == 0.0
    assert "±" not in repr(posterior)


def test_a_failed_fit_says_which_size_was_taken_and_blames_no_readings_where_there_are_none():
    lost = agewise.Problem(
        equations={"start": lambda u, p: u(p) - 1.0, "other": lambda u, p: u(p) + 1.0},
        coordinates={"t": (0.0, 1.0)},
        places={"start": [{"t": 0.0}], "other": [{"t": 0.0}]},
    )
    with pytest.warns(agewise.UnsoundFit, match="or other equations contradict it"):
        agewise.fit(lost, method="map", key=0, settings=replace(QUICK, attempts=1))
    assert "how large 'u' may be, and about 0.02 was" in str(unsized_remark({"u": 0.02}))
    assert unsized_remark({}) is None


def test_a_condition_too_few_is_found():
    # A spring whose first slope was forgotten; `agewise.fit` itself is sound where none is.
    spring = agewise.Problem(
        equations={
            "law": lambda u, p: agewise.second_partial(u, 0)(p) + u(p),
            "start": lambda u, p: u(p) - 1.0,
        },
        coordinates={"t": (0.0, 2.0)},
        places={"start": [{"t": 0.0}]},
    )
    quick = replace(QUICK, hidden=(8, 8), single_start=True)
    with pytest.warns(agewise.UnsoundFit, match="leave 'u' open"):
        agewise.fit(spring, method="map", key=0, settings=quick)


def test_another_attempt_is_faster_and_only_then_wider():
    first, second, third = islice(QUICK.richer(1), 3)
    assert first.hidden == second.hidden < third.hidden
    assert first.stretch < second.stretch == third.stretch


class Killed(BaseException):
    """What ends a fit in the middle, as a kill would."""


def test_a_fit_that_was_killed_goes_on_to_the_same_answer(laplace, tmp_path, monkeypatch):
    keep, x = Keeper.keep, np.linspace(0.0, 2.0, 7)
    kept = {"method": "laplace", "settings": SMALL, "folder": tmp_path}

    def keep_and_die(self, state, **how):
        keep(self, state, now=True)
        raise Killed

    monkeypatch.setattr(Keeper, "keep", keep_and_die)
    with pytest.raises(Killed):
        agewise.fit(line(), key=0, **kept)
    monkeypatch.setattr(Keeper, "keep", keep)
    assert len(list(tmp_path.glob("*.npz"))) == 1
    resumed = agewise.fit(line(), key=0, resume=True, **kept)
    np.testing.assert_array_equal(resumed.predict(x).mean, laplace.predict(x).mean)
    np.testing.assert_array_equal(resumed.predict(x).epistemic, laplace.predict(x).epistemic)
    with pytest.raises(InputError, match="belongs to another training"):
        agewise.fit(line(), key=1, resume=True, **kept)


def test_readings_that_are_all_noise_do_not_tell_how_large_a_function_is():
    noise = np.random.default_rng(0).normal(0, 0.01, 18)
    held = agewise.Problem(
        equations={},
        coordinates={"x": (0.0, 2.0)},
        readings={
            "ends": agewise.Observations(np.array([[0.0], [2.0]] * 9), noise, np.full(18, 0.01))
        },
    )
    assert sizes_of(held, sensors_of(held)) == {"u": (0.0, 1.0)}
    free = line()
    values = np.asarray(free.observations()["gauge"].values)
    assert sizes_of(free, sensors_of(free)) == {"u": (values.mean(), values.std())}
