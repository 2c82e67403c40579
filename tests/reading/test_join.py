"""Files of one unit make one record, whatever their order, their roles and their sampling."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dialects import MADRID, clean
from hypothesis import given, settings
from hypothesis import strategies as st

from agewise.assessment.plain_answers import iec_answer
from agewise.errors import InputError
from agewise.plant.tables import write_table
from agewise.reading.files import given_files
from agewise.reading.mapping import write_mapping
from agewise.reading.onto import Series, merged_series, on_times
from agewise.reading.options import Reading, reading_file
from agewise.reading.profile_file import checked_file, read_profile
from agewise.reading.record_file import read_record
from agewise.twin.twin import TwinSettings, make_twin

MEASURED = ["time", "load", "ambient", "top_oil"]


def parts(folder: Path, *cuts: tuple[int, int], columns: list[str] = MEASURED) -> list[Path]:
    paths = [folder / f"{n}.csv" for n in range(len(cuts))]
    for path, (first, last) in zip(paths, cuts, strict=True):
        write_table(clean()[columns].iloc[first:last].reset_index(drop=True), path)
    return paths


@given(
    st.lists(st.integers(0, 719), min_size=1, max_size=5).map(sorted),
    st.integers(0, 100),
    st.randoms(use_true_random=False),
)
@settings(max_examples=6, deadline=None)
def test_a_record_in_parts_is_the_record(tmp_path_factory, cuts: list[int], overlap: int, random):
    """However it is cut, overlapping or not, and in whatever order the parts are named."""
    folder = tmp_path_factory.mktemp("parts")
    edges = sorted({0, *cuts, 720})
    pairs = [(low, min(720, high + overlap)) for low, high in pairwise(edges)]
    paths = parts(folder, *[pair for pair in pairs if pair[1] - pair[0] > 1])
    random.shuffle(paths)
    write_table(clean()[MEASURED], folder / "whole.csv")
    whole, joined = read_profile(folder / "whole.csv"), read_profile(paths)
    kept = np.isin(whole.seconds, joined.seconds)
    assert kept.sum() >= 720 - len(edges)  # a part of a single row is not written
    for name in ("load", "ambient", "top_oil"):
        assert np.array_equal(getattr(joined, name), getattr(whole, name)[kept]), name


def test_findings_name_file_and_line(tmp_path: Path):
    paths = parts(tmp_path, (0, 360), (360, 720))
    text = paths[1].read_text().splitlines()
    text[100] = text[100].replace(text[100].split(",")[3], "-999")
    paths[1].write_text("\n".join(text))
    record, profile = checked_file(paths)
    (code,) = [each for each in profile.findings if each.column == "top_oil"]
    assert "line 101 of 1.csv" in code.text
    assert code.stretches == ((459, 459),)
    assert record.line(459) == "101 of 1.csv"


@pytest.mark.parametrize("backwards", [False, True])
def test_findings_name_the_file_that_the_column_came_from(tmp_path: Path, backwards: bool):
    (load,) = parts(tmp_path, (0, 720), columns=["time", "load"])
    temps = clean()[["time", "ambient", "top_oil"]].iloc[::5].reset_index(drop=True)
    temps.loc[40:59, "top_oil"] = np.nan
    temps.loc[100, "ambient"] = -999.0
    write_table(temps[::-1] if backwards else temps, tmp_path / "temps.csv")
    profile = read_profile([load, tmp_path / "temps.csv"])
    kinds = {(each.kind, each.column): each.text for each in profile.findings}
    last = len(temps) - 1
    # In file order: the header is line 1, the first row line 2.
    hole = (last - 59 + 2, last - 40 + 2) if backwards else (42, 61)
    assert f"no value in lines {hole[0]} to {hole[1]} of temps.csv" in kinds["missing", "top_oil"]
    code = last - 100 + 2 if backwards else 102
    assert f"line {code} of temps.csv" in kinds["sentinel", "ambient"]


def test_rows_that_overlap_are_said_to_agree_or_not(tmp_path: Path):
    paths = parts(tmp_path, (0, 400), (360, 720))
    (same,) = [each for each in read_profile(paths).findings if each.kind == "duplicates"]
    assert "40 instants" in same.text and "they agree, one kept" in same.text
    text = paths[1].read_text().splitlines()
    time, _, *rest = text[3].split(",")
    paths[1].write_text("\n".join([*text[:3], ",".join([time, "0.9", *rest]), *text[4:]]))
    (other,) = [each for each in read_profile(paths).findings if each.kind == "duplicates"]
    assert "agree" not in other.text and "1 cells that contradict each other" in other.text


def test_a_mapping_of_several_files_leaves_nothing_to_guess(tmp_path: Path):
    """Each file's own name for the time is in it, so the second reading guesses nothing."""
    load = clean()[["time", "load"]].rename(columns={"time": "Zeit", "load": "Auslastung"})
    air = clean()[["time", "ambient"]].rename(columns={"time": "Timestamp (UTC)", "ambient": "Air"})
    air["Timestamp (UTC)"] = air["Timestamp (UTC)"].dt.tz_convert("UTC").dt.tz_localize(None)
    write_table(load, tmp_path / "load.csv")
    write_table(air, tmp_path / "temps.csv")
    paths = [tmp_path / "load.csv", tmp_path / "temps.csv"]
    first = read_record(paths, MADRID)
    assert [each for each in first.notes if each.kind == "guess"]
    write_mapping(first, MADRID, tmp_path / "mapping.toml")
    again = read_record(paths, reading_file(tmp_path / "mapping.toml"))
    assert not [each for each in again.notes if each.kind == "guess"]
    assert np.array_equal(again.columns["ambient"], first.columns["ambient"], equal_nan=True)


def test_temperatures_of_another_file_come_onto_the_times_of_the_load(tmp_path: Path):
    (load,) = parts(tmp_path, (0, 720), columns=["time", "load"])
    late = clean()[["time", "ambient", "top_oil"]].copy()
    late["time"] = late["time"] + pd.Timedelta(seconds=30)
    write_table(late, tmp_path / "temps.csv")
    record = read_record([load, tmp_path / "temps.csv"])
    between = (clean()["ambient"].to_numpy()[:-1] + clean()["ambient"].to_numpy()[1:]) / 2
    # Row 0 stands before the first reading, and nothing is known of it.
    assert np.isnan(record.columns["ambient"][0])
    assert np.allclose(record.columns["ambient"][1:], between, atol=1e-9, rtol=0)


@pytest.mark.parametrize("minutes", [5, 15])
def test_coarser_temperatures_change_the_answer_little(tmp_path: Path, minutes: int):
    # With a tenth of the usual noise: of 15 readings one is as good as all, but for their noise.
    twin = make_twin(TwinSettings(seed=105, days=2, start="2025-06-19", noise=0.1))
    write_table(twin.frame[MEASURED], tmp_path / "whole.csv")
    write_table(twin.frame[["time", "load"]], tmp_path / "load.csv")
    coarse = twin.frame.iloc[::minutes].reset_index(drop=True)
    write_table(coarse[["time", "ambient", "top_oil"]], tmp_path / "temps.csv")
    whole = read_profile(tmp_path / "whole.csv")
    joined = read_profile([tmp_path / "temps.csv", tmp_path / "load.csv"])
    assert joined.top_oil is not None
    last = int(np.flatnonzero(np.isfinite(joined.top_oil))[-1])
    assert last == 2880 - minutes
    assert np.isfinite(joined.top_oil[: last + 1]).all()
    lost, same = (iec_answer(each, twin.nameplate).loss_of_life[last] for each in (joined, whole))
    assert abs(lost / same - 1) < 0.01
    assert not [each for each in joined.findings if each.kind == "missing"], "none was due"


def test_a_coarse_series_gives_as_many_values_as_it_has_readings():
    series = Series(np.arange(0.0, 3600 * 10, 3600), np.arange(10.0))
    times = np.arange(0.0, 3600 * 9 + 1, 60)
    placed = on_times(series, times)
    assert np.isfinite(placed).sum() == 10
    assert np.array_equal(placed[::60], series.values)


def test_a_code_is_not_blended_with_a_temperature():
    series = Series(np.arange(5.0) * 60, np.array([40.0, 41.0, -999.0, 42.0, 43.0]))
    placed = on_times(series, np.arange(4.0) * 60 + 20)
    assert np.allclose(placed, [40.0 + 1 / 3, 41.0, -999.0, 42.0 + 1 / 3])


def test_a_silence_is_not_bridged():
    series = Series(np.array([0.0, 60.0, 120.0, 7200.0, 7260.0, 7320.0]), np.full(6, 20.0))
    placed = on_times(series, np.arange(0.0, 7321, 60))
    assert np.isfinite(placed).sum() == 6


def test_readings_that_were_due_are_missed(tmp_path: Path):
    (load,) = parts(tmp_path, (0, 720), columns=["time", "load"])
    coarse = clean()[["time", "ambient"]].iloc[::10].drop(index=[*range(300, 400, 10)])
    write_table(coarse.reset_index(drop=True), tmp_path / "air.csv")
    profile = read_profile([load, tmp_path / "air.csv"])
    (late,) = [each for each in profile.findings if each.kind == "missing"]
    assert (late.column, late.stretches) == ("ambient", ((291, 399),))


def test_readings_that_contradict_each_other_are_left_out():
    series = merged_series(np.array([60.0, 0.0, 60.0, 120.0, 120.0]), np.array([1.0, 0, 1, 2, 3]))
    assert series.seconds.tolist() == [0.0, 60.0]
    assert series.values.tolist() == [0.0, 1.0]


def test_all_that_several_files_lack_is_named_at_once(tmp_path: Path):
    paths = parts(tmp_path, (0, 300), (300, 600), columns=["time", "top_oil"])
    with pytest.raises(InputError, match=r"0.csv and 1.csv lack the columns 'load' and 'ambient'"):
        read_record(paths)
    with pytest.raises(InputError, match="no column 'X' for the load and no column 'Y' for the am"):
        read_record(paths, Reading(columns={"load": "X", "ambient": "Y"}))


def test_files_that_count_from_their_start_are_not_joined(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("time,load,ambient\n0,1,20\n1,1,21\n2,1,20\n")
    with pytest.raises(InputError, match="counts its times from its start"):
        read_record([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_folders_and_patterns_name_files(tmp_path: Path):
    for name in ("b.csv", "a.csv", "~$a.xlsx", ".hidden.csv", "readme.pdf", "c.parquet"):
        (tmp_path / name).write_text("x")
    assert [path.name for path in given_files(tmp_path)] == ["a.csv", "b.csv", "c.parquet"]
    assert [path.name for path in given_files(tmp_path / "*.csv")] == ["a.csv", "b.csv"]
    assert [path.name for path in given_files([tmp_path / "b.csv", tmp_path / "a.csv"])] == [
        "b.csv",
        "a.csv",
    ]
    for named, sentence in (
        ([tmp_path / "a.csv", tmp_path], "is given twice"),
        (tmp_path / "*.xls", "No file is called"),
        ([], "No file is given"),
    ):
        with pytest.raises(InputError, match=sentence):
            given_files(named)


def test_a_folder_is_read_without_the_letter_in_it(tmp_path: Path):
    """And says so; a letter that is named is refused."""
    parts(tmp_path, (0, 360), (360, 720))
    whole = read_profile(tmp_path)
    (tmp_path / "mail.txt").write_text("Hi, exports attached (sorry). Load 20 % more, please?\n")
    (tmp_path / "plate.txt").write_text("TRAFO 7\nSn 1100 kVA   20/0.4 kV\nP0 842 W\n")
    (tmp_path / "test.pdf").write_text("%PDF")
    assert len(given_files(tmp_path)) == 2
    same = read_profile(tmp_path)
    assert np.array_equal(same.load, whole.load)
    (new,) = [each for each in same.findings if each not in whole.findings]
    assert "mail.txt, plate.txt and test.pdf hold no table" in new.text
    for name in ("mail.txt", "plate.txt"):
        with pytest.raises(InputError, match="no line of it looks like data") as refusal:
            read_profile([tmp_path / "0.csv", tmp_path / name])
        assert "leave it out" in refusal.value.hint


def test_a_table_in_a_text_file_is_no_letter(tmp_path: Path):
    (path,) = parts(tmp_path, (0, 720))
    path.rename(tmp_path / "export.txt")
    assert read_profile(tmp_path).load.size == 720


def test_notes_of_many_files_are_said_once(tmp_path: Path):
    frame = clean()[MEASURED].rename(columns={"time": "Zeit", "load": "Auslastung"})
    for n in range(4):
        part = frame.iloc[180 * n : 180 * (n + 1)].reset_index(drop=True)
        write_table(part, tmp_path / f"{n}.csv")
    texts = [each.text for each in read_record(tmp_path, MADRID).notes]
    assert texts[0] == "4 files, 0.csv to 3.csv, are joined by their times."
    assert texts.count("The column 'Auslastung' is taken for the load, in p.u.") == 1
