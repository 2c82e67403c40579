"""The unit behind a nameplate differs from it as stated; fields that are lost are not written."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agewise.errors import InputError
from agewise.plant.nameplate_file import read_nameplate
from agewise.twin.cases import CASES, bundled_case
from agewise.twin.summary import twin_summary
from agewise.twin.true_plant.nameplates import Deviation, true_nameplate
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

SHORT = TwinSettings(seed=0, days=0.5)
PRINTED = bundled_case("floating-pv").nameplate()


def constants(twin: Twin) -> dict[str, float]:
    return json.loads(twin.truth.attrs["true_constants"])


@pytest.mark.parametrize("error", [0.5, 1.0])
def test_errors_have_the_stated_spread(error: float):
    rng = np.random.default_rng(0)
    units = [true_nameplate(PRINTED, Deviation(error), rng=rng) for _ in range(400)]
    rise = np.array([unit.oil.top_oil_rise_k.mean for unit in units]) / 45.0 - 1
    tau = np.array([unit.oil.time_constant_min.mean for unit in units]) / 266.8 - 1
    power = np.array([unit.oil.exponent.mean for unit in units]) - 0.8
    gradient = np.array([unit.winding.gradient_k.mean for unit in units]) / 15.1 - 1
    for values, largest in ((rise, 0.25), (tau, 0.30), (power, 0.15)):
        assert np.abs(values).max() <= error * largest
        assert values.std() == pytest.approx(error * largest / np.sqrt(3), rel=0.1)
        assert abs(values.mean()) < 0.1 * error * largest
    assert gradient.std() == pytest.approx(0.05 * error, rel=0.15)


def test_another_size_scales_the_same_errors():
    half, whole = (
        true_nameplate(PRINTED, Deviation(error), rng=np.random.default_rng(7))
        for error in (0.5, 1.0)
    )
    for name, printed in PRINTED.thermal_quantities().items():
        moved = whole.thermal_quantities()[name].mean - printed.mean
        assert half.thermal_quantities()[name].mean - printed.mean == pytest.approx(moved / 2)
    assert half.no_load_losses_w == PRINTED.no_load_losses_w


def test_the_truth_obeys_the_true_unit_and_the_method_sees_the_printed_one():
    right, wrong = make_twin(SHORT), make_twin(replace(SHORT, nameplate_error=1.0))
    assert right.nameplate == right.true_nameplate == wrong.nameplate == PRINTED
    assert wrong.true_nameplate != PRINTED
    assert constants(wrong)["oil.top_oil_rise_k"] == wrong.true_nameplate.oil.top_oil_rise_k.mean
    assert constants(right)["winding.gradient_k"] == 15.1
    # The same sun and air, and another oil.
    assert wrong.truth["load_true"].equals(right.truth["load_true"])
    assert wrong.truth["air_true"].equals(right.truth["air_true"])
    assert not wrong.truth["oil_true"].equals(right.truth["oil_true"])


def test_the_stated_truth_is_that_of_the_summary():
    twin = make_twin(replace(SHORT, nameplate_error=1.0))
    figures, stated = twin_summary(twin), twin.truth.attrs
    assert stated["true_hot_spot_c"] == pytest.approx(figures.hot_spot_peak, abs=1e-4)
    assert stated["true_loss_of_life_h"] == pytest.approx(figures.loss_of_life, rel=1e-4)
    assert stated["true_worst_height_m"] == pytest.approx(figures.worst_height)
    assert stated["true_bottom_share"] == 0.0
    rise = twin.truth["hot_spot_true"] - twin.truth["oil_true"].isel(height=-1)
    share = (rise / make_twin(SHORT).truth["load_true"]).max()
    assert 0 < float(share) < 3 * twin.true_nameplate.winding.gradient_k.mean


@pytest.mark.parametrize("case", CASES)
def test_fields_that_are_left_out_are_not_in_the_file(tmp_path: Path, case: str):
    lost = ("oil.top_oil_rise_k", "winding.gradient_k", "oil.bottom")
    twin = make_twin(replace(SHORT, case=case, leave_out=lost))
    write_twin(twin, tmp_path)
    text = (tmp_path / "nameplate.toml").read_text()
    assert "top_oil_rise_k" not in text and "gradient_k" not in text and "bottom" not in text
    read = read_nameplate(tmp_path / "nameplate.toml")
    assert read.assumed == twin.nameplate.assumed == lost[:2]
    assert read == twin.nameplate
    assert read.oil.top_oil_rise_k.mean == 60.0
    assert twin.true_nameplate == bundled_case(case).nameplate()


@pytest.mark.parametrize(
    ("lost", "sentence"),
    [("load_losses_w", "needed by every nameplate"), ("oil.rise", "no field of it")],
)
def test_what_cannot_be_left_out_is_refused(lost: str, sentence: str):
    with pytest.raises(InputError, match=sentence) as told:
        replace(SHORT, leave_out=(lost,))
    assert "oil.top_oil_rise_k" in told.value.hint
