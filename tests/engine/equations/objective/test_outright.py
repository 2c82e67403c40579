"""Which function a sensor reads, and how large a function is, as far as a problem says so."""

import jax.numpy as jnp
import numpy as np
import pytest

import agewise
from agewise.engine.equations.objective.outright import (
    balanced_values,
    function_read,
    stated_values,
)
from agewise.engine.equations.objective.sensors import sensors_of, sizes_of, unsized
from agewise.library.registry import KNOWN

TIMES = np.linspace(0.0, 10.0, 20)[:, None]
PEOPLE = 5e4 + 1e4 * np.sin(TIMES[:, 0])


def outbreak(**parts) -> agewise.Problem:
    """Numbers of people, of which one is read and the other known at first."""
    return agewise.Problem(
        equations={
            "law": lambda u, p: agewise.partial(u.healthy, 0)(p) + u.rate * u.ill(p),
            "first": parts.get("first", lambda u, p: u.healthy(p) - 99_500.0),
        },
        coordinates={"t": (0.0, 10.0)},
        places={"first": [{"t": 0.0}]},
        functions={"healthy": ("t",), "ill": ("t",)},
        constants={"rate": agewise.LogNormal(2.0, 1.0)},
        sizes=parts.get("sizes"),
        readings={
            "clinic": agewise.Observations(TIMES, PEOPLE, None, lambda u, p: u.ill(p)),
        },
    )


def test_functions_have_the_size_of_their_readings_and_of_their_conditions():
    problem = outbreak()
    sizes = sizes_of(problem, sensors_of(problem))
    assert sizes["ill"] == (PEOPLE.mean(), PEOPLE.std())
    assert sizes["healthy"] == pytest.approx((0.0, 99_500.0))
    stated = outbreak(sizes={"healthy": 7.0, "ill": 8.0})
    assert sizes_of(stated, sensors_of(stated)) == {"healthy": (0.0, 7.0), "ill": (0.0, 8.0)}


@pytest.mark.parametrize(
    ("quantity", "function"),
    [
        (lambda u, p: u(p), "healthy"),
        (lambda u, p: u.ill(p), "ill"),
        (lambda u, p: 2.0 * u.ill(p), None),
        (lambda u, p: u.ill(p) + u.healthy(p), None),
        (lambda u, p: agewise.partial(u.ill, 0)(p), None),
        (lambda u, p: u.ill(p + 1.0), None),
        (lambda u, p: u.rate, None),
        (lambda u, p: jnp.ones(()), None),
    ],
)
def test_a_sensor_reads_a_function_only_if_it_does_nothing_else(quantity, function):
    assert function_read(quantity, outbreak()) == function


@pytest.mark.parametrize(
    ("first", "value"),
    [
        (lambda u, p: 3.0 * u.ill(p) - 60.0, {"ill": 20.0}),
        (lambda u, p: u.rate * u.ill(p) - 60.0, {"ill": 30.0}),  # at the middle of its prior
        (lambda u, p: agewise.partial(u.ill, 0)(p) - 60.0, {}),
        (lambda u, p: u.ill(p) - 60.0 + agewise.partial(u.ill, 0)(p), {}),
        (lambda u, p: u.ill(p) - u.healthy(p), {}),
        (lambda u, p: u.ill(p) + u.ill(p) ** 2 - 60.0, {}),
    ],
)
def test_a_condition_says_a_value_only_if_it_is_that_of_one_function(first, value):
    stated = stated_values(outbreak(first=first))
    assert {name: float(values[0]) for name, values in stated.items()} == pytest.approx(value)


@pytest.mark.parametrize(
    ("first", "values"),
    [
        (lambda u, p: u.ill(p) + 2.0 * u.healthy(p) - 1e5, {"ill": 1e5, "healthy": 5e4}),
        (lambda u, p: u.ill(p) - u.healthy(p), {"ill": 0.0, "healthy": 0.0}),
        (lambda u, p: agewise.partial(u.ill, 0)(p) + u.healthy(p) - 1e5, {}),
        (lambda u, p: u.ill(p) * u.healthy(p) - 1e5, {}),
    ],
)
def test_a_condition_of_two_functions_says_how_large_either_may_be(first, values):
    balanced = balanced_values(outbreak(first=first))
    assert {name: float(own[0]) for name, own in balanced.items()} == pytest.approx(values)


def test_a_function_that_shares_a_condition_has_its_size():
    problem = outbreak(first=lambda u, p: u.ill(p) + u.healthy(p) - 1e5)
    sensors = sensors_of(problem)
    assert sizes_of(problem, sensors)["healthy"] == pytest.approx((0.0, 1e5))
    assert unsized(problem, sensors) == []
    silent = outbreak(first=lambda u, p: agewise.partial(u.healthy, 0)(p) + 1e5)
    assert sizes_of(silent, sensors)["healthy"] == (0.0, 1.0)
    assert unsized(silent, sensors) == ["healthy"]


@pytest.mark.parametrize("name", ["heat-rod", "burgers", "allen-cahn"])
def test_functions_about_one_stay_of_size_one(name: str):
    problem = KNOWN[name](seed=0)
    assert sizes_of(problem, {}) == {"u": (0.0, 1.0)}
