"""Spreads of `epinet`, `dropout` and `gp`, beside laws and a second method."""

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from lines import SMALL, line, regression, same_programs
from thorough import thorough

import agewise
from agewise.engine.equations.draws.members import likely, narrowness
from agewise.engine.equations.functions.indexed import Indexed
from agewise.engine.equations.functions.unknown import perceptrons, values_at
from agewise.engine.equations.methods.dropout import same_finding, units_of
from agewise.engine.equations.methods.laplace import Laplace
from agewise.engine.equations.posterior.check import narrow_finding, outdone_remark
from agewise.engine.equations.settings import refuse_strange_setting
from agewise.engine.training import QUIET
from agewise.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore::agewise.engine.fit.UnsoundFit")
X = np.linspace(0.0, 2.0, 9)


def decay() -> agewise.Problem:
    """A body cools with an unknown time constant, truly 3."""
    times = np.linspace(0.0, 10.0, 30)
    values = 4 * np.exp(-times / 3) + np.random.default_rng(2).normal(0, 0.05, 30)
    return agewise.Problem(
        equations={"cooling": lambda u, p: u.tau * agewise.partial(u, 0)(p) + u(p)},
        coordinates={"t": (0.0, 10.0)},
        constants={"tau": agewise.LogNormal(4.0, 0.5)},
        readings={"probe": agewise.Observations(times[:, None], values, np.full(30, 0.05))},
    )


@pytest.mark.xdist_group(same_programs("gp"))
def test_the_process_of_a_straight_line_is_that_of_regression():
    mean, std = regression(X)
    process = agewise.fit(line(), method="gp", key=0, settings=SMALL).predict(X)
    assert np.all(np.abs(process.mean - mean) < 0.3 * std)
    np.testing.assert_allclose(np.sqrt(process.epistemic), std, rtol=0.2)


@pytest.mark.xdist_group(same_programs("gp"))
def test_a_process_that_its_network_outdoes_says_so(monkeypatch):
    # One length, far shorter than a line is beforehand that may bend a little.
    monkeypatch.setattr("agewise.engine.equations.methods.gp.LENGTHS", (0.02,))
    bent = agewise.Problem(
        equations={"straight": lambda u, p: agewise.second_partial(u, 0)(p)},
        coordinates={"x": (0.0, 2.0)},
        readings=line().observations(),
        scales={"straight": 0.01},
    )
    found = agewise.fit(bent, method="gp", key=0, settings=SMALL)
    assert "nats of evidence" in str(found.check)
    assert outdone_remark(4.0) is None


@pytest.mark.xdist_group(same_programs("epinet"))
def test_the_spread_of_an_epinet_is_that_of_regression_where_readings_move_with_the_index():
    _, std = regression(X)
    moved = agewise.fit(line(), method="epinet", key=0, settings=SMALL)
    ratio = np.sqrt(moved.predict(X).epistemic) / std
    assert 0.6 < np.median(ratio) < 1.6
    # An index of nothing is the function that stays.
    assert not moved.weights.centre[-SMALL.index :].any()
    assert "Drawn functions leave" in moved.check.remarks[-1]


@pytest.mark.xdist_group(same_programs("ensemble"))
def test_members_that_differ_by_less_than_noise_leaves_open_say_so():
    problem = line()
    _, std = regression(X)
    found = agewise.fit(problem, method="ensemble", key=0, settings=replace(SMALL, members=2))
    # All starts end at one line, however unsure the readings leave it.
    assert np.median(np.sqrt(found.predict(X).epistemic) / std) < 0.5
    assert "too narrow" in found.check.findings[-1]
    fitted = Laplace(SMALL).fitted(problem, key=jax.random.key(0), monitor=QUIET)
    drawn = fitted.gaussian().draw(200, rng=np.random.default_rng(0))
    # Members drawn of a millionth of that doubt, where functions are linear, differ by as much.
    near = fitted.numbers + 1e-6 * (drawn - fitted.numbers)
    ratios = narrowness([replace(fitted, numbers=numbers) for numbers in near])
    assert np.median(1e6 * ratios) == pytest.approx(1.0, abs=0.2)
    assert narrow_finding(1e6 * ratios) is None
    # One member in another solution makes those of this one no wider.
    other = replace(fitted, numbers=np.random.default_rng(1).standard_normal(fitted.unknown.size))
    alike = [replace(fitted, numbers=numbers) for numbers in near]
    np.testing.assert_allclose(narrowness([*alike, other]), ratios, rtol=1e-6)


@pytest.mark.xdist_group(same_programs("ensemble"))
def test_a_member_that_readings_make_next_to_impossible_is_left_out():
    fitted = Laplace(SMALL).fitted(line(), key=jax.random.key(0), monitor=QUIET)
    other = replace(fitted, numbers=np.random.default_rng(1).standard_normal(fitted.unknown.size))
    kept, behind = likely([fitted, fitted, other])
    assert len(kept) == 2
    assert len(behind) == 1
    assert behind[0] > 20.0
    # Of exact equations that nobody reads, every solution is as good.
    assert likely([replace(member, sensors={}) for member in (fitted, other)])[1] == []


@thorough
def test_the_constant_follows_the_index():
    found = agewise.fit(decay(), method="epinet", key=0, settings=SMALL)
    twin = agewise.fit(decay(), method="laplace", key=0, settings=SMALL).constants["tau"]
    mean, std = found.constants["tau"]
    assert abs(mean - twin[0]) < 2 * twin[1]
    assert 0.4 * twin[1] < std < 2.5 * twin[1]


def test_a_net_without_an_index_is_the_network_itself():
    unknown = perceptrons(decay(), (5, 5), 2.0, {"u": (0.0, 1.0)})
    base = unknown.functions["u"].network
    net = Indexed.around(base, 6, 4)  # type: ignore[arg-type]
    rng = np.random.default_rng(0)
    own, point = rng.standard_normal(base.size), jnp.array([3.0])
    net = net.with_kept(np.concatenate([own, rng.standard_normal(net.prior_size), [1.0]]))
    numbers = net.initial(rng)
    with jax.enable_x64(True):
        assert float(net.value(numbers, point)) == pytest.approx(float(base.value(own, point)))
        moved = float(net.value(np.append(numbers[:-1], 1.0), point))
    assert moved != pytest.approx(float(base.value(own, point)))


def test_a_function_whose_last_units_are_all_struck_is_its_bias():
    unknown = perceptrons(decay(), (5, 4), 2.0, {"u": (0.0, 1.0)})
    units, count = units_of(unknown)
    assert count == 9
    numbers = unknown.initial(np.random.default_rng(0))
    alive = np.append(np.ones(5), np.zeros(4))
    struck = numbers * np.append(alive, 1.0)[units]
    with jax.enable_x64(True):
        values = np.asarray(values_at(unknown, struck, "u", X[:, None]))
    np.testing.assert_allclose(values, numbers[-2])  # the last number is the constant's


def test_where_nothing_is_struck_functions_and_constants_are_those_of_the_fit():
    seldom = agewise.EquationSettings(**(vars(SMALL) | {"dropout": 1e-9, "dropout_steps": 2}))
    found = agewise.fit(decay(), method="dropout", key=0, settings=seldom)
    assert found.predict([5.0]).epistemic[0] < 1e-12
    mean, std = found.constants["tau"]
    assert std < 1e-6
    assert abs(mean - 3.0) < 0.3
    # All draws are one function, so that their intervals are a point.
    assert "100 of 100 draws strike no unit" in found.check.findings[-1]
    assert same_finding(99, 200) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dropout", 0.0),
        ("members", 0),
        ("hidden", (8, 0)),
        ("rate", -1.0),
        ("stretch", np.nan),
    ],
)
def test_settings_with_which_nothing_can_be_done_are_refused(name: str, value: Any):
    with pytest.raises(InputError, match=f"The setting `{name}` is"):
        agewise.EquationSettings(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hidden", [8]),
        ("hidden", 20),
        ("steps", 2.5),
        ("chains", "4"),
        ("basis", None),
        ("index_noise", 1),
        ("rate", "fast"),
    ],
)
def test_settings_of_another_kind_are_refused(name: str, value: Any):
    default = getattr(agewise.EquationSettings(), name)
    with pytest.raises(InputError, match=f"The setting `{name}` is"):
        refuse_strange_setting(name, value, default)
    refuse_strange_setting(name, default, default)


def test_a_rate_that_strikes_everything_is_refused():
    with pytest.raises(InputError, match="rate of dropout is 1"):
        agewise.EquationSettings(dropout=1.0)


def test_few_drawn_functions_are_checked_as_they_are():
    few = replace(SMALL, draws=3, dropout_steps=2)
    found = agewise.fit(decay(), method="dropout", key=0, settings=few)
    assert found.draw(3).numbers.shape[0] == found.available(20) == 3
    assert any("Drawn functions leave" in remark for remark in found.check.remarks)
