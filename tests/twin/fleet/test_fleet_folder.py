"""A made fleet: the same seed is the same files, and its truth is what the files show."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import here

from agewise.errors import InputError
from agewise.plant.nameplate_file import read_nameplate
from agewise.plant.profile import Profile
from agewise.reading.profile_file import read_profile
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.iec60076 import hot_spot_rise
from agewise.twin.fleet.fleet_folder import readings, write_fleet
from agewise.twin.fleet.hopeless import HOPELESS
from agewise.twin.fleet.incidents import Incident
from agewise.twin.fleet.settings import FleetSettings
from agewise.twin.fleet.truth import life
from agewise.twin.fleet.unit import drawn_unit, window

SHORT = FleetSettings(seed=3, assets=3, days=2.0)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_one_seed_gives_one_fleet_to_the_byte(tmp_path: Path):
    write_fleet(SHORT, tmp_path / "first")
    write_fleet(SHORT, tmp_path / "second")
    assert contents(tmp_path / "first") == contents(tmp_path / "second")


def test_a_larger_fleet_begins_with_the_smaller_one(tmp_path: Path):
    write_fleet(SHORT, tmp_path / "three")
    write_fleet(replace(SHORT, assets=2), tmp_path / "two")
    two, three = contents(tmp_path / "two"), contents(tmp_path / "three")
    units = {name: text for name, text in two.items() if name.startswith("T")}
    assert units and units.items() <= three.items()


def test_the_truth_is_what_the_files_show():
    """Hot spot and life used again, by the true constants from the rows that are written."""
    settings = FleetSettings(seed=5, days=10.0, step_min=5)
    for number in range(6):
        unit = replace(drawn_unit(settings, number), incident=Incident())
        lived = window(settings, unit)
        truth, frame = life(settings, unit, lived).truth, readings(settings, unit, lived)
        seconds = (frame["time"] - frame["time"].iloc[0]).dt.total_seconds().to_numpy()
        rise = hot_spot_rise(unit.true.thermal_constants(), seconds, frame["load"].to_numpy())
        hot = frame["top_oil"].to_numpy() + rise
        used = loss_of_life(seconds, unit.true.insulation.law.rate(hot), axis=0)[-1]
        assert np.isclose(used, truth.loss_of_life_h, rtol=0.05)
        assert abs(hot.max() - truth.hot_spot_c) < 3.0  # noise of the thermometer at its worst


def test_units_differ():
    units = [drawn_unit(FleetSettings(seed=0), number) for number in range(80)]
    sizes = [unit.true.rated_power_kva.mean for unit in units]
    assert min(sizes) <= 160 and max(sizes) >= 63_000
    assert {unit.true.cooling for unit in units} == {"ONAN", "ONAF", "OF", "OD"}
    assert {unit.shape for unit in units} == {"city", "works", "homes", "solar"}
    assert len({unit.place for unit in units}) == 8
    kinds = {unit.incident.kind for unit in units}
    assert kinds == {"", "cooling lost", "overload", "sensor gone"}


def test_lost_cooling_heats_the_oil_from_its_day_on():
    settings = FleetSettings(seed=1, days=4.0)
    sound = replace(drawn_unit(settings, 0), incident=Incident())
    poor = replace(sound, incident=Incident("cooling lost", 0.5, 2.0))
    difference = window(settings, poor).top_oil - window(settings, sound).top_oil
    assert np.all(difference[: 2 * 1440] == 0)
    # Half of the heat transfer is left, so in the end the oil rises twice as far.
    rise = window(settings, sound).top_oil - window(settings, sound).air
    late = slice(3 * 1440, None)
    assert np.isclose(difference[late].mean(), rise[late].mean(), rtol=0.15)


def test_a_sensor_that_is_gone_shows_nothing():
    settings = FleetSettings(seed=1, days=2.0)
    unit = replace(drawn_unit(settings, 0), incident=Incident("sensor gone", 0.0, 1.0, "top_oil"))
    frame = readings(settings, unit, window(settings, unit))
    assert np.array_equal(frame["top_oil"].isna(), np.arange(len(frame)) >= 95)


def test_a_load_is_the_mean_of_the_interval_that_ends_at_its_time():
    unit, settings = drawn_unit(SHORT, 0), SHORT
    lived = window(settings, unit)
    frame = readings(settings, unit, lived)
    assert len(frame) == 2 * 96 and frame["time"].iloc[0] == lived.times[15]
    assert np.isclose(frame["load"].iloc[3], lived.load[46:61].mean())


def test_the_end_is_where_the_life_is_used_up():
    settings = FleetSettings(seed=0, days=3.0)
    for number in range(5):
        unit = drawn_unit(settings, number)
        truth = life(settings, unit, window(settings, unit)).truth
        used = truth.life_used_before_h + truth.loss_of_life_h
        assert 0 < truth.life_used_before_h < truth.life_h
        assert np.isclose(used + truth.years_left * truth.yearly_use_h, truth.life_h)


def used(folder: Path) -> Profile:
    """The profile of a unit, read as a command reads it."""
    sheet = read_nameplate(folder / "nameplate.toml")
    return read_profile(folder / "profile.csv", rated=sheet.rated())


def test_dirty_files_are_read(tmp_path: Path):
    settings = FleetSettings(seed=100, assets=8, days=2.0, dirty=1.0, hopeless=0.0)
    units = write_fleet(settings, tmp_path / "fleet")
    catalogue = pd.read_csv(tmp_path / "fleet" / "fleet.csv", keep_default_na=False)
    assert len({unit["dialect"] for unit in units}) > 3
    for row, unit in zip(catalogue.to_dict("records"), units, strict=True):
        assert row["id"] == unit["id"] and bool(row["scenario"]) == unit["scenario"]
        assert (tmp_path / "fleet" / row["data"]).is_file()
        peak = used(tmp_path / "fleet" / unit["id"]).load.max()
        assert 0.2 * unit["loading"] < peak < 3 * unit["loading"]


def test_hopeless_files_are_refused(tmp_path: Path):
    sound = FleetSettings(seed=100, assets=1, days=1.0, dirty=0.0, hopeless=0.0)
    write_fleet(sound, tmp_path / "fleet")
    assert used(tmp_path / "fleet" / "T0001").load.size == 96
    for number, spoil in enumerate(HOPELESS.values()):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "fleet" / "T0001", folder)
        spoil(folder)
        with pytest.raises(InputError):
            used(folder)


def test_some_files_are_hopeless(tmp_path: Path):
    (unit,) = write_fleet(replace(SHORT, assets=1, hopeless=1.0), tmp_path / "fleet")
    assert unit["hopeless"] in HOPELESS
    with pytest.raises(InputError):
        used(tmp_path / "fleet" / "T0001")


def test_the_command_makes_a_fleet_and_refuses_what_is_one_plants(tmp_path: Path):
    words = ("twin", "--fleet", 2, "--days", 1, "--step", 30, "--seed", 7)
    made = here(*words, "--out", tmp_path / "fleet")
    assert made.returncode == 0 and "2 transformers" in made.stdout
    assert len(json.loads((tmp_path / "fleet" / "truth.json").read_text())["units"]) == 2
    assert len(pd.read_csv(tmp_path / "fleet" / "T0001" / "profile.csv", sep=None, engine="python"))
    again = here(*words, "--out", tmp_path / "fleet")
    assert again.returncode == 2 and "not an empty folder" in again.stderr
    mixed = here(*words, "--noise", 2, "--out", tmp_path / "other")
    assert mixed.returncode == 2 and "--noise is an option of one plant" in mixed.stderr
