"""Air that a file does not have: a constant, a weather file at the right hours, or none."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.reading.air import CONSTANT_K, NO_AIR_C, NO_AIR_K, given_air
from agewise.reading.options import Reading, reading_file
from agewise.reading.profile_file import read_profile, stored_profile, write_profile
from agewise.reading.weather_file import STATION_K, Weather

HOURS = pd.date_range("2024-02-27", periods=96, freq="1h", tz="Europe/Madrid")
"""Four days of a leap year, 29 February among them."""


def profile_file(folder: Path, times: pd.DatetimeIndex = HOURS, *, oil: bool = True) -> Path:
    wave = np.sin(np.arange(times.size) / 4)
    frame = pd.DataFrame({"time": [t.isoformat() for t in times], "load": 0.6 + 0.2 * wave})
    if oil:
        frame["top_oil"] = 50 + 5 * np.roll(wave, 3) + 0.1 * np.cos(np.arange(times.size) ** 2)
    path = folder / "profile.csv"
    frame.to_csv(path, index=False)
    return path


def of_year(times: pd.DatetimeIndex) -> np.ndarray:
    """A temperature that tells its hour of the year in local standard time (UTC+1)."""
    local = times.tz_convert("+01:00")
    day = local.day_of_year - (local.is_leap_year & (local.month > 2))
    return np.asarray((day * 24 + local.hour) / 500)


def read(folder: Path, ambient: str, **file) -> Profile:
    return read_profile(profile_file(folder, **file), Reading(ambient=ambient))


@pytest.mark.parametrize(
    ("text", "mean", "std"),
    [("20", 20, CONSTANT_K), ("20±3", 20, 3), ("-5.5 +- 2", -5.5, 2), ("30 +/- 1 °C", 30, 1)],
)
def test_a_constant_and_its_doubt(tmp_path: Path, text: str, mean: float, std: float):
    profile = read(tmp_path, text)
    assert (profile.ambient == mean).all() and profile.air_std == pytest.approx(std)
    assert profile.ambient_std is not None
    assert any(finding.kind == "air" for finding in profile.findings)


def test_none_stands_for_any_climate_and_is_stored_with_its_doubt(tmp_path: Path):
    profile = read(tmp_path, "none")
    assert (profile.ambient == NO_AIR_C).all() and profile.air_std == NO_AIR_K
    assert not profile.air_known
    write_profile(profile, tmp_path / "clean.csv")
    for again in (stored_profile(tmp_path / "clean.csv"), read_profile(tmp_path / "clean.csv")):
        assert np.array_equal(np.asarray(again.ambient_std), np.asarray(profile.ambient_std))
        assert np.array_equal(again.between(3, 9).ambient, profile.ambient[3:10])


def test_without_air_and_oil_nothing_is_left(tmp_path: Path):
    with pytest.raises(InputError, match="Without air and without top_oil"):
        read(tmp_path, "none", oil=False)
    assert read(tmp_path, "20", oil=False).top_oil is None


def test_a_file_without_air_is_refused_with_the_ways_out(tmp_path: Path):
    with pytest.raises(InputError, match="lacks the column 'ambient'") as caught:
        read_profile(profile_file(tmp_path))
    assert "weather file" in caught.value.hint and "`ambient`" in caught.value.hint


def test_what_the_user_says_of_the_air_wins_over_a_column(tmp_path: Path):
    path = profile_file(tmp_path)
    pd.read_csv(path).assign(ambient=35.0).to_csv(path, index=False)
    assert (read_profile(path, Reading(ambient="10")).ambient == 10).all()


def test_a_number_in_a_toml_is_as_good_as_its_text(tmp_path: Path):
    (tmp_path / "reading.toml").write_text("ambient = 12.5\n")
    assert given_air(reading_file(tmp_path / "reading.toml").ambient or "none").mean == 12.5
    with pytest.raises(InputError, match="70 °C is outside"):
        given_air("70")


def epw(folder: Path) -> Path:
    """A typical year of EnergyPlus at UTC+1: months of two years, values at the end of an hour."""
    starts = pd.date_range("2001-01-01", periods=8760, freq="1h", tz="+01:00")
    air = of_year(starts + pd.Timedelta(hours=1))
    air[-1] = (365 * 24 + 24) / 500  # midnight of New Year's Eve belongs to the old year
    years = np.where(starts.month % 2, 1999, 2003)
    rows = [
        f"{year},{t.month},{t.day},{t.hour + 1},0,x,{value:.4f}" + ",0" * 28
        for year, t, value in zip(years, starts, air, strict=True)
    ]
    head = ["LOCATION,Town,-,ESP,TMY,0,39.2,-5.6,1.0,330.0", *["DESIGN,0"] * 7]
    path = folder / "town.epw"
    path.write_text("\n".join([*head, *rows]) + "\n")
    return path


def test_a_typical_year_is_joined_by_day_and_hour_of_the_site(tmp_path: Path):
    profile = read(tmp_path, str(epw(tmp_path)))
    times = pd.DatetimeIndex(HOURS)
    leap = (times.month == 2) & (times.day == 29)
    expected = np.where(leap, of_year(times + pd.Timedelta(days=1)), of_year(times))
    # 29 February has the weather of 1 March, so that hour by hour nothing is shifted.
    inner = np.abs(profile.ambient - expected) < 1e-3
    assert inner[~leap].all() and inner[leap].mean() > 0.9
    summer = pd.date_range("2025-07-10", periods=48, freq="1h", tz="Europe/Madrid")
    again = read(tmp_path, str(tmp_path / "town.epw"), times=summer)
    # The clock of the profile is an hour ahead in summer; that of the weather file never is.
    assert np.allclose(again.ambient, of_year(summer), atol=1e-3)
    assert any("days of the year" in finding.text for finding in again.findings)


def test_a_tmy3_file_is_known_by_its_second_line(tmp_path: Path):
    ends = pd.date_range("2001-01-01 01:00", periods=8760, freq="1h")
    rows = [
        f"{(t - pd.Timedelta(hours=1)):%m/%d}/{1990 + t.month},{(t.hour or 24):02d}:00,{t.month}"
        for t in ends
    ]
    head = '722780,"TOWN",XX,1.0,39.2,-5.6,330\nDate (MM/DD/YYYY),Time (HH:MM),Dry-bulb (C)'
    (tmp_path / "town.csv").write_text("\n".join([head, *rows]) + "\n")
    profile = read(tmp_path, str(tmp_path / "town.csv"))
    assert profile.ambient[:40] == pytest.approx(2.0) and profile.ambient[-3:] == pytest.approx(3.0)


def test_a_table_of_the_same_days_is_joined_by_the_instant(tmp_path: Path):
    times = pd.date_range("2024-02-26 12:00", periods=150, freq="1h", tz="UTC")
    celsius = np.asarray(times.hour + times.day / 10)
    table = pd.DataFrame({"time": times.strftime("%Y-%m-%dT%H:%MZ")})
    table["temperature [°F]"] = celsius * 1.8 + 32
    table.to_csv(tmp_path / "station.csv", index=False)
    profile = read(tmp_path, str(tmp_path / "station.csv"))
    utc = HOURS.tz_convert("UTC")
    assert np.allclose(profile.ambient, utc.hour + utc.day / 10)
    assert profile.air_std == STATION_K and profile.air_known


def test_weather_of_other_days_is_refused_unless_it_is_a_year(tmp_path: Path):
    times = pd.date_range("2023-05-01", periods=48, freq="1h", tz="UTC")
    table = pd.DataFrame({"time": times.strftime("%Y-%m-%dT%H:%MZ"), "temp": 20.0})
    table.to_csv(tmp_path / "short.csv", index=False)
    with pytest.raises(InputError, match="but the profile from 2024-02-27"):
        read(tmp_path, str(tmp_path / "short.csv"))
    with pytest.raises(InputError, match="There is no weather file"):
        read(tmp_path, "missing.epw")


def test_another_year_is_in_doubt_by_how_days_differ():
    hours = pd.date_range("2023-01-01", periods=8760, freq="1h", tz="UTC")
    rng, season = np.random.default_rng(0), 10 * np.cos(np.arange(365) / 365 * 2 * np.pi)
    wanted = pd.date_range("2025-06-01", periods=10, freq="1h", tz="UTC")
    for spread in (0.0, 4.0):
        daily = season + spread * rng.standard_normal(365)
        std = Weather("made", hours, np.repeat(daily, 24), typical=False).std(wanted)
        # Days of both years differ from the season's mean, each by the spread.
        assert std == pytest.approx(np.hypot(STATION_K, 2**0.5 * spread), rel=0.08)


def test_gaps_of_a_weather_file_stay_empty():
    hours = pd.date_range("2024-02-27", periods=96, freq="1h", tz="UTC").delete(np.arange(20, 40))
    air = Weather("made", hours, np.ones(76), typical=False).at(HOURS[2:])
    assert np.isnan(air).sum() == 20
