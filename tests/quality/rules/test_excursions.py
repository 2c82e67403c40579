"""What leaves the usual at once and comes back, and other failures that corruptions have shown."""

import numpy as np
import pandas as pd
import pytest

from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.plant.record import DataFinding, Record
from agewise.quality.quality import checked


def only(profile: Profile, kind: str) -> DataFinding:
    (finding,) = [finding for finding in profile.findings if finding.kind == kind]
    return finding


def minutes_record(count: int, step: float, start: float = 0.0, **columns: np.ndarray) -> Record:
    """A quiet unit with some columns replaced."""
    seconds = start + np.arange(count) * step
    hours, rng = seconds / 3600, np.random.default_rng(5)
    given = {
        "load": 0.7 + 0.1 * np.sin(hours / 4) + 0.01 * rng.normal(size=count),
        "ambient": 15 + 4 * np.sin(hours / 4) + 0.2 * rng.normal(size=count),
        "top_oil": 45 + 5 * np.sin(hours / 4 - 0.5) + 0.2 * rng.normal(size=count),
    } | columns
    return Record(pd.Series(seconds / 60), seconds, None, given)


def test_rows_earlier_than_the_first_of_the_file_have_days_too():
    record = minutes_record(3 * 288, 300.0)
    late = np.roll(np.arange(record.seconds.size), 200)
    columns = {name: values[late] for name, values in record.columns.items()}
    seconds = record.seconds[late] - record.seconds[late][0]
    moved = Record(record.labels.iloc[late].reset_index(drop=True), seconds, None, columns)
    assert {finding.kind for finding in checked(moved).findings} == {"unsorted"}


def test_steps_of_half_a_day_are_judged_without_an_error():
    rng = np.random.default_rng(2)
    oil = 45 + rng.normal(size=200)
    oil[80:90] -= 30
    assert checked(minutes_record(200, 43_200.0, top_oil=oil)).seconds.size == 200


def test_a_load_in_which_a_decimal_point_slipped_is_told():
    load = np.full(288, 0.35) + 0.01 * np.random.default_rng(1).normal(size=288)
    far, near = load.copy(), load.copy()
    far[100], near[100] = 3.5, 0.9
    assert "up to 3.5 p.u." in only(checked(minutes_record(288, 300.0, load=far)), "spikes").text
    profile = checked(minutes_record(288, 300.0, load=far))
    assert profile.load.max() < 0.5
    kept = checked(minutes_record(288, 300.0, load=near))
    assert only(kept, "spikes").done == "kept" and kept.load.max() == 0.9


def test_a_load_beyond_any_transformer_is_told_where_it_lasts():
    load = np.full(288, 0.35) + 0.01 * np.random.default_rng(1).normal(size=288)
    load[100:106] = 3.0 + 0.01 * np.arange(6)
    assert (
        "more than any transformer"
        in only(checked(minutes_record(288, 300.0, load=load)), "range").text
    )


@pytest.mark.parametrize("length", [3, 12, 35])
@pytest.mark.parametrize("size", [-30.0, 10.0])
def test_a_thermometer_that_jumps_away_and_back_is_not_believed(length: int, size: float):
    plain = minutes_record(288, 300.0)
    oil = plain.columns["top_oil"].copy()
    oil[200 : 200 + length] += size
    profile = checked(minutes_record(288, 300.0, top_oil=oil))
    assert only(profile, "spikes").rows == length
    assert not checked(plain).findings


def test_air_in_fahrenheit_is_refused_with_its_unit():
    plain = minutes_record(288, 300.0).columns
    air, oil = (plain[name] * 1.8 + 38 for name in ("ambient", "top_oil"))
    with pytest.raises(InputError, match="ambient is above 60 °C") as told:
        checked(minutes_record(288, 300.0, ambient=air, top_oil=oil))
    assert '`units={"ambient": "F"}`' in told.value.hint
