"""What is predicted at a place: around a ring by any of its names, with what was lifted out."""

from functools import cache

import numpy as np
import pytest

import agewise
from agewise.engine.problems import AbstractProblem, Observations
from agewise.errors import InputError

TURN = 2 * np.pi


@cache
def around() -> agewise.EquationPosterior:
    """A sine around a ring, read loudly on a part of it."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0, TURN, 400)
    noise = np.where(np.abs(x - 1.5) < 0.7, 0.5, 0.05)
    gauge = Observations(x[:, None], np.sin(x) + noise * rng.standard_normal(400))
    problem = agewise.Problem(
        equations={}, coordinates={"x": (0.0, TURN)}, periodic=["x"], readings={"gauge": gauge}
    )
    return agewise.fit(problem, method="exact")


@pytest.mark.parametrize("turns", [-2, 1, 3])
def test_a_turn_further_everything_is_the_same(turns: int):
    at = np.array([[0.2], [1.5], [4.0], [6.2]])
    here, there = (around().predict(points) for points in (at, at + turns * TURN))
    # The noise too, which is no function of waves: it is a law of the place in the box.
    for part in ("mean", "epistemic", "aleatoric"):
        np.testing.assert_allclose(getattr(there, part), getattr(here, part), rtol=1e-6, atol=1e-12)
    assert np.sqrt(here.aleatoric[1]) > 5 * np.sqrt(here.aleatoric[2])


def test_what_is_no_number_is_no_place_on_a_ring_either():
    with pytest.raises(InputError, match="outside the box"):
        around().predict([[np.nan]])


class Lifted(AbstractProblem):
    """A line from 0 to 1 that stands on a known 5 and is read with a noise of its own height."""

    readings: dict[str, Observations]

    def residuals(self):
        return {}

    def coordinates(self):
        return {"t": (0.0, 1.0)}

    def observations(self):
        return self.readings

    def lift(self, points):
        return np.full(len(points), 5.0)


def test_noise_by_the_value_is_that_of_the_value_which_was_read():
    """Readings are less the lift; a law that was learned of them knows no other heights."""
    rng = np.random.default_rng(0)
    t = np.sort(rng.uniform(0, 1, 400))
    shape = np.sin(40 * t)
    noise = 0.02 * np.exp(2 * shape)
    gauge = Observations(t[:, None], shape + noise * rng.standard_normal(400))
    posterior = agewise.fit(Lifted({"gauge": gauge}), method="exact")
    assert posterior.noises["gauge"].kind == "value"
    stated = np.sqrt(posterior.predict(t[:, None]).aleatoric)
    assert 0.8 < np.median(stated / noise) < 1.25
    assert np.quantile(stated, 0.05) < 0.1 * np.quantile(stated, 0.95)
