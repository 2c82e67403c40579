"""What a nameplate leaves out or says oddly is told, and what a record is too thin for."""

import pickle
from dataclasses import replace

import calibrated
import numpy as np
import pytest

from agewise.assessment.decision.findings import noted_of, oil_findings
from agewise.assessment.decision.plausibility import plausibility
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.assessment.plain_answers import iec_answer
from agewise.errors import InputError
from agewise.plant.nameplate_file import nameplate_from
from agewise.plant.profile import Profile, profile_from
from agewise.plant.quantity import Quantity
from agewise.transformer.iec60076 import top_oil
from agewise.twin.twin import Twin, TwinSettings, make_twin

LINE = Settings(method="line")
SHORT = """
rated_power_kva = 1100.0
no_load_losses_w = 842.0
load_losses_w = 9800.0
"""


@pytest.fixture(scope="module")
def twin() -> Twin:
    return make_twin(TwinSettings(seed=1, days=0.5))


def test_what_a_nameplate_leaves_out_is_told(twin: Twin):
    whole = nameplate_from(SHORT)
    assert len(whole.assumed) == 9
    part = nameplate_from(SHORT + "[winding]\ngradient_k = 15.1\n")
    assert "winding.gradient_k" not in part.assumed and "winding.k21" in part.assumed
    told = {finding.kind: finding.text for finding in plausibility(twin.profile, part)}
    assert "winding.k21 = " in told["assumed"] and "IEC 60076-7 for ONAN" in told["assumed"]
    texts = [f.text for f in plausibility(twin.profile, whole.by_standard("ieee"))]
    assert any("IEEE C57.91 for ONAN" in text and "gradient_k = 20" in text for text in texts)
    assert not plausibility(twin.profile, twin.nameplate)


def test_a_paper_that_nobody_named_is_assumed_in_words(twin: Twin):
    texts = [f.text for f in plausibility(twin.profile, nameplate_from(SHORT))]
    # Doubling every 6 K, normal paper ages four times as fast at 110 as at 98 °C; upgraded once.
    (told,) = (text for text in texts if "insulation.paper" in text)
    assert "normal paper is assumed" in told and "0.25 times as fast at 110 °C" in told
    # Two answers beside each other say which paper each assumes.
    assert "IEEE C57.91 beside it assumes 65 °C rise, thermally upgraded paper" in told
    named = nameplate_from(SHORT + '[insulation]\npaper = "normal"\n')
    texts = [f.text for f in plausibility(twin.profile, named)]
    assert not any("insulation.paper" in text for text in texts)


@pytest.mark.parametrize(
    ("oil", "gradient", "leaves"), [(60.0, "", "5 K"), (50.0, "", ""), (60.0, "gradient_k = 8", "")]
)
def test_rises_of_ieee_that_leave_no_gradient_are_told(
    twin: Twin, oil: float, gradient: str, leaves: str
):
    """Normal paper is 55 °C rise, whose hot spot is 65 K above the air."""
    sections = f"[oil]\ntop_oil_rise_k = {oil}\n[winding]\n{gradient}\n"
    unit = nameplate_from(SHORT + sections + '[insulation]\npaper = "normal"\n')
    texts = [f.text for f in plausibility(twin.profile, unit) if "ieee.hot_spot_rise_k" in f.text]
    assert len(texts) == bool(leaves)
    assert all(f"leaves {leaves} between hot spot and top oil" in text for text in texts)


def test_a_gradient_in_another_unit_is_told(twin: Twin):
    odd = nameplate_from(SHORT + "[winding]\ngradient_k = 1.51\n")
    texts = [finding.text for finding in plausibility(twin.profile, odd)]
    assert any("winding.gradient_k = 1.51 (usually 5 to 50)" in text for text in texts)


def test_findings_about_a_learned_nameplate_tell_given_and_learned_apart():
    told = {f.kind: f.text for f in plausibility(calibrated.profile(), calibrated.learned())}
    assert "learned" not in told, "a table may be wrong by a quarter"
    assert "top_oil_rise" not in told["assumed"], "it is no longer the table's"
    assert "nameplate" not in told, "the learned constants explain the oil"


def test_a_given_number_that_the_measurements_contradict_is_told():
    unit = calibrated.learned()
    assert unit.learned is not None
    given = unit.learned.given | {"oil.top_oil_rise_k": Quantity(mean=60.0, std=3.0)}
    sure = unit.model_copy(update={"learned": unit.learned.model_copy(update={"given": given})})
    (text,) = [f.text for f in plausibility(calibrated.profile(), sure) if f.kind == "learned"]
    assert text.startswith("By the measurements the top-oil rise at rated load is 4")


def test_oil_that_the_learned_constants_miss_is_told():
    profile = calibrated.profile()
    assert profile.top_oil is not None
    swing = 10 * np.sin(2 * np.pi * profile.seconds / 86400 * 5)
    found = plausibility(replace(profile, top_oil=profile.top_oil + swing), calibrated.learned())
    (text,) = [finding.text for finding in found if finding.kind == "nameplate"]
    assert "Even with the learned constants" in text and "7.1 K rms" in text


def test_a_thermometer_that_follows_the_air_is_told():
    unit = calibrated.learned()
    minutes = Quantity(mean=21.0, std=0.5)
    fast = unit.model_copy(
        update={"oil": unit.oil.model_copy(update={"time_constant_min": minutes})}
    )
    (text,) = [f.text for f in plausibility(calibrated.profile(), fast) if f.kind == "thermometer"]
    assert "may be in the air or the sun" in text


def test_five_rows_five_minutes_apart_are_enough(twin: Twin):
    every = twin.frame.iloc[:25:5]
    answer = assess(profile_from(every.reset_index(drop=True)), twin.nameplate, LINE)
    assert np.isfinite(Prognosis(answer, 1.0, None, Effort(20, 5)).lives.loss).all()


def test_an_end_that_was_never_read_is_refused(twin: Twin):
    silent = replace(twin.profile, top_oil=np.full_like(twin.profile.load, np.nan))
    with pytest.raises(InputError, match="no reading of top_oil from 2025-06-12"):
        assess(silent, twin.nameplate, LINE)


def test_a_filled_load_may_be_split_with_fewer_draws(twin: Twin):
    filled = replace(twin.profile, load_std=np.full_like(twin.profile.load, 0.05))
    prognosis = Prognosis(assess(filled, twin.nameplate, LINE), 1.0, None, Effort(20, 5))
    assert prognosis.loss_at("1 H", {"epistemic"}).shape == (20,)
    assert prognosis.lived({"epistemic"}, 5).loss.shape == (5,)


def test_one_reading_a_day_is_refused(twin: Twin):
    rare = replace(twin.profile.timeline, seconds=1440 * twin.profile.seconds)
    with pytest.raises(InputError, match="readings are 24 h apart"):
        assess(replace(twin.profile, timeline=rare), twin.nameplate, LINE)


def test_an_error_of_another_process_is_the_same_error():
    error = pickle.loads(pickle.dumps(InputError("No.", hint="do.")))
    assert isinstance(error, InputError) and (error.sentence, error.hint) == ("No.", "do.")


@pytest.mark.parametrize(("kelvin", "doubted"), [(3.5, False), (4.5, True), (-4.5, True)])
def test_four_kelvin_between_nameplate_and_top_oil_are_told(
    twin: Twin, kelvin: float, doubted: bool
):
    """Beside an oil that runs just as the nameplate says, and then so many kelvin off it."""
    profile, constants = twin.profile, twin.nameplate.thermal_constants()
    modelled = top_oil(constants, profile.seconds, profile.load, profile.ambient)
    measured = replace(profile, top_oil=modelled + kelvin)
    kinds = [finding.kind for finding in plausibility(measured, twin.nameplate)]
    assert kinds == (["nameplate"] if doubted else [])


@pytest.mark.parametrize(("share", "impossible"), [(0.09, False), (0.11, True)])
def test_oil_below_all_air_of_the_day_for_a_tenth_of_the_rows_is_impossible(
    twin: Twin, share: float, impossible: bool
):
    profile = twin.profile
    assert profile.top_oil is not None
    rows = np.arange(profile.load.size) < share * profile.load.size
    warm, lowest = np.maximum(profile.top_oil, profile.ambient + 1), profile.ambient.min()
    cold = np.where(rows, lowest - 1.5, warm)
    found = plausibility(replace(profile, top_oil=cold), twin.nameplate)
    assert ("impossible" in {finding.kind for finding in found}) == impossible


@pytest.mark.parametrize(("deviations", "misfits"), [(1.1, 0), (1.2, 1)])
def test_readings_inside_a_sixth_wider_than_expected_do_not_fit(
    twin: Twin, deviations: float, misfits: int
):
    fitted = assess(twin.profile, twin.nameplate, LINE)
    seconds = twin.profile.seconds
    expected = fitted.predict_at(np.full(seconds.size, 0.5), seconds)
    signs = np.where(np.arange(seconds.size) % 2, 1.0, -1.0)
    readings = expected.mean + deviations * signs * np.sqrt(expected.total)
    measured = replace(twin.profile, interior={0.5: readings})
    found = oil_findings(replace(fitted, profile=measured))
    assert [finding.kind for finding in found] == misfits * ["misfit"]


@pytest.mark.parametrize(("kelvin", "found", "broken"), [(0.5, 0, 0), (2.5, 1, 0), (8.0, 1, 1)])
@pytest.mark.parametrize("end", ["top_oil", "ambient"])
def test_a_fit_that_misses_its_own_readings_at_an_end_is_told(
    twin: Twin, end: str, kelvin: float, found: int, broken: int
):
    fitted = assess(twin.profile, twin.nameplate, LINE)
    # The bottom of this unit's oil has the temperature of the air.
    measured = replace(twin.profile, **{end: getattr(twin.profile, end) + kelvin})
    notes = oil_findings(replace(fitted, profile=measured))
    assert [note.kind for note in notes] == found * ["misfit"]
    assert sum(note.undermines for note in notes) == broken


def test_a_conductivity_of_oil_at_rest_is_told(twin: Twin):
    tank = twin.nameplate.tank.model_copy(update={"conductivity_w_per_mk": Quantity(mean=0.13)})
    still = twin.nameplate.model_copy(update={"tank": tank})
    (told,) = plausibility(twin.profile, still)
    assert "0.13" in told.text


@pytest.mark.parametrize(
    ("factor", "word", "widens"),
    [
        (0.6, "less", True),
        (0.8, "less", False),
        (0.9, "less", False),
        (1.0, "", False),
        (1.25, "more", False),
        (1.5, "more", True),
    ],
)
def test_a_top_oil_that_breaks_the_promise_of_its_nameplate_is_told_and_may_widen_the_answer(
    factor: float, word: str, widens: bool
):
    """Oil that rises by another share than load and air make it, and no more is wrong.

    Units differ by a quarter from what is printed; beyond, the readings may be wrong.
    """
    made = make_twin(TwinSettings(seed=105, days=2.0, case="aged-substation"))
    thinned = profile_from(made.frame.iloc[::15], where="quarters of an hour")
    assert thinned.top_oil is not None
    oil = thinned.ambient + factor * (thinned.top_oil - thinned.ambient)
    unit = assess(replace(thinned, top_oil=oil), made.nameplate, LINE)
    noted = noted_of(unit)
    told = [finding for finding in noted.findings if finding.kind == "promise"]
    assert bool(told) == bool(word)
    if told:
        assert f" {word} than computed from the nameplate" in told[0].text
    if widens:
        assert noted.doubts().oil_reading_k > 2.0
    else:
        assert noted.doubts().oil_reading_k == 0.0


def test_rows_hours_apart_are_doubted_and_rows_a_day_apart_refused(twin: Twin):
    def rarer(factor: float) -> Profile:
        return replace(
            twin.profile,
            timeline=replace(twin.profile.timeline, seconds=factor * twin.profile.seconds),
        )

    assert "rare" not in {note.kind for note in plausibility(rarer(60), twin.nameplate)}
    assert "rare" in {note.kind for note in plausibility(rarer(180), twin.nameplate)}
    with pytest.raises(InputError, match="readings are 24 h apart"):
        iec_answer(rarer(1440), twin.nameplate)
