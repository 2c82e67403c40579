"""Repairs do what the findings say, and nothing else."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agewise.errors import InputError
from agewise.plant.profile import Profile, stored_profile_from
from agewise.plant.record import Record
from agewise.plant.tables import iso_text, read_table
from agewise.quality.quality import Thresholds, checked
from agewise.reading.profile_file import write_profile

START = pd.Timestamp("2025-06-12", tz="Europe/Madrid")
DAY = 96
SHORT = 180
"""Rows: too few for the rules that fit a model, so that only simple ones speak."""


def plant(
    rows: int = 5 * DAY, *, start: pd.Timestamp | None = START, step: float = 900.0
) -> Record:
    """Days of quarter hours with a daily load, noise, and weekends as any day."""
    rng = np.random.default_rng(2)
    seconds = 900.0 * np.arange(rows)
    day = 2 * np.pi * seconds / 86400
    columns = {
        "load": 0.6 - 0.2 * np.cos(day) + 0.02 * rng.normal(size=rows),
        "ambient": 18.0 - 5.0 * np.cos(day) + 0.2 * rng.normal(size=rows),
        "top_oil": 50.0 - 8.0 * np.cos(day - 0.7) + 0.3 * rng.normal(size=rows),
    }
    if start is None:
        return Record(pd.Series(seconds / 60), seconds, None, columns)
    labels = iso_text(pd.DatetimeIndex(start + pd.to_timedelta(seconds, unit="s")))
    return Record(labels, seconds, start, columns)


def without(record: Record, column: str, rows: slice | list[int]) -> Record:
    values = record.columns[column].copy()
    values[rows] = np.nan
    return replace(record, columns={**record.columns, column: values})


def dropped(record: Record, rows: slice) -> Record:
    kept = np.delete(np.arange(record.seconds.size), rows)
    return taken(record, kept)


def taken(record: Record, rows: np.ndarray) -> Record:
    columns = {name: values[rows] for name, values in record.columns.items()}
    labels = record.labels.iloc[rows].reset_index(drop=True)
    return replace(record, labels=labels, seconds=record.seconds[rows], columns=columns)


def test_one_missing_sample_is_bridged_and_touches_no_other():
    clean, profile = checked(plant()), checked(without(plant(), "ambient", [200]))
    assert profile.ambient[200] == pytest.approx((clean.ambient[199] + clean.ambient[201]) / 2)
    others = np.arange(clean.ambient.size) != 200
    np.testing.assert_array_equal(profile.ambient[others], clean.ambient[others])
    np.testing.assert_array_equal(profile.load, clean.load)


def test_ten_missing_samples_stay_missing_and_touch_no_other():
    clean, profile = checked(plant()), checked(without(plant(), "ambient", slice(200, 210)))
    hole = np.zeros(clean.ambient.size, dtype=bool)
    hole[200:210] = True
    np.testing.assert_array_equal(np.isnan(profile.ambient), hole)
    np.testing.assert_array_equal(profile.ambient[~hole], clean.ambient[~hole])


def test_bridges_are_as_long_as_the_threshold_says():
    spoiled = without(plant(), "top_oil", slice(200, 204))
    longer = Thresholds.of({"bridged_min": 60.0})
    assert checked(spoiled).frame()["top_oil"].isna().sum() == 4
    assert not checked(spoiled, longer).frame()["top_oil"].isna().any()


def test_long_holes_of_the_load_take_the_typical_day_with_its_spread():
    clean = checked(plant())
    profile = checked(without(plant(), "load", slice(2 * DAY, 3 * DAY)))
    hole = slice(2 * DAY, 3 * DAY)
    assert np.abs(profile.load[hole] - clean.load[hole]).max() < 0.08
    assert profile.load_std is not None
    assert (profile.load_std[hole] > 0).all()
    assert np.median(profile.load_std[hole]) == pytest.approx(0.02, rel=0.5)
    rest = np.delete(np.arange(clean.load.size), hole)
    assert not profile.load_std[rest].any()
    np.testing.assert_array_equal(profile.load[rest], clean.load[rest])


def test_weekends_are_told_from_working_days_after_three_weeks():
    weeks = plant(28 * DAY)
    days = pd.DatetimeIndex(START + pd.to_timedelta(weeks.seconds, unit="s"))
    load = np.where(days.day_of_week >= 5, 0.3, 0.8) + 0.01 * np.random.default_rng(0).normal(
        size=days.size
    )
    week = replace(weeks, columns={**weeks.columns, "load": load})
    hole = slice(9 * DAY, 11 * DAY)  # Saturday and Sunday
    profile = checked(without(week, "load", hole))
    np.testing.assert_allclose(profile.load[hole], 0.3, atol=0.05)


def test_an_hour_that_was_never_seen_takes_the_overall_load():
    record = plant(DAY)
    profile = checked(without(record, "load", slice(40, 60)))
    seen = np.delete(record.columns["load"], slice(40, 60))
    np.testing.assert_allclose(profile.load[40:60], np.median(seen))
    assert profile.load_std is not None
    np.testing.assert_allclose(profile.load_std[40:60], seen.std())


@pytest.mark.parametrize("start", [START, None], ids=["dates", "minutes"])
def test_missing_rows_become_empty_rows_at_the_step(start: pd.Timestamp | None):
    whole = plant(start=start)
    profile = checked(dropped(whole, slice(200, 260)))
    np.testing.assert_allclose(profile.seconds, whole.seconds)
    assert [str(label) for label in profile.timeline.labels] == [str(x) for x in whole.labels]
    assert np.isnan(profile.ambient[200:260]).all()
    assert profile.load_std is not None
    assert (profile.load_std[200:260] > 0).all()
    (finding,) = profile.findings
    assert (finding.kind, finding.done, finding.stretches) == ("gap", "empty rows", ((199, 200),))
    assert "15 h" in finding.text


def test_a_date_in_another_century_is_refused():
    record = plant()
    late = record.seconds.copy()
    late[-1] += 100 * 365.25 * 86400
    with pytest.raises(InputError, match="cannot be one record"):
        checked(replace(record, seconds=late))


def test_contradicting_rows_leave_their_cells_out():
    record = plant()
    twice = taken(record, np.insert(np.arange(record.seconds.size), 100, 100))
    ambient = twice.columns["ambient"].copy()
    ambient[100] += 3.0
    profile = checked(replace(twice, columns={**twice.columns, "ambient": ambient}))
    clean = checked(record)
    assert profile.ambient[100] == pytest.approx((clean.ambient[99] + clean.ambient[101]) / 2)
    np.testing.assert_array_equal(profile.load, clean.load)
    told, gone = profile.findings
    assert (told.kind, told.stretches) == ("duplicates", ((100, 101),))
    assert "1 cells that contradict" in told.text
    assert (gone.kind, gone.rows) == ("missing", 1)


def same(one: Profile, other: Profile) -> None:
    pd.testing.assert_frame_equal(one.frame(), other.frame())


@given(seed=st.integers(0, 2**32 - 1), copies=st.integers(0, 20))
@settings(max_examples=8)
def test_order_and_duplicates_of_rows_do_not_matter(seed: int, copies: int):
    rng = np.random.default_rng(seed)
    record = without(dropped(plant(SHORT), slice(50, 60)), "top_oil", slice(100, 120))
    rows = np.arange(record.seconds.size)
    shuffled = rng.permutation(np.append(rows, rng.choice(rows, copies)))
    same(checked(taken(record, shuffled)), checked(record))


REPAIRED = ("duplicates", "unsorted", "gap", "sentinel", "range", "spikes", "stuck", "interpolated")


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=8)
def test_what_was_repaired_is_not_found_again(seed: int):
    rng = np.random.default_rng(seed)
    record = plant(SHORT)
    columns = {name: values.copy() for name, values in record.columns.items()}
    for name, bad in (("ambient", -999.0), ("load", 9.0)):
        columns[name][rng.choice(SHORT, 6, replace=False)] = bad
    columns["top_oil"][8 * rng.choice(SHORT // 8, 6, replace=False)] = rng.choice((75.0, 400.0), 6)
    columns["ambient"][rng.integers(0, 100) :][: DAY // 2] = 17.0
    rows = rng.permutation(np.append(np.arange(150), np.arange(160, SHORT)))
    first = checked(taken(replace(record, columns=columns), rows))
    again = checked(
        Record(first.timeline.labels, first.seconds, first.timeline.start, cells(first))
    )
    assert {finding.kind for finding in first.findings} & set(REPAIRED)
    thermal = {f.kind for f in again.findings if f.column != "load"}
    assert not thermal & set(REPAIRED)
    measured = ["time", "ambient", "top_oil"]
    pd.testing.assert_frame_equal(again.frame()[measured], first.frame()[measured])


def cells(profile: Profile) -> dict[str, np.ndarray]:
    frame = profile.frame().drop(columns=["time", "load_std"], errors="ignore")
    return {str(name): frame[name].to_numpy(dtype=float) for name in frame}


def test_unreadable_times_are_dropped():
    record = plant()
    seconds = record.seconds.copy()
    seconds[[7, 300]] = np.nan
    profile = checked(replace(record, seconds=seconds))
    assert {(f.kind, f.column, f.rows) for f in profile.findings} >= {("missing", "time", 2)}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_repaired_profile_is_stored_and_read_back_exactly(tmp_path, suffix: str):
    holes = without(dropped(plant(), slice(200, 260)), "top_oil", slice(20, 40))
    profile = checked(holes)
    write_profile(profile, tmp_path / f"profile.{suffix}")
    frame = read_table(tmp_path / f"profile.{suffix}", text_columns=("time",))
    back = stored_profile_from(frame)
    same(back, profile)
    np.testing.assert_array_equal(back.seconds, profile.seconds)
    assert back.load_std is not None
    assert profile.load_std is not None
    np.testing.assert_array_equal(back.load_std, profile.load_std)


def test_stored_loads_must_be_numbers():
    frame = checked(plant()).frame()
    frame.loc[3, "load"] = np.nan
    with pytest.raises(InputError, match="there is no value"):
        stored_profile_from(frame)


def test_times_in_another_hand_are_written_as_iso():
    record = plant()
    german = pd.DatetimeIndex(START + pd.to_timedelta(record.seconds, unit="s"))
    labels = pd.Series(german.strftime("%d.%m.%Y %H:%M"))
    profile = checked(replace(record, labels=labels))
    assert profile.timeline.labels.iloc[1] == "2025-06-12T00:15:00+02:00"
