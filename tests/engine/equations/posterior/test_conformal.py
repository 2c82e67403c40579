"""Bands that hold as often as they say, whatever is beneath them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import agewise
from agewise.engine.equations.posterior.conformal import conformal, conformal_quantile
from agewise.engine.problems import Observations
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.errors import InputError
from agewise.library.noise_islands import island_noise


def predictor(std: float) -> Any:
    """A stated posterior: mean zero and one standard deviation everywhere on [0, 5]."""
    problem = agewise.Problem(
        equations={"start": lambda u, p: u(p)},
        coordinates={"t": (0.0, 5.0)},
        places={"start": [{"t": 0.0}]},
    )

    def predict(points, of=None):
        ones = np.ones(len(np.asarray(points)))
        return Prediction(0 * ones, 0 * ones, std**2 * ones)

    return SimpleNamespace(problem=problem, predict=predict)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_mean_coverage_over_splits_lies_where_theory_says(level: float):
    rng, count, splits = np.random.default_rng(0), 150, 2000
    # Errors of any shape: here with heavy tails, far from what the posterior states.
    held = []
    for _ in range(splits):
        scores = np.abs(rng.standard_t(2, count + 1))
        held.append(scores[-1] <= conformal_quantile(scores[:-1], level))
    slack = 4 * np.sqrt(level * (1 - level) / splits)
    assert level - slack <= np.mean(held) <= level + 1 / (count + 1) + slack


def test_too_few_readings_give_no_finite_band():
    assert conformal_quantile(np.arange(10.0), 0.95) == np.inf
    assert conformal_quantile(np.arange(19.0), 0.95) == 18.0


def test_local_bands_hold_inside_islands_of_noise_where_global_ones_do_not():
    rng, off = np.random.default_rng(1), {True: [], False: []}
    for _ in range(20):
        instants = rng.uniform(0, 5, (150, 1))
        unseen = Observations(
            instants, island_noise(instants[:, 0], 0.05) * rng.standard_normal(150)
        )
        new = rng.uniform(0, 5, (1000, 1))
        noise = island_noise(new[:, 0], 0.05)
        values = noise * rng.standard_normal(1000)
        for local in (True, False):
            low, high = conformal(predictor(0.1), unseen, local=local).interval(new, 0.95)
            inside = ((low <= values) & (values <= high))[noise > 0.06]
            off[local].append(abs(inside.mean() - 0.95))
    assert np.mean(off[True]) < 0.10
    assert np.mean(off[False]) > 2 * np.mean(off[True])


PLACES, SHOWN = np.linspace(0.0, 5.0, 40)[:, None], np.linspace(-0.1, 0.1, 40)


def slope(u, p):
    return agewise.partial(u, 0)(p)


@pytest.mark.parametrize(
    ("unseen", "sentence"),
    [
        (Observations(PLACES, np.where(SHOWN < 0, np.nan, SHOWN)), "20 of the 40 readings"),
        (Observations(PLACES[:0], SHOWN[:0]), "holds no readings"),
        (Observations(PLACES + 3.0, SHOWN), "outside the box"),
        (Observations(PLACES, SHOWN, None, slope), "not of 'a function' itself"),
    ],
)
def test_unseen_readings_that_tell_nothing_are_refused(unseen: Observations, sentence: str):
    with pytest.raises(InputError, match=sentence):
        conformal(predictor(0.1), unseen)


def test_readings_that_name_their_function_are_held_against_that_one():
    problem = agewise.Problem(
        equations={"start": lambda u, p: u.prey(p)},
        coordinates={"t": (0.0, 5.0)},
        places={"start": [{"t": 0.0}]},
        functions={"prey": ("t",), "hunter": ("t",)},
    )
    asked = []

    def predict(points, of=None):
        asked.append(of)
        return predictor(0.1).predict(points)

    unseen = Observations(PLACES, SHOWN, None, lambda u, p: u.hunter(p))
    stated: Any = SimpleNamespace(problem=problem, predict=predict)
    conformal(stated, unseen).interval([[1.0]], 0.9)
    assert asked == ["hunter", "hunter"]
    with pytest.raises(InputError, match="not of 'prey' itself"):
        conformal(stated, unseen, of="prey")


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.5, np.nan])
def test_a_level_that_is_no_share_is_refused(level: float):
    with pytest.raises(InputError, match="level of a band"):
        conformal_quantile(SHOWN, level)


def test_a_posterior_without_doubt_is_refused():
    with pytest.raises(InputError, match="states no doubt"):
        conformal(predictor(0.0), Observations(np.ones((2, 1)), np.ones(2)))


def test_a_local_band_of_a_high_level_takes_as_many_readings_as_that_needs():
    """Nineteen say nothing of 99 %: where there are more, the band goes by more of them."""
    rng = np.random.default_rng(2)
    instants = rng.uniform(0, 5, (2000, 1))
    loud = np.where(instants[:, 0] < 2.5, 0.5, 0.05)
    bands = conformal(
        predictor(0.1), Observations(instants, loud * rng.standard_normal(2000)), local=True
    )
    new = rng.uniform(0, 5, (4000, 1))
    low, high = bands.interval(new, 0.99)
    values = np.where(new[:, 0] < 2.5, 0.5, 0.05) * rng.standard_normal(4000)
    assert abs(np.mean((low <= values) & (values <= high)) - 0.99) < 0.01
    # Still local: a quiet half has narrow bands.
    width = high - low
    assert np.median(width[new[:, 0] < 2.5]) > 5 * np.median(width[new[:, 0] > 2.5])


@pytest.mark.parametrize("level", [0.28, 0.55, 0.57, 0.9])
def test_a_level_in_binary_digits_takes_the_score_that_its_decimal_ones_name(level: float):
    # 100 times 0.55 is 55.00000000000001: the 55th of 99 scores, and not the 56th.
    assert conformal_quantile(np.arange(1.0, 100.0), level) == round(100 * level)


def test_around_a_ring_a_local_band_goes_by_readings_on_both_sides_of_the_seam():
    rng = np.random.default_rng(3)
    ring = agewise.Problem(
        equations={"start": lambda u, p: u(p)},
        coordinates={"x": (0.0, 5.0)},
        places={"start": [{"x": 2.0}]},
        periodic=["x"],
    )
    stated: Any = SimpleNamespace(problem=ring, predict=predictor(0.1).predict)
    # Loud between 4 and 5, and readings are dense there alone.
    places = np.concatenate([rng.uniform(0.4, 4, 60), rng.uniform(4, 5, 60)])[:, None]
    noise = np.where(places[:, 0] > 4, 1.0, 0.01)
    bands = conformal(stated, Observations(places, noise * rng.standard_normal(120)), local=True)
    _, before_and_after = bands.interval([[4.99], [0.01], [5.01], [-0.01]], 0.9)
    # A hundredth beyond the seam is a hundredth away, whichever name the place is given.
    assert before_and_after.min() > 0.5
    assert before_and_after[1] == before_and_after[2]
    assert before_and_after[0] == before_and_after[3]
