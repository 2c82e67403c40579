"""Stages and taps of a nameplate: one base of load, and a clear word on which is on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import agewise
from agewise.assessment.decision.plausibility import plausibility
from agewise.errors import InputError
from agewise.plant.nameplate_file import nameplate_from, read_nameplate, write_nameplate
from agewise.plant.profile import Profile, profile_from
from agewise.plant.staged_unit import stage_constants
from agewise.reading.profile_file import read_profile, stored_profile, write_profile

UNIT = """
rated_power_kva = 25000
no_load_losses_w = 12000
load_losses_w = 90000
cooling = "ONAN/ONAF"
[oil]
top_oil_rise_k = 50
[[cooling_stages]]
cooling = "ONAN"
rated_power_kva = 15000
top_oil_rise_k = 55
[[cooling_stages]]
cooling = "ONAF"
rated_power_kva = 25000
on_above_c = 65.0
off_below_c = 55.0
"""
TAPS = """
[[taps]]
position = 1
load_losses_w = 90000
[[taps]]
position = 17
load_losses_w = 120000
"""
COLUMN = UNIT.replace("on_above_c = 65.0\noff_below_c = 55.0\n", "")


def profile(load: float | np.ndarray = 0.6, **columns) -> Profile:
    frame = {"time": np.arange(0.0, 2880.0, 5.0), "load": load, "ambient": 20.0}
    return profile_from(pd.DataFrame(frame | columns))


def test_a_stage_at_its_own_rating_has_its_own_rise():
    unit = nameplate_from(UNIT)
    first, last = stage_constants(unit)
    assert last == unit.thermal_constants()
    own_load = np.array([15 / 25])
    assert first.top_oil_target(own_load) == pytest.approx(55.0)
    # By the guide's table natural cooling is slower, 210 min beside 150.
    assert first.oil_time_constant == pytest.approx(last.oil_time_constant * 210 / 150)
    # The winding does not feel the fans: the same gradient at the same load.
    assert first.gradient_target(own_load) == pytest.approx(last.gradient_target(own_load))
    given = nameplate_from(UNIT.replace("= 55\n", "= 55\ngradient_k = 12\n", 1))
    assert stage_constants(given)[0].gradient_target(own_load) == pytest.approx(12.0)


def test_steady_oil_is_that_of_the_stage_that_a_column_names():
    unit = nameplate_from(COLUMN)
    for stage, constants in enumerate(stage_constants(unit)):
        answer = agewise.iec_answer(profile(cooling_stage=stage), unit)
        expected = 20.0 + float(constants.top_oil_target(np.array([0.6]))[0])
        assert np.allclose(answer.top_oil, expected)


def test_a_rule_switches_by_the_oil_and_a_column_wins_over_it():
    unit = nameplate_from(UNIT)
    hot = agewise.iec_answer(profile(load=1.0), unit).top_oil
    assert np.allclose(hot, 20.0 + 50.0), "at rated load the fans are on"
    off = agewise.iec_answer(profile(load=1.0, cooling_stage=0), unit).top_oil
    assert (off > hot + 20).all()


def test_measured_oil_is_used_as_it_is_with_any_stage():
    unit, oil = nameplate_from(UNIT), 60 + 10 * np.sin(np.arange(576) / 40)
    staged = agewise.iec_answer(profile(top_oil=oil), unit)
    assert np.array_equal(staged.top_oil, oil)


def test_losses_by_tap_are_straight_between_positions():
    plain = nameplate_from(COLUMN.split("[[")[0])
    unit = nameplate_from(COLUMN.split("[[")[0] + TAPS)
    middle = agewise.iec_answer(profile(tap=9), unit).top_oil
    ratio = 105000 / 12000
    losses = (1 + ratio * 0.36) / (1 + 90 / 12)
    assert np.allclose(middle, 20.0 + 50.0 * losses**0.8)
    first = agewise.iec_answer(profile(tap=1), unit)
    assert np.allclose(first.top_oil, agewise.iec_answer(profile(), plain).top_oil)


def test_ieee_takes_the_losses_of_the_tap_too():
    unit = nameplate_from(COLUMN.split("[[")[0] + TAPS)
    plain = nameplate_from(COLUMN.split("[[")[0])
    heavier = agewise.ieee_answer(profile(tap=17), unit).top_oil
    # Losses of a tap heat the oil as the load that has them.
    same = agewise.ieee_answer(profile(load=0.6 * (120 / 90) ** 0.5), plain).top_oil
    assert np.allclose(heavier, same)


def test_taps_with_equal_losses_teach_the_same():
    alike = nameplate_from(COLUMN.split("[[")[0] + TAPS.replace("120000", "90000"))
    plain = nameplate_from(COLUMN.split("[[")[0])
    minutes = np.arange(576)
    made = profile(top_oil=45 + 5 * np.sin(minutes / 40), load=0.6 + 0.2 * np.sin(minutes / 50))
    moved = replace(made, tap=1.0 + minutes % 17)
    learned = [agewise.calibrate(made, plain).learned, agewise.calibrate(moved, alike).learned]
    assert learned[0] is not None and learned[1] is not None
    assert learned[0].draws == learned[1].draws
    other = agewise.calibrate(moved, nameplate_from(COLUMN.split("[[")[0] + TAPS)).learned
    assert other is not None and other.draws != learned[0].draws, "other losses teach another rise"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("rated_power_kva = 15000", "rated_power_kva = 30000", "in the order of their rated power"),
        ("= 25000\non_above", "= 24000\non_above", "the last of cooling_stages has 24000 kVA"),
        ("off_below_c = 55.0", "", "are given together"),
        ("off_below_c = 55.0", "off_below_c = 70.0", "is not below on_above_c"),
        ('"ONAN"\nrated_power_kva = 15000', '"FAN"\nrated_power_kva = 15000', "is not known"),
        ('"ONAF"\nrated', '"OFAF"\nrated', "the last of cooling_stages is OFAF"),
        ("on_above_c = 65.0", "on_abov_c = 65.0", "unknown field 'cooling_stages.1.on_abov_c'"),
        ("off_below_c = 55.0", "off_below_c = 55.0\ntop_oil_rise_k = 50", "stand in .oil."),
        # At 15 MVA the fans would leave 26 K: without them the oil cannot be cooler.
        ("top_oil_rise_k = 55", "top_oil_rise_k = 20", "cannot cool better than the last"),
        (
            '[[cooling_stages]]\ncooling = "ONAF"',
            '[[cooling_stages]]\ncooling = "ONAF"\nrated_power_kva = 20000\non_above_c = 75.0\n'
            'off_below_c = 50.0\n[[cooling_stages]]\ncooling = "ONAF"',
            "on_above_c of cooling_stages must not fall",
        ),
    ],
)
def test_stages_that_do_not_fit_are_refused(old: str, new: str, sentence: str):
    assert old in UNIT
    with pytest.raises(InputError, match=sentence) as caught:
        nameplate_from(UNIT.replace(old, new, 1))
    if "unknown field" in sentence:
        assert caught.value.hint == "did you mean 'on_above_c'?"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("position = 17", "position = 1", "the position 1 twice"),
        ("load_losses_w = 120000", "load_losses_w = 120", "position 17 is 120.* in kW"),
    ],
)
def test_taps_that_cannot_be_are_refused(old: str, new: str, sentence: str):
    with pytest.raises(InputError, match=sentence):
        nameplate_from(COLUMN.split("[[")[0] + TAPS.replace(old, new))


def test_nothing_says_which_stage_is_on():
    with pytest.raises(InputError, match="nothing says which of them is on"):
        agewise.iec_answer(profile(), nameplate_from(COLUMN))
    with pytest.raises(InputError, match="from 1 to 2, but the nameplate has 2"):
        agewise.iec_answer(profile(cooling_stage=np.arange(576) % 2 + 1.0), nameplate_from(COLUMN))
    with pytest.raises(InputError, match="which is no stage"):
        agewise.iec_answer(profile(cooling_stage=np.arange(576) % 2 / 2), nameplate_from(COLUMN))
    with pytest.raises(InputError, match="difference scheme"):
        agewise.iec_answer(profile(), nameplate_from(UNIT), scheme="difference")


def test_states_are_read_held_and_written_back(tmp_path: Path):
    times = pd.date_range("2025-01-01", periods=400, freq="10min", tz="UTC")
    wave = np.sin(np.arange(400) / 20)
    frame = pd.DataFrame({"time": times.strftime("%Y-%m-%dT%H:%MZ"), "load": 0.5 + 0.1 * wave})
    frame["ambient"] = 10 + 3 * np.roll(wave, 5)
    frame["fans"] = [0] * 150 + [""] * 50 + [1] * 200
    frame["tap"] = 9
    frame.drop(index=range(160, 180)).iloc[::-1].to_csv(tmp_path / "p.csv", index=False)
    read = read_profile(tmp_path / "p.csv", agewise.Reading(columns={"cooling_stage": "fans"}))
    assert read.cooling_stage is not None and read.tap is not None
    assert read.load.size == 400, "rows that are missing come back"
    assert read.cooling_stage.tolist() == [0.0] * 200 + [1.0] * 200
    assert (read.tap == 9).all()
    write_profile(read, tmp_path / "clean.csv")
    again = stored_profile(tmp_path / "clean.csv")
    assert np.array_equal(np.asarray(again.cooling_stage), read.cooling_stage)
    part = again.between(100, 300)
    assert part.cooling_stage is not None and part.cooling_stage.size == 201


def test_a_nameplate_with_stages_and_taps_is_written_and_read_back(tmp_path: Path):
    unit = nameplate_from(UNIT + TAPS)
    write_nameplate(unit, tmp_path / "n.toml")
    assert read_nameplate(tmp_path / "n.toml") == unit


def test_an_assessment_says_how_far_it_follows_stages():
    unit = nameplate_from(COLUMN)
    oil = 55 + 5 * np.sin(np.arange(576) / 40)
    mixed = profile(top_oil=oil, cooling_stage=(np.arange(576) >= 288).astype(float))
    (told,) = (f.text for f in plausibility(mixed, unit) if f.kind == "switched")
    assert "For 50 % of the time" in told and "follow its stages" in told
    ruled = replace(mixed, cooling_stage=None)
    (told,) = (f.text for f in plausibility(ruled, nameplate_from(UNIT)) if f.kind == "switched")
    assert "learns nothing about the unit" in told and "no column cooling_stage" in told
    allon = replace(mixed, cooling_stage=np.ones(576))
    assert not [f for f in plausibility(allon, unit) if f.kind == "switched"]
