"""What is learned of a unit is written, read and used; where there is nothing to learn, it says."""

from dataclasses import replace
from pathlib import Path

import calibrated
import numpy as np
import pytest

from agewise.assessment.calibration.calibrate import calibrate
from agewise.assessment.oil.assess import assess
from agewise.errors import InputError
from agewise.plant.nameplate_file import read_nameplate, write_nameplate


def test_the_true_rise_is_learned_where_another_was_assumed():
    rise = calibrated.learned().oil.top_oil_rise_k
    assert rise.std is not None and rise.std < 5
    assert abs(rise.mean - 45) < 2.5 * rise.std
    assert "oil.top_oil_rise_k" in calibrated.learned().assumed, "it still was not given"


def test_the_bottom_moves_with_the_top_and_back():
    unit, given = calibrated.learned(), calibrated.nameplate()
    assert unit.bottom_share().mean == pytest.approx(given.bottom_share().mean)
    back = unit.as_given()
    assert back.oil.bottom_rise_k is not None and given.oil.bottom_rise_k is not None
    assert back.oil.bottom_rise_k.mean == pytest.approx(given.oil.bottom_rise_k.mean)
    assert back.oil.top_oil_rise_k.mean == given.oil.top_oil_rise_k.mean


def test_a_written_nameplate_is_used_as_it_is(tmp_path: Path):
    write_nameplate(calibrated.learned(), tmp_path / "learned.toml")
    read = read_nameplate(tmp_path / "learned.toml")
    assert read == calibrated.learned()
    assert read.assumed == calibrated.learned().assumed
    fitted = assess(calibrated.profile(), tmp_path / "learned.toml", method="solver", quick=True)
    assert fitted.nameplate == read, "nothing is learned a second time"


def test_what_was_learned_before_is_set_aside():
    first = calibrated.learned().learned
    second = calibrate(calibrated.profile(1.0), calibrated.learned()).learned
    assert first is not None and second is not None
    assert second.given == first.given


def test_a_record_without_top_oil_is_refused_in_a_sentence():
    bare = replace(calibrated.profile(), top_oil=None)
    with pytest.raises(InputError, match="has no top_oil") as refusal:
        calibrate(bare, calibrated.nameplate())
    assert "measured top oil" in refusal.value.hint


def test_a_record_that_is_too_short_is_refused_in_a_sentence():
    with pytest.raises(InputError, match=r"16 readings of top_oil in 3.8 h: too few") as refusal:
        calibrate(calibrated.profile(1 / 6), calibrated.nameplate())
    assert "0.5 days and 50 readings" in refusal.value.hint
    rare = calibrated.profile()
    assert rare.top_oil is not None
    silent = np.where(np.arange(rare.load.size) % 10, np.nan, rare.top_oil)
    with pytest.raises(InputError, match="39 readings"):
        calibrate(replace(rare, top_oil=silent), calibrated.nameplate())
