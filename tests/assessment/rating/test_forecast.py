"""Forecasts after a record: where they begin, what they hold, and how wrong they may be."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agewise.assessment.rating.fluctuation import moves
from agewise.assessment.rating.forecast import forecast_after
from agewise.assessment.rating.request import ForecastErrors
from agewise.errors import InputError
from agewise.plant.profile import Profile, profile_from
from agewise.reading.forecast_file import Series, read_series

END = pd.Timestamp("2025-07-07T23:49:00+02:00")


def record(end: pd.Timestamp | None = END, load: Sequence[float] = (0.5, 0.5)) -> Profile:
    """Rows of 15 minutes, the last of which is the end."""
    frame = pd.DataFrame({"load": load, "ambient": 20.0})
    minutes = 15.0 * np.arange(len(frame))
    past = minutes - minutes[-1]
    times = minutes if end is None else [end + pd.Timedelta(minutes=m) for m in past]
    return profile_from(frame.assign(time=times))


def hourly(values: list[float], start: pd.Timestamp | None = END, late: float = 660.0) -> Series:
    """Hours from 11 minutes after the end on, which is midnight."""
    return Series(late + 3600.0 * np.arange(len(values)), start, np.array(values), "forecast.csv")


def test_hours_are_those_of_the_clock_and_the_rest_before_them_joins_the_first():
    found = forecast_after(record(), hourly([0.5] * 5), hourly([20.0] * 5), hold="backward")
    begin = [END + pd.Timedelta(seconds=float(found.seconds[n])) for n in found.hours]
    assert [f"{time:%H:%M}" for time in begin] == ["23:49", "01:00", "02:00", "03:00"]
    assert np.diff(found.seconds)[1:] == pytest.approx(300.0)
    assert sum(found.steps_of_hours()) == found.load.size == found.seconds.size - 1


@pytest.mark.parametrize(
    ("hold", "expected"), [("backward", 0.2), ("forward", 0.1), ("linear", 0.15)]
)
def test_a_load_stands_for_the_interval_that_the_record_says(hold, expected: float):
    found = forecast_after(record(), hourly([0.1, 0.2, 0.3]), hourly([10.0, 20.0, 30.0]), hold=hold)
    half_past = int(np.searchsorted(found.seconds, 660.0 + 1800.0))
    either_side = found.load[half_past - 1 : half_past + 1].mean()
    assert either_side == pytest.approx(expected)
    assert found.air[half_past] == pytest.approx(15.0)


def test_errors_grow_with_the_horizon_and_last():
    found = forecast_after(record(), hourly([0.5] * 49), hourly([20.0] * 49), hold="backward")
    load, air = found.drawn(ForecastErrors(weather_k=2.0, load_share=0.1), record(), 4000, seed=1)
    day = int(np.searchsorted(found.seconds, 86400.0))
    assert air[0].std() == pytest.approx(1.0, rel=0.05)
    assert air[day].std() == pytest.approx(2.0, rel=0.05)
    assert load[day].std() == pytest.approx(0.05, rel=0.05)
    assert air[day].mean() == pytest.approx(20.0, abs=0.15)
    # An hour later hardly anything of an error is gone, two days later most of it.
    assert np.corrcoef(air[day], air[day + 12])[0, 1] > 0.85
    assert abs(np.corrcoef(air[0], air[-1])[0, 1]) < 0.1
    sure = found.drawn(ForecastErrors(0.0, 0.0), record(), 3, seed=1)
    assert np.ptp(sure[0], axis=1).max() == np.ptp(sure[1], axis=1).max() == 0.0


def test_minutes_count_from_the_end_of_the_record():
    counted = Series(3600.0 * np.arange(4), None, np.full(4, 0.5), "forecast.csv")
    found = forecast_after(record(None), counted, counted, hold="backward")
    assert found.start is None and found.hours == (0, 12, 24)
    with pytest.raises(InputError, match="has dates, but the record counts minutes"):
        forecast_after(record(None), hourly([0.5] * 4), counted, hold="backward")


@pytest.mark.parametrize(
    ("load", "weather", "word"),
    [
        (hourly([0.5] * 4, late=9000.0), hourly([20.0] * 9), "begins 2.5 h after"),
        (hourly([0.5] * 9), hourly([20.0, 20.0], late=-7200.0), "reaches -60 min beyond"),
        (hourly([0.0] * 9), hourly([20.0] * 9), "zero in every hour"),
    ],
)
def test_forecasts_that_cannot_be_used_are_refused(load: Series, weather: Series, word: str):
    with pytest.raises(InputError, match=word):
        forecast_after(record(), load, weather, hold="backward")


def test_a_file_of_one_quantity_is_read_and_holes_are_refused(tmp_path: Path):
    path = tmp_path / "load.csv"
    path.write_text("Time;Load [%]\n08.07.2025 02:00;60\n08.07.2025 01:00;50,5\n")
    from agewise.reading.options import Reading

    found = read_series(path, "load", Reading(timezone="+02:00"))
    assert found.values.tolist() == [0.505, 0.6] and np.diff(found.seconds).tolist() == [3600.0]
    path.write_text("time,load\n2025-07-08T01:00+02:00,0.5\n2025-07-08T02:00+02:00,\n")
    with pytest.raises(InputError, match="line 3"):
        read_series(path, "load")
    path.write_text("time,load\n2025-07-08T01:00+02:00,0.5\n2025-07-08T01:00+02:00,0.6\n")
    with pytest.raises(InputError, match="twice"):
        read_series(path, "load")
    with pytest.raises(InputError, match="lacks the column 'ambient'"):
        read_series(path, "ambient")


def test_within_a_row_the_load_moves_as_it_did_in_the_record_at_that_hour():
    """Two days, each quarter of an hour of which has its own load, the second day twice that."""
    quarters = 0.2 + 0.1 * (np.arange(96) % 4)
    known = record(load=[*quarters, *(2 * quarters)])
    found = forecast_after(known, hourly([0.5] * 9), hourly([20.0] * 9), hold="backward")
    load, _ = found.drawn(ForecastErrors(0.0, 0.0), known, 50, seed=1)
    # Both days move alike about their means, so all draws agree, and the mean is as forecast.
    whole = slice(found.hours[1], found.hours[2])
    assert load[whole].mean(axis=0) == pytest.approx(0.5, rel=1e-6)
    assert np.ptp(load[whole], axis=1).max() < 1e-6
    assert load[whole][:, 0].max() / load[whole][:, 0].min() == pytest.approx(2.5, rel=1e-6)


def test_a_load_moves_as_it_did_whichever_end_of_an_interval_the_record_stamps():
    ended = record(load=np.random.default_rng(0).uniform(0.2, 0.9, 4 * 24 * 3).tolist())
    begun = replace(ended, load=np.append(ended.load[1:], 0.0))
    found = forecast_after(ended, hourly([0.5] * 25), hourly([20.0] * 25), hold="backward")
    rows, seconds = found.rows, found.seconds
    one = moves(ended, seconds, rows, 5, rng=np.random.default_rng(1))
    other = moves(begun, seconds, replace(rows, hold="forward"), 5, rng=np.random.default_rng(1))
    assert np.ptp(one) > 0.5
    np.testing.assert_allclose(other, one)
