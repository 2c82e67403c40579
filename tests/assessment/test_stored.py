"""A run folder is not believed: a seal that fits, and contents that do not, end in one sentence."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agewise.arrays import read_arrays, write_arrays
from agewise.assessment.decision.cooling_verdict import cooling_check
from agewise.assessment.field import scored
from agewise.assessment.grid import Grid
from agewise.assessment.oil.settings import Settings
from agewise.assessment.predictions import predictions_at
from agewise.assessment.rating.rating import rating
from agewise.assessment.rating.request import RatingRequest
from agewise.assessment.runs import assessed_run
from agewise.assessment.stored import assessment_of, summary_of
from agewise.errors import InputError
from agewise.store.identity import Identity
from agewise.store.run import MANIFEST, load_run, seal
from agewise.twin.truth_file import read_truth
from agewise.twin.twin import TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

GRID = Grid(5, 60.0)
POINTS = pd.DataFrame({"time": ["2025-06-12T02:00:00+02:00"], "height": [0.5]})
CHOSEN = {
    "exact": Settings(method="exact", quick=True),
    "line": Settings(method="line", quick=True),
}
methods = pytest.mark.parametrize("method", CHOSEN)


@dataclass(frozen=True)
class Plant:
    """A twin of six hours and its runs, made once."""

    folder: Path

    def run(self, method: str) -> Path:
        inputs = (self.folder / "profile.csv", self.folder / "nameplate.toml")
        return assessed_run(*inputs, self.folder / method, CHOSEN[method], grid=GRID).directory

    def asked(self, run: Path) -> None:
        """Everything that `predict`, `rating`, `score` and a second `assess` do with a run."""
        summary_of(load_run(run))
        assessment = assessment_of(load_run(run))
        predictions_at(assessment, POINTS, where="points")
        scored(assessment, read_truth(self.folder / "truth.nc"))
        rating(assessment, RatingRequest(hours=1.0))
        cooling_check(assessment)


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Plant:
    folder = tmp_path_factory.mktemp("plant")
    write_twin(make_twin(TwinSettings(seed=100, days=0.25)), folder)
    return Plant(folder)


def spoiled(run: Path, out: Path, spoil: Callable[[Path], object], **identity: Any) -> Path:
    """A copy of a run with other contents, sealed anew."""
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(run, out)
    old = load_run(out).identity
    spoil(out)
    (out / MANIFEST).unlink()
    seal(out, Identity(**(vars(old) | identity)))
    return out


def refused(plant: Plant, run: Path) -> str:
    load_run(run)  # the seal fits
    with pytest.raises(InputError) as caught:
        plant.asked(run)
    assert caught.value.hint.endswith(".")
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def with_arrays(change: Callable[[dict[str, np.ndarray]], object]) -> Callable[[Path], None]:
    def spoil(run: Path) -> None:
        arrays = read_arrays(run / "posterior.npz")
        change(arrays)
        write_arrays(run / "posterior.npz", arrays)

    return spoil


@methods
def test_a_run_sealed_anew_answers_as_before(plant: Plant, method: str, tmp_path: Path):
    run = spoiled(plant.run(method), tmp_path / "run", lambda run: None)
    plant.asked(run)


SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "shorter": lambda array: array[: array.shape[0] // 2],
    "empty": lambda array: array[:0],
    "one axis more": lambda array: array[..., None],
    "of another length": lambda array: np.concatenate([array, array])[:-1],
    "text": lambda array: np.full(array.shape, "1.0"),
    "complex": lambda array: array.astype(complex),
    "not a number": lambda array: np.full_like(array, np.nan),
    "infinite": lambda array: np.full_like(array, np.inf),
    "dates": lambda array: np.zeros(array.shape, "datetime64[s]"),
}
CENTRAL = {"exact": "0.mean", "line": "0.top_mean"}
"""An array of each method that every prediction rests on."""


@methods
@pytest.mark.parametrize("shape", SHAPES)
def test_arrays_that_no_fit_leaves_are_refused(
    plant: Plant, method: str, shape: str, tmp_path: Path
):
    name = CENTRAL[method]

    def change(arrays: dict[str, np.ndarray]) -> None:
        arrays[name] = SHAPES[shape](arrays[name])

    run = spoiled(plant.run(method), tmp_path / "run", with_arrays(change))
    assert "posterior.npz holds no posterior of this profile" in refused(plant, run)


ARRAYS: dict[str, Callable[[dict[str, np.ndarray]], object]] = {
    "one missing": lambda arrays: arrays.pop("0.noise_weights"),
    "all missing": lambda arrays: arrays.clear(),
    "a window more": lambda arrays: arrays.update({"1" + n[1:]: a for n, a in [*arrays.items()]}),
    "the first window missing": lambda arrays: arrays.update(
        {"1" + name[1:]: arrays.pop(name) for name in [*arrays]}
    ),
    "a window without a number": lambda arrays: arrays.update({"first.mean": np.ones(3)}),
    "an unknown law of noise": lambda arrays: arrays.update({"0.noise_kind": np.array(99)}),
    "a noise beyond all numbers": lambda arrays: arrays.update(
        {"0.noise_weights": np.full(arrays["0.noise_weights"].shape, 1e6)}
    ),
}


@methods
@pytest.mark.parametrize("change", ARRAYS)
def test_other_sets_of_arrays_are_refused(plant: Plant, method: str, change: str, tmp_path: Path):
    run = spoiled(plant.run(method), tmp_path / "run", with_arrays(ARRAYS[change]))
    assert "posterior.npz holds no posterior" in refused(plant, run)


def without_format(arrays: dict[str, np.ndarray]) -> None:
    """As a version left them that did not count formats."""
    assert arrays.pop("0.format") == 2


@methods
def test_an_older_closed_form_is_read_and_an_older_network_is_not(
    plant: Plant, method: str, tmp_path: Path
):
    older = spoiled(plant.run(method), tmp_path / "older", with_arrays(without_format))
    before, after = (
        predictions_at(assessment_of(load_run(run)), POINTS, where="points")
        for run in (plant.run(method), older)
    )
    pd.testing.assert_frame_equal(before, after)
    network = spoiled(older, tmp_path / "network", lambda folder: None, method="vi")
    assert "older agewise, whose networks can no longer be read" in refused(plant, network)


OTHERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "flat": lambda array: array.ravel()[: max(1, array.size // 2)],
    "scalar": lambda array: np.array(array.ravel()[:1].sum()),
    "zero": np.zeros_like,
    "negative": lambda array: -array,
    "huge": lambda array: array * 1e12,
    "transposed": lambda array: array.T,
}


@pytest.mark.parametrize(
    "name",
    [
        "0.mean",
        "0.factor_diagonal",
        "0.factor_largest",
        "0.factor_bytes",
        "0.factor_size",
        "0.intervals",
    ],
)
@pytest.mark.parametrize("other", ["flat", "scalar", "zero", "negative", "huge", "transposed"])
def test_no_spoiled_array_ends_in_a_traceback(plant: Plant, name: str, other: str, tmp_path: Path):
    """Some of these are answers that a fit might have left, so not every one is refused."""

    def change(arrays: dict[str, np.ndarray]) -> None:
        arrays[name] = OTHERS[other](arrays[name])

    run = spoiled(plant.run("exact"), tmp_path / "run", with_arrays(change))
    try:
        predictions_at(assessment_of(load_run(run)), POINTS, where="points")
    except InputError as error:
        assert error.hint and "\n" not in error.sentence


def other(**identity: Any) -> dict[str, Any]:
    """Parts of an identity that differ from those of the run by `exact`."""
    plain = dict(vars(CHOSEN["exact"]))
    del plain["method"], plain["seed"]
    return {"settings": plain | identity.pop("settings", {})} | identity


IDENTITIES = {
    "a negative seed": (other(seed=-1), "seed -1"),
    "a seed beyond the numbers": (other(seed=2**70), "seed"),
    "an unknown method": (other(method="magic"), "magic"),
    "another method": (other(method="line"), "holds no posterior"),
    "a discrepancy of nothing": (other(settings={"discrepancy": 0.0}), "discrepancy"),
    "a discrepancy in words": (other(settings={"discrepancy": "some"}), "discrepancy"),
    "windows of minutes": (other(settings={"window_days": 0.01}), "Windows of 0.01 days"),
    "a habit that nobody has": (other(settings={"hold": "sideways"}), "hold"),
    "neither quick nor slow": (other(settings={"quick": "perhaps"}), "quick"),
    "a setting of tomorrow": (other(settings={"magic": 1}), "does not know, 'magic'"),
    "a network of nothing": (other(settings={"network": {"draws": []}}), "network"),
}


@pytest.mark.parametrize("case", IDENTITIES)
def test_impossible_settings_are_refused(plant: Plant, case: str, tmp_path: Path):
    identity, words = IDENTITIES[case]
    sentence = refused(
        plant, spoiled(plant.run("exact"), tmp_path / "run", lambda run: None, **identity)
    )
    assert words in sentence


def with_profile(change: Callable[[pd.DataFrame], pd.DataFrame]) -> Callable[[Path], None]:
    path = "profile.parquet"
    return lambda run: change(pd.read_parquet(run / path)).to_parquet(run / path)


INPUTS: dict[str, Callable[[Path], object]] = {
    "no profile": lambda run: (run / "profile.parquet").unlink(),
    "no table": lambda run: (run / "profile.parquet").write_bytes(b"PAR1"),
    "one row": with_profile(lambda frame: frame[:1]),
    "half of the rows": with_profile(lambda frame: frame[: len(frame) // 2]),
    "no load": with_profile(lambda frame: frame.drop(columns="load")),
    "no top oil": with_profile(lambda frame: frame.drop(columns="top_oil")),
    "words": with_profile(lambda frame: frame.assign(ambient="mild")),
    "empty loads": with_profile(lambda frame: frame.assign(load=np.nan)),
    "impossible loads": with_profile(lambda frame: frame.assign(load=1e300)),
    "time that stands still": with_profile(lambda frame: frame.assign(time=frame["time"].iloc[0])),
    "no nameplate": lambda run: (run / "nameplate.toml").unlink(),
    "an empty nameplate": lambda run: (run / "nameplate.toml").write_text(""),
    "a nameplate of nonsense": lambda run: (run / "nameplate.toml").write_text("[["),
    "no posterior": lambda run: (run / "posterior.npz").unlink(),
    "no arrays": lambda run: (run / "posterior.npz").write_bytes(b"PK"),
    "no summary": lambda run: (run / "summary.json").unlink(),
    "a summary of nonsense": lambda run: (run / "summary.json").write_text("{"),
    "an empty summary": lambda run: (run / "summary.json").write_text("{}"),
    "a bottomless summary": lambda run: (run / "summary.json").write_text("[" * 100_000),
}


@pytest.mark.parametrize("case", INPUTS)
def test_files_that_do_not_fit_are_refused(plant: Plant, case: str, tmp_path: Path):
    refused(plant, spoiled(plant.run("exact"), tmp_path / "run", INPUTS[case]))


SUMMARIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "decision": lambda summary: summary.pop("decision"),
    "quick": lambda summary: summary.update(quick=True),
    "life.futures": lambda summary: summary["life"].update(futures=0),
    "hot_spot.mean": lambda summary: summary["hot_spot"].update(mean="98"),
    "life.sources": lambda summary: summary["life"]["sources"].update(magic=0.5),
    "seconds": lambda summary: summary.update(seconds=float("nan")),
}


@pytest.mark.parametrize("place", SUMMARIES)
def test_a_summary_that_does_not_fit_says_where(plant: Plant, place: str, tmp_path: Path):
    def spoil(run: Path) -> None:
        content = json.loads((run / "summary.json").read_text("utf-8"))
        SUMMARIES[place](content)
        (run / "summary.json").write_text(json.dumps(content))

    sentence = refused(plant, spoiled(plant.run("exact"), tmp_path / "run", spoil))
    assert f"summary.json does not fit its schema at '{place}" in sentence
