"""Bands that hold as often as they say, whatever is beneath them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import agewise
from agewise.engine.equations.posterior.conformal import blocks, conformal, conformal_quantile
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


def test_blocks_keep_whole_stretches_of_a_series():
    kept = blocks(100, 10, 0.3, seed=0)
    assert len(kept) == 30
    assert set(np.bincount(kept // 10, minlength=10)) == {0, 10}


def test_a_posterior_without_doubt_is_refused():
    with pytest.raises(InputError, match="states no doubt"):
        conformal(predictor(0.0), Observations(np.ones((2, 1)), np.ones(2)))
