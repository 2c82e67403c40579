"""Moments as people name them."""

import pandas as pd
import pytest

from agewise.cli.moment import hours_after
from agewise.errors import InputError

END = pd.Timestamp("2025-07-13 23:59", tz="Europe/Madrid")
"""A Sunday, just before midnight."""


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Thu 14:00", "2025-07-17 14:00"),
        ("thursday 9:30", "2025-07-17 09:30"),
        ("Sun. 23:59", "2025-07-13 23:59"),
        ("Sun 23:58", "2025-07-20 23:58"),
        ("14:00", "2025-07-14 14:00"),
        ("Tue", "2025-07-15 00:00"),
        ("Tue 7", "2025-07-15 07:00"),
        ("2025-07-15 06:00", "2025-07-15 06:00"),
        ("2025-07-15T06:00+02:00", "2025-07-15 06:00"),
        ("2025-07-15 04:00:00Z", "2025-07-15 06:00"),
        ("2025-07-15", "2025-07-15 00:00"),
    ],
)
def test_a_moment_is_the_first_of_its_name_on_the_record_s_clock(text: str, moment: str):
    wanted = pd.Timestamp(moment, tz="Europe/Madrid") - END
    assert hours_after(END, text) == pytest.approx(wanted.total_seconds() / 3600)


def test_a_night_that_changes_the_clock_has_an_hour_more():
    before = pd.Timestamp("2025-10-25 14:00", tz="Europe/Madrid")
    assert hours_after(before, "14:00") == 0.0
    assert hours_after(before, "Sun 14:00") == pytest.approx(25.0)


@pytest.mark.parametrize("hour", [0, 12, 23])
def test_the_day_of_the_spring_change_is_a_day(hour: int):
    """A day of 24 hours after a Saturday 23:30 came out on Monday."""
    before = pd.Timestamp(f"2025-03-29 {hour}:30", tz="Europe/Madrid")
    sunday = pd.Timestamp("2025-03-30 12:00", tz="Europe/Madrid")
    assert hours_after(before, "Sun 12:00") == (sunday - before).total_seconds() / 3600


@pytest.mark.parametrize("text", ["02:30", "2025-10-26 02:30", "Sun 02:30"])
def test_an_hour_that_the_clock_has_twice_is_the_first_that_is_to_come(text: str):
    first = pd.Timestamp("2025-10-26 00:00Z").tz_convert("Europe/Madrid")
    ends = [first + pd.Timedelta(minutes=minutes) for minutes in (0, 45)]
    assert [hours_after(end, text) for end in ends] == [0.5, 0.75]


@pytest.mark.parametrize("text", ["02:30", "2025-03-30 02:30"])
def test_an_hour_that_the_clock_leaves_out_is_the_moment_after_it(text: str):
    before = pd.Timestamp("2025-03-30 01:00", tz="Europe/Madrid")
    assert hours_after(before, text) == 1.0


@pytest.mark.parametrize("end", [END, None])
def test_hours_need_no_clock(end: pd.Timestamp | None):
    assert hours_after(end, "3.5") == hours_after(end, "3,5") == 3.5


@pytest.mark.parametrize(
    "text",
    [
        "Foo 14:00",
        "25:00",
        "tomorrow",
        "",
        "07/08/2025",
        "15.07.2025 14:00",
        "2025-02-30",
        "2025-07",
    ],
)
def test_what_is_no_moment_is_refused_with_examples(text: str):
    with pytest.raises(InputError) as refused:
        hours_after(END, text)
    assert "Thu 14:00" in str(refused.value.hint)


def test_a_record_of_minutes_has_no_thursday():
    with pytest.raises(InputError, match="counts minutes"):
        hours_after(None, "Thu 14:00")
