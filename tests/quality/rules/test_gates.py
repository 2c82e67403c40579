"""What no oil does is taken out whatever its share, and what oil does is let through."""

import numpy as np
import pytest

from agewise.plant.record import Record
from agewise.plant.tables import iso_text
from agewise.quality.quality import checked
from agewise.quality.thresholds import Thresholds
from agewise.twin.twin import TwinSettings, make_twin
from agewise.units import SECONDS_PER_DAY

EVERY_MIN = 15


@pytest.fixture(scope="module")
def clean() -> Record:
    """Four days every quarter of an hour."""
    return record_of("aged-substation", EVERY_MIN)


def record_of(case: str, every_min: int) -> Record:
    """Four days of a twin, a row every so many minutes."""
    import pandas as pd

    frame = make_twin(TwinSettings(seed=104, case=case, days=4.0)).frame
    frame = frame.iloc[::every_min].reset_index(drop=True)
    times = pd.DatetimeIndex(frame["time"])
    seconds = (times - times[0]).total_seconds().to_numpy(dtype=float)
    columns = {str(name): frame[name].to_numpy(float) for name in frame if name != "time"}
    return Record(iso_text(times), seconds, times[0], columns)


def with_oil(clean: Record, change) -> Record:
    """The record with another top oil: `change` is given values and days."""
    oil = change(clean.columns["top_oil"].copy(), clean.seconds / SECONDS_PER_DAY)
    columns = {**clean.columns, "top_oil": oil}
    return Record(clean.labels, clean.seconds, clean.start, columns)


@pytest.mark.parametrize("days", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("level", [0.0, 85.0, 125.0, 240.0, 250.0])
def test_a_dead_probe_is_taken_out_whatever_its_share(clean: Record, level: float, days: float):
    rng = np.random.default_rng(2)

    def dead(oil, day):
        wobble = rng.uniform(-2, 8, oil.size).round() if level == 240 else 0.0
        return np.where((day > 0.5) & (day < 0.5 + days), level + wobble, oil)

    profile = checked(with_oil(clean, dead))
    assert profile.top_oil is not None
    day = profile.seconds / SECONDS_PER_DAY
    gone = (day > 0.5) & (day < 0.5 + days)
    assert np.isnan(profile.top_oil[gone]).all()
    np.testing.assert_array_equal(profile.top_oil[~gone], clean.columns["top_oil"][~gone])
    assert any("top_oil" in finding.column for finding in profile.findings)


def test_the_limit_of_the_oil_can_be_moved(clean: Record):
    hot = with_oil(clean, lambda oil, day: oil + 128.0 - oil.max())
    high = np.sum(hot.columns["top_oil"] > 120.0)
    assert high > 0
    assert sum(f.rows for f in checked(hot).findings if f.kind == "range") == high
    free = checked(hot, Thresholds(oil_high_c=130.0))
    assert not [finding for finding in free.findings if finding.kind == "range"]


@pytest.mark.parametrize("shift", [-30.0, 25.0])
def test_a_level_that_no_oil_can_reach_is_left_out_with_both_its_steps(clean: Record, shift: float):
    spoiled = with_oil(clean, lambda oil, day: np.where((day > 1) & (day < 1.5), oil + shift, oil))
    (finding,) = [f for f in checked(spoiled).findings if f.kind == "leap"]
    assert finding.rows == np.sum(
        (clean.seconds > SECONDS_PER_DAY) & (clean.seconds < 1.5 * SECONDS_PER_DAY)
    )
    assert not finding.mend


def test_two_levels_of_which_none_is_the_usual_one_leave_nothing_to_tell(clean: Record):
    spoiled = with_oil(clean, lambda oil, day: np.where(day > 2.2, oil - 35.0, oil))
    (finding,) = [f for f in checked(spoiled).findings if f.kind == "leap"]
    assert finding.mend


def test_the_step_where_a_frozen_probe_wakes_up_is_no_leap():
    """It holds the night's value until the afternoon: what it held is wrong, and nothing else."""
    sunny = record_of("floating-pv", 5)
    day = sunny.seconds / SECONDS_PER_DAY
    held = (day >= 1.2) & (day <= 1.55)
    night = sunny.columns["top_oil"][held][0]
    spoiled = with_oil(sunny, lambda oil, day: np.where(held, night, oil))
    jump = sunny.columns["top_oil"][np.flatnonzero(held)[-1] + 1] - night
    assert jump > 17.0
    profile = checked(spoiled)
    assert [(f.kind, f.rows) for f in profile.findings] == [("stuck", held.sum())]
    assert profile.top_oil is not None
    np.testing.assert_array_equal(np.isnan(profile.top_oil), held)


def test_a_coarse_probe_that_is_frozen_for_hours_costs_these_hours_alone():
    """Written in whole kelvin, it often stands still for an hour; only waking up gives it away."""
    sunny = record_of("floating-pv", 15)
    whole = with_oil(sunny, lambda oil, day: oil.round())
    held = (sunny.seconds >= 1.65 * SECONDS_PER_DAY) & (sunny.seconds < 2.05 * SECONDS_PER_DAY)
    hot = whole.columns["top_oil"][held][0]
    spoiled = with_oil(whole, lambda oil, day: np.where(held, hot, oil))
    assert hot - whole.columns["top_oil"][np.flatnonzero(held)[-1] + 1] > 17.0
    profile = checked(spoiled)
    assert [finding.kind for finding in profile.findings] == ["stuck"]
    assert profile.top_oil is not None
    np.testing.assert_array_equal(np.isnan(profile.top_oil), held)


def test_a_sound_plateau_before_a_leap_is_kept_and_the_leap_told():
    """Whole kelvin stand still for an hour by night; the probe that leaps then is the wrong one."""
    sunny = record_of("floating-pv", 15)
    whole = with_oil(sunny, lambda oil, day: oil.round())
    oil, day = whole.columns["top_oil"], sunny.seconds / SECONDS_PER_DAY
    still = np.flatnonzero((np.diff(oil, n=3) == 0) & (np.diff(oil)[2:] == 0) & (day[3:] > 2.9))
    # Behind a stretch of equal readings, which is not the longest one of the record.
    onset = next(row for row in still if oil[row + 4] != oil[row + 3]) + 4
    leapt = with_oil(whole, lambda oil, day: np.where(np.arange(oil.size) >= onset, oil + 25, oil))
    profile = checked(leapt)
    assert [finding.kind for finding in profile.findings] == ["leap"]
    assert profile.top_oil is not None and not np.isnan(profile.top_oil[:onset]).any()


def test_a_leap_says_from_when_to_when_and_how_much_it_leaves_out(clean: Record):
    day = clean.seconds / SECONDS_PER_DAY
    off = (day >= 1) & (day < 1.4)
    spoiled = with_oil(clean, lambda oil, day: np.where(off, oil + 25.0, oil))
    (finding,) = [f for f in checked(spoiled).findings if f.kind == "leap"]
    first, last = clean.labels[off].iloc[[0, -1]]
    assert f"from {first} to {last}" in finding.text
    assert "10 % of its readings" in finding.text  # 0.4 of 4 days


@pytest.mark.parametrize("apart", [2.5, 9.0])
def test_files_of_two_units_in_one_column_leave_nothing_to_tell(clean: Record, apart: float):
    def mixed(oil, day):
        return np.where(np.arange(oil.size) % 2, oil, oil - apart)

    assert [f.mend for f in checked(with_oil(clean, mixed)).findings if f.kind == "ragged"]


def test_oil_that_stands_still_while_nothing_moves_it_is_no_fault(clean: Record):
    still = {
        "load": np.full_like(clean.seconds, 0.5),
        "ambient": np.full_like(clean.seconds, 20.0),
        "top_oil": np.full_like(clean.seconds, 45.0),
    }
    findings = checked(Record(clean.labels, clean.seconds, clean.start, still)).findings
    assert not [f for f in findings if f.column == "top_oil" and f.done == "left out"]


def test_power_that_flows_back_counts_by_its_magnitude(clean: Record):
    day = clean.seconds % SECONDS_PER_DAY / SECONDS_PER_DAY
    back = (day > 0.4) & (day < 0.6)
    load = np.where(back, -clean.columns["load"], clean.columns["load"])
    profile = checked(
        Record(clean.labels, clean.seconds, clean.start, {**clean.columns, "load": load})
    )
    (finding,) = profile.findings
    assert (finding.kind, finding.column, finding.rows) == ("reverse", "load", back.sum())
    np.testing.assert_array_equal(profile.load, clean.columns["load"])
    assert profile.load_std is None
