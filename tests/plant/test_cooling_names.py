"""A cooling is read as it is printed, and becomes one of the guide's four classes."""

from itertools import product
from pathlib import Path

import pytest

from agewise.assessment.decision.nameplate_findings import nameplate_findings
from agewise.errors import InputError
from agewise.plant.cooling_names import printed_cooling
from agewise.plant.nameplate_file import nameplate_from, read_nameplate, write_nameplate

UNIT = "rated_power_kva = 40000\nno_load_losses_w = 20000\nload_losses_w = 180000\ncooling = '{}'"


@pytest.mark.parametrize(
    ("printed", "cooling", "assumed"),
    [
        ("ONAN", "ONAN", 0),
        ("onaf", "ONAF", 0),
        ("OFAF", "OF", 0),
        ("OFWF", "OF", 0),
        ("ODAF", "OD", 0),
        ("odwf", "OD", 0),
        ("ODAN", "OD", 0),
        ("ONAN/ONAF", "ONAF", 1),
        ("ONAN - ONAF - OFAF", "OF", 1),
        ("KNAN", "ONAN", 1),
        ("KNAN/KNAF", "ONAF", 2),
        ("LNAN", "ONAN", 1),
        ("ONWF", "ONAF", 1),
        ("OA/FA/FOA", "OF", 2),
    ],
)
def test_printed_names_have_a_class_and_say_what_was_assumed(printed, cooling, assumed):
    known = printed_cooling(printed)
    assert known is not None
    assert (known.cooling, len(known.assumed)) == (cooling, assumed)


def test_the_second_letter_decides_wherever_the_oil_is_pumped():
    # IEC 60076-2: what moves the oil inside is the second letter, whatever cools it outside.
    for liquid, inside, outside, moves in product("OKL", "FD", "AW", "NF"):
        known = printed_cooling(liquid + inside + outside + moves)
        assert known is not None and known.cooling == "O" + inside


@pytest.mark.parametrize("printed", ["ONON", "", "/", "ONAN/20 MVA", "radiators", "OXAF"])
def test_names_that_are_none_are_refused_with_examples(printed: str):
    with pytest.raises(InputError, match="it must be 'ONAN', 'ONAF', 'OF' or 'OD'") as caught:
        nameplate_from(UNIT.format(printed))
    assert "OFAF" in caught.value.hint and "ONAN/ONAF" in caught.value.hint


def test_a_dry_type_unit_is_refused_for_what_it_is():
    with pytest.raises(InputError, match="dry-type"):
        nameplate_from(UNIT.format("AN/AF"))


def test_the_printed_name_is_kept_and_its_assumption_is_a_finding(tmp_path: Path):
    unit, plain = nameplate_from(UNIT.format("onan/onaf")), nameplate_from(UNIT.format("ONAF"))
    assert unit.thermal_constants() == plain.thermal_constants()
    write_nameplate(unit, tmp_path / "n.toml")
    assert read_nameplate(tmp_path / "n.toml") == unit
    texts = [finding.text for finding in nameplate_findings(unit)]
    assert any("last stage, ONAF" in text for text in texts)
    assert not any("is taken for" in finding.text for finding in nameplate_findings(plain))
