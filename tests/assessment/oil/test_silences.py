"""Silences of days: the record is joined, typical days stand in, and the doubt says so."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import jax
import numpy as np
import pytest

from agewise.assessment.life.outlook import measured_days
from agewise.assessment.oil.assess import assess, restored
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.assessment.oil.silences import sensor_noise, silences
from agewise.assessment.oil.spans import spans
from agewise.errors import InputError
from agewise.plant.profile import Profile, profile_from
from agewise.quality.stand_ins import filled_profile
from agewise.reading.profile_file import read_profile
from agewise.twin.twin import Twin, TwinSettings, make_twin

DAY, HOUR = 86400.0, 3600.0
SOLVER = Settings(method="solver", as_given=True)
SILENT = (5.0 * DAY, 9.0 * DAY)


@lru_cache
def twin() -> Twin:
    return make_twin(TwinSettings(seed=101, days=14.0))


def silenced(*stretches: tuple[float, float], air: bool = True) -> Profile:
    """Quarters of an hour of the twin, both thermometers silent within stretches [s]."""
    profile = profile_from(twin().frame.iloc[::15].reset_index(drop=True))
    seconds = profile.seconds
    quiet = np.any([(seconds > a) & (seconds < b) for a, b in stretches], axis=0)
    oil = np.where(quiet, np.nan, np.asarray(profile.top_oil))
    ambient = np.where(quiet & air, np.nan, profile.ambient)
    return replace(profile, top_oil=oil, ambient=ambient)


@lru_cache
def fitted() -> Assessment:
    return assess(silenced(SILENT), twin().nameplate, SOLVER)


def truth(heights: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    oil = twin().truth["oil_true"].to_numpy()
    rows = np.round(seconds / 60.0).astype(int)
    return oil[np.ix_(rows, np.round(heights * (oil.shape[1] - 1)).astype(int))]


def test_a_day_of_silence_is_found_and_an_hour_is_not():
    assert silences(silenced((DAY, DAY + 6 * HOUR))) == []
    (found,) = silences(silenced(SILENT))
    assert np.allclose(found, SILENT, atol=900.0)
    # One thermometer is enough: the oil between two ends needs both.
    assert silences(silenced(SILENT, air=False)) == silences(silenced(SILENT))


def test_scraps_between_silences_are_part_of_them():
    """A few hours, in the middle or at an end of the record, are not worth a fit."""
    parted = silences(silenced((0.1 * DAY, 3 * DAY), (3.2 * DAY, 6 * DAY), (9 * DAY, 13.9 * DAY)))
    expected = [(0.0, 6 * DAY), (9 * DAY, 14 * DAY)]
    assert np.allclose(parted, expected, atol=900.0)


def test_a_record_without_a_part_to_fit_is_refused():
    scraps = [(n * DAY + 2 * HOUR, (n + 2) * DAY) for n in range(0, 14, 2)]
    with pytest.raises(InputError, match="no 6 h in which both ambient and top_oil were read"):
        silences(silenced(*scraps))


@pytest.mark.parametrize("rows_of_silence", [True, False])
@pytest.mark.parametrize(
    "silent", [[(4.0, 9.0)], [(4.0, 9.0), (9.3125, 12.0)], [(0.0, 2.0), (20.0, 31.0)], []]
)
def test_spans_and_silences_share_out_every_instant(
    silent: list[tuple[float, float]], rows_of_silence: bool
):
    """A silence has rows without readings, or no rows at all as where a logger was dead."""
    seconds = np.arange(0.0, 31 * DAY + 1, 900.0)
    given = [(a * DAY, b * DAY) for a, b in silent]
    if not rows_of_silence:
        dead = [(seconds > begin) & (seconds < end) for begin, end in given]
        ends = (seconds == seconds[0]) | (seconds == seconds[-1])
        seconds = seconds[~np.any([np.zeros(seconds.size, bool), *dead], axis=0) | ends]
    cut = spans(seconds, days=4.0, lag=4 * HOUR, silences=given)
    weights = np.stack([span.weight(seconds) for span in cut])
    np.testing.assert_allclose(weights.sum(axis=0), 1.0, atol=1e-12)
    assert sum(span.silent for span in cut) == len(given)
    for span, weight in zip(cut, weights, strict=True):
        counts = np.flatnonzero(weight > 0)
        assert span.first <= counts[0] <= counts[-1] <= span.last
        # Also between rows: a fit must not be asked of instants beyond its own.
        everywhere = np.arange(0.0, 31 * DAY, 300.0)
        counted = everywhere[span.weight(everywhere) > 0]
        assert seconds[span.first] <= counted[0]
        assert counted[-1] <= seconds[span.last]
    middles = [(a + b) / 2 for a, b in given]
    quiet = [span.weight(np.array(middles)) for span in cut if span.silent]
    if given:
        np.testing.assert_allclose(np.sum(quiet, axis=0), 1.0)


def test_what_stands_in_is_as_far_off_as_it_says():
    """In the silence the doubt is kelvins and the truth within it; beside it nothing is lost."""
    heights = np.array([0.0, 0.5, 1.0])
    quiet = np.arange(SILENT[0] + DAY / 2, SILENT[1] - DAY / 2, 1800.0)
    read = np.arange(DAY, SILENT[0] - 6 * HOUR, 1800.0)
    assert [window.span.silent for window in fitted().windows] == [False, True, False]
    for seconds, least, most in ((quiet, 0.5, 6.0), (read, 0.0, 0.3)):
        oil = fitted().predict(heights, seconds)
        error, std = oil.mean - truth(heights, seconds), np.sqrt(oil.epistemic)
        assert np.sqrt(np.mean((error / std) ** 2)) < 1.8
        assert least < np.sqrt(np.mean(std**2)) < most


def test_oil_behind_a_dead_logger_is_in_doubt_by_kelvins_and_not_by_thousands():
    """Nothing but the equation knows how the oil between the ends goes on behind a silence."""
    frame = twin().frame.iloc[::15]
    minutes = frame.index.to_numpy()
    dead = (60 * minutes > SILENT[0]) & (60 * minutes < SILENT[1])
    profile = read_profile(frame[~dead].reset_index(drop=True))
    given = assess(profile, twin().nameplate, Settings(method="exact", as_given=True))
    heights = np.array([0.2, 0.5, 0.8])
    for begin in (SILENT[0] - 12 * HOUR, SILENT[1]):
        seconds = np.arange(begin, begin + 12 * HOUR, 900.0)
        oil = given.predict(heights, seconds)
        error, std = oil.mean - truth(heights, seconds), np.sqrt(oil.epistemic)
        assert std.max() < 3.0
        assert np.sqrt(np.mean((error / std) ** 2)) < 1.8


def test_drawn_functions_have_the_stated_spread_and_last():
    heights, seconds = np.array([1.0]), np.arange(SILENT[0] + DAY, SILENT[1] - DAY, 6 * HOUR)
    drawn = fitted().draw(400, key=jax.random.key(0)).oil(heights, seconds)[..., 0]
    stated = np.sqrt(fitted().predict(heights, seconds).epistemic[:, 0])
    assert np.median(drawn.std(axis=0) / stated) == pytest.approx(1.0, abs=0.15)
    # An error of a change in the weather is still there six hours later.
    assert np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1] > 0.6


def test_the_noise_of_oil_that_is_read_more_rarely_than_the_load_is_that_of_its_readings():
    """Hourly oil on rows of quarters: as noisy as by itself, a silence of days left out."""
    profile = silenced(SILENT)
    hours = np.arange(profile.load.size) % 4 == 0
    rare = replace(profile, top_oil=np.where(hours, np.asarray(profile.top_oil), np.nan))
    alone = profile_from(twin().frame.iloc[::60].reset_index(drop=True))
    noise = [sensor_noise(filled_profile(p, twin().nameplate, "backward")) for p in (rare, alone)]
    assert noise[0] == pytest.approx(noise[1], rel=0.2)
    assert 0.05 < noise[1] < 2.0


def test_a_stored_silence_comes_back(tmp_path: Path):
    arrays = [window.posterior.arrays() for window in fitted().windows]
    again = restored(fitted().profile, fitted().nameplate, SOLVER, arrays)
    heights, seconds = np.array([0.3, 1.0]), np.arange(0.0, 14 * DAY, 6 * HOUR)
    before, after = (each.predict(heights, seconds) for each in (fitted(), again))
    np.testing.assert_array_equal(before.mean, after.mean)
    np.testing.assert_array_equal(before.epistemic, after.epistemic)


def test_days_to_come_are_like_measured_ones():
    """Typical days that stood in say nothing of how days differ."""
    assert measured_days(silenced(SILENT), 14).tolist() == [0, 1, 2, 3, 4, 9, 10, 11, 12, 13]
    assert measured_days(silenced((0.0, 14 * DAY)), 14).tolist() == list(range(14))
