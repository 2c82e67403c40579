"""A table of pandas is read as a file is: the same columns, units, clock and repair."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import agewise
from agewise.plant.measures import Rated

START = pd.Timestamp("2025-06-12 00:00", tz="Europe/Madrid")


def table(rows: int = 300) -> pd.DataFrame:
    """Five hours by the minute, indexed by zoned times."""
    wave = np.sin(np.arange(rows) / 60)
    columns = {"load": 0.6 + 0.2 * wave, "ambient": 20 + 3 * wave, "top_oil": 50 + 4 * wave}
    index = pd.date_range(START, periods=rows, freq="min", name="time")
    return pd.DataFrame(columns, index=index).round(4)


def same(one: agewise.Profile, other: agewise.Profile) -> bool:
    series = ("seconds", "load", "ambient", "top_oil")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in series)


def test_a_table_is_read_as_the_file_that_holds_it(tmp_path: Path):
    frame = table()
    frame.to_csv(tmp_path / "profile.csv")
    by_file = agewise.read_profile(tmp_path / "profile.csv")
    by_table = agewise.read_profile(frame)
    assert same(by_file, by_table)
    assert by_table.timeline.start == by_file.timeline.start == START
    assert same(by_file, agewise.read_profile(frame.reset_index()))


def test_foreign_names_units_and_holes_are_mended_as_in_a_file():
    frame = table().rename(columns={"load": "I [A]", "ambient": "Tamb [°F]"})
    frame["I [A]"] *= 400.0
    frame["Tamb [°F]"] = 1.8 * frame["Tamb [°F]"] + 32
    frame.iloc[100:103, 1] = np.nan
    reading = agewise.Reading(columns={"load": "I [A]", "ambient": "Tamb [°F]"})
    read = agewise.read_profile(frame, reading, rated=Rated(1000.0, 400.0))
    np.testing.assert_allclose(read.load, table()["load"], atol=1e-9)
    kept = np.r_[0:99, 104:300]
    np.testing.assert_allclose(read.ambient[kept], table()["ambient"].to_numpy()[kept], atol=1e-3)
    assert {finding.kind for finding in read.findings} >= {"converted"}


def test_every_kind_of_time_index_counts():
    frame, seconds = table(), 60.0 * np.arange(300)
    shifted = frame.set_axis(pd.to_timedelta(seconds, unit="s"))
    assert np.array_equal(agewise.read_profile(shifted).seconds, seconds)
    local = frame.tz_localize(None)
    with pytest.raises(agewise.InputError, match=r"The table.* has no time zone"):
        agewise.read_profile(local)
    madrid = agewise.Reading(timezone="Europe/Madrid")
    for told in (local, local.to_period("min")):
        assert agewise.read_profile(told, madrid).timeline.start == START


def test_an_index_of_times_wins_over_a_column_of_that_name():
    frame = table().assign(time="nonsense")
    assert same(agewise.read_profile(frame), agewise.read_profile(table()))


def test_a_table_without_times_or_columns_is_refused_in_a_sentence():
    with pytest.raises(agewise.InputError, match="The table lacks the column"):
        agewise.read_profile(pd.DataFrame())
    with pytest.raises(agewise.InputError, match="The table lacks the column"):
        agewise.read_profile(table().drop(columns="load"))


def test_functions_take_a_table_where_they_take_a_profile():
    unit = agewise.make_twin(agewise.TwinSettings(seed=100, days=0.5)).nameplate
    by_table = agewise.iec_answer(table(), unit)
    by_profile = agewise.iec_answer(agewise.read_profile(table()), unit)
    assert np.array_equal(by_table.hot_spot, by_profile.hot_spot)
