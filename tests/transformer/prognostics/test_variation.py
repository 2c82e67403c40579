"""Weather that lasts, against series whose memory and mean are known."""

import numpy as np
import pytest

from agewise.transformer.prognostics.calendar import Climate, with_seasons, years_lived
from agewise.transformer.prognostics.life import Days, seasons
from agewise.transformer.prognostics.variation import effective_days, lasting_variation, memory_of

SLOPE = np.log(2) / 6
YEAR = np.arange(1, 366)


def weather(days: int, memory: float, rng: np.random.Generator) -> np.ndarray:
    series = rng.standard_normal(days) * np.sqrt(1 - memory**2)
    series[0] /= np.sqrt(1 - memory**2)
    for n in range(1, days):
        series[n] += memory * series[n - 1]
    return series


def test_effective_days_are_those_of_the_mean():
    """By simulation: the variance of means of days with a memory."""
    rng = np.random.default_rng(0)
    for days, memory in ((10, 0.5), (30, 0.75), (92, 0.75), (5, 0.0)):
        means = [weather(days, memory, rng).mean() for _ in range(3000)]
        assert 1 / np.var(means) == pytest.approx(effective_days(days, memory), rel=0.12)


@pytest.mark.parametrize("memory", [0.6, 0.75, 0.85])
def test_a_long_record_tells_its_own_memory(memory: float):
    rng = np.random.default_rng(1)
    temperature = 3.0 * weather(3000, memory, rng)
    season = 8.0 * np.cos(2 * np.pi * np.arange(3000) / 365.25)
    week = np.where(np.arange(3000) % 7 < 5, 0.0, -3.0)
    told = memory_of(np.exp(SLOPE * temperature), SLOPE)
    assert told.memory == pytest.approx(memory, abs=0.06)
    assert told.spread == pytest.approx(np.sqrt(np.expm1((3.0 * SLOPE) ** 2)), rel=0.15)
    cyclic = memory_of(1 + 0.01 * (temperature + season + week), SLOPE)
    assert cyclic.memory == pytest.approx(memory, abs=0.06)


def test_a_single_day_tells_nothing_of_the_others():
    told = lasting_variation(np.array([24.0]), SLOPE, 80.0)
    assert told.mean > 0.4
    many = 24.0 * np.exp(0.4 * weather(3650, 0.75, np.random.default_rng(2)))
    long = lasting_variation(many, SLOPE, 80.0)
    assert long.mean < 0.1
    # Years stay good and bad, however many were seen.
    assert told.year == long.year > 0.1


@pytest.mark.parametrize("latitude", [45.0, -45.0])
def test_the_calendar_brings_back_the_year(latitude: float):
    """A record of some weeks of a year that follows the calendar: the whole year is found."""
    climate = Climate(latitude)
    loss = np.exp(SLOPE * climate.air(YEAR.astype(float)))
    for first in (10, 180):
        at = YEAR[first : first + 30]
        days = Days(loss[at - 1][None], seasons(at), ordered=False)
        known = with_seasons(days, at, climate, SLOPE, 80.0)
        assert known.yearly()[0] == pytest.approx(365.25 * loss.mean(), rel=0.02)
        plain = days.yearly()[0] / (365.25 * loss.mean())
        assert abs(np.log(plain)) > 0.25


def test_monthly_means_win_over_the_latitude_and_a_whole_year_needs_neither():
    months = tuple(10.0 + 9.0 * np.cos(2 * np.pi * (np.arange(12) - 6) / 12))
    air = Climate(60.0, months).air(np.array([15.0, 197.0]))
    np.testing.assert_allclose(air, [-9.0, 9.0], atol=0.3)
    assert not Climate().air(YEAR.astype(float)).any()
    whole = Days(np.ones((1, 365)), seasons(YEAR), ordered=False)
    for climate in (Climate(), Climate(45.0), Climate(45.0, months)):
        known = with_seasons(whole, YEAR, climate, SLOPE, 80.0).variation
        np.testing.assert_allclose(known.shifts, 0.0, atol=1e-12)
        np.testing.assert_allclose(known.seasons, 0.0, atol=1e-12)


def test_years_of_a_growing_load_are_fewer_than_they_are():
    trend = np.array([0.0, 0.04, -0.04])
    exact = [20.0, (1 - np.exp(-0.8)) / 0.04, (np.exp(0.8) - 1) / 0.04]
    np.testing.assert_allclose(years_lived(trend, 20.0), exact, rtol=1e-3)
    assert years_lived(None, 20.0) == 20.0
