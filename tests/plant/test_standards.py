"""A nameplate by IEEE C57.91: what changes, what stays, and the way back."""

from pathlib import Path

import pytest

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from, read_nameplate, write_nameplate
from agewise.plant.standards import average_winding_rise, ieee_constants
from agewise.transformer.ageing.ieee import IEEE_55, IEEE_65
from agewise.twin.cases import CASES

LEAST = """
rated_power_kva = 25000.0
no_load_losses_w = 18000.0
load_losses_w = 120000.0
cooling = "ONAF"
"""


def unit(more: str = "", standard: str = "ieee") -> Nameplate:
    return nameplate_from(f'standard = "{standard}"\n{LEAST}{more}')


def test_clause_7_takes_its_own_exponents_and_no_overshoot():
    constants = ieee_constants(CASES["aged-substation"].nameplate().by_standard("ieee"))
    assert (constants.oil_exponent, constants.winding_exponent) == (0.9, 1.6)
    assert (constants.k11, constants.k21, constants.k22) == (1.0, 1.0, 1.0)
    assert (constants.top_oil_rise, constants.gradient) == (60.0, 24.0)  # facts of the unit
    assert constants.oil_time_constant == 150 * 60


def test_the_oil_of_a_unit_whose_oil_is_measured_stays_what_it_is():
    given = CASES["aged-substation"].nameplate()
    assert given.by_standard("ieee").oil == given.oil


@pytest.mark.parametrize("case", CASES)
def test_there_and_back_is_the_same_nameplate(case: str, tmp_path: Path):
    given = CASES[case].nameplate()
    changed = given.by_standard("ieee")
    assert changed.by_standard("iec") == given
    assert changed.by_standard("ieee") is changed
    write_nameplate(changed, tmp_path / "ieee.toml")
    read = read_nameplate(tmp_path / "ieee.toml")
    assert read == changed
    assert read.assumed == changed.assumed
    assert read.by_standard("iec") == given


def test_a_nameplate_may_name_the_standard_itself():
    asked, named = unit(standard="iec").by_standard("ieee"), unit()
    assert named == asked
    assert named.insulation.law is IEEE_65
    assert named.insulation.life_hours.mean == 180_000


def test_gradient_and_rise_follow_from_the_rise_of_the_hottest_spot():
    assert unit().thermal_constants().gradient == 80.0 - 60.0
    old = unit("[ieee]\naverage_winding_rise_k = 55").thermal_constants()
    assert (old.top_oil_rise, old.gradient) == (45.0, 20.0)
    measured = unit("[oil]\ntop_oil_rise_k = 50\n[ieee]\nhot_spot_rise_k = { mean = 74, std = 2 }")
    assert (measured.winding.gradient_k.mean, measured.winding.gradient_k.std) == (24.0, 2.0)
    given = unit("[winding]\ngradient_k = 15\n[ieee]\nhot_spot_rise_k = 74")
    assert given.winding.gradient_k.mean == 15.0


def test_the_paper_tells_the_rise_unless_it_is_given():
    assert average_winding_rise(unit()) == 65
    assert average_winding_rise(unit('[insulation]\npaper = "upgraded"')) == 65
    kraft = unit('[insulation]\npaper = "normal"')
    assert average_winding_rise(kraft) == 55 and kraft.insulation.law is IEEE_55
    said = unit('[insulation]\npaper = "normal"\n[ieee]\naverage_winding_rise_k = 65.0')
    assert said.insulation.law is IEEE_65


def test_an_end_of_life_is_a_criterion_or_a_number():
    strict = unit('[ieee]\nend_of_life = "tensile strength 50 %"')
    assert strict.insulation.life_hours.mean == 65_000
    own = unit("[ieee]\nlife_hours = { mean = 150000, std = 20000 }").insulation.life_hours
    assert (own.mean, own.std) == (150_000, 20_000)


def test_the_share_of_the_life_that_was_used_is_the_same_by_both():
    given = CASES["aged-substation"].nameplate()
    shares = []
    for each in (given, given.by_standard("ieee")):
        used = each.history.life_used_hours
        assert used is not None and used.std is not None
        shares.append((used.mean / each.insulation.life_hours.mean, used.std / used.mean))
    assert shares[0] == pytest.approx(shares[1])


def test_exponents_may_be_given():
    own = unit("[ieee]\noil_exponent = 0.85\nwinding_exponent = { mean = 0.7, std = 0.05 }")
    assert ieee_constants(own).oil_exponent == 0.85
    assert (own.winding.exponent.mean, own.winding.exponent.std) == (1.4, 0.1)
    assert "winding.exponent" not in own.assumed
    assert "winding.k21" in own.assumed


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("[ieee]\naverage_winding_rise_k = 60", "it must be 55 or 65"),
        ("[oil]\ntop_oil_rise_k = 82", "not below the hottest spot's rise"),
        ('[ieee]\nend_of_life = "tomorrow"', "end_of_life"),
        ("[ieee]\nmoisture = 1", "unknown field 'ieee.moisture'"),
    ],
)
def test_what_cannot_be_is_refused(more: str, sentence: str):
    with pytest.raises(InputError, match=sentence):
        unit(more)
