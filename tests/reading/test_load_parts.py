"""A load in parts is the load: the highest of phases or windings, or the apparent power."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import record_from
from hypothesis import given, settings
from hypothesis import strategies as st

from agewise.errors import InputError
from agewise.plant.measures import Rated
from agewise.plant.nameplate import Nameplate
from agewise.reading.heading import Heading
from agewise.reading.load_parts import phase_groups, phase_unit, power_pair
from agewise.reading.mapping import mapping
from agewise.reading.options import KEYS, Reading

UNIT = Rated.of_unit(1000.0, voltage_v=400.0)
BASE = {"time": [0, 1, 2, 3], "ambient": [20.0, 21.0, 22.0, 23.0]}


@pytest.mark.parametrize(
    ("names", "unit"),
    [
        ("IL1 IL2 IL3", None),
        ("I_A I_B I_C", None),
        ("I1 I2 I3", None),
        ("Ir Is It", None),
        ("IL1_A IL2_A IL3_A", "A"),
        ("Current A [A]|Current B [A]|Current C [A]", "A"),
        ("Phase A current (kA)|Phase B current (kA)|Phase C current (kA)", "kA"),
        ("Strom L1 [A]|Strom L2 [A]|Strom L3 [A]", "A"),
        ("Corriente fase R (A)|Corriente fase S (A)|Corriente fase T (A)", "A"),
        ("L1 (A)|L2 (A)|L3 (A)", "A"),
        ("LV Ia|LV Ib|LV Ic", None),
        ("Load L1 [%]|Load L2 [%]|Load L3 [%]", "%"),
    ],
)
def test_phase_currents_are_known_by_their_names(names: str, unit: str | None):
    columns = names.split("|") if "|" in names else names.split()
    headings = [Heading(name) for name in columns]
    assert phase_groups([*headings, Heading("VL1"), Heading("IN")]) == [tuple(columns)]
    assert {phase_unit(heading) for heading in headings} == {unit}


@pytest.mark.parametrize("names", ["VL1 VL2 VL3", "L1 L2 L3", "IL1 IL2 IN", "T1 T2 T3", "A B C"])
def test_other_triples_are_no_currents(names: str):
    assert phase_groups([Heading(name) for name in names.split()]) == []


CURRENTS = st.lists(st.floats(0, 3000), min_size=4, max_size=4)


@given(CURRENTS, CURRENTS, CURRENTS)
@settings(max_examples=10, deadline=None)
def test_the_highest_phase_counts_whatever_their_order(first: list, second: list, third: list):
    phases = [first, second, third]
    for names in (("A", "B", "C"), ("C", "A", "B")):
        columns = {f"I{name} [A]": phase for name, phase in zip(names, phases, strict=True)}
        load = record_from(pd.DataFrame(BASE | columns), rated=UNIT).columns["load"]
        assert np.allclose(load * UNIT.of("A"), np.max(phases, axis=0), rtol=1e-12)


def test_phases_that_are_equal_are_the_load_of_one_column():
    amps = [100.0, 900.0, 1443.4, 0.0]
    three = record_from(pd.DataFrame(BASE | {f"IL{n} [A]": amps for n in (1, 2, 3)}), rated=UNIT)
    one = record_from(pd.DataFrame(BASE | {"I [A]": amps}), rated=UNIT)
    assert np.array_equal(three.columns["load"], one.columns["load"])
    assert any("0 % above their rms" in each.text for each in three.notes)


def test_a_dead_current_transformer_is_asked_about_and_holes_are_counted():
    amps = [100.0, 900.0, 1443.4, 500.0]
    columns = {"IL1 [A]": amps, "IL2 [A]": 0.0, "IL3 [A]": [*amps[:3], np.nan]}
    record = record_from(pd.DataFrame(BASE | columns), rated=UNIT)
    taken, missing = (each for each in record.notes if each.column == "load")
    assert "is one of them measured wrongly?" in taken.text
    # A finding of its own: of several files each has its own rows, which are not those of another.
    assert "In 1 row one of the currents is missing" in missing.text
    assert (missing.kind, missing.rows, missing.stretches) == ("missing", 1, ((3, 3),))
    assert np.allclose(record.columns["load"] * UNIT.of("A"), amps)


@pytest.mark.parametrize("code", [-999.0, -9999.0, -32768.0])
@pytest.mark.parametrize("names", [["I [A]"], ["IL1 [A]", "IL2 [A]", "IL3 [A]"]])
def test_a_code_for_no_value_is_no_load(code: float, names: list[str]):
    amps = [100.0, code, 1443.4, 500.0]
    record = record_from(pd.DataFrame(BASE | dict.fromkeys(names, amps)), rated=UNIT)
    assert np.isnan(record.columns["load"]).tolist() == [False, True, False, False]
    (said,) = {each.stretches for each in record.notes if each.kind == "sentinel"}
    assert said == ((1, 1),)


@given(st.floats(0, 5e3), st.floats(-5e3, 5e3))
@settings(max_examples=20, deadline=None)
def test_apparent_power_is_that_of_a_right_triangle(active: float, reactive: float):
    rows = {"P [kW]": [active] * 4, "Q [Mvar]": [reactive / 1000] * 4}
    load = record_from(pd.DataFrame(BASE | rows), rated=UNIT).columns["load"]
    assert np.allclose(load * 1000, abs(complex(active, reactive)), rtol=1e-9, atol=1e-9)


def test_powers_may_be_named_in_either_order_and_without_units():
    rows = pd.DataFrame(BASE | {"one": 3.0, "two": 4.0})
    reading = Reading(columns={"load": "one+two"}, units={"load": "MW"})
    assert record_from(rows, reading, rated=UNIT).columns["load"].tolist() == [5.0] * 4
    assert power_pair([Heading("Q [Mvar]"), Heading("P [MW]")]) == ("P [MW]", "Q [Mvar]")


def test_windings_count_by_their_own_ratings():
    rows = pd.DataFrame(BASE | {"HV": [10.0, 20, 10, 0], "MV": 40.0, "LV": [0.0, 0, 900, 0]})
    reading = Reading({"load": "HV+MV+LV"}, {"load": "A"}, rated_load=(20.0, 80.0, 1000.0))
    assert record_from(rows, reading).columns["load"].tolist() == [0.5, 1.0, 0.9, 0.5]
    for loads in ((20.0, 80.0), (1.0, 2.0, 3.0, 4.0)):
        with pytest.raises(InputError, match="rated loads are given for 3 columns"):
            record_from(rows, Reading({"load": "HV+MV+LV"}, {"load": "A"}, rated_load=loads))
    with pytest.raises(InputError, match="2 rated loads are given, but the load is not"):
        record_from(rows, Reading({"load": "HV"}, {"load": "A"}, rated_load=(1.0, 2.0)))


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"a [A]": 1.0, "b [kA]": 1.0}, "are in A and kA, which do not make one load"),
        ({"a [MW]": 1.0, "b [MW]": 1.0}, "not one active and one reactive power"),
        ({"P": 1.0, "Q": 1.0}, "do not both state a unit of power"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(columns: dict, sentence: str):
    with pytest.raises(InputError, match=sentence) as told:
        record_from(pd.DataFrame(BASE | columns), Reading({"load": "+".join(columns)}), rated=UNIT)
    assert told.value.hint


def test_one_side_of_three_is_not_chosen_unasked():
    rows = pd.DataFrame(BASE | {"I_HV [A]": 1.0, "I_MV [A]": 2.0, "I_LV [A]": 3.0})
    with pytest.raises(InputError, match="are the currents of 3 windings"):
        record_from(rows, rated=UNIT)


FIELDS = {"rated_power_kva": 1000, "no_load_losses_w": 842, "load_losses_w": 9800}


def test_a_voltage_gives_the_rated_current():
    told = Nameplate.model_validate(FIELDS | {"rated_voltage_v": 400})
    current = told.rated().current_a
    assert current is not None
    assert np.isclose(3**0.5 * 400 * current, 1e6, rtol=1e-12)  # S = sqrt(3) U I
    both = Nameplate.model_validate(FIELDS | {"rated_voltage_v": 400, "rated_current_a": 1443})
    assert both.rated().current_a == 1443.0
    with pytest.raises(ValueError, match=r"rated_current_a is 57.7, but .* give 1443 A"):
        Nameplate.model_validate(FIELDS | {"rated_voltage_v": 400, "rated_current_a": 57.7})


def test_a_mapping_says_all_that_was_found(tmp_path: Path):
    rows = pd.DataFrame(BASE | {"IL1 [A]": 1.0, "IL2 [A]": 2.0, "IL3 [A]": 3.0})
    record = record_from(rows, rated=UNIT)
    again = Reading(**mapping(record, Reading()))
    assert again.columns["load"] == "IL1 [A]+IL2 [A]+IL3 [A]"
    same = record_from(rows, again, rated=UNIT)
    assert np.array_equal(same.columns["load"], record.columns["load"])
    assert not [each for each in same.notes if each.kind == "guess"]
    assert mapping(same, again) == mapping(record, Reading())


def test_a_mapping_keeps_all_that_was_said():
    record = record_from(pd.DataFrame(BASE | {"load": 1.0}))
    said = Reading(
        columns={"load": "load"},
        units={"load": "A"},
        timezone="UTC",
        time_format="minutes",
        rated_load=2.0,
        ambient="20±3",
        thresholds={"stuck_min": 90.0},
    )
    kept = Reading(**mapping(record, said))
    found = {"columns": kept.columns, "units": kept.units}
    assert kept == replace(said, **found), "but for what was found beside it"
    assert set(mapping(record, said)) == set(KEYS)
