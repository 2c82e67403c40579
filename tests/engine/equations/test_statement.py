"""A problem that is stated wrongly is refused in a sentence."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

import agewise
from agewise.engine.equations.statement import refuse_wrong_statement
from agewise.engine.problems import AbstractProblem, Box, Normal, Region
from agewise.engine.problems.stated import refuse_no_list
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
    "an unknown name": Wrong(
        "has no unknown 'k'; it has: u", {"residuals": {"wall": lambda u, p: u.k * u(p)}}
    ),
    "a quantity of two": Wrong(
        "one number is needed",
        readings(ONE, INSIDE, INSIDE, lambda u, p: jnp.stack([u(p), u(p)])),
    ),
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
