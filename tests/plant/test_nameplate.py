"""Nameplates are completed by the guide's defaults, and bad ones are refused by field."""

from importlib.resources import files
from pathlib import Path

import pytest

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from, read_nameplate, write_nameplate
from agewise.plant.quantity import Quantity
from agewise.twin.cases import CASES

FULL = """
name = "full"
rated_power_kva = 1100.0
no_load_losses_w = 842.0
load_losses_w = 9800.0
cooling = "ONAN"
[oil]
time_constant_min = 266.8
top_oil_rise_k = 45.0
exponent = 0.8
k11 = 0.5
[winding]
time_constant_min = 9.75
gradient_k = { mean = 15.1, std = 1.5 }
exponent = 1.3
k21 = 2.32
k22 = 2.05
[tank]
height_m = 1.0
conductivity_w_per_mk = 10.0
heat_capacity_j_per_m3k = 1.653e6
heat_transfer_w_per_m3k = 103.26
volume_m3 = 2.29
[insulation]
paper = "normal"
life_hours = 262980.0
[history]
commissioned = 1998-05-01
life_used_hours = { mean = 180000.0, std = 20000.0 }
"""
SHORT = "rated_power_kva = {}\nno_load_losses_w = 5000\nload_losses_w = 90000\ncooling = '{}'\n"


@pytest.mark.parametrize("text", [FULL, SHORT.format(2000, "ONAN")])
def test_what_is_written_is_read_back(tmp_path: Path, text: str):
    nameplate = nameplate_from(text)
    write_nameplate(nameplate, tmp_path / "n.toml")
    read = read_nameplate(tmp_path / "n.toml")
    assert read == nameplate
    assert read.assumed == nameplate.assumed, "what was assumed still counts as assumed"


@pytest.mark.parametrize("standard", ["iec", "ieee"])
@pytest.mark.parametrize(("paper", "reference"), [("", 110.0), ('paper = "normal"', 95.0)])
def test_a_paper_that_nobody_named_is_not_written_as_if_it_were(
    tmp_path: Path, paper: str, reference: float, standard: str
):
    """IEEE takes a paper that is said to be normal for one of 95 °C, and any other for 110 °C."""
    top = f'standard = "{standard}"\n{SHORT.format(2000, "ONAN")}'
    nameplate = nameplate_from(f"{top}[insulation]\n{paper}\n")
    for read in _written_twice(nameplate, tmp_path):
        assert read == nameplate
        by_ieee = read.by_standard("iec").by_standard("ieee")
        assert by_ieee.ageing_law.reference_hot_spot == reference


def _written_twice(nameplate: Nameplate, folder: Path) -> list[Nameplate]:
    read = [nameplate]
    for number in (1, 2):
        write_nameplate(read[-1], folder / f"{number}.toml")
        read.append(read_nameplate(folder / f"{number}.toml"))
    return read


def test_what_is_said_to_be_assumed_is_a_field_of_oil_or_winding():
    read = nameplate_from('from_table = ["oil.k11"]\n' + FULL)
    assert read.assumed == ("oil.k11",)
    with pytest.raises(InputError, match=r"'tank.height_m' is no constant of oil or winding"):
        nameplate_from('from_table = ["tank.height_m"]\n' + FULL)


def test_units_are_converted_once():
    constants, tank = nameplate_from(FULL).thermal_constants(), nameplate_from(FULL).oil_tank()
    assert constants.oil_time_constant == 266.8 * 60
    assert constants.winding_time_constant == 9.75 * 60
    assert constants.gradient == 15.1
    assert constants.loss_ratio == pytest.approx(9800 / 842)
    assert tank.volume == 2.29
    assert nameplate_from(FULL).winding.gradient_k.std == 1.5
    assert nameplate_from(FULL).oil.k11.std is None


@pytest.mark.parametrize(
    ("power", "cooling", "oil_min", "winding_min", "gradient", "k21"),
    [
        (2500, "ONAN", 180, 4, 23, 1.0),
        (2501, "ONAN", 210, 10, 22, 2.0),
        (2000, "ONAF", 150, 7, 22, 2.0),
        (40000, "OF", 90, 7, 22, 1.3),
        (40000, "OD", 90, 7, 22, 1.0),
    ],
)
def test_defaults_follow_the_cooling(power, cooling, oil_min, winding_min, gradient, k21):
    nameplate = nameplate_from(SHORT.format(power, cooling))
    assert nameplate.oil.time_constant_min.mean == oil_min
    assert nameplate.oil.top_oil_rise_k.mean == 60
    assert nameplate.winding.time_constant_min.mean == winding_min
    assert nameplate.winding.gradient_k.mean == gradient
    assert nameplate.winding.k21.mean == k21


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("gradient_k", "gradiant_k", "unknown field 'winding.gradiant_k'"),
        ("[winding]", "[windings]", "unknown field 'windings'"),
        ("std = 1.5", "sd = 1.5", "unknown field 'winding.gradient_k.sd'"),
        ("\nload_losses_w", "\nload_loss_w", "unknown field 'load_loss_w'"),
        ("load_losses_w = 9800.0", "", "lacks the field 'load_losses_w'"),
        ("842.0", "-842.0", "'no_load_losses_w' is -842.0, but it must be above 0"),
        ("842.0", "'abc'", "'no_load_losses_w' is 'abc', but it must be a valid number"),
        ("842.0", "nan", "'no_load_losses_w' is nan"),
        ("842.0", "true", "'no_load_losses_w' is True"),
        ("842.0", "99999.0", "as if they were swapped"),
        ("1100.0", "1.1", "as if that were in MVA"),
        ("842.0\nload_losses_w = 9800.0", "0.842\nload_losses_w = 9.8", "as if they were in kW"),
        ("std = 1.5", "std = 150.0", "its std .* must not exceed it"),
        ("k21 = 2.32", "k21 = 0.5", "'winding.k21' is 0.5, but it must be at least 1"),
        ("std = 1.5", "std = -1.5", "'winding.gradient_k.std' is -1.5"),
        ('"ONAN"', '"ONON"', "'cooling' is 'ONON', but it must be 'ONAN', 'ONAF', 'OF' or 'OD'"),
        ("9.75", "300.0", "winding.time_constant_min is not below oil.time_constant_min"),
        ("2.29", "5.0", "imply a top-oil rise of 20.61 K, but oil.top_oil_rise_k is 45"),
        (
            "heat_transfer_w_per_m3k = 103.26\nvolume_m3 = 2.29",
            "volume_m3 = 50.0",
            "imply a top-oil",
        ),
        ("103.26", "300.0", "implies an oil time constant of 91.83 min"),
        ("[oil]", "[oil]\nbottom = 'air'", "'oil.bottom' is 'air', but it must be 'ambient'"),
        ("[oil]", "[oil]\nbottom_rise_k = -1", "'oil.bottom_rise_k' is -1.* at least 0"),
        (
            "[oil]",
            "[oil]\nbottom_rise_k = 45",
            "bottom_rise_k .45. is not below oil.top_oil_rise_k",
        ),
        ("[oil]", "[oil]\nbottom = 'ambient'\nbottom_rise_k = 9", "give one of them"),
        ("[oil]", "[oil", "not valid TOML"),
        ("1998-05-01", "'soon'", "'history.commissioned' is 'soon'"),
    ],
)
def test_bad_fields_are_refused_by_name(old: str, new: str, sentence: str):
    with pytest.raises(InputError, match=sentence) as caught:
        nameplate_from(FULL.replace(old, new, 1))
    assert "\n" not in caught.value.sentence
    assert caught.value.hint


def test_a_month_without_a_day_is_told_how_to_write_it():
    with pytest.raises(InputError, match="not valid TOML") as caught:
        nameplate_from(FULL.replace("1998-05-01", "1998-05"))
    assert caught.value.hint == "write a date in full: 1998-05-01 instead of 1998-05."


def test_a_misspelt_field_gets_a_suggestion():
    with pytest.raises(InputError) as caught:
        nameplate_from(FULL.replace("gradient_k", "gradiant_k"))
    assert caught.value.hint == "did you mean 'gradient_k'?"


def test_files_that_are_not_there_or_not_text_are_named(tmp_path: Path):
    with pytest.raises(InputError, match="no file"):
        read_nameplate(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        read_nameplate(tmp_path / "binary.toml")


@pytest.mark.parametrize(
    ("power", "cooling", "share"),
    [
        (2500, "ONAN", 33 / 55),
        (2501, "ONAN", 34 / 52),
        (2000, "ONAF", 34 / 52),
        (40000, "OF", 36 / 56),
        (40000, "OD", 43 / 49),
    ],
)
def test_the_bottom_follows_the_cooling_unless_given(power: int, cooling: str, share: float):
    nameplate = nameplate_from(SHORT.format(power, cooling))
    assert nameplate.bottom_share() == Quantity(mean=share, std=5 / 60)


@pytest.mark.parametrize(
    ("given", "mean", "std"),
    [
        ('bottom = "ambient"', 0.0, 0.0),
        ("bottom_rise_k = 27.0", 27 / 45, 5 / 45),
        ("bottom_rise_k = { mean = 27.0, std = 2.0 }", 27 / 45, 2 / 45),
    ],
)
def test_what_is_said_of_the_bottom_holds_and_is_no_constant_of_the_guide(
    tmp_path: Path, given: str, mean: float, std: float
):
    plain, nameplate = (
        nameplate_from(FULL),
        nameplate_from(FULL.replace("[oil]", f"[oil]\n{given}")),
    )
    assert nameplate.bottom_share() == Quantity(mean=mean, std=std)
    assert nameplate.thermal_quantities() == plain.thermal_quantities()
    assert nameplate.thermal_constants() == plain.thermal_constants()
    assert nameplate.assumed == plain.assumed == ()
    write_nameplate(nameplate, tmp_path / "n.toml")
    assert read_nameplate(tmp_path / "n.toml") == nameplate


@pytest.mark.parametrize("name", CASES)
def test_bundled_nameplates_are_whole(name: str):
    assert CASES[name].nameplate().name == name
    assert CASES[name].nameplate().oil.bottom == "ambient"
    assert files("agewise.twin").joinpath("bundled", f"{name}.toml").is_file()
