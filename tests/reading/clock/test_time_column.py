"""Every common clock gives the right instants, on the days of clock changes too."""

import numpy as np
import pandas as pd
import pytest

from agewise.errors import InputError
from agewise.reading.clock.serials import serials
from agewise.reading.clock.time_column import Clock, Times, clock
from agewise.reading.options import Reading

MADRID = Reading(timezone="Europe/Madrid")
MINUTE = pd.Timedelta("1min")


def read(labels, reading: Reading = MADRID, unit: str | None = None) -> Clock:
    column = labels if isinstance(labels, pd.Series) else pd.Series(labels, dtype="str")
    return clock(Times(column, reading, unit, "", "file.csv", lambda row: row + 2))


def day(date: str, step: int, zone: str = "Europe/Madrid") -> pd.DatetimeIndex:
    """Every instant of a local day and its two ends, in the zone."""
    start = pd.Timestamp(date, tz=zone)
    return pd.date_range(start, start + pd.DateOffset(days=1), freq=f"{step}min")


@pytest.mark.parametrize("step", [1, 7, 15, 30, 60])
@pytest.mark.parametrize(("date", "hours"), [("2025-03-30", 23), ("2025-10-26", 25)])
@pytest.mark.parametrize("form", ["%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M", "%d/%m/%Y %I:%M %p"])
def test_days_of_clock_changes_have_their_true_instants(
    date: str, hours: int, step: int, form: str
):
    times = day(date, step)
    found = read(times.strftime(form))
    expected = np.asarray((times - times[0]).total_seconds())
    assert np.array_equal(found.seconds, expected)
    assert found.start == times[0] and str(getattr(found.start, "tzinfo", "")) == "Europe/Madrid"
    assert expected[-1] == hours * 3600 - (hours * 60 % step) * 60
    assert found.notes == ()


@pytest.mark.parametrize("step", [1, 15, 60])
def test_the_newest_row_may_stand_first(step: int):
    times = day("2025-10-26", step)[::-1]
    found = read(times.strftime("%d.%m.%Y %H:%M"))
    assert np.array_equal(found.seconds, np.asarray((times - times[0]).total_seconds()))


def test_other_zones_repeat_other_times():
    for zone, date in (("Australia/Lord_Howe", "2025-04-06"), ("America/New_York", "2025-11-02")):
        times = day(date, 10, zone)
        found = read(times.strftime("%Y-%m-%d %H:%M"), Reading(timezone=zone))
        assert np.array_equal(found.seconds, np.asarray((times - times[0]).total_seconds()))


def test_two_years_repeat_two_hours():
    times = pd.date_range("2024-10-01", "2025-11-30", freq="15min", tz="Europe/Madrid")
    found = read(times.strftime("%Y-%m-%d %H:%M"))
    assert np.array_equal(np.diff(found.seconds), np.full(len(times) - 1, 900.0))


def test_rows_of_the_repeated_hour_that_were_written_once_are_told():
    times = day("2025-10-26", 15)
    kept = pd.DatetimeIndex([*times[:12], *times[16:]])  # four quarters from 02:00 on, then 03:00
    found = read(kept.strftime("%d.%m.%Y %H:%M"))
    assert np.array_equal(found.seconds, np.asarray((kept - kept[0]).total_seconds()))
    (finding,) = found.notes
    assert (finding.kind, finding.rows) == ("clock", 4)
    assert (finding.start, finding.end) == ("26.10.2025 02:00", "26.10.2025 02:45")


def test_a_row_written_twice_is_no_second_pass():
    times = day("2025-10-26", 1)
    doubled = pd.DatetimeIndex([*times[:131], *times[130:]])
    found = read(doubled.strftime("%d.%m.%Y %H:%M"))
    assert np.array_equal(found.seconds, np.asarray((doubled - doubled[0]).total_seconds()))


def test_a_row_written_twice_in_an_hour_written_once_is_no_second_pass():
    times = day("2025-10-26", 1)
    once = pd.DatetimeIndex([*times[:131], *times[130:180], *times[240:]])
    found = read(once.strftime("%d.%m.%Y %H:%M"))
    assert np.array_equal(found.seconds, np.asarray((once - once[0]).total_seconds()))
    assert [each.kind for each in found.notes] == ["clock"]


@pytest.mark.parametrize("zone", ["Etc/GMT-1", "+01:00", "UTC+1"])
def test_a_logger_that_does_not_change_its_clock_has_a_fixed_offset(zone: str):
    wall = pd.date_range("2025-03-30", periods=24, freq="h").strftime("%Y-%m-%d %H:%M")
    with pytest.raises(InputError, match=r"line 4: time '2025-03-30 02:00' does not exist") as told:
        read(wall)
    assert "+01:00" in told.value.hint
    found = read(wall, Reading(timezone=zone))
    assert np.array_equal(found.seconds, 3600.0 * np.arange(24))
    assert found.start == pd.Timestamp("2025-03-29T23:00Z")


START = pd.Timestamp("2025-06-19T08:30:00+02:00")


@pytest.mark.parametrize(
    "form",
    [
        *("%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S.%f", "%Y/%m/%d %H:%M:%S", "%d/%m/%Y %H:%M"),
        *("%m/%d/%Y %H:%M", "%m/%d/%Y %I:%M:%S %p", "%d.%m.%Y %H:%M:%S", "%d.%m.%y %H:%M"),
        *("%d-%b-%Y %H:%M", "%d %B %Y %Hh%M", "%b %d, %Y %I:%M %p", "%Y%m%d%H%M", "%Y%m%d%H%M%S"),
        *("%Y%m%d %H:%M", "%a %d %b %Y %H:%M", "%d-%m-%Y %H:%M:%S,%f"),
    ],
)
def test_common_formats_are_understood(form: str):
    times = pd.date_range(START.tz_convert("Europe/Madrid"), periods=48, freq="30min")
    found = read(times.strftime(form))
    assert np.array_equal(found.seconds, 1800.0 * np.arange(48))
    assert found.start == START


@pytest.mark.parametrize(("word", "month"), [("janv.", 1), ("März", 3), ("août", 8), ("dic", 12)])
def test_months_have_names_in_six_languages(word: str, month: int):
    found = read([f"5 {word} 2025 10:00", f"5 {word} 2025 10:10"])
    assert found.start is not None and (found.start.month, found.start.day) == (month, 5)


def test_the_order_of_day_and_month_is_decided_by_the_data():
    days = pd.date_range("2025-02-01", periods=5, freq="D", tz="Europe/Madrid")
    for form in ("%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"):
        assert np.array_equal(read(days.strftime(form)).seconds, 86400.0 * np.arange(5))
    with pytest.raises(InputError, match="two ways") as told:
        read(["05/06/2025 10:00", "05/06/2025 10:01"])
    assert "`time_format=" in told.value.hint
    said = Reading(timezone="UTC", time_format="%m/%d/%Y %H:%M")
    assert read(["05/06/2025 10:00", "05/06/2025 10:01"], said).start == pd.Timestamp(
        "2025-05-06T10:00Z"
    )


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_epochs_are_utc_and_stated(unit: str):
    size = pd.Timedelta(f"1{unit}")
    numbers = [(START + n * MINUTE - pd.Timestamp(0, tz="UTC")) // size for n in range(3)]
    found = read(pd.Series(numbers), Reading())
    assert found.seconds.tolist() == [0.0, 60.0, 120.0]
    assert str(found.start) == "2025-06-19 06:30:00+00:00"
    assert [each.kind for each in found.notes] == ["guess"]
    assert str(read(pd.Series(numbers)).start) == "2025-06-19 08:30:00+02:00"


def test_days_of_excel_are_local_and_stated():
    since = pd.Timestamp("2025-06-19 08:30") - pd.Timestamp("1899-12-30")
    numbers = pd.Series([(since + n * MINUTE) / pd.Timedelta("1D") for n in range(3)])
    found = read(numbers)
    assert found.seconds.tolist() == [0.0, 60.0, 120.0] and found.start == START
    assert "Excel" in found.notes[0].text
    with pytest.raises(InputError, match="no time zone"):
        read(numbers, Reading())
    said = Reading(timezone="Europe/Madrid", time_format="excel")
    assert read(numbers, said).notes == ()


def test_numbers_count_from_the_start_in_the_unit_of_the_column():
    assert read(["5", "6.5", "8"], Reading()).seconds.tolist() == [0.0, 90.0, 180.0]
    assert read(["0", "60", "120"], Reading(), "s").seconds.tolist() == [0.0, 60.0, 120.0]
    assert read(["0", "0.25"], Reading(), "h").seconds.tolist() == [0.0, 900.0]
    assert read(["45000", "45001"], Reading()).start is None


def test_offsets_win_over_the_zone_that_is_said():
    text = ["2025-06-12T00:00:00+05:30", "2025-06-12T00:10:00+05:30"]
    assert str(read(text, Reading()).start) == "2025-06-12 00:00:00+05:30"
    there = read(text)
    assert str(there.start) == "2025-06-11 20:30:00+02:00"
    assert there.seconds.tolist() == [0.0, 600.0]
    mixed = ["2025-10-26T02:30:00+02:00", "2025-10-26T02:00:00+01:00"]
    assert str(read(mixed, Reading()).start) == "2025-10-26 00:30:00+00:00"
    assert read(mixed, Reading()).seconds.tolist() == [0.0, 1800.0]
    named = read(["26.10.2025 02:30 CEST", "26.10.2025 02:00 CET"], Reading())
    assert named.seconds.tolist() == [0.0, 1800.0]


def test_time_stamps_of_other_programs_keep_their_zone():
    times = pd.Series(day("2025-10-26", 15))
    assert str(read(times, Reading()).start) == "2025-10-26 00:00:00+02:00"
    wall = times.dt.tz_localize(None)
    assert np.array_equal(read(wall).seconds, read(times, Reading()).seconds)


def test_single_times_that_cannot_be_read_are_told():
    text = [f"2025-06-12 10:0{n}" for n in range(9)]
    text[0], text[3], text[4] = "", "2025-06-12 24:00", "soon"
    found = read(text)
    assert np.isnan(found.seconds).tolist() == [n in (0, 4) for n in range(9)]
    assert found.seconds[1] == 0.0 and found.start == pd.Timestamp("2025-06-12T08:01Z")
    assert found.seconds[3] == 86400.0 - 10 * 3600 - 60
    (finding,) = found.notes
    assert (finding.kind, finding.column, finding.rows) == ("unreadable", "time", 2)
    assert finding.stretches == ((0, 0), (4, 4)) and "line 2" in finding.text


def test_a_few_times_without_a_zone_among_others_are_unreadable():
    text = ["2025-06-12T10:00:00+02:00", "2025-06-12T10:01:00", "2025-06-12T10:02:00+02:00"]
    found = read(text, Reading())
    assert found.seconds[[0, 2]].tolist() == [0.0, 120.0] and np.isnan(found.seconds[1])
    assert str(found.start) == "2025-06-12 10:00:00+02:00"
    assert found.notes[0].kind == "unreadable"


@pytest.mark.parametrize(
    ("labels", "reading", "sentence", "hint"),
    [
        (["2025-01-01 00:00", "2025-01-01 00:01"], Reading(), "no time zone", "`timezone="),
        (["13.01.2025 00:00", "13.01.2025 00:01"], Reading(), "no time zone", "`timezone="),
        (["2025-01-01T00:00Z", "2025-01-01 00:01"], Reading(), "line 3: .* no time zone", "Z"),
        (["yesterday", "today"], MADRID, "line 2: time 'yesterday' is not a time", "ISO 8601"),
        (["2025-01-01 00:00", "x"], MADRID, "line 3: time 'x' is not a time", "`time_format="),
        (["", ""], MADRID, "line 2: there is no time", "formula"),
        (["1", "2"], Reading(time_format="%Q"), "format '%Q' cannot be used", "strptime"),
        (["12/2025", "1/2026"], Reading(time_format="%d"), "is not a time", "`time_format="),
        (["45000.0", "45000.00001"], Reading(time_format="minutes"), "", ""),
    ],
)
def test_refusals_say_what_to_do(labels: list[str], reading: Reading, sentence: str, hint: str):
    if not sentence:
        assert read(labels, reading).start is None
        return
    with pytest.raises(InputError, match=sentence) as told:
        read(labels, reading)
    assert hint in told.value.hint


@pytest.mark.parametrize("year", ["0094", "1601", "9999"])
def test_dates_that_no_clock_of_ours_counts_are_not_times(year: str):
    labels = [f"{year}-01-01T00:00:00Z", f"{year}-01-01T00:01:00Z"]
    with pytest.raises(InputError, match="is not a time"):
        read(labels)


def test_single_wild_numbers_among_seconds_since_1970_are_left_out():
    labels = [str(1_750_000_000 + 60 * n) for n in range(9)]
    for wild in ("1e19", "1e300", "-9e18"):
        found = read([*labels, wild])
        assert np.isnan(found.seconds[-1]) and found.seconds[8] == 480.0


def test_a_clock_that_was_never_set_is_told():
    labels = ["1970-01-01T00:00:00Z", "1970-01-01T00:01:00Z"]
    assert "begin in 1970" in read(labels).notes[0].text


def test_minutes_that_may_be_seconds_are_told():
    assert "if they are seconds" in read(["0", "60", "120"]).notes[0].text
    assert read(["0", "5", "10"]).notes == ()


def test_a_wild_number_among_minutes_is_left_out():
    found = read(["15", "15", "15", "1e300"])
    assert found.seconds[:3].tolist() == [0.0, 0.0, 0.0] and np.isnan(found.seconds[3])


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_parts_of_a_second_since_1970_are_kept(scale: float):
    numbers = (1.75e9 + 0.25 * np.arange(8)) * scale
    read = serials(numbers, None, None, "file").stamps
    assert read is not None
    assert np.diff(read.wall).tolist() == [250_000_000] * 7
