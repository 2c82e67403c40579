"""Dates on axes and pages, the same on every system."""

from pathlib import Path

import matplotlib.dates as mdates
import numpy as np
import pytest

import agewise
from agewise.report.drawing.times import ROUND_TICKS, TICKS, DateFormatter, clock, day_name


def test_a_day_has_no_leading_zero_and_a_time_of_day_keeps_its_own():
    locator = mdates.AutoDateLocator()
    formatter = DateFormatter(locator, formats=TICKS, zero_formats=ROUND_TICKS)
    hours = np.datetime64("2025-07-07T00") + np.arange(0, 36, 4).astype("timedelta64[h]")
    ticks = formatter.format_ticks(list(mdates.date2num(hours)))
    assert ticks[0] == "7 Jul"
    assert ticks[2] == "08:00"


def test_days_and_clocks_over_panels():
    assert day_name(np.datetime64("2025-07-07")) == "Mon 7 Jul 2025"
    assert clock(np.datetime64("2025-07-07T08:05")) == "7 Jul 2025, 08:05"


@pytest.mark.parametrize("format", ["%-d", "%-H", "%-m"])
def test_no_date_is_written_by_a_format_that_windows_does_not_know(format: str):
    for path in Path(agewise.__file__).parent.rglob("*.py"):
        code = [line for line in path.read_text("utf-8").splitlines() if "#" not in line]
        assert not any(format in line for line in code), path
