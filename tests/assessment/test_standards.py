"""IEEE C57.91 beside IEC 60076-7, from the plain answer to an assessment."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

import agewise
from agewise.assessment.plain_answers import answers_by_standard
from agewise.assessment.run_inputs import run_identity
from agewise.assessment.thermal_table import thermal_answer
from agewise.plant.standards import ieee_constants
from agewise.reading.options import DEFAULT_READING
from agewise.transformer.ageing.ieee import IEEE_55
from agewise.transformer.iec60076 import hot_spot_rise
from agewise.twin.cases import CASES


@cache
def twin() -> agewise.Twin:
    return agewise.make_twin(agewise.TwinSettings(seed=100, days=0.5, case="aged-substation"))


@pytest.fixture(scope="module")
def outcome() -> agewise.Conclusion:
    fitted = agewise.assess(
        twin().profile, twin().nameplate, method="line", quick=True, as_given=True, standard="ieee"
    )
    return agewise.conclusion(fitted, grid=agewise.Grid(11, 30.0))


def test_the_plain_answer_is_measured_oil_and_one_lag_of_the_load():
    unit = twin().nameplate.by_standard("ieee")
    history = agewise.ieee_answer(twin().profile, twin().nameplate)
    rise = hot_spot_rise(ieee_constants(unit), twin().profile.seconds, twin().profile.load)
    np.testing.assert_allclose(history.hot_spot, twin().profile.top_oil + rise, atol=1e-9)
    np.testing.assert_array_equal(history.ageing_rate, IEEE_55.rate(history.hot_spot))


def test_each_answer_is_the_same_whatever_the_nameplate_says():
    """`iec_answer` is IEC's and `ieee_answer` IEEE's, also of a nameplate by the other standard."""
    unit = twin().nameplate
    for answer in (agewise.iec_answer, agewise.ieee_answer):
        one, other = (answer(twin().profile, unit.by_standard(each)) for each in ("iec", "ieee"))
        np.testing.assert_array_equal(one.loss_of_life, other.loss_of_life)


def test_without_measured_oil_clause_7_models_it():
    unmeasured = replace(twin().profile, top_oil=None)
    history = agewise.ieee_answer(unmeasured, twin().nameplate, start_top_oil=70.0)
    assert history.top_oil[0] == pytest.approx(70.0)
    assert not np.array_equal(
        history.top_oil, agewise.iec_answer(unmeasured, twin().nameplate).top_oil
    )


def test_the_table_of_either_standard_has_the_times_of_the_profile():
    table = agewise.thermal_table(twin().profile, twin().nameplate, standard="ieee")
    history = agewise.ieee_answer(twin().profile, twin().nameplate)
    np.testing.assert_array_equal(table["loss_of_life"], history.loss_of_life)
    assert table.index[0] == twin().profile.timeline.start
    minutes = agewise.profile_from(
        pd.DataFrame({"time": [0, 10, 20], "load": 0.5, "ambient": 20.0, "top_oil": 40.0})
    )
    own = agewise.thermal_table(minutes, twin().nameplate.by_standard("ieee"))
    assert own.index.tolist() == [0, 10, 20]
    assert (own["ageing_rate"] == IEEE_55.rate(own["hot_spot"].to_numpy())).all()


def test_what_the_standard_has_not_is_refused():
    with pytest.raises(agewise.InputError, match="no paper is chosen"):
        thermal_answer(twin().profile, twin().nameplate, standard="ieee", paper="normal")
    with pytest.raises(agewise.InputError, match="difference scheme is IEC's"):
        thermal_answer(twin().profile, twin().nameplate, standard="ieee", scheme="difference")


def test_an_assessment_follows_the_standard_in_winding_and_ageing(outcome: agewise.Conclusion):
    unit, field = outcome.assessment.nameplate, outcome.field
    assert unit.standard == outcome.summary.standard == "ieee"
    ageing = unit.ageing_law.rate(field["winding_mean"].to_numpy())
    np.testing.assert_allclose(field["ageing_mean"], ageing, rtol=0.02)
    rise = hot_spot_rise(ieee_constants(unit), twin().profile.seconds, twin().profile.load)
    over = (field["winding_mean"] - field["oil_mean"]).isel(height=-1)
    np.testing.assert_allclose(over, np.append(rise[::30], rise[-1]), atol=0.02)


def test_the_summary_has_both_plain_answers(outcome: agewise.Conclusion):
    summary = outcome.summary
    for name, answer in (("iec", agewise.iec_answer), ("ieee", agewise.ieee_answer)):
        plain = answer(twin().profile, twin().nameplate)
        assert getattr(summary.hot_spot, name) == pytest.approx(plain.hot_spot.max())
        assert getattr(summary.loss_of_life, name) == pytest.approx(plain.loss_of_life[-1])
    years = summary.life.remaining_years
    unit = twin().nameplate.by_standard("ieee")
    used = unit.history.life_used_hours
    assert used is not None
    left = unit.insulation.life_hours.mean - used.mean - (summary.loss_of_life.ieee or 0.0)
    half_day = summary.loss_of_life.ieee or 0.0
    assert years.ieee == pytest.approx(left / (2 * 365.25 * half_day), rel=0.02)


def test_a_unit_that_lacks_what_ieee_needs_is_still_answered_by_iec():
    hot = CASES["aged-substation"].nameplate().model_dump(exclude_none=True)
    hot["oil"]["top_oil_rise_k"], hot["from_table"] = 70.0, ["winding.gradient_k"]
    unit = agewise.Nameplate.model_validate(hot)
    with pytest.raises(agewise.InputError, match="not below the hottest spot's rise"):
        agewise.ieee_answer(twin().profile, unit)
    assert list(answers_by_standard(twin().profile, unit)) == ["iec"]
    assert list(answers_by_standard(twin().profile, twin().nameplate)) == ["iec", "ieee"]


def test_stages_of_cooling_are_left_to_iec():
    staged = twin().nameplate.model_dump(exclude_none=True) | {
        "cooling_stages": [
            {"cooling": "ONAN", "rated_power_kva": 15_000.0},
            {
                "cooling": "ONAF",
                "rated_power_kva": 25_000.0,
                "on_above_c": 65.0,
                "off_below_c": 55.0,
            },
        ]
    }
    unit = agewise.Nameplate.model_validate(staged)
    assert list(answers_by_standard(twin().profile, unit)) == ["iec"]
    with pytest.raises(agewise.InputError, match="followed by IEC 60076-7 only"):
        agewise.assess(twin().profile, unit, method="line", standard="ieee")


def test_runs_from_before_there_was_a_choice_are_found_again():
    from agewise.assessment.decision.thresholds import THRESHOLDS

    usual = (DEFAULT_READING, agewise.Grid(), THRESHOLDS, {})
    assert "standard" not in run_identity(agewise.Settings(), *usual).settings
    assert run_identity(agewise.Settings(standard="ieee"), *usual).settings["standard"] == "ieee"
