"""A problem that is stated wrongly is refused in a sentence."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import agewise
from agewise.engine.equations.statement import refuse_wrong_statement
from agewise.engine.fit import refuse_wrong_arguments
from agewise.engine.problems import AbstractProblem, Box, Normal, Observations, Region
from agewise.engine.problems.given import (
    box_given,
    names_given,
    plain_array,
    refuse_no_list,
    refuse_no_mapping,
)
from agewise.errors import InputError


class Stated(AbstractProblem):
    """A problem of one coordinate whose every part can be given wrongly."""

    parts: dict[str, Any] = eqx.field(static=True)

    def residuals(self):
        return self.parts.get("residuals", {"wall": lambda u, p: u(p)})

    def regions(self):
        return self.parts.get("regions", {"wall": Region((Box((0.0,), (0.0,)),))})

    def coordinates(self):
        return self.parts.get("coordinates", {"t": (0.0, 2.0)})

    def constants(self):
        return self.parts.get("constants", {})

    def functions(self):
        return self.parts.get("functions", super().functions())

    def observations(self):
        return self.parts.get("observations", {})

    def sizes(self):
        return self.parts.get("sizes", {})


@dataclass
class Wrong:
    sentence: str
    parts: dict[str, Any] = field(default_factory=dict)


def readings(points, values, std=None, quantity=None):
    # Not `Observations`, whose shapes are checked where tests run and nowhere else.
    observed = SimpleNamespace(points=points, values=values, std=std, quantity=quantity)
    return {"observations": {"probe": observed}}


def partial_along_1(u, p):
    return agewise.partial(u, 1)(p)


ONE, INSIDE = np.array([[0.5]]), np.array([1.0])
WRONG = {
    "an empty box": Wrong("goes from 2.0 to 2.0", {"coordinates": {"t": (2.0, 2.0)}}),
    "no function": Wrong("no unknown function", {"functions": {}}),
    "a strange coordinate": Wrong("'y', which the problem does not", {"functions": {"u": ("y",)}}),
    "one name twice": Wrong("both a function and a constant", {"constants": {"u": Normal(0, 1)}}),
    "names that differ": Wrong(
        "'wall' is a name among the places and no equation",
        {"residuals": {"inside": lambda u, p: u(p)}},
    ),
    "an equation without a region": Wrong("The equation 'wall' has no places", {"regions": {}}),
    "a region outside": Wrong(
        "leaves the box", {"regions": {"wall": Region((Box((3.0,), (3.0,)),))}}
    ),
    "a region of two": Wrong(
        "has 2 coordinates", {"regions": {"wall": Region((Box((0.0, 0.0), (0.0, 0.0)),))}}
    ),
    "points outside": Wrong("lie outside the box", readings(np.array([[5.0]]), INSIDE)),
    "flat points": Wrong("need \\(count, 1\\)", readings(np.array([0.5]), INSIDE)),
    "too many values": Wrong("1 points and values", readings(ONE, np.ones(2))),
    "no number": Wrong("no numbers", readings(ONE, np.array([np.nan]))),
    "which is no number": Wrong(
        "2 of the 3 readings of 'probe' .* reading 1",
        readings(np.array([[0.5], [0.6], [np.nan]]), np.array([1.0, np.nan, 1.0])),
    ),
    "one reading of unknown noise": Wrong("no noise can be learned", readings(ONE, INSIDE)),
    "no readings": Wrong("holds no readings", readings(np.zeros((0, 1)), np.zeros(0))),
    "no distribution": Wrong("'k' is 3.0, which is no distribution", {"constants": {"k": 3.0}}),
    "a derivative of no coordinate": Wrong(
        "along coordinate 1 of a point that has 1", {"residuals": {"wall": partial_along_1}}
    ),
    "NumPy": Wrong("hands an unknown to NumPy", {"residuals": {"wall": lambda u, p: np.exp(u(p))}}),
    "a branch": Wrong(
        "decides by one", {"residuals": {"wall": lambda u, p: u(p) if u(p) > 0 else -u(p)}}
    ),
    "no noise": Wrong("not one positive number", readings(ONE, INSIDE, np.zeros(1))),
    "a vector": Wrong("one number is needed", {"residuals": {"wall": lambda u, p: u(p) * p}}),
    "the name of the prior": Wrong(
        "An equation cannot be called 'prior'", {"residuals": {"prior": lambda u, p: u(p)}}
    ),
    "the name of readings": Wrong(
        "An equation cannot be called 'readings of probe'",
        {"residuals": {"readings of probe": lambda u, p: u(p)}},
    ),
    "an unknown name": Wrong(
        "has no unknown 'k'; it has: u", {"residuals": {"wall": lambda u, p: u.k * u(p)}}
    ),
    "a quantity of two": Wrong(
        "one number is needed",
        readings(ONE, INSIDE, INSIDE, lambda u, p: jnp.stack([u(p), u(p)])),
    ),
    "readings that are none": Wrong("of the type str", {"observations": {"probe": "warm"}}),
    "dates": Wrong("The points of 'probe' are dates", readings(ONE.astype("M8[s]"), INSIDE)),
    "words": Wrong("The values of 'probe' are no numbers", readings(ONE, np.array(["warm"]))),
    "complex readings": Wrong("are complex numbers", readings(ONE, np.array([1.0 + 1.0j]))),
    "a complex equation": Wrong(
        "gives a complex number", {"residuals": {"wall": lambda u, p: 1j * u(p)}}
    ),
    "no equation": Wrong("'wall' is 5, and no function", {"residuals": {"wall": 5}}),
    "a share of a point": Wrong(
        "'u' is asked at what has the shape", {"residuals": {"wall": lambda u, p: u.u(p[0])}}
    ),
    "a function that nobody asks for": Wrong(
        "'v' is in no equation", {"functions": {"u": ("t",), "v": ("t",)}}
    ),
    "a name that is taken": Wrong(
        "cannot be called 'first'",
        {
            "functions": {"second": ("t",), "first": ("t",)},
            "residuals": {"wall": lambda u, p: u.first(p) + u.second(p)},
        },
    ),
    "a size of nothing": Wrong("The size of 'u' is 0", {"sizes": {"u": 0.0}}),
    "nothing that pins it": Wrong(
        "Nothing pins the solution", {"regions": {"wall": Region((Box((0.0,), (2.0,)),))}}
    ),
}


def test_a_right_statement_passes():
    refuse_wrong_statement(Stated({}))
    refuse_wrong_statement(Stated(readings(ONE, INSIDE, INSIDE)))


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(wrong: Wrong):
    with pytest.raises(InputError, match=wrong.sentence):
        refuse_wrong_statement(Stated(wrong.parts))


@pytest.mark.parametrize("size", [0.0, -1.0, np.nan, np.inf])
def test_a_size_that_is_none_is_refused(size: float):
    problem = agewise.Problem(
        equations={"start": lambda u, t: u(t) - 1.0},
        coordinates={"t": (0.0, 2.0)},
        places={"start": [{"t": 0.0}]},
        sizes={"u": size},
    )
    with pytest.raises(InputError, match="The size of 'u' is"):
        refuse_wrong_statement(problem)


@pytest.mark.parametrize("places", [{"t": 0.0}, 0.0, [], [0.0]])
def test_places_that_are_no_list_are_refused(places: Any):
    # Not `Problem`, whose types are checked where tests run and nowhere else.
    with pytest.raises(InputError, match="The places of 'start' are"):
        refuse_no_list("start", places)


@pytest.mark.parametrize(
    "made",
    [
        lambda: agewise.LogNormal(-3.0, 0.5),
        lambda: agewise.LogNormal(3.0, 0.0),
        lambda: agewise.Normal(np.nan, 1.0),
        lambda: agewise.Normal(0.0, -1.0),
        lambda: agewise.Uniform(2.0, 1.0),
    ],
)
def test_what_is_no_distribution_is_refused(made):
    with pytest.raises(InputError, match="distribution"):
        made()


COOLING = {
    "equations": {"law": lambda u, p: agewise.partial(u, 0)(p) + u(p)},
    "coordinates": {"t": (0.0, 2.0)},
}


def test_one_sensor_under_two_names_is_refused():
    noise, twice = np.full(2, 0.1), {}
    for name, values in {"a": [1.0, 2.0], "b": [1.0, 2.1], "c": [1.0, 2.0]}.items():
        twice[name] = Observations(np.array([[0.5], [1.5]]), np.array(values), noise)
    refuse_wrong_statement(agewise.Problem(**COOLING, readings={"a": twice["a"], "b": twice["b"]}))
    with pytest.raises(InputError, match="'a' and 'c' hold the same readings"):
        refuse_wrong_statement(agewise.Problem(**COOLING, readings=twice))


TABLE = pd.DataFrame({"t": [0, 1], "u": [5.0, 4.0]})
COLUMNS = {
    "a table of pandas": (TABLE[["t"]], TABLE["u"]),
    "labelled arrays": (xr.DataArray(TABLE[["t"]]), xr.DataArray(TABLE["u"])),
    "lists": ([[0.0], [1.0]], [5.0, 4.0]),
    "whole numbers": (np.array([[0], [1]]), np.array([5, 4])),
    "objects": (np.array([[0.0], [1.0]], dtype=object), np.array([5.0, 4.0], dtype=object)),
}


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_readings_may_come_as_any_columns_of_numbers(columns):
    read = Observations(*columns)
    refuse_wrong_statement(agewise.Problem(**COOLING, readings={"probe": read}))
    assert type(read.points) is type(read.values) is np.ndarray
    np.testing.assert_array_equal(read.points, [[0.0], [1.0]])
    np.testing.assert_array_equal(read.values, [5.0, 4.0])


def test_what_is_masked_is_no_number():
    np.testing.assert_array_equal(plain_array(np.ma.masked_less([1, 7], 5)), [np.nan, 7.0])


def test_one_name_alone_is_not_its_letters():
    assert names_given("angle") == ("angle",)


@pytest.mark.parametrize("box", [[(0, 10)], {"t": 10}, {"t": ("now", "then")}])
def test_a_box_that_is_none_is_refused(box: Any):
    with pytest.raises(InputError, match=r"no dictionary|no pair of numbers"):
        box_given(box)


def test_what_goes_by_no_name_is_refused():
    with pytest.raises(InputError, match=r"`equations` is of the type list"):
        refuse_no_mapping("equations", [abs], "{...}")


@pytest.mark.parametrize("arguments", [{"key": 0.5}, {"key": None}, {"settings": {"steps": 10}}])
def test_arguments_of_another_type_are_refused(arguments: Any):
    with pytest.raises(InputError, match=r"key is|settings are"):
        refuse_wrong_arguments(**({"key": 0, "settings": None} | arguments))
