"""The error of a modelled top oil: where it starts, where it goes, and how it wanders."""

import numpy as np
import pytest

from agewise.transformer.prognostics.forecast import (
    BELIEF,
    MODEL_STD,
    ModelError,
    drawn_errors,
    model_error,
)
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

MINUTES = np.arange(0.0, 4 * SECONDS_PER_DAY, 60.0)
LAG = 3 * SECONDS_PER_HOUR


def test_paths_leave_from_now_and_end_as_the_stretch_was():
    error = ModelError(bias=0.5, bias_std=0.2, std=1.0, correlation=LAG, last=3.0)
    seconds = np.arange(1, 601) * 300.0
    paths = drawn_errors([error], seconds, 20_000, rng=np.random.default_rng(0))
    assert paths.shape == (20_000, 600)
    assert paths[:, 0].mean() == pytest.approx(3.0 - 2.5 * (1 - np.exp(-300 / LAG)), abs=0.01)
    assert paths[:, -1].mean() == pytest.approx(0.5, abs=0.05)
    assert paths[:, -1].std() == pytest.approx(np.hypot(1.0, 0.2), rel=0.03)
    lag = round(LAG / 300)
    late = paths[:, [-1 - lag, -1]] - 0.5
    correlation = np.asarray(np.corrcoef(late.T))[0, 1]
    assert correlation == pytest.approx((np.exp(-1) + 0.04) / 1.04, abs=0.03)


def test_uneven_steps_wander_as_even_ones():
    error = ModelError(bias=0.0, bias_std=0.0, std=1.0, correlation=LAG, last=0.0)
    even = np.arange(1, 49) * SECONDS_PER_HOUR
    uneven = np.sort(np.append(even, 60.0))
    one, other = (
        drawn_errors([error], seconds, 20_000, rng=np.random.default_rng(1))
        for seconds in (even, uneven)
    )
    for row in (0, 5, 47):
        assert other[:, row + 1].std() == pytest.approx(one[:, row].std(), rel=0.03)


def test_a_measured_stretch_calibrates_the_model():
    wave = 1.5 * np.sin(2 * np.pi * MINUTES / SECONDS_PER_DAY)
    error = model_error(MINUTES, 0.7 + wave, LAG)
    assert error.bias == pytest.approx(0.7, abs=1e-3)
    seen = MINUTES[-1] / (2 * LAG)
    squares = (BELIEF * MODEL_STD**2 + seen * 1.5**2 / 2) / (BELIEF + seen)
    assert error.std == pytest.approx(np.sqrt(squares), rel=1e-3)
    assert error.bias_std == pytest.approx(error.std / np.sqrt(seen))
    assert error.last == pytest.approx(0.7 + wave[-1])


def test_half_a_day_does_not():
    short = MINUTES[:720]
    error = model_error(short, np.full(720, 1.0), LAG)
    assert (error.bias, error.bias_std, error.std, error.last) == (0.0, MODEL_STD, MODEL_STD, 1.0)


def test_a_model_is_never_taken_to_be_perfect():
    longer = np.arange(0.0, 40 * SECONDS_PER_DAY, 600.0)
    few, many = (model_error(one, np.zeros(one.size), LAG).std for one in (MINUTES, longer))
    assert MODEL_STD > few > many > 0.0
