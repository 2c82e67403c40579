"""Air that is read wrongly leaves the plant alone; recorded weather is what its file says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agewise.errors import InputError
from agewise.plant.tables import write_table
from agewise.twin.cases import CASES, PLANT_RATIO
from agewise.twin.true_plant.air_file import read_weather
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

SHORT = TwinSettings(seed=0, days=1.0)


def true(twin: Twin, name: str) -> np.ndarray:
    return twin.truth[name].to_numpy().astype(float)


def recorded(path: Path, *, step: str = "min", days: float = 3.5, sun: bool = True) -> Path:
    """Weather of a made place: a cosine of the day for air and sun, from 12:00 UTC on."""
    times = pd.date_range("2021-03-01T12:00", periods=round(days * 1440) + 1, freq="min")
    day = np.cos(2 * np.pi * (np.asarray(times.hour) + np.asarray(times.minute) / 60 - 13) / 24)
    columns = {"time_utc": times, "air_temperature": 10 + 5 * day}
    columns |= {"ghi": 600 * np.maximum(day, 0) - 3.0} if sun else {}
    frame = pd.DataFrame(columns).set_index("time_utc").asfreq(step).reset_index()
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("case", CASES)
def test_sun_on_the_thermometer_warms_its_reading_and_nothing_else(case: str):
    plain = make_twin(replace(SHORT, case=case))
    lit = make_twin(replace(SHORT, case=case, sunlit_air=6.0))
    added = (lit.frame["ambient"] - plain.frame["ambient"]).to_numpy()
    assert added.min() >= -1e-4
    assert 3.0 < added.max() <= 6.0
    hours = pd.DatetimeIndex(lit.frame["time"]).hour.to_numpy()
    assert np.abs(added[hours < 5]).max() < 1e-3
    assert np.abs(added - true(lit, "air_error_true")).max() < 2e-4
    assert lit.truth["oil_true"].equals(plain.truth["oil_true"])
    assert lit.truth["air_true"].equals(plain.truth["air_true"])
    assert lit.frame.drop(columns="ambient").equals(plain.frame.drop(columns="ambient"))


def test_the_same_clouds_pass_over_plant_and_thermometer():
    lit = make_twin(replace(SHORT, sunlit_air=1.0))
    error, load = true(lit, "air_error_true"), true(lit, "load_true")
    # Load and reading lag the sun by 3 and by 10 minutes.
    assert np.corrcoef(error[9:], load[:-9])[0, 1] > 0.98


def test_a_bias_is_constant_and_has_the_stated_spread():
    plain, off = make_twin(SHORT), make_twin(replace(SHORT, air_bias=2.0))
    added = (off.frame["ambient"] - plain.frame["ambient"]).to_numpy()
    bias = off.truth.attrs["true_air_bias_k"]
    assert np.abs(added - bias).max() < 2e-4
    assert off.truth["oil_true"].equals(plain.truth["oil_true"])
    assert plain.truth.attrs["true_air_bias_k"] == 0.0
    short = [TwinSettings(seed=seed, days=0.1, air_bias=2.0) for seed in range(12)]
    drawn = [make_twin(each).truth.attrs["true_air_bias_k"] for each in short]
    assert 0.8 < np.std(drawn) < 3.5


def test_recorded_weather_is_the_plants(tmp_path: Path):
    path = recorded(tmp_path / "weather.csv")
    twin = make_twin(replace(SHORT, air_file=str(path)))
    # The first midnight of Madrid in the file is that of 2 March; a day of warm-up follows.
    assert twin.frame["time"].iloc[0] == pd.Timestamp("2021-03-03", tz="Europe/Madrid")
    file = pd.read_csv(path, parse_dates=["time_utc"]).set_index("time_utc")
    utc = pd.DatetimeIndex(twin.truth["time"].to_numpy())
    here = file.loc[utc]
    assert np.abs(true(twin, "air_true") - here["air_temperature"]).max() < 1e-5
    # A sun this slow passes the inverters almost unchanged.
    load = PLANT_RATIO * np.maximum(here["ghi"].to_numpy(), 0) / 1000
    assert np.abs(true(twin, "load_true") - load).max() < 0.01
    write_twin(twin, tmp_path / "twin")
    first = pd.read_csv(tmp_path / "twin" / "scenario.csv")["time"].iloc[0]
    assert first == "2021-03-04T01:00:00+01:00"


def test_a_sun_that_a_case_does_not_follow_still_shines_on_its_thermometer(tmp_path: Path):
    path = str(recorded(tmp_path / "weather.csv"))
    base = replace(SHORT, case="aged-substation", start="2021-03-03")
    made, weather = make_twin(base), make_twin(replace(base, air_file=path, sunlit_air=5.0))
    assert weather.truth["load_true"].equals(made.truth["load_true"])
    assert true(weather, "air_error_true").max() == pytest.approx(5.0 * 0.597, abs=0.05)


def test_without_a_recorded_sun_the_load_is_the_seeds(tmp_path: Path):
    path = str(recorded(tmp_path / "weather.csv", sun=False))
    twin = make_twin(replace(SHORT, air_file=path))
    made = make_twin(replace(SHORT, start="2021-03-03"))
    assert twin.truth["load_true"].equals(made.truth["load_true"])
    assert not twin.truth["air_true"].equals(made.truth["air_true"])


def test_gaps_of_an_hour_are_bridged_and_longer_ones_refused(tmp_path: Path):
    path = recorded(tmp_path / "weather.csv")
    whole = read_weather(path).air
    times = pd.date_range("2021-03-02", periods=1440, freq="min", tz="UTC")
    frame = pd.read_csv(path)
    clock = pd.to_datetime(frame["time_utc"])
    for minutes, bridged in ((59, True), (60, False)):
        after = (clock - pd.Timestamp("2021-03-02T09:00")).dt.total_seconds() / 60
        hole = (after >= 0) & (after < minutes)
        frame.assign(air_temperature=frame["air_temperature"].mask(hole, -999.0)).to_csv(
            tmp_path / "holed.csv", index=False
        )
        holed = read_weather(tmp_path / "holed.csv").air
        if bridged:
            assert np.abs(holed.at(times) - whole.at(times)).max() < 0.1
        else:
            with pytest.raises(InputError, match=r"gap of 1\.0 h after 2021-03-02 08:59 UTC"):
                holed.at(times)
    # What lies beside the window does not matter.
    later = pd.date_range("2021-03-03", periods=1440, freq="min", tz="UTC")
    assert np.array_equal(read_weather(tmp_path / "holed.csv").air.at(later), whole.at(later))


def test_hourly_weather_is_straight_between_its_hours(tmp_path: Path):
    air = read_weather(recorded(tmp_path / "weather.csv", step="h")).air
    times = pd.date_range("2021-03-02T06:00", periods=3, freq="30min", tz="UTC")
    first, half, last = air.at(times)
    assert half == pytest.approx((first + last) / 2)


def test_parquet_with_a_zone_is_the_same_weather(tmp_path: Path):
    path = recorded(tmp_path / "weather.csv")
    frame = pd.read_csv(path)
    zoned = pd.to_datetime(frame["time_utc"], utc=True).dt.tz_convert("Asia/Tokyo")
    write_table(frame.assign(time_utc=zoned).iloc[::-1], tmp_path / "weather.parquet")
    times = pd.date_range("2021-03-02", periods=60, freq="min", tz="UTC")
    other = read_weather(tmp_path / "weather.parquet").air
    assert np.array_equal(other.at(times), read_weather(path).air.at(times))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"days": 2.0}, "too short for a twin that needs 2021-03-01 23:00 to 2021-03-04 22:59"),
        ({"start": "2021-03-02"}, "too short for a twin that needs 2021-02-28 23:00"),
        ({"start": "2025-06-12"}, "too short"),
    ],
)
def test_a_file_that_is_too_short_is_refused(tmp_path: Path, change: dict, sentence: str):
    path = recorded(tmp_path / "weather.csv", days=3.0)
    with pytest.raises(InputError, match=sentence) as told:
        make_twin(replace(SHORT, air_file=str(path), **change))
    assert "`start`" in told.value.hint


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("when,air\n2021-03-01T00:00Z,10\n2021-03-01T01:00Z,10\n", "no column for a time"),
        ("time,wind\n2021-03-01T00:00Z,10\n2021-03-01T01:00Z,10\n", "an air temperature"),
        ("time,air\n2021-03-01T00:00Z,283\n2021-03-01T01:00Z,284\n", "no values from -60 to 60"),
        ("time,air\n1,10\n2,11\n", "at times that can be read"),
        ("time,air\nsoon,10\nlater,11\n", "at times that can be read"),
        ("", "is empty"),
    ],
)
def test_files_without_weather_are_refused(tmp_path: Path, text: str, sentence: str):
    (tmp_path / "weather.csv").write_text(text)
    with pytest.raises(InputError, match=sentence) as told:
        read_weather(tmp_path / "weather.csv")
    assert told.value.hint


def test_a_file_is_as_rough_as_it_is():
    with pytest.raises(InputError, match="as rough as it is"):
        replace(SHORT, air_file="weather.csv", rough_ambient=True)
