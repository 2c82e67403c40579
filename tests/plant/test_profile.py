"""Profiles come back as they were written; strict tables are refused by line and column."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agewise.errors import InputError
from agewise.plant.profile import Profile, profile_from
from agewise.plant.sensors import sensor_height
from agewise.plant.tables import read_table
from agewise.reading.profile_file import read_profile, write_profile

TIMES = pd.date_range("2025-06-12", periods=4, freq="min", tz="Europe/Madrid")


def frame(**changes) -> pd.DataFrame:
    columns = {"time": TIMES, "load": 0.5, "ambient": [20.0, 21.0, 22.0, 23.0], "top_oil": 40.0}
    return pd.DataFrame(columns | changes)


def saved(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "profile.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet"])
def test_what_is_written_is_read_back(tmp_path: Path, suffix: str):
    profile = profile_from(frame(**{"oil@0.25": [30.0, 31.0, 32.0, 33.0]}))
    path = tmp_path / f"profile{suffix}"
    write_profile(profile, path)
    again = read_profile(path)
    assert same(profile, again)
    assert again.timeline.start == TIMES[0]
    assert list(again.interior) == [0.25]
    write_profile(again, tmp_path / f"again{suffix}")
    if suffix == ".csv":
        assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_bottom_oil_and_winding_go_wherever_a_profile_goes(tmp_path: Path, suffix: str):
    whole = profile_from(frame(bottom_oil=[25.0, 26.0, 27.0, 28.0], winding=60.0))
    assert whole.frame().columns.tolist()[3:] == ["top_oil", "bottom_oil", "winding"]
    write_profile(whole, tmp_path / f"profile{suffix}")
    again = read_profile(tmp_path / f"profile{suffix}")
    assert np.array_equal(np.asarray(again.bottom_oil), np.asarray(whole.bottom_oil))
    part = again.between(1, 2)
    assert np.asarray(part.bottom_oil).tolist() == [26.0, 27.0]
    assert np.asarray(part.winding).tolist() == [60.0, 60.0]
    bare = profile_from(frame())
    assert bare.bottom_oil is None and bare.between(1, 2).winding is None
    with pytest.raises(InputError, match=r"column 'bottom_oil': 300\.0 °C"):
        profile_from(frame(bottom_oil=300.0))


def test_the_contact_of_an_alarm_is_no_winding_temperature():
    profile = profile_from(frame(winding=[0, 1, 1, 0]))
    assert profile.winding is None
    assert profile.ignored == ("winding",)
    cold = profile_from(frame(winding=[-1.0, 0.0, 1.0, 2.0]))
    assert cold.winding is not None


def same(one: Profile, other: Profile) -> bool:
    pairs = [(one.seconds, other.seconds), (one.load, other.load), (one.ambient, other.ambient)]
    pairs += list(zip(one.interior.values(), other.interior.values(), strict=True))
    return all(np.array_equal(a, b) for a, b in pairs)


def test_time_labels_and_zone_are_kept(tmp_path: Path):
    text = "time,load,ambient\n2025-06-12T00:00:00+05:30,1,20\n2025-06-12T00:10:00+05:30,1,20\n"
    profile = read_profile(saved(tmp_path, text))
    assert list(profile.timeline.labels) == [line.split(",")[0] for line in text.splitlines()[1:]]
    assert profile.timeline.timezone == "UTC+05:30"
    assert profile.seconds.tolist() == [0.0, 600.0]


@pytest.mark.parametrize(("day", "hours"), [("2025-03-30", 23), ("2025-10-26", 25)])
def test_clock_change_days_have_their_true_length(tmp_path: Path, day: str, hours: int):
    start = pd.Timestamp(day, tz="Europe/Madrid")
    times = pd.date_range(start, start + pd.DateOffset(days=1), freq="h")
    path = tmp_path / "profile.csv"
    write_profile(profile_from(pd.DataFrame({"time": times, "load": 0.5, "ambient": 20.0})), path)
    assert read_profile(path).seconds[-1] == hours * 3600


def test_minutes_count_from_the_start(tmp_path: Path):
    profile = read_profile(saved(tmp_path, "time,load,ambient\n5,1,20\n6.5,1,20\n"))
    assert profile.seconds.tolist() == [0.0, 90.0]
    assert profile.timeline.start is None
    assert profile.timeline.timezone == ""


def test_foreign_columns_are_ignored_and_named():
    assert profile_from(frame(remark="ok")).ignored == ("remark",)
    assert sensor_height("oil@1.5") is None
    assert sensor_height("oil@.4") == 0.4


HEADER = "time,load,ambient\n"
FIRST = "2025-01-01T00:00:00Z,1,20\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        (HEADER, "too few rows: 0"),
        (HEADER + FIRST, "too few rows: 1"),
        ("time,load\n2025-01-01T00:00Z,1\n2025-01-01T00:01Z,1\n", "lacks the column 'ambient'"),
        (HEADER + FIRST + "2025-01-01T00:01:00Z,abc,20\n", "line 3, column 'load': 'abc'"),
        (HEADER + FIRST + '2025-01-01T00:01:00Z,1,"20,5"\n', "line 3, column 'ambient': '20,5'"),
        (HEADER + FIRST + "2025-01-01T00:01:00Z,1,\n", "line 3, column 'ambient': there is no"),
        (HEADER + FIRST + "2025-01-01T00:01:00Z,1,nan\n", "line 3, column 'ambient': there is no"),
        (HEADER + FIRST + "2025-01-01T00:01:00Z,1,inf\n", "line 3, column 'ambient': inf"),
        (HEADER + FIRST + "2025-01-01T00:01:00Z,-1,20\n", "line 3, column 'load': -1"),
        (HEADER + FIRST + "2025-01-01T00:01:00Z,1,-999\n", "line 3, column 'ambient': -999"),
        (HEADER + FIRST + "2024-12-31T00:01:00Z,1,20\n", "line 3: time .* is before"),
        (HEADER + FIRST + FIRST, "line 3: time .* repeats"),
        (HEADER + FIRST + "2025-01-01T00:01:00,1,20\n", "line 3: time .* has no time zone"),
        (HEADER + FIRST + "yesterday,1,20\n", "line 3: time 'yesterday' is not a time"),
        (HEADER + "1,1,20\n0,1,20\n", "line 3: time 0 is before"),
        (HEADER + FIRST + "2025-01-01T00:01:00Z,1,20,5\n", "cannot be read as a table"),
        ("time,load,ambient,load\n0,1,20,1\n1,1,20,1\n", "more than one column named 'load'"),
        ("\0\1\2", "cannot be read as a table"),
        (HEADER + "1751839200,1,20\n1751839260,1,20\n", "not minutes from the start"),
        (HEADER + "45000.00,1,20\n45000.0007,1,20\n", "not minutes from the start"),
        (HEADER + "0,1,20\ninf,1,20\n", "not minutes from the start"),
        ("time,load,ambient,oil@0.25,oil@.250\n0,1,20,1,1\n1,1,20,1,1\n", "at one height"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(tmp_path: Path, text: str, sentence: str):
    with pytest.raises(InputError, match=sentence) as caught:
        profile_from(read_table(saved(tmp_path, text), text_columns=("time",)), where="the file")
    assert "\n" not in caught.value.sentence
    assert caught.value.hint


@pytest.mark.parametrize("content", [b"", b"PAR1 and then nothing"])
def test_bad_parquet_is_refused(tmp_path: Path, content: bytes):
    path = tmp_path / "profile.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"empty|cannot be read"):
        read_profile(path)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"no file .*nowhere"):
        read_profile(tmp_path / "nowhere.csv")


def test_a_parquet_index_of_another_program_does_not_matter(tmp_path: Path):
    frame(remark="x").iloc[1:].to_parquet(tmp_path / "cut.parquet")
    cut = read_profile(tmp_path / "cut.parquet")
    assert cut.timeline.labels.iloc[0] == cut.timeline.labels[0] == TIMES[1]
    frame().set_index("time").to_parquet(tmp_path / "index.parquet")
    assert read_profile(tmp_path / "index.parquet").timeline.start == TIMES[0]


def test_zones_may_be_hours_alone_and_naive_parquet_is_refused(tmp_path: Path):
    text = HEADER + "2025-01-01 00:00:00+02,1,20\n2025-01-01 00:01:00+02,1,20\n"
    assert read_profile(saved(tmp_path, text)).timeline.timezone == "UTC+02:00"
    with pytest.raises(InputError, match="no time zone"):
        read_profile(saved(tmp_path, HEADER + "2025-01-01,1,20\n2025-01-02,1,20\n"))
    frame(time=TIMES.tz_localize(None)).to_parquet(tmp_path / "naive.parquet")
    with pytest.raises(InputError, match="no time zone"):
        read_profile(tmp_path / "naive.parquet")


def test_half_seconds_survive_a_csv(tmp_path: Path):
    times = pd.date_range("2025-06-12", periods=4, freq="500ms", tz="UTC")
    write_profile(profile_from(frame(time=times)), tmp_path / "fast.csv")
    assert read_profile(tmp_path / "fast.csv").seconds.tolist() == [0.0, 0.5, 1.0, 1.5]


@pytest.mark.parametrize("numbers", ["0.5;20.1;40.2", "0,5;20,1;40,2"])
def test_a_file_with_semicolons_is_told_from_other_damage(tmp_path: Path, numbers: str):
    rows = [f"2025-06-12T0{hour}:00:00+02:00;{numbers}" for hour in range(3)]
    path = saved(tmp_path, "\n".join(["time;load;ambient;top_oil", *rows, ""]))
    with pytest.raises(InputError) as caught:
        profile_from(read_table(path))
    assert "semicolons" in caught.value.hint
    assert read_profile(path).load.tolist() == [0.5, 0.5, 0.5]
