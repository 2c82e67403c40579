"""One truth, and predictions of known quality held against it."""

import json
import math
from dataclasses import astuple, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agewise.engine.uncertainty.coverage import crps, negative_log_likelihood
from agewise.engine.uncertainty.decomposition import Prediction, Split
from agewise.engine.uncertainty.scores import (
    INSTANTS,
    AgainstTruth,
    Scores,
    Truth,
    mean_and_std,
    scores,
)

STEP = 600.0
"""s from row to row, over three days"""


@pytest.fixture(scope="module")
def truth() -> Truth:
    rng = np.random.default_rng(7)
    seconds, heights = np.arange(0.0, 72 * 3600.0, STEP), np.linspace(0.0, 1.0, 11)
    day = np.sin(2 * np.pi * seconds / 86400.0)[:, None]
    oil = 20.0 + 20.0 * heights + (2.0 + 6.0 * heights) * day
    noise = 0.05 + 0.012 * oil
    picked = [2, 4, 6, 8]
    sensor = rng.normal(oil[:, picked], noise[:, picked])
    return Truth(seconds, heights, oil, noise, heights[picked], sensor)


def predictions(
    truth: Truth, *, bias: float = 0.0, doubt: float = 0.0, noise: float = 1.0
) -> tuple[Prediction, Prediction]:
    """The truth moved by `bias`, with that epistemic deviation and that factor on the noise."""
    fields = (
        (truth.oil, truth.noise_std),
        (
            truth.at_sensors(truth.oil),
            truth.at_sensors(truth.noise_std),
        ),
    )
    grid, sensors = (
        Prediction(oil + bias, np.full(oil.shape, doubt**2), (noise * std) ** 2)
        for oil, std in fields
    )
    return grid, sensors


def judged(truth: Truth, **quality: float) -> Scores:
    grid, sensors = predictions(truth, **quality)
    return scores(grid, truth, sensors)


def flat(split: Split) -> list[float]:
    boundary, inside, *rest = astuple(split)
    return [*boundary, *inside, *rest]


def row(prediction: Prediction, n: int) -> tuple[np.ndarray, np.ndarray]:
    return prediction.mean[n], np.sqrt(prediction.total[n])


def test_the_oracle_is_perfect(truth: Truth):
    got = judged(truth)
    assert got.measured.crps_ratio == pytest.approx(1.0, abs=1e-12)
    assert got.measured.nll == pytest.approx(got.measured.oracle_nll, abs=1e-12)
    assert got.measured.miscalibration < 0.02
    assert (got.truth.rmse, got.truth.epistemic_crps) == (0.0, 0.0)
    assert astuple(got.split.aleatoric_ratio_boundary) == pytest.approx((1.0,) * 3)
    assert astuple(got.split.aleatoric_ratio_inside) == pytest.approx((1.0,) * 3)
    assert got.split.aleatoric_rank_correlation == pytest.approx(1.0)
    assert got.split.epistemic_z == 0.0


def test_honest_doubt_is_recognised(truth: Truth):
    got = judged(truth, bias=0.2, doubt=0.2)
    assert got.split.epistemic_z == pytest.approx(1.0)
    assert got.split.rms_ratio == pytest.approx(1.0)
    assert got.truth.rmse == pytest.approx(0.2)
    one = np.ones(1)
    assert got.truth.epistemic_crps == pytest.approx(crps(0 * one, 0.2 * one, 0.2 * one)[0])
    assert got.truth.epistemic_crps < judged(truth, bias=0.2, doubt=0.0).truth.epistemic_crps


def test_shrinking_the_noise_is_rewarded_by_the_total_only(truth: Truth):
    honest, boastful = (judged(truth, bias=0.1, doubt=0.1, noise=n) for n in (1.0, 0.5))
    assert boastful.truth.total_crps < honest.truth.total_crps
    assert boastful.truth.total_nll < honest.truth.total_nll
    assert boastful.truth.epistemic_crps == honest.truth.epistemic_crps
    assert boastful.measured.crps > honest.measured.crps
    assert boastful.measured.miscalibration > 5 * honest.measured.miscalibration
    assert boastful.split.aleatoric_ratio_inside.median == pytest.approx(0.25)


def test_scores_of_the_total_use_both_variances(truth: Truth):
    grid, sensors = predictions(truth, bias=0.3, doubt=0.4)
    got = scores(grid, truth, sensors)
    std = np.sqrt(0.4**2 + truth.noise_std**2)
    assert got.truth.total_crps == pytest.approx(crps(grid.mean, std, truth.oil).mean())
    expected = negative_log_likelihood(grid.mean, std, truth.oil).mean()
    assert got.truth.total_nll == pytest.approx(expected)
    at_sensors = truth.at_sensors(truth.noise_std)
    sharp = math.sqrt(0.4**2 + np.mean(at_sensors**2))
    assert got.measured.sharpness == pytest.approx(sharp)


def test_the_oracle_reads_between_the_heights_of_the_grid(truth: Truth):
    between = replace(truth, sensor_heights=np.array([0.0, 0.17, 0.55, 1.0]))
    expected = [np.interp(between.sensor_heights, truth.heights, oil) for oil in truth.oil]
    np.testing.assert_allclose(between.at_sensors(truth.oil), expected, rtol=1e-13)


def test_instants_pick_their_rows(truth: Truth):
    rng = np.random.default_rng(8)
    grid, sensors = predictions(truth, doubt=0.3)
    grid = replace(grid, mean=grid.mean + rng.normal(size=grid.mean.shape))
    got = scores(grid, truth, sensors)
    assert list(got.instants) == [*(str(hour) for hour in INSTANTS), "total"]
    for hour in INSTANTS:
        n = round(hour * 3600 / STEP)
        here = got.instants[str(hour)]
        assert here.rmse == pytest.approx(math.sqrt(np.mean((grid.mean[n] - truth.oil[n]) ** 2)))
        claim = (*row(grid, n), truth.oil[n])
        assert here.total_crps == pytest.approx(crps(*claim).mean())
        assert here.total_nll == pytest.approx(negative_log_likelihood(*claim).mean())
    assert got.instants["total"] == got.truth


@pytest.mark.parametrize(
    ("hours", "expected"), [(50.0, 6), (49.9, 5), (25.0, 5), (5.0, 2), (0.0, 1)]
)
def test_instants_beyond_the_window_are_left_out(truth: Truth, hours: float, expected: int):
    rows = np.flatnonzero(truth.seconds <= hours * 3600)
    short = truth.at_rows(rows)
    assert list(judged(short).instants) == [*(str(h) for h in INSTANTS[:expected]), "total"]


def test_some_rows_are_scored_as_if_they_were_all(truth: Truth):
    rows = np.arange(5, truth.seconds.size, 17)
    grid, sensors = predictions(truth, bias=0.1, doubt=0.2)
    grid = replace(
        grid, mean=grid.mean + np.sin(np.arange(grid.mean.size)).reshape(grid.mean.shape)
    )
    some = Prediction(grid.mean[rows], grid.epistemic[rows], grid.aleatoric[rows])
    got = scores(some, truth, sensors, rows=rows)
    kept = truth.at_rows(rows)
    again = scores(some, kept, predictions(kept)[1])
    assert (got.truth, got.split, got.instants) == (again.truth, again.split, again.instants)
    assert got.measured == scores(grid, truth, sensors).measured
    nearest = rows[np.abs(truth.seconds[rows] - 18 * 3600).argmin()]
    error = grid.mean[nearest] - truth.oil[nearest]
    assert got.instants["18"].rmse == pytest.approx(math.sqrt(np.mean(error**2)))


@settings(max_examples=10)
@given(scale=st.floats(0.1, 10.0), shift=st.floats(-50.0, 50.0))
def test_scores_follow_the_unit_and_ignore_the_zero(truth: Truth, scale: float, shift: float):
    def moved(values: np.ndarray) -> np.ndarray:
        return scale * values + shift

    elsewhere = replace(
        truth, oil=moved(truth.oil), noise_std=scale * truth.noise_std, sensor=moved(truth.sensor)
    )
    one = judged(truth, bias=0.3, doubt=0.2)
    two = judged(elsewhere, bias=0.3 * scale, doubt=0.2 * scale)
    assert flat(two.split) == pytest.approx(flat(one.split), rel=1e-6)
    for name in ("crps", "oracle_crps", "sharpness", "interval_score_90"):
        assert getattr(two.measured, name) == pytest.approx(scale * getattr(one.measured, name))
    for name in ("miscalibration", "crps_ratio", "coverage", "miscalibration_by_hour"):
        assert getattr(two.measured, name) == pytest.approx(getattr(one.measured, name), abs=1e-3)
    assert two.measured.nll == pytest.approx(one.measured.nll + math.log(scale), abs=1e-9)
    for key, here in one.instants.items():
        there = two.instants[key]
        assert there.rmse == pytest.approx(scale * here.rmse)
        assert there.epistemic_crps == pytest.approx(scale * here.epistemic_crps)
        assert there.total_nll == pytest.approx(here.total_nll + math.log(scale), abs=1e-9)


def test_everything_can_be_written_as_json(truth: Truth):
    got = judged(truth, bias=0.1, doubt=0.1)
    plain = json.loads(json.dumps(got.as_dict(), allow_nan=False))
    assert plain == got.as_dict()
    assert set(plain) == {"measured", "truth", "split", "instants"}
    assert len(plain["measured"]["coverage"]) == 99
    assert len(plain["measured"]["miscalibration_by_height"]) == 4
    assert len(plain["measured"]["miscalibration_by_hour"]) == 24
    assert plain["truth"]["rmse"] == pytest.approx(0.1)
    assert set(plain["split"]["aleatoric_ratio_inside"]) == {"median", "p05", "p95"}


def test_a_method_without_doubt_is_scored_and_written(truth: Truth):
    got = judged(truth, bias=0.1, doubt=0.0)
    assert got.split.epistemic_z == got.split.rms_ratio == math.inf
    assert got.truth.epistemic_crps == pytest.approx(0.1)
    plain = json.loads(json.dumps(got.as_dict(), allow_nan=False))
    assert plain["split"]["epistemic_z"] is None
    assert plain["split"]["rms_ratio"] is None


def test_a_method_without_any_uncertainty_is_scored_and_written(truth: Truth):
    got = judged(truth, bias=0.1, doubt=0.0, noise=0.0)
    assert got.truth.total_crps == pytest.approx(0.1)
    assert got.measured.miscalibration == pytest.approx(0.495)
    assert got.split.aleatoric_ratio_inside.median == 0.0
    plain = json.loads(json.dumps(got.as_dict(), allow_nan=False))
    assert plain["measured"]["nll"] is plain["truth"]["total_nll"] is None
    assert plain["split"]["aleatoric_rank_correlation"] is None


def test_a_short_window_is_written_without_the_hours_it_lacks(truth: Truth):
    plain = judged(truth.at_rows(np.arange(20)), doubt=0.1, bias=0.1).as_dict()
    assert plain["measured"]["miscalibration_by_hour"][4:] == [None] * 20
    json.dumps(plain, allow_nan=False)


def test_tables_over_seeds(truth: Truth):
    table = mean_and_std([judged(truth, bias=b, doubt=0.1) for b in (0.1, 0.2, 0.6)])
    rmse = table["truth.rmse"]
    assert rmse["values"] == pytest.approx([0.1, 0.2, 0.6])
    assert rmse["mean"] == pytest.approx(0.3)
    assert rmse["std"] == pytest.approx(math.sqrt(0.07))
    assert table["instants.25.rmse"]["mean"] == pytest.approx(0.3)
    assert table["split.aleatoric_ratio_inside.median"]["mean"] == pytest.approx(1.0)
    assert not any("coverage" in name or "_by_" in name for name in table)
    json.dumps(table, allow_nan=False)


def test_a_table_of_one_seed_has_no_spread(truth: Truth):
    table = mean_and_std([judged(truth, bias=0.1, doubt=0.1)])
    assert {entry["std"] for entry in table.values()} == {0.0}
    assert table["truth.rmse"]["mean"] == pytest.approx(0.1)


def test_a_seed_without_a_finite_score_is_not_averaged_away(truth: Truth):
    table = mean_and_std([judged(truth, bias=0.1, doubt=d) for d in (0.0, 0.1)])
    entry = table["split.epistemic_z"]
    assert entry == {"mean": None, "std": None, "values": [None, pytest.approx(1.0)]}


def test_a_seed_with_a_shorter_window_keeps_its_place(truth: Truth):
    short = judged(truth.at_rows(np.arange(200)), bias=0.1, doubt=0.1)
    table = mean_and_std([short, judged(truth, bias=0.1, doubt=0.1)])
    assert table["instants.50.rmse"]["values"] == [None, pytest.approx(0.1)]
    with pytest.raises(ValueError, match="one seed or more"):
        mean_and_std([])


def test_other_points_are_refused(truth: Truth):
    grid, sensors = predictions(truth)
    some = Prediction(grid.mean[::2], grid.epistemic[::2], grid.aleatoric[::2])
    with pytest.raises(ValueError, match=r"`grid`.*`rows`"):
        scores(some, truth, sensors)
    with pytest.raises(ValueError, match="`sensors`"):
        scores(grid, truth, grid)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (lambda truth: {"noise_std": 0 * truth.noise_std}, "above zero"),
        (lambda truth: {"sensor": np.nan * truth.sensor}, "every reading"),
        (lambda truth: {"heights": truth.heights[::-1].copy()}, "must rise"),
        (
            lambda truth: {
                "heights": truth.heights[[0, -1]],
                "oil": truth.oil[:, [0, -1]],
                "noise_std": truth.noise_std[:, [0, -1]],
            },
            "three or more",
        ),
        (lambda truth: {"sensor_heights": 2 * truth.sensor_heights}, "fractions"),
    ],
)
def test_a_truth_that_contradicts_itself_is_refused(truth: Truth, changes, words: str):
    with pytest.raises(ValueError, match=words):
        replace(truth, **changes(truth))


def test_the_same_prediction_has_the_same_scores(truth: Truth):
    assert judged(truth, bias=0.1, doubt=0.1) == judged(truth, bias=0.1, doubt=0.1)
    assert isinstance(judged(truth).instants["total"], AgainstTruth)
