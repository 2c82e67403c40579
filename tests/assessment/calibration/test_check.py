"""Errors a day ahead and open loop are what they are called; words follow the numbers."""

from dataclasses import replace

import calibrated
import numpy as np
import pytest

from agewise.assessment.calibration.check import calibration_check
from agewise.assessment.calibration.names import spread
from agewise.assessment.calibration.words import (
    constant_text,
    error_text,
    not_told,
    thermometer_doubt,
)
from agewise.plant.nameplate import Nameplate
from agewise.plant.quantity import Quantity
from agewise.transformer.iec60076 import top_oil


def test_what_was_learned_explains_what_the_nameplate_does_not():
    check = calibrated.check()
    assert check.open_loop_rms < 0.7 < 3 < check.as_given_rms
    assert check.day_ahead_rms is not None and check.day_ahead_rms < 1.0
    assert 0.8 < check.held <= 1


def test_open_loop_is_the_guides_model():
    """A second way: the exact integration between samples, with the air as its thermometer is."""
    check, profile = calibrated.check(), calibrated.profile()
    unit = calibrated.nameplate().thermal_constants()
    plain = top_oil(unit, profile.seconds, profile.load, profile.ambient)
    assert np.abs(check.as_given - plain).max() < 0.2


def test_an_error_that_lasts_is_known_at_midnight():
    """Oil that is 3 K too warm from some day on is foreseen by the next, but not open loop."""
    profile, unit = calibrated.profile(), calibrated.learned()
    assert profile.top_oil is not None and unit.learned is not None
    draws = unit.learned.draws | {"lasting.std_k": (3.0,) * 500, "lasting.days": (30.0,) * 500}
    lasting = unit.model_copy(update={"learned": unit.learned.model_copy(update={"draws": draws})})
    late = profile.seconds > 1.5 * 86400
    check = calibration_check(replace(profile, top_oil=profile.top_oil + 3.0 * late), lasting)
    last = check.seconds > 3 * 86400
    open_loop, ahead = (
        np.abs(np.mean((check.measured - values)[last]))
        for values in (check.open_loop, check.day_ahead)
    )
    assert open_loop > 2 and ahead < 1


def test_a_day_after_silence_is_not_foreseen():
    profile = calibrated.profile()
    assert profile.top_oil is not None
    evening = (profile.seconds > 1.8 * 86400) & (profile.seconds < 2.1 * 86400)
    silent = replace(profile, top_oil=np.where(evening, np.nan, profile.top_oil))
    check = calibration_check(silent, calibrated.learned())
    day = check.seconds // 86400
    assert np.isnan(check.day_ahead[day == 0]).all(), "nothing is known before the first midnight"
    assert np.isfinite(check.day_ahead[day == 1]).all()
    assert np.isnan(check.day_ahead[day == 2]).all()
    assert np.isfinite(check.day_ahead[day == 3]).all()


def test_every_constant_is_told_beside_what_was_known():
    texts = {part.name: constant_text(part) for part in calibrated.check().constants}
    assert texts["oil.top_oil_rise_k"].endswith("K (table 60 ± 18, assumed)")
    assert texts["oil.time_constant_min"].endswith("min (nameplate 180 ± 18, given)")
    assert texts["oil.exponent"].endswith("(nameplate 0.8 ± 0.1, given)")
    assert "open loop over the whole record; by the nameplate" in error_text(calibrated.check())


@pytest.mark.parametrize(
    ("mean", "std", "text"),
    [(45.123, 0.91, "45.12 ± 0.91"), (266.8, 26.7, "267 ± 27"), (0.8, 0.0, "0.8")],
)
def test_digits_end_where_the_doubt_begins(mean: float, std: float, text: str):
    assert spread(mean, std) == text


def with_draws(name: str, values: np.ndarray) -> Nameplate:
    unit = calibrated.learned()
    assert unit.learned is not None
    section = unit.learned.model_copy(
        update={"draws": unit.learned.draws | {name: tuple(values.tolist())}}
    )
    oil = unit.oil.model_copy(
        update={
            name.partition(".")[2]: Quantity(mean=float(values.mean()), std=float(values.std()))
        }
    )
    return unit.model_copy(update={"learned": section, "oil": oil})


def test_what_the_data_cannot_tell_has_a_reason():
    wide = with_draws("oil.exponent", 0.8 + 0.095 * np.random.default_rng(0).standard_normal(500))
    check = replace(calibrated.check(), nameplate=wide)
    (sentence,) = [text for text in not_told(check) if "oil exponent" in text]
    assert (
        sentence.startswith("The data say little about the oil exponent (0.80")
        or "0.79" in sentence
    )
    steady = replace(check.record, load=np.full_like(np.asarray(check.record.load), 0.4))
    told = " ".join(not_told(replace(check, record=steady)))
    assert "the load hardly varies (0.40 to 0.40 p.u. in nine rows of ten)" in told
    assert not any("oil time constant" in text for text in not_told(calibrated.check()))


def test_unknowns_that_make_up_for_each_other_are_named():
    draws = calibrated.check().draws["air.bias_k"]
    tied = with_draws("oil.exponent", 0.8 + 0.1 * (draws - draws.mean()) / draws.std())
    told = " ".join(not_told(replace(calibrated.check(), nameplate=tied)))
    assert "cannot be separated from a bias of the air's thermometer" in told


def test_oil_that_follows_the_air_at_once_questions_the_thermometer():
    fast = with_draws("oil.time_constant_min", np.full(500, 21.0) + np.linspace(-1, 1, 500))
    text = thermometer_doubt(fast)
    assert text is not None and "within 21 min, faster than a tank of oil can" in text
    assert thermometer_doubt(calibrated.learned()) is None
    assert thermometer_doubt(calibrated.nameplate()) is None
