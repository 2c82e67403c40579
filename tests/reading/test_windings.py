"""Windings with loads of their own: the oil by all of them, the hot spot by the highest."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import agewise
from agewise.assessment.life.winding import gathered
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from, read_nameplate, write_nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.reading.options import Reading
from agewise.reading.profile_file import read_profile, stored_profile, write_profile

PLAIN = """
rated_power_kva = 40000
no_load_losses_w = 20000
load_losses_w = 170000
cooling = "ONAF"
"""
LOSSES = (80000, 60000, 30000)
ROWS = 300


def unit(powers: tuple = (40000, 30000, 10000), losses: tuple = LOSSES) -> Nameplate:
    tables = [f"[[rated_windings]]\nrated_power_kva = {power}\n" for power in powers]
    for number, watts in enumerate(losses):
        tables[number] += f"load_losses_w = {watts}\n"
    return nameplate_from(PLAIN + "".join(tables))


def read(plate: Nameplate, *loads: np.ndarray | float) -> Profile:
    hours = np.arange(ROWS) / 6
    times = pd.date_range("2025-01-01", periods=ROWS, freq="10min", tz="UTC")
    frame = {"time": times.strftime("%Y-%m-%dT%H:%MZ"), "ambient": 20 + np.sin(hours / 4)}
    frame |= {f"w{n}": values for n, values in enumerate(loads)}
    reading = Reading(
        columns={"load": "+".join(f"w{n}" for n in range(len(loads)))}, units={"load": "p.u."}
    )
    return read_profile(pd.DataFrame(frame), reading, rated=plate.rated())


WAVE = 0.6 + 0.2 * np.sin(np.arange(ROWS) / 20)


def test_equal_loads_are_one_load():
    plate = unit()
    made = read(plate, WAVE, WAVE, WAVE)
    # Their losses are together those of the unit.
    assert np.allclose(oil_load(made, plate), WAVE)
    plain = nameplate_from(PLAIN)
    one = agewise.iec_answer(replace(made, oil_share=None), plain)
    three = agewise.iec_answer(made, plate)
    assert np.allclose(one.top_oil, three.top_oil) and np.allclose(one.hot_spot, three.hot_spot)


def test_the_oil_is_heated_by_losses_and_the_hot_spot_by_the_highest():
    plate = unit()
    made = read(plate, WAVE, 0.5 * WAVE, 0.0)
    assert np.allclose(made.load, WAVE)
    equivalent = WAVE * np.sqrt((80 + 60 * 0.25) / 170)
    assert np.allclose(oil_load(made, plate), equivalent)
    answer = agewise.iec_answer(made, plate)
    lighter, plain = read(unit(), *[equivalent] * 3), nameplate_from(PLAIN)
    assert np.allclose(answer.top_oil, agewise.iec_answer(lighter, plain).top_oil)
    heavier = agewise.iec_answer(read(plate, WAVE, WAVE, WAVE), plate)
    rise, usual = answer.hot_spot - answer.top_oil, heavier.hot_spot - heavier.top_oil
    assert np.allclose(rise, usual)
    assert np.allclose(gathered(made, plate, "backward").oil_load, equivalent)
    ieee = agewise.ieee_answer(made, plate).top_oil
    assert np.allclose(ieee, agewise.ieee_answer(lighter, plain).top_oil)


@pytest.mark.parametrize(
    ("powers", "loads", "expected"),
    [
        # Powers that balance: all full is the rated load.
        ((40000, 30000, 10000), (1.0, 1.0, 1.0), 1.0),
        # Of 40, 40 and 20 two can be full.
        ((40000, 40000, 20000), (1.0, 1.0, 0.0), 1.0),
        ((40000, 40000, 20000), (1.0, 0.5, 1.0), np.sqrt((40 + 10 + 20) / 80)),
        ((40000, 40000), (1.0, 1.0), 1.0),
    ],
)
def test_without_losses_they_go_with_power(powers: tuple, loads: tuple, expected: float):
    plate = unit(powers, ())
    made = read(plate, *(0.8 * WAVE * load for load in loads))
    assert np.allclose(oil_load(made, plate), 0.8 * WAVE * expected)


@pytest.mark.parametrize(("unit_name", "kilo"), [("kVA", 1.0), ("MVA", 1000.0)])
def test_power_of_a_winding_is_divided_by_its_own_rating(unit_name: str, kilo: float):
    """A tertiary of 10 MVA that carries 9 is loaded more than a unit of 40 MVA that carries 20."""
    plate = unit()
    powers = {"S_HV": 20000.0, "S_MV": 15000.0, "S_TV": 9000.0}
    columns = {f"{name} [{unit_name}]": [power / kilo] * 4 for name, power in powers.items()}
    frame = pd.DataFrame({"time": [0, 1, 2, 3], "ambient": 20.0} | columns)
    made = read_profile(frame, Reading(columns={"load": "+".join(columns)}), rated=plate.rated())
    assert np.allclose(made.load, 0.9)
    equivalent = np.sqrt((80 * 0.5**2 + 60 * 0.5**2 + 30 * 0.9**2) / 170)
    assert np.allclose(oil_load(made, plate), equivalent)


@pytest.mark.parametrize("share", [-0.5, 85.0])
def test_a_share_that_no_windings_have_is_refused(share: float):
    plate = nameplate_from(PLAIN)
    made = replace(read(plate, WAVE, WAVE), oil_share=np.full(ROWS, share))
    with pytest.raises(InputError, match="oil_share goes from"):
        agewise.iec_answer(made, plate)


def test_a_tertiary_that_is_silent_keeps_the_share_before():
    gone = 0.5 * WAVE
    gone[100:110] = np.nan
    made = read(unit(), WAVE, WAVE, gone)
    assert made.oil_share is not None and np.isfinite(made.oil_share).all()
    assert made.oil_share[105] == pytest.approx(made.oil_share[99])


def test_shares_and_windings_are_written_and_read_back(tmp_path: Path):
    plate = unit()
    write_nameplate(plate, tmp_path / "n.toml")
    assert read_nameplate(tmp_path / "n.toml") == plate
    made = read(plate, WAVE, 0.5 * WAVE, 0.0)
    write_profile(made, tmp_path / "clean.csv")
    again = stored_profile(tmp_path / "clean.csv")
    assert np.allclose(oil_load(again, plate), oil_load(made, plate))


def test_windings_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="one entry only"):
        unit((40000,), ())
    with pytest.raises(InputError, match=r"170 together.* in kW"):
        unit(losses=(80, 60, 30))
    text = PLAIN + "[[rated_windings]]\nrated_power_kva = 40000\nload_losses_w = 80000\n"
    with pytest.raises(InputError, match="for every one of rated_windings"):
        nameplate_from(text + "[[rated_windings]]\nrated_power_kva = 40000\n")
    phases = pd.DataFrame({"time": [0, 1, 2, 3], "ambient": 20.0})
    for name in ("IL1", "IL2", "IL3"):
        phases[f"{name} [A]"] = [100.0, 200.0, 300.0, 400.0]
    made = read_profile(phases, Reading(rated_load=500.0), rated=unit().rated())
    assert made.oil_share is None, "phases of one winding are no windings"
