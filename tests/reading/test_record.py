"""One record, whatever dialect, names, units and clock its file is written in."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from dialects import MADRID, RATED, WRITERS, american, clean, excel, parquet, spanish
from frames import record_from

from agewise.errors import InputError
from agewise.plant.record import Record
from agewise.plant.tables import write_table
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.record_file import read_record


@pytest.mark.parametrize("write", WRITERS)
def test_a_foreign_file_gives_the_record_of_the_clean_one(
    tmp_path: Path, write: Callable[[Path], Path]
):
    write_table(clean(), tmp_path / "clean.csv")
    expected = read_record(tmp_path / "clean.csv")
    found = read_record(write(tmp_path), MADRID, rated=RATED)
    assert found.start == expected.start
    assert abs(found.seconds - expected.seconds).max() < 1e-9
    assert set(found.columns) == {"load", "ambient", "top_oil"}
    for name, values in found.columns.items():
        assert abs(values - expected.columns[name]).max() < 1e-9, name
    assert not [each for each in found.notes if each.kind in ("unreadable", "clock")]
    write_table(clean(), tmp_path / "clean.parquet")
    assert read_record(tmp_path / "clean.parquet").start == expected.start


def test_guesses_are_stated(tmp_path: Path):
    texts = [each.text for each in read_record(american(tmp_path), MADRID, rated=RATED).notes]
    assert "The column 'Air Temp (°F)' is taken for the ambient, in °F." in texts
    assert "The column 'Timestamp' is taken for the time." in texts
    assert "The load is given in A and divided by 1587.7 A." in texts
    guesses = [each.text for each in read_record(parquet(tmp_path)).notes if each.kind == "guess"]
    assert any("milliseconds since 1970" in text for text in guesses)
    assert any("ambient is taken to be in K" in text for text in guesses)


def table(**changes) -> pd.DataFrame:
    columns = {"time": [0, 1, 2, 3], "load": 0.5, "ambient": [20.0, 21.0, 22.0, 23.0]}
    return pd.DataFrame(columns | changes)


def text_record(tmp_path: Path, text: str, reading: Reading = DEFAULT_READING) -> Record:
    path = tmp_path / "profile.csv"
    path.write_text(text, encoding="utf-8")
    return read_record(path, reading)


def test_a_winding_that_is_an_alarm_flag_is_ignored_in_words(tmp_path: Path):
    text = "time,load,ambient,{}\n0,0.5,20,{}\n1,0.5,21,{}\n2,0.5,22,-999\n"
    for head in ("WTI", "winding"):
        record = text_record(tmp_path, text.format(head, 0, 1))
        assert set(record.columns) == {"load", "ambient"}
        assert record.ignored == (head,)
        (said,) = [each for each in record.notes if each.kind == "ignored"]
        assert said.text == (
            f"The column {head!r} is never above 1, like an alarm contact and unlike a "
            f"temperature; it is not read as the winding."
        )
    record = text_record(tmp_path, text.format("WTI", 61, 62))
    assert record.columns["winding"].tolist() == [61.0, 62.0, -999.0]
    assert record.ignored == ()


def test_contacts_of_a_thermometer_are_not_taken_for_it(tmp_path: Path):
    text = "time,load,ambient,OTI,OTI_T\n0,0.5,20,51,{}\n1,0.5,21,52,{}\n2,0.5,22,53,0\n"
    record = text_record(tmp_path, text.format(0, 1))
    assert record.columns["top_oil"].tolist() == [51.0, 52.0, 53.0]
    assert record.ignored == ("OTI_T",)
    with pytest.raises(InputError, match="may each be the top_oil"):
        text_record(tmp_path, text.format(48, 49))


@pytest.mark.parametrize("head", ["winding", "Bottom oil", "hot_spot"])
def test_words_in_a_column_that_was_ignored_before_refuse_nothing(tmp_path: Path, head: str):
    text = f"time,load,ambient,{head}\n0,0.5,20,good\n1,0.5,21,normal\n2,0.5,22,good\n"
    record = text_record(tmp_path, text)
    assert record.ignored == (head,)
    assert any("holds no number" in each.text for each in record.notes)


def test_the_clean_format_needs_no_words(tmp_path: Path):
    write_table(clean(), tmp_path / "clean.csv")
    record = read_record(tmp_path / "clean.csv")
    assert record.notes == () and record.ignored == ()
    assert list(record.columns) == [name for name in clean() if name != "time"]
    assert np.array_equal(record.columns["oil@0.4"], clean()["oil@0.4"])
    assert record.start == clean()["time"].iloc[0]
    assert record.labels.iloc[0] == "2025-06-19T00:00:00+02:00"
    assert read_record(tmp_path / "clean.csv", MADRID).start == record.start


def test_rows_may_be_in_any_order_and_repeat(tmp_path: Path):
    rows = [f"2025-01-01T00:0{minute}:00Z,1,20" for minute in (3, 1, 1, 2)]
    record = text_record(tmp_path, "\n".join(["time,load,ambient", *rows]))
    assert record.seconds.tolist() == [0.0, -120.0, -120.0, -60.0]
    assert str(record.start) == "2025-01-01 00:03:00+00:00"


def test_words_without_a_value_are_nan_and_others_are_told(tmp_path: Path):
    cells = [
        "Bad",
        "--",
        "N/A",
        "#VALUE!",
        "0.7",
        "broken",
        "0.8",
        "Snowy",
        "OFF",
        "no data",
        "0.5",
    ]
    rows = [f"{n},{cell},20" for n, cell in enumerate(cells)]
    record = text_record(tmp_path, "\n".join(["# a", "time,load,ambient", *rows, ",,", ",,"]))
    told = np.array([0.7, 0.8, 0.5])
    assert np.array_equal(record.columns["load"][np.isfinite(record.columns["load"])], told)
    finding, status = record.notes
    assert (finding.kind, finding.column, finding.rows) == ("unreadable", "load", 2)
    assert (finding.start, finding.end, finding.done) == ("5", "7", "left out")
    assert finding.stretches == ((5, 5), (7, 7))
    assert "'broken' in line 8" in finding.text
    # What is empty in other spellings, as -- and N/A, needs no word.
    assert (status.kind, status.rows) == ("words", 4)
    assert "4 cells of 'load' hold a word such as 'Bad'" in status.text


def test_status_words_are_counted_by_column_and_the_others_stay_numbers(tmp_path: Path):
    rows = ["0,Bad,20", "1,0.5,Comm Fail", "2,0.6,21", "3,BAD,", "4,0.7,22"]
    record = text_record(tmp_path, "\n".join(["time,load,ambient", *rows]))
    (status,) = record.notes
    assert (status.kind, status.rows, status.done) == ("words", 3, "left out")
    assert "2 cells of 'load' and 1 cell of 'ambient' hold a word such as 'Bad'" in status.text
    assert status.stretches == ((0, 1), (3, 3))
    np.testing.assert_array_equal(record.columns["load"], [np.nan, 0.5, 0.6, np.nan, 0.7])
    np.testing.assert_array_equal(record.columns["ambient"], [20, np.nan, 21, np.nan, 22])


def test_lines_are_those_of_the_file(tmp_path: Path):
    text = "Site: north\n\ntime,load,ambient\n0,1,20\n\n# restarted\n1,1,warm\n2,1,20\n"
    (finding,) = text_record(tmp_path, text).notes
    assert "'warm' in line 7" in finding.text


def test_columns_named_by_the_user_are_no_guess():
    frame = table(I7=[800.0, 400.0, 0.0, -80.0], north=68.0).drop(columns=["load", "ambient"])
    columns, units = {"load": "I7", "ambient": "north"}, {"load": "A", "ambient": "F"}
    record = record_from(frame, Reading(columns, units, rated_load=800.0))
    assert record.columns["load"].tolist() == [1.0, 0.5, 0.0, -0.1]
    assert np.allclose(record.columns["ambient"], 20.0, rtol=1e-12)
    assert {each.kind for each in record.notes} == {"converted"}


def test_what_the_user_says_wins_over_an_exact_name():
    record = record_from(table(I7=2.0), Reading({"load": "i7"}))
    assert record.columns["load"].tolist() == [2.0] * 4
    assert record.ignored == ("load",)


def test_codes_and_signs_are_left_to_the_rules_of_quality():
    record = record_from(table(load=[-0.5, 99.0, 0.5, 0.5], ambient=[-999.0, 400.0, 20.0, 20.0]))
    assert record.columns["load"].tolist() == [-0.5, 99.0, 0.5, 0.5]
    assert record.columns["ambient"].tolist() == [-999.0, 400.0, 20.0, 20.0]


def test_a_time_that_is_whole_is_not_joined_with_a_date():
    times = pd.date_range("2025-06-12", periods=4, freq="min", tz="UTC")
    record = record_from(table(time=times, date="12 June"))
    assert record.seconds.tolist() == [0.0, 60.0, 120.0, 180.0]
    assert record.ignored == ("date",)
    days = table(time=["10:00", "10:01", "10:02", "10:03"], date="2025-06-12")
    assert str(record_from(days, MADRID).start) == "2025-06-12 10:00:00+02:00"


def test_hours_and_shares_of_a_day_go_with_a_date():
    hours = table(Date="2025-06-12", Hour=[0, 1, 2, 24]).drop(columns="time")
    assert record_from(hours, MADRID).seconds.tolist() == [0.0, 3600.0, 7200.0, 86400.0]
    shares = table(Date="2025-06-12", Time=[0.25, 0.5, 0.75, 1 / 3]).drop(columns="time")
    assert record_from(shares, MADRID).seconds.tolist() == [0.0, 21600.0, 43200.0, 7200.0]
    with pytest.raises(InputError, match="no time of day to go with the date"):
        record_from(table(time=[0, 30, 60, 90], date="2025-06-12"), MADRID)


def test_a_header_may_say_that_its_times_are_utc():
    times = ["2025-06-12 10:00", "2025-06-12 10:01", "2025-06-12 10:02", "2025-06-12 10:03"]
    frame = table(**{"Time (UTC)": times}).drop(columns="time")
    assert str(record_from(frame).start) == "2025-06-12 10:00:00+00:00"
    assert str(record_from(frame, MADRID).start) == "2025-06-12 12:00:00+02:00"


HEADER = "time,load,ambient\n"
ROWS = "0,1,20\n1,1,21\n"


@pytest.mark.parametrize(
    ("text", "sentence", "hint"),
    [
        ("", "is empty", "export"),
        (HEADER, "too few rows: 0", "one row"),
        (HEADER + "0,1,20\n", "too few rows: 1", "one row"),
        ("time,load\n0,1\n1,1\n", "lacks the column 'ambient'", 'time, load.*`columns=."ambient":'),
        ("time,load,ambient,load\n0,1,20,1\n1,1,20,1\n", "more than one column named 'load'", ""),
        ("time,load,ambient,oil@0.25,oil@.250\n0,1,20,1,1\n1,1,20,1,1\n", "at one height", ""),
        (HEADER + ROWS + "2,1,20,5\n", "line 4 has 4 cells", "decimal points"),
        (HEADER + ROWS + "2,1", "line 4 has 2 cells", "cut"),
        (HEADER + "0,0,5,20\n1,0,6,21\n", "header .* has 3 names, the rows 4 cells", "commas"),
        (ROWS, "no header", "header line"),
        ("hello\nworld\n", "no line has two cells", "header line"),
        ("\0\1\2", "cannot be read as a table", "damaged"),
        (HEADER + "0,abc,20\n1,def,20\n", "line 2, column 'load': 'abc' is not a", "`columns="),
        ("time,Current,I_sec,ambient\n0,1,1,20\n1,1,1,20\n", "'Current' and 'I_sec'", "`columns="),
        ("time,load,Temperature [A]\n0,1,1\n1,1,1\n", "lacks the column 'ambient'", "`columns="),
        ("time;load;ambient\n;A;A\n0;1;2\n1;1;2\n", "no unit of temperature", "`units="),
        ("time,load [kW],ambient\n0,1,1\n1,1,1\n", "does not give the current", "kVA"),
        ("time,load [A],ambient\n0,1,1\n1,1,1\n", "rated load in A is not", "rated_current_a"),
        ("time,load [MVA],ambient\n0,1,1\n1,1,1\n", "in MVA is not", "rated_power_kva"),
        (HEADER + "0,60,20\n1,70,20\n", "looks like percent or ampere", '`units=."load": "%"'),
        ("time|load|ambient\n0|1,234|20\n1|2,345|20\n", "may be 1234 or 1.234", "decimal point"),
        (HEADER + "0,1,20\nabc,1,20\n", "line 3: time 'abc' is not a time", "`time_format="),
        (HEADER + "5000000.5,1,20\n5000001,1,20\n", "not minutes from the start", "epoch"),
    ],
)
def test_refusals_are_a_sentence_and_a_hint(tmp_path: Path, text: str, sentence: str, hint: str):
    with pytest.raises(InputError, match=sentence) as caught:
        text_record(tmp_path, text)
    assert "\n" not in caught.value.sentence
    assert caught.value.hint and pd.Series([caught.value.hint]).str.contains(hint).all()


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"load": "nowhere"}, "no column 'nowhere' for the load"),
        ({"ambient": "load"}, "'load' is given two roles"),
        ({"time": "a+b"}, r"no column 'a\+b' for the time"),
    ],
)
def test_wrong_names_are_refused(columns: dict[str, str], sentence: str):
    columns = {"load": "load", **columns}
    with pytest.raises(InputError, match=sentence):
        record_from(table(), Reading(columns))


def test_files_that_break_off_are_refused_wherever_they_do(tmp_path: Path):
    for write in (excel, parquet, spanish):
        whole = write(tmp_path)
        data = whole.read_bytes()
        for share in (0.01, 0.3, 0.9, 0.999):
            whole.write_bytes(data[: int(share * len(data))])
            with pytest.raises(InputError) as caught:
                read_record(whole, MADRID, rated=RATED)
            assert caught.value.hint


def test_excel_without_its_library_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = excel(tmp_path)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(InputError, match="openpyxl is not installed") as caught:
        read_record(path, MADRID, rated=RATED)
    assert "agewise[excel]" in caught.value.hint


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet", "xlsx", "txt"])
@pytest.mark.parametrize(
    "begin", [b"", b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"\xff\xfe", b"\xd0\xcf\x11\xe0"]
)
def test_random_bytes_are_refused(tmp_path: Path, suffix: str, begin: bytes):
    rng = np.random.default_rng(len(suffix))
    for size in (1, 7, 100, 5000):
        path = tmp_path / f"noise.{suffix}"
        path.write_bytes(begin + rng.bytes(size))
        with pytest.raises(InputError) as caught:
            read_record(path)
        assert caught.value.hint and "\n" not in caught.value.sentence


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"<!DOCTYPE html>\n<html><body>502, Bad Gateway</body></html>\n", "a web page"),
        (b"%PDF-1.7\n\xe2\xe3\x00\x01 1 0 obj", "a PDF"),
        (b'[{"time": 0, "load": 1}, {"time": 1, "load": 1}]', "JSON"),
        (b'<?xml version="1.0"?><rows/>', "XML"),
    ],
)
def test_files_that_are_no_tables_are_called_what_they_are(tmp_path: Path, data: bytes, kind: str):
    (tmp_path / "export.csv").write_bytes(data)
    with pytest.raises(InputError, match=f"is {kind}, not a table"):
        read_record(tmp_path / "export.csv")


def test_a_folder_is_called_a_folder(tmp_path: Path):
    with pytest.raises(InputError, match="is a folder"):
        read_record(tmp_path)


def test_of_very_many_columns_a_few_are_named():
    wide = table(**{f"c{n}": 0 for n in range(1000)}).drop(columns="load")
    with pytest.raises(InputError, match="lacks the column 'load'") as told:
        record_from(wide)
    assert "and 982 more" in told.value.hint
