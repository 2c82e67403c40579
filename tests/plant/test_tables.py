"""Times are written as ISO 8601 has them, whatever the zone does meanwhile."""

import pandas as pd
import pytest

from agewise.plant.tables import iso_text


@pytest.mark.parametrize("zone", ["Europe/Madrid", "America/St_Johns", "Asia/Kolkata", "UTC"])
@pytest.mark.parametrize("step", ["97min", "61001ms"])
def test_text_of_times_is_what_pandas_writes_one_by_one(zone: str, step: str):
    # Both changes of the clock are among these days.
    for start in ("2025-03-29", "2025-10-25"):
        times = pd.date_range(start, periods=2000, freq=step, tz=zone)
        spec = "seconds" if step.endswith("min") else "microseconds"
        expected = [time.isoformat(timespec=spec) for time in times]
        assert iso_text(times).tolist() == expected


def test_times_that_are_missing_stay_missing():
    times = pd.DatetimeIndex(["2025-01-01 12:00", None], tz="Europe/Madrid")
    assert iso_text(times).isna().tolist() == [False, True]
