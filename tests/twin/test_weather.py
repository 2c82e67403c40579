import numpy as np
import pandas as pd
import pytest
from scipy.signal import detrend, lfilter
from scipy.signal.windows import blackmanharris

from agewise.twin import weather
from agewise.twin.weather import EXTREMADURA, SEVILLE

SEEDS = range(20)
DAYS = 4


def minutes(start: str, days: int = DAYS) -> pd.DatetimeIndex:
    return pd.date_range(start, periods=days * 1440, freq="1min", tz="Europe/Madrid")


JUNE = minutes("2025-06-12")


def by_day(sample, site=EXTREMADURA, times=JUNE):
    paths = [sample(site, times, rng=np.random.default_rng(seed)) for seed in SEEDS]
    return np.reshape(paths, (len(SEEDS), DAYS, 1440))


@pytest.fixture(scope="module")
def sun():
    return by_day(weather.irradiance)


@pytest.fixture(scope="module")
def air():
    return by_day(weather.ambient)


def fast_share(path):
    """Power at periods below an hour over the total, without trend and leakage."""
    power = np.abs(np.fft.rfft(detrend(path) * blackmanharris(len(path)))) ** 2
    return power[np.fft.rfftfreq(len(path), 60.0) > 1 / 3600].sum() / power[1:].sum()


def test_clear_sky_is_that_of_pvlib_at_every_minute():
    from pvlib import irradiance, location

    site, times = EXTREMADURA, minutes("2025-06-12", 1)
    place = location.Location(site.latitude, site.longitude, site.timezone, site.altitude)
    extra = irradiance.get_extra_radiation(163)
    exact = place.get_clearsky(times, linke_turbidity=weather.LINKE_TURBIDITY, dni_extra=extra)
    error = np.abs(weather.clear_sky(site, times) - exact["ghi"].to_numpy())
    assert error.max() < 2
    assert error[10 * 60 : 18 * 60].max() < 0.1


def test_clouds_make_about_25_steep_ramps_a_june_day(sun):
    ramps = (np.abs(np.diff(sun, axis=-1)) > 200).sum(axis=-1)
    assert 20 < ramps.mean() < 30


def test_june_peaks_are_bounded_by_construction(sun):
    clear = weather.clear_sky(EXTREMADURA, JUNE).reshape(DAYS, 1440)
    peaks = sun.max(axis=(1, 2))
    assert 1000 < peaks.min() < peaks.max() < 1190
    assert np.all((sun >= 0) & (sun <= (1 + weather.ENHANCEMENT) * clear + 1e-9))


def test_days_are_clear_broken_or_overcast(sun):
    share = sun.sum(axis=-1) / weather.clear_sky(EXTREMADURA, JUNE).reshape(DAYS, 1440).sum(axis=-1)
    assert 0.1 < np.mean(share > 0.9) < 0.4
    assert 0.01 < np.mean(share < 0.5) < 0.2


def test_night_is_dark(sun):
    local = JUNE.hour.to_numpy().reshape(DAYS, 1440)
    assert np.all(sun[:, (local < 6) | (local >= 23)] == 0)


def test_june_air_runs_from_13_to_30_degrees(air):
    assert air.min(axis=-1).mean() == pytest.approx(13, abs=1)
    assert air.max(axis=-1).mean() == pytest.approx(30, abs=1)
    assert air.min(axis=(1, 2)).mean() == pytest.approx(11.5, abs=1)
    assert air.max(axis=(1, 2)).mean() == pytest.approx(32, abs=1)


def test_air_is_coldest_at_sunrise_and_warmest_in_the_late_afternoon(air):
    assert 6 < np.median(air.argmin(axis=-1)) / 60 < 7.2
    assert 16 < np.median(air.argmax(axis=-1)) / 60 < 18


@pytest.mark.parametrize(
    ("site", "start", "low", "high"),
    [
        (EXTREMADURA, "2025-01-15", 3, 13),
        (SEVILLE, "2025-01-15", 6, 16),
        (SEVILLE, "2025-07-15", 20, 37),
    ],
)
def test_seasons_follow_the_climate(site, start, low, high):
    air = by_day(weather.ambient, site, minutes(start))
    assert air.min(axis=-1).mean() == pytest.approx(low, abs=1)
    assert air.max(axis=-1).mean() == pytest.approx(high, abs=1)


def test_air_has_nothing_faster_than_an_hour(air):
    assert max(fast_share(path.ravel()) for path in air) < 1e-8


def test_rough_adds_minutes_and_leaves_the_rest():
    smooth, rough = (
        weather.ambient(
            EXTREMADURA, minutes("2025-06-12", 60), rng=np.random.default_rng(3), rough=r
        )
        for r in (False, True)
    )
    added = rough - smooth
    assert added.std() == pytest.approx(0.5, rel=0.05)
    assert np.mean(added[5:] * added[:-5]) / added.var() == pytest.approx(np.exp(-1), abs=0.03)
    assert np.mean(added[60:] * added[:-60]) / added.var() == pytest.approx(0, abs=0.03)


@pytest.mark.parametrize("sample", [weather.irradiance, weather.ambient])
def test_one_seed_gives_one_answer(sample):
    first, again, other = (
        sample(SEVILLE, JUNE, rng=np.random.default_rng(seed)) for seed in (5, 5, 6)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_smooth_noise_has_its_covariance():
    rng = np.random.default_rng(0)
    length, seconds = 3 * 3600.0, np.arange(0, 86400.0, 300.0)
    paths = np.array(
        [
            weather.smooth_noise(seconds, std=2.0, correlation_time_s=length, rng=rng)
            for _ in range(4000)
        ]
    )
    covariance = np.mean(paths[:, :1] * paths, axis=0)
    expected = 4 * np.exp(-0.5 * (seconds / length) ** 2)
    assert paths.std(axis=0) == pytest.approx(2.0, rel=0.05)
    assert covariance == pytest.approx(expected, abs=0.25)


@pytest.mark.parametrize("start", ["2025-03-29", "2025-10-25"])
def test_a_clock_change_does_not_show(start):
    times = minutes(start)
    clear = weather.clear_sky(EXTREMADURA, times)
    assert times[[0, -1]].strftime("%z").nunique() == 2
    assert np.abs(np.diff(clear)).max() < 4  # W/m2 per minute, the steepest of a clear morning
    assert clear == pytest.approx(weather.clear_sky(EXTREMADURA, times.tz_convert("UTC")))
    for sample in (weather.irradiance, weather.ambient):
        assert np.isfinite(sample(EXTREMADURA, times, rng=np.random.default_rng(0))).all()
    air = weather.ambient(EXTREMADURA, times, rng=np.random.default_rng(0))
    assert fast_share(air) < 1e-8


@pytest.mark.parametrize("times", [JUNE.tz_localize(None), JUNE[[0, 1, 3]], JUNE[:1]])
def test_times_without_zone_or_step_are_refused(times):
    with pytest.raises(ValueError, match="times"):
        weather.irradiance(EXTREMADURA, times, rng=np.random.default_rng(0))


def test_what_fades_is_a_filter_of_first_order_to_the_bit():
    values = np.random.default_rng(0).standard_normal(5000)
    by_filter, _ = lfilter([1.0], [1.0, -0.9], values, zi=[0.9 * 2.5])
    np.testing.assert_array_equal(weather.faded(values, 0.9, 2.5), by_filter)
