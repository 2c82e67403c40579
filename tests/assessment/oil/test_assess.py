"""Assessments in the units of the plant: fields, findings, questions and runs."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import agewise
from agewise.assessment.comparison import compared, table
from agewise.assessment.decision.findings import oil_findings
from agewise.assessment.decision.plausibility import plausibility
from agewise.assessment.field import oil_field, scored
from agewise.assessment.grid import Grid
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.methods import YARDSTICKS
from agewise.assessment.oil.settings import Settings
from agewise.assessment.plain_answers import iec_answer, reference_field
from agewise.assessment.predictions import predictions_at
from agewise.assessment.runs import assessed_run
from agewise.assessment.stored import assessment_of, summary_of
from agewise.errors import InputError
from agewise.plant.quantity import Quantity
from agewise.twin.truth_file import read_truth, truth_from
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

SETTINGS = TwinSettings(seed=100, days=1.0)


@pytest.fixture(scope="module")
def twin() -> Twin:
    return make_twin(SETTINGS)


@pytest.fixture(scope="module")
def fitted(twin: Twin) -> Assessment:
    return assess(twin.profile, twin.nameplate, Settings(method="solver", as_given=True))


def test_five_lines_of_python_give_an_answer(twin: Twin):
    answer = agewise.assess(twin.profile, twin.nameplate, agewise.Settings(method="line"))
    told = answer.predict(np.array([0.0, 0.5, 1.0]), np.array([0.0, 3600.0]))
    assert told.mean.shape == (2, 3)
    assert np.all(told.total == told.epistemic + told.aleatoric)


def test_the_field_is_what_is_predicted_and_drawn(fitted: Assessment):
    grid = Grid(11, 60.0)
    field = oil_field(fitted, grid=grid)
    seconds = np.append(np.arange(24) * 3600.0, fitted.profile.seconds[-1])
    told = fitted.predict(np.linspace(0, 1, 11), seconds)
    assert np.allclose(field["oil_mean"], told.mean, atol=1e-4)
    assert np.allclose(field["oil_epistemic"], told.epistemic, rtol=1e-5)
    assert np.allclose(field["winding_aleatoric"], told.aleatoric, rtol=1e-5)
    assert (field["ageing_std"] > field["ageing_epistemic_std"]).all()
    used = field["loss_of_life_mean"].to_numpy()
    assert np.all(np.diff(used, axis=0) >= 0)
    assert float(field["loss_of_life_mean"][-1].idxmax("height")) == 1.0


def test_the_answer_is_the_solved_field_up_to_noise(fitted: Assessment):
    plain = reference_field(fitted.profile, fitted.nameplate)
    field = oil_field(fitted)
    assert float(abs(plain["oil_mean"] - field["oil_mean"]).mean()) < 0.3
    iec = iec_answer(fitted.profile, fitted.nameplate).loss_of_life[-1]
    mean, std = (float(field[f"loss_of_life_{name}"][-1, -1]) for name in ("mean", "std"))
    assert mean == pytest.approx(iec, rel=0.03)
    assert 0 < std < 0.02 * mean


def test_answers_count_from_the_first_row_whatever_the_window(twin: Twin):
    half = make_twin(replace(SETTINGS, days=0.5))
    assert half.profile.seconds[0] == 0.0
    later = assess(half.profile, half.nameplate, Settings(method="line"))
    assert later.windows[0].problem.units.window == half.profile.seconds[-1]


def test_misfit_is_a_finding_only_where_there_is_one():
    plain, other = (
        make_twin(replace(SETTINGS, interior=True, mismatch=level)) for level in (0.0, 1.0)
    )
    for method in ("solver", "exact"):
        settings = Settings(method=method, as_given=True)
        assert oil_findings(assess(plain.profile, plain.nameplate, settings)) == []
        found = oil_findings(assess(other.profile, other.nameplate, settings))
        assert {finding.kind for finding in found} == {"misfit"}


def test_a_nameplate_that_does_not_fit_is_a_finding(twin: Twin):
    oil = twin.nameplate.oil.model_copy(update={"top_oil_rise_k": Quantity(mean=75.0)})
    wrong = twin.nameplate.model_copy(update={"oil": oil})
    found = plausibility(twin.profile, wrong)
    assert [finding.kind for finding in found] == ["nameplate"]
    assert "top_oil_rise_k = 75" in found[0].text


def test_points_may_come_in_any_order_and_repeat(fitted: Assessment):
    times = ["2025-06-12T10:00:00+02:00", "2025-06-12T07:00:00Z", "2025-06-12T08:00:00Z"]
    points = pd.DataFrame({"time": times, "height": [0.5, 1.0, 0.5]})
    told = predictions_at(fitted, points, where="points")
    assert told["oil"].iloc[0] == told["oil"].iloc[2]  # the same instant in two zones
    seconds = np.array([10.0, 9.0, 10.0]) * 3600
    again = fitted.predict_at(np.array([0.5, 1.0, 0.5]), seconds)
    assert np.allclose(told["total_std"] ** 2, again.total)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ({"time": ["2025-06-12T10:00:00Z"]}, "lacks the column 'height'"),
        ({"time": ["2025-06-12T10:00:00Z"], "height": [1.5]}, "line 2: height 1.5 is outside"),
        ({"time": ["2025-06-20T10:00:00Z"], "height": [0.5]}, "line 2: time .* is outside"),
        ({"time": ["soon"], "height": [0.5]}, "line 2: time 'soon' is not a time"),
        ({"time": ["2025-06-12T10:00:00"], "height": [0.5]}, "has no time zone"),
    ],
)
def test_bad_points_are_refused(fitted: Assessment, points: dict, sentence: str):
    with pytest.raises(InputError, match=sentence):
        predictions_at(fitted, pd.DataFrame(points), where="points")


def test_what_a_method_needs_is_said(twin: Twin):
    with pytest.raises(InputError, match="no method 'none'"):
        Settings(method="none")
    with pytest.raises(InputError, match="no column 'top_oil'"):
        assess(replace(twin.profile, top_oil=None), twin.nameplate, Settings())
    with pytest.raises(InputError, match="discrepancy"):
        Settings(discrepancy=0.0)


@pytest.mark.parametrize("method", YARDSTICKS)
def test_a_run_is_found_again_and_answers_as_before(method: str, twin: Twin, tmp_path: Path):
    write_twin(twin, tmp_path)
    files = (tmp_path / "profile.csv", tmp_path / "nameplate.toml", tmp_path / "run")
    settings, truth = Settings(method=method, seed=3, quick=True), tmp_path / "truth.nc"
    run = assessed_run(*files, settings, grid=Grid(5, 120.0), truth=truth)
    summary = summary_of(run)
    assert (summary.method, summary.seed, summary.settings.quick) == (method, 3, True)
    assert summary.scores is not None and summary.scores.truth.rmse is not None
    assert summary.seconds is not None and "jax" in summary.versions
    assert json.loads((run.directory / "summary.json").read_text()) == summary.as_json()
    assert xr.load_dataset(run.directory / "field.nc")["oil_mean"].shape == (13, 5)
    assert assessed_run(*files, settings, grid=Grid(5, 120.0), truth=truth).created == run.created
    again = assessment_of(run)
    fresh = assess(again.profile, again.nameplate, settings)
    heights, seconds = np.linspace(0, 1, 7), np.linspace(0, 86340, 11)
    for name in ("mean", "epistemic", "aleatoric"):
        pair = (getattr(one.predict(heights, seconds), name) for one in (again, fresh))
        assert np.array_equal(*pair)
    with pytest.raises(InputError, match="seed is 3 there, 4 here"):
        assessed_run(*files, replace(settings, seed=4), grid=Grid(5, 120.0), truth=truth)


def test_scores_of_a_file_are_those_of_the_twin(twin: Twin, fitted: Assessment, tmp_path: Path):
    write_twin(twin, tmp_path)
    one = scored(fitted, truth_from(twin.truth)).as_dict()
    assert one == scored(fitted, read_truth(tmp_path / "truth.nc")).as_dict()
    (tmp_path / "truth.nc").write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a twin's truth"):
        read_truth(tmp_path / "truth.nc")


def test_a_comparison_lists_every_seed():
    results = compared(SETTINGS, ["line", "solver"], [100, 101])
    assert len(results["line"]["truth.rmse"]["values"]) == 2
    assert results["solver"]["truth.rmse"]["mean"] < 0.1 < results["line"]["truth.rmse"]["mean"]
    assert table(results).count("\n") == 3
