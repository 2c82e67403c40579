"""Without the unit's own air the hot spot still holds, and what needs the air is not said."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import agewise
from agewise.assessment.oil.settings import Settings
from agewise.assessment.runs import assessed_run
from agewise.assessment.stored import assessment_of
from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.plant.tables import write_table
from agewise.reading.options import Reading
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.twin.twin_file import write_twin


@pytest.fixture(scope="module")
def twin() -> Twin:
    settings = TwinSettings(seed=100, days=1, case="aged-substation", nameplate_error=1.0)
    return make_twin(settings)


def without_air(profile: Profile, celsius: float = 20.0, std: float = 10.0) -> Profile:
    flat = np.ones(profile.load.size)
    return replace(profile, ambient=celsius * flat, ambient_std=std * flat)


def test_the_guides_hot_spot_over_measured_oil_needs_no_air(twin: Twin):
    own, none = (
        agewise.iec_answer(profile, twin.nameplate)
        for profile in (twin.profile, without_air(twin.profile))
    )
    assert np.array_equal(own.hot_spot, none.hot_spot)
    assert np.array_equal(own.loss_of_life, none.loss_of_life)


def test_the_interval_of_the_hot_spot_holds_the_truth_without_air(twin: Twin):
    fitted = agewise.assess(without_air(twin.profile), twin.nameplate, quick=True)
    answer = agewise.conclusion(fitted)
    low, high = np.quantile(answer.draws["hot_spot"], [0.05, 0.95])
    assert low < twin.truth.attrs["true_hot_spot_c"] < high
    low, high = np.quantile(answer.draws["loss_of_life"], [0.05, 0.95])
    assert low < twin.truth.attrs["true_loss_of_life_h"] < high
    assert fitted.nameplate.learned is None
    (lost,) = (f.text for f in answer.summary.findings if f.kind == "air")
    for words in ("nothing can be learned", "cooling is not checked", "no load can be permitted"):
        assert words in lost


def test_the_oil_between_the_ends_is_less_sure_the_less_the_air_is(twin: Twin):
    middle, later = np.array([0.4]), twin.profile.seconds[::60]
    spread = [
        agewise.assess(without_air(twin.profile, std=std), twin.nameplate, method="solver")
        .predict(middle, later)
        .epistemic.mean()
        for std in (1.0, 5.0, 10.0)
    ]
    assert spread[0] < spread[1] < spread[2]


def test_what_needs_the_air_is_refused(twin: Twin):
    flat = without_air(twin.profile)
    with pytest.raises(InputError, match="cannot be learned"):
        agewise.calibrate(flat, twin.nameplate)
    fitted = agewise.assess(flat, twin.nameplate, method="line", quick=True)
    with pytest.raises(InputError, match="A rating needs the air"):
        agewise.rating(fitted, agewise.RatingRequest())
    ahead = replace(twin.profile, top_oil=None)
    with pytest.raises(InputError, match="A scenario needs the air"):
        agewise.conclusion(fitted, scenario=ahead)


def test_a_run_without_air_is_stored_and_found_again(twin: Twin, tmp_path: Path):
    write_twin(twin, tmp_path / "unit")
    write_table(twin.profile.frame().drop(columns="ambient"), tmp_path / "file.csv")
    inputs = tmp_path / "file.csv", tmp_path / "unit" / "nameplate.toml", tmp_path / "run"
    settings = Settings(method="line", quick=True)
    first = assessed_run(*inputs, settings, reading=Reading(ambient="none"))
    assert assessed_run(*inputs, settings, reading=Reading(ambient="none")).created == first.created
    with pytest.raises(InputError):
        assessed_run(*inputs, settings, reading=Reading(ambient="25"))  # another air, another run
    stored = assessment_of(first)
    assert stored.profile.air_std == 10.0
    with pytest.raises(InputError, match="A rating needs the air"):
        agewise.rating(stored, agewise.RatingRequest())
