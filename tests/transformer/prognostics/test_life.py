"""Years of life against sums done by hand, and laws that hold for any days."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.ageing.normal import NormalPaper
from agewise.transformer.prognostics.life import (
    DAYS_PER_YEAR,
    SEASON_DAYS,
    Days,
    recurrence,
    seasons,
)
from agewise.transformer.prognostics.variation import Variation
from agewise.transformer.prognostics.whole_days import daily_loss
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

HOUR = np.arange(0.0, 3 * SECONDS_PER_DAY + 1, SECONDS_PER_HOUR)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def same_days(loss: float, draws: int = 3, days: int = 5, *, ordered: bool = False) -> Days:
    return Days(np.full((draws, days), loss), np.zeros(days, dtype=int), ordered)


def test_the_seasons_of_a_year_have_its_days():
    number = np.bincount(seasons(np.arange(1, 366)))
    np.testing.assert_array_equal(number, [90, 92, 92, 91])
    assert sum(SEASON_DAYS) == DAYS_PER_YEAR
    np.testing.assert_array_equal(seasons(np.array([1, 59, 60, 151, 152, 243, 244, 334, 335, 366])),
                                  [0, 0, 1, 1, 2, 2, 3, 3, 0, 0])  # fmt: skip


@pytest.mark.parametrize("ordered", [False, True])
def test_days_that_age_a_day_use_a_year_a_year(ordered: bool):
    days = same_days(24.0, ordered=ordered)
    left = np.array([0.0, 8766.0, 10.5 * 8766.0])
    np.testing.assert_allclose(days.yearly(), 8766.0)
    np.testing.assert_allclose(days.years(left, 60, rng=rng()), [0.0, 1.0, 10.5], rtol=1e-6)


@pytest.mark.parametrize("ordered", [False, True])
def test_beyond_the_horizon_and_without_a_life(ordered: bool):
    years = same_days(24.0, ordered=ordered).years(
        np.array([-5.0, 61 * 8766.0, 8766.0]), 60, rng=rng()
    )
    assert years[0] == 0.0
    assert years[1] == np.inf
    assert years[2] == pytest.approx(1.0)


@given(st.floats(0.5, 50.0), st.floats(0.1, 40.0))
def test_twice_the_ageing_halves_the_years(loss: float, years: float):
    left = np.full(3, years * DAYS_PER_YEAR * loss)
    once, twice = (same_days(n * loss).years(left, 60, rng=rng()) for n in (1, 2))
    np.testing.assert_allclose(once, 2 * twice, rtol=1e-5)


def test_seasons_that_were_seen_stand_for_themselves_and_others_for_all():
    loss = np.array([[10.0, 30.0]])
    summer_and_winter = Days(loss, np.array([2, 0]), ordered=False)
    mixed = 92 * 10.0 + 90.25 * 30.0 + (92 + 91) * 20.0
    assert summer_and_winter.yearly()[0] == pytest.approx(mixed)
    assert summer_and_winter.seen() == ["December to February", "June to August"]
    sampled = summer_and_winter.sampled_years(2000, rng=rng())
    assert sampled.mean() == pytest.approx(mixed, rel=1e-3)
    # Only the days of spring and autumn differ: each is one of two, 20 hours apart.
    assert sampled.std() == pytest.approx(10.0 * np.sqrt(183.0), rel=0.06)


def test_a_scenario_is_lived_in_its_order():
    days = Days(np.array([[0.0, 0.0, 12.0]]), np.full(3, -1), ordered=True)
    # Nothing happens before the third day of each round.
    years = days.years(np.array([18.0]), 60, rng=rng())
    assert years[0] * DAYS_PER_YEAR == pytest.approx(3 + 2.5)


def test_days_are_cut_at_whole_days_and_the_rest_is_left():
    seconds = np.arange(0.0, 2.5 * SECONDS_PER_DAY, 7000.0)
    used = np.stack([seconds / SECONDS_PER_HOUR, 3 * seconds / SECONDS_PER_HOUR])
    np.testing.assert_allclose(daily_loss(seconds, used), [[24.0, 24.0], [72.0, 72.0]])
    short = seconds[:5]
    np.testing.assert_allclose(daily_loss(short, used[:, :5]), [[24.0], [72.0]])


def test_a_day_that_ends_a_step_before_midnight_is_whole():
    minutes = np.arange(2 * 1440) * 60.0
    rate = np.where(minutes < SECONDS_PER_DAY, 1.0, 3.0)[None]
    days = daily_loss(minutes, loss_of_life(minutes, rate, axis=1))
    np.testing.assert_allclose(days, [[24.0, 72.0]], rtol=2e-3)


def test_other_days_might_have_been_seen():
    """All days of a draw are off together, by the stated spread; unseen seasons apart."""
    known = Variation(mean=0.2, independent=200.0, seasons=(0.5, 0.0, 0.0, 0.0))
    days = Days(np.full((20_000, 4), 24.0), np.array([1, 1, 2, 2]), False, known)
    other = days.another(rng=rng())
    assert np.ptp(other.loss, axis=1).max() == 0.0
    assert np.log(other.loss[:, 0] / 24.0).std() == pytest.approx(0.2, rel=0.02)
    assert other.unseen is not None
    assert np.log(other.unseen[:, 0]).std() == pytest.approx(0.5, rel=0.02)
    assert np.median(other.unseen, axis=0) == pytest.approx(np.ones(4), rel=0.02)


def test_good_and_bad_years_differ_and_their_mean_is_one():
    for ordered in (False, True):
        days = Days(np.full((4000, 365), 24.0), np.zeros(365, int), ordered, Variation(year=0.13))
        mean = days.mean_year(4, rng=rng())
        assert mean.mean() == pytest.approx(8766.0, rel=0.01)
        assert mean.std() / mean.mean() == pytest.approx(0.13 / 2, rel=0.05)
        # A year's loss in hand lasts a year, more or less as the years are.
        years = days.years(np.full(4000, 10 * 8766.0), 60, rng=rng())
        assert years.mean() == pytest.approx(10.0, rel=0.01)
        assert years.std() == pytest.approx(10.0 * 0.13 / np.sqrt(10), rel=0.1)


def test_a_scenario_in_ordinary_years_ends_as_its_days_add_up():
    """Day by day, against a plain sum over the repeated days."""
    loss = np.random.default_rng(3).exponential(24.0, (6, 37))
    left = np.array([0.0, 100.0, 5e3, 2e4, 1e5, 4e5])
    said = Days(loss, np.full(37, -1), ordered=True).years(left, 60, rng=rng())
    for n, hours in enumerate(left):
        run = np.concatenate([[0.0], np.cumsum(np.tile(loss[n], 700))])
        expected = np.interp(hours, run, np.arange(run.size)) / DAYS_PER_YEAR
        assert said[n] == pytest.approx(expected, abs=1e-6)


def test_blocks_keep_weather_together():
    """A year of weather that lasts: the spread of yearly sums is the one that the weather has."""
    memory, draws = 0.75, np.random.default_rng(2)
    series = np.zeros(20_000)
    for n in range(1, series.size):
        series[n] = memory * series[n - 1] + draws.standard_normal()
    loss = 24.0 * (1 + 0.05 * series)
    days = Days(np.tile(loss, (3, 1)), np.zeros(loss.size, int), ordered=False)
    spread = days.sampled_years(3000, rng=rng()).std()
    independent = loss.std() * np.sqrt(DAYS_PER_YEAR)
    lasting = independent * np.sqrt((1 + memory) / (1 - memory))
    # Blocks of two weeks hold most of it, where single days would hold the first.
    assert 0.85 * lasting < spread < 1.05 * lasting
    assert spread > 2 * independent


def test_a_trend_lets_losses_grow_and_is_held_in_the_end():
    trend = np.array([0.0, 0.05, -0.05, 1.0])
    days = Days(np.full((4, 10), 24.0), np.zeros(10, int), False, trend=trend)
    years = days.sampled_years(10, rng=rng()) / 8766.0
    expected = np.exp(np.minimum(np.outer(trend, np.arange(10) + 0.5), 2.0))
    np.testing.assert_allclose(years, expected, rtol=1e-5)


def test_the_recurrence_agrees_with_the_integral():
    hot_spot = 98.0 + 6.0 * np.sin(2 * np.pi * HOUR / SECONDS_PER_DAY)[None]
    fine = np.linspace(0.0, HOUR[-1], 40 * HOUR.size)
    rate = NormalPaper().rate(np.stack([np.interp(fine, HOUR, hot_spot[0])]))
    left = recurrence(fine, rate, np.array([100.0]))
    integral = 100.0 - loss_of_life(fine, rate, axis=1)
    np.testing.assert_allclose(left, integral, atol=0.02)
    assert (np.diff(left) < 0).all()


def test_a_million_years_take_seconds():
    days = Days(np.full((10_000, 91), 24.0), np.arange(91) % 4, ordered=False)
    start = time.process_time()
    assert days.sampled_years(10, rng=rng()).shape == (10_000, 10)
    assert time.process_time() - start < 5.0  # a hundred thousand; a million in ten times that


def test_one_sample_a_day_has_as_many_days_as_steps():
    seconds = np.arange(5) * 86_400.0
    np.testing.assert_allclose(daily_loss(seconds, np.arange(5.0)[None]), np.ones((1, 4)))
