"""The cooling check on rises whose factor is known."""

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.stats import norm

from agewise.transformer.prognostics.cooling_check import (
    LEAST_S,
    UNKNOWN,
    look_ends,
    lost_share,
    rise_check,
    significance,
)
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

TAU = 3 * SECONDS_PER_HOUR
STEP = 600.0


def day_rise(days: float) -> tuple[np.ndarray, np.ndarray]:
    """Seconds and a rise that follows the sun."""
    seconds = np.arange(0.0, days * SECONDS_PER_DAY + 1, STEP)
    return seconds, 25.0 - 15.0 * np.cos(2 * np.pi * seconds / SECONDS_PER_DAY)


def errors(seconds: np.ndarray, std: float, seed: int) -> np.ndarray:
    """What the model gets wrong, correlated over TAU."""
    keep = np.exp(-STEP / TAU)
    kicks = np.random.default_rng(seed).normal(0, std * np.sqrt(1 - keep**2), seconds.size)
    return np.asarray(lfilter([1.0], [1.0, -keep], kicks))


def test_a_known_factor_is_found():
    seconds, rise = day_rise(4)
    for factor in (0.8, 1.0, 1.05, 1.25, 1.6):
        found = rise_check(seconds, (1 - 1 / factor) * rise, rise, TAU)
        assert found.factor == pytest.approx(factor, abs=1e-9)
        assert found.alarm == (factor > 1.1)


def test_the_std_of_the_share_is_true():
    seconds, rise = day_rise(1)
    found = np.array(
        [lost_share(seconds, errors(seconds, 1.0, n) + 0.2 * rise, rise, TAU) for n in range(200)]
    )
    assert found[:, 0].mean() == pytest.approx(0.2, abs=0.01)
    assert found[:, 0].std() == pytest.approx(found[0, 1], rel=0.15)


def test_a_loss_in_the_middle_is_dated_and_health_is_quiet():
    seconds, rise = day_rise(4)
    lost = np.where(seconds > 2 * SECONDS_PER_DAY, 0.2, 0.0)
    since = []
    for seed in range(5):
        healthy = rise_check(seconds, errors(seconds, 1.0, seed), rise, TAU)
        assert not healthy.alarm
        poorer = rise_check(seconds, errors(seconds, 1.0, seed) + lost * rise, rise, TAU)
        assert poorer.alarm and poorer.since is not None
        since.append(poorer.since)
    assert min(since) > 2 * SECONDS_PER_DAY
    assert max(since) < 3 * SECONDS_PER_DAY


def test_an_alarm_that_went_down_says_until_when():
    seconds, rise = day_rise(6)
    lost = np.where((seconds > SECONDS_PER_DAY) & (seconds < 3 * SECONDS_PER_DAY), 0.3, 0.0)
    found = rise_check(seconds, lost * rise, rise, TAU)
    assert found.alarm and found.since is not None and found.until is not None
    assert SECONDS_PER_DAY < found.since < found.until < 4.5 * SECONDS_PER_DAY


def test_a_nameplate_in_doubt_raises_no_alarm_about_as_much():
    seconds, rise = day_rise(4)
    difference = (1 - 1 / 1.2) * rise
    assert rise_check(seconds, difference, rise, TAU).alarm
    doubted = rise_check(seconds, difference, rise, TAU, rise_share=0.15)
    assert not doubted.alarm
    assert doubted.std is not None and doubted.std > 0.15


def test_short_records_are_looked_at_whole_or_not_at_all():
    seconds, rise = day_rise(0.75)
    assert list(look_ends(seconds)) == [seconds[-1]]
    assert rise_check(seconds, 0.3 * rise, rise, TAU).alarm
    shorter = seconds < LEAST_S
    assert rise_check(seconds[shorter], 0.3 * rise[shorter], rise[shorter], TAU) == UNKNOWN


def test_gaps_are_no_evidence():
    seconds, rise = day_rise(2)
    kept = (seconds < SECONDS_PER_DAY) | (seconds > 1.9 * SECONDS_PER_DAY)
    whole = rise_check(seconds, 0.1 * rise, rise, TAU)
    holed = rise_check(seconds[kept], 0.1 * rise[kept], rise[kept], TAU)
    assert whole.std is not None and holed.std is not None
    assert holed.std > 1.2 * whole.std


@pytest.mark.parametrize(
    ("share", "factors"), [(0.25, np.arange(1.1, 2.5, 0.005)), (1.0, np.array([1.095, 1.105]))]
)
def test_an_alarm_takes_a_tenth_more_rise_and_two_and_a_quarter_deviations(
    share: float, factors: np.ndarray
):
    """Where the oil runs a few kelvin over the air, deviations decide; where many, the tenth."""
    seconds, rise = day_rise(1.0)
    rise = share * rise
    alarms = []
    for factor in factors:
        found = rise_check(seconds, (1 - 1 / factor) * rise, rise, TAU)
        assert found.factor is not None and found.std is not None
        lost, std = 1 - 1 / found.factor, found.std / found.factor**2
        alarms.append(found.alarm)
        assert found.alarm == (found.factor > 1.10 and lost > 2.25 * std)
    assert alarms == sorted(alarms) and set(alarms) == {False, True}


@pytest.mark.parametrize(("kelvin", "shows"), [(2.9, False), (3.1, True)])
def test_cooling_shows_where_the_oil_runs_three_kelvin_over_the_air(kelvin: float, shows: bool):
    seconds, rise = day_rise(1.0)
    rise = rise * kelvin / rise.mean()
    assert (rise_check(seconds, 0.1 * rise, rise, TAU) != UNKNOWN) == shows


def test_a_long_healthy_record_alarms_no_more_often_than_a_short_one():
    def false_alarms(days: float, records: int) -> float:
        seconds, rise = day_rise(days)
        found = [rise_check(seconds, errors(seconds, 3.0, n), rise, TAU) for n in range(records)]
        return float(np.mean([check.alarm for check in found]))

    assert false_alarms(30, 40) <= max(0.05, 1.5 * false_alarms(4, 40))
    assert significance(2) == significance(4) == pytest.approx(2.25)
    # The chance of a single look falls with the square of the number of days.
    assert norm.sf(significance(40)) == pytest.approx(norm.sf(2.25) / 100)


@pytest.mark.parametrize("against_before", [False, True])
def test_a_loss_is_told_from_a_thermometer_that_reads_high(against_before: bool):
    seconds, rise = day_rise(8)
    later = seconds > 4 * SECONDS_PER_DAY
    for seed in range(5):
        wandering = errors(seconds, 1.0, seed)
        checked = [
            rise_check(seconds, wandering + extra, rise, TAU, against_before=against_before)
            for extra in (np.where(later, 0.4 * rise, 0.0), np.where(later, 12.0, 0.0))
        ]
        assert all(check.alarm for check in checked)
        loss, high = (check.evidence for check in checked)
        assert loss > 2.0 and high < -2.0


def test_where_the_rise_stands_still_nothing_tells_a_loss_from_a_thermometer():
    seconds, _ = day_rise(8)
    rise = np.full(seconds.size, 30.0)
    extra = np.where(seconds > 4 * SECONDS_PER_DAY, 12.0, 0.0)
    found = rise_check(seconds, errors(seconds, 1.0, 3) + extra, rise, TAU)
    assert found.alarm and found.evidence == pytest.approx(0.0, abs=1e-6)
