"""The twin: a truth that obeys its law, noise of known size, and options that do what they say."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from agewise.errors import InputError
from agewise.reading.profile_file import read_profile
from agewise.transformer.oil.reference import oil_temperature
from agewise.twin.faults import Fault, Injected
from agewise.twin.noise import NOISE_LAWS
from agewise.twin.summary import twin_summary
from agewise.twin.twin import INTERIOR, Twin, TwinSettings, make_twin
from agewise.twin.twin_file import FILES, write_twin

DEFAULT = TwinSettings(seed=0)
SHORT = replace(DEFAULT, days=1.5)
"""Long enough for a mismatch to move the oil, and a third of the work."""


@pytest.fixture(scope="module")
def default() -> Twin:
    return make_twin(DEFAULT)


@pytest.fixture(scope="module")
def short() -> Twin:
    return make_twin(replace(DEFAULT, days=0.1))


def oil(twin: Twin) -> np.ndarray:
    return twin.truth["oil_true"].to_numpy().astype(float)


def rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def test_the_same_seed_is_the_same_twin_and_another_is_not(default: Twin):
    again, other = make_twin(DEFAULT), make_twin(replace(DEFAULT, seed=1))
    assert again.frame.equals(default.frame)
    assert again.truth.identical(default.truth)
    assert not other.frame.equals(default.frame)


@pytest.mark.parametrize(
    ("settings", "digest"),
    [
        (DEFAULT, "d884ece62a2b31677d397224347c55f757565dfba5ad284e3a22bb3d892d2915"),
        (
            TwinSettings(seed=3, case="aged-substation", days=2.0, interior=True),
            "ac089d3c0e6b7394d2e0b0d9284511fedc1186f364fcb8d66910dea448fe7d63",
        ),
    ],
)
def test_the_twins_of_the_reports_are_still_the_same(settings: TwinSettings, digest: str):
    # Published scores and kept cells were made from these tables, so no option may move a digit.
    table = make_twin(settings).frame.to_csv(index=False, lineterminator="\n")
    assert hashlib.sha256(table.encode()).hexdigest() == digest


def test_the_truth_is_the_reference_solution_between_its_own_ends(default: Twin):
    truth = oil(default)
    solved = oil_temperature(
        default.nameplate.oil_tank(),
        default.profile.seconds,
        default.truth["load_true"].to_numpy().astype(float),
        truth[:, 0],
        truth[:, -1],
        heights=default.truth["height"].to_numpy(),
    )
    assert np.abs(solved.temperature - truth).max() < 2e-3


@pytest.mark.parametrize("law", NOISE_LAWS)
def test_measured_less_true_has_the_stated_spread(law: str):
    twin = make_twin(replace(DEFAULT, noise_law=law, noise=0.03 if law == "share" else 1.5))
    std = twin.truth["noise_std"].to_numpy()
    error = {
        0: twin.profile.ambient - oil(twin)[:, 0],
        50: np.asarray(twin.profile.top_oil) - oil(twin)[:, -1],
        30: twin.truth["sensor"].sel(sensor_height=0.6).to_numpy() - oil(twin)[:, 30],
    }
    for row, values in error.items():
        z = values / std[:, row]
        assert abs(z.mean()) < 4 / np.sqrt(z.size)
        assert z.std() == pytest.approx(1, abs=4 / np.sqrt(2 * z.size))
        assert abs(np.corrcoef(z[1:], z[:-1])[0, 1]) < 4 / np.sqrt(z.size)


def test_noise_laws_are_those_stated(default: Twin):
    std = default.truth["noise_std"].to_numpy()
    assert np.allclose(std, np.maximum(0.05, 0.05 + 0.012 * oil(default)), atol=1e-5)
    daily = make_twin(replace(DEFAULT, noise_law="daily")).truth["noise_std"]
    first = daily.isel(time=0).to_numpy()
    assert first[[0, -1]] == pytest.approx([0.65, 0.45])
    assert float(daily.isel(time=720, height=-1)) == pytest.approx(0.25, abs=1e-6)


def test_a_share_of_the_maximum_is_constant_in_time(default: Twin):
    settings = replace(DEFAULT, noise_law="share", noise=0.02, load_noise=0.01)
    twin = make_twin(settings)
    std = twin.truth["noise_std"].to_numpy()
    assert (std == std[0]).all()
    assert std[0] == pytest.approx(0.02 * oil(default).max(axis=0), rel=1e-5)
    other = make_twin(replace(settings, noise_law="daily"))
    assert twin.frame["load"].equals(other.frame["load"])


def test_options_leave_the_truth_of_a_seed_as_it_is(default: Twin):
    other = make_twin(
        replace(DEFAULT, noise=2.0, load_noise=0.02, interior=True, faults=(Fault("stuck"),))
    )
    assert other.truth["oil_true"].equals(default.truth["oil_true"])
    assert other.frame.columns.tolist()[4:] == [f"oil@{share}" for share in INTERIOR]
    error = other.frame["load"] - other.truth["load_true"].to_numpy()
    assert 0.01 < error.std() < 0.02  # half of it is cut at zero by night


def test_no_noise_means_a_thousandth_of_a_kelvin():
    twin = make_twin(replace(DEFAULT, noise=0.0))
    assert rms(twin.profile.ambient - oil(twin)[:, 0]) == pytest.approx(1e-3, rel=0.1)


@pytest.mark.parametrize("level", [0.5, 1.0])
def test_mismatch_moves_the_inside_by_two_kelvin_times_its_level(level: float):
    plain, other = make_twin(SHORT), make_twin(replace(SHORT, mismatch=level))
    assert np.allclose(oil(other)[:, [0, -1]], oil(plain)[:, [0, -1]])
    assert rms((oil(other) - oil(plain))[:, 1:-1]) == pytest.approx(2 * level, rel=0.05)


def test_lost_cooling_heats_the_second_half_only(default: Twin):
    poorer = make_twin(replace(DEFAULT, cooling_loss=0.2))
    hotter = oil(poorer) - oil(default)
    assert np.allclose(hotter[:2880], 0.0, atol=1e-4)
    assert hotter[2880:, -1].max() > 3.0
    assert hotter[2880:].min() > -1e-4


def test_rough_air_adds_minutes(default: Twin):
    rough = make_twin(replace(DEFAULT, rough_ambient=True))
    added = oil(rough)[:, 0] - oil(default)[:, 0]
    assert added.std() == pytest.approx(0.5, rel=0.3)
    assert rms(np.diff(oil(default)[:, 0])) < 0.05 < rms(np.diff(oil(rough)[:, 0]))


@pytest.mark.parametrize("seed", range(5))
def test_the_solar_case_is_a_test(seed: int):
    figures = twin_summary(make_twin(TwinSettings(seed=seed)))
    assert 3 < 60 * figures.loss_of_life < 60
    assert figures.line_error > 1.5
    assert 0.25 < figures.noise[0] < 0.4
    assert 0.6 < figures.noise[1] < 0.95


def test_the_aged_case_is_hot_and_follows_week_and_season():
    july = make_twin(TwinSettings(seed=0, case="aged-substation", days=7))
    january = make_twin(TwinSettings(seed=0, case="aged-substation", days=7, start="2025-01-13"))
    hot, cold = twin_summary(july), twin_summary(january)
    assert 168 < hot.loss_of_life < 1000
    assert cold.loss_of_life < 84
    assert hot.ambient[1] > 34 > 22 > cold.ambient[1]
    weekday, weekend = july.profile.load[: 5 * 1440], july.profile.load[5 * 1440 :]
    assert weekend.mean() < 0.9 * weekday.mean()


def test_files_are_the_twin(tmp_path: Path, default: Twin):
    twin = make_twin(replace(DEFAULT, days=0.5, faults=(Fault("stuck", 1),)))
    write_twin(twin, tmp_path)
    profile, truth = read_profile(tmp_path / "profile.csv"), xr.load_dataset(tmp_path / "truth.nc")
    assert np.array_equal(profile.ambient, twin.profile.ambient)
    assert truth["oil_true"].dtype == np.float32
    assert truth["oil_true"].shape == (720, 51)
    assert truth["time"].attrs["timezone"] == "Europe/Madrid"
    assert truth["time"].to_numpy()[0] == np.datetime64("2025-06-11T22:00")  # midnight in Madrid
    assert json.loads(truth.attrs["settings"])["seed"] == 0
    assert json.loads((tmp_path / "faults.json").read_text())[0]["kind"] == "stuck"


@pytest.mark.parametrize("name", FILES)
def test_files_of_others_are_not_replaced(tmp_path: Path, short: Twin, name: str):
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match=f"{name} exists already"):
        write_twin(short, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_overwriting_replaces_a_twin_and_its_faults_but_no_other_list(tmp_path: Path, short: Twin):
    spoiled = replace(short, injected=(Injected("stuck", 1, "ambient", 3, 9, "held"),))
    write_twin(spoiled, tmp_path)
    assert json.loads((tmp_path / "faults.json").read_text())[0]["last_row"] == 9
    write_twin(short, str(tmp_path), overwrite=True)
    assert not (tmp_path / "faults.json").exists()
    (tmp_path / "faults.json").write_text('[{"kind": "relay"}]')
    write_twin(short, tmp_path, overwrite=True)
    assert (tmp_path / "faults.json").read_text() == '[{"kind": "relay"}]'


@pytest.mark.parametrize("start", ["1700-01-01", "2200-12-31"])
def test_the_first_and_last_start_have_their_scenario(start: str, tmp_path: Path):
    write_twin(make_twin(TwinSettings(seed=0, days=0.1, start=start)), tmp_path)
    assert (tmp_path / "scenario.csv").is_file()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"case": "none"}, "no bundled case 'none'"),
        ({"noise_law": "none"}, "no noise law 'none'"),
        ({"days": 0.0}, "days"),
        ({"cooling_loss": 1.0}, "cooling_loss"),
        ({"noise": float("nan")}, "noise"),
        ({"noise": float("inf")}, "noise"),
        ({"days": float("nan")}, "days"),
        ({"seed": -1}, "seed"),
        ({"nameplate_error": 3.0}, "nameplate_error"),
        ({"bottom_offset": 1.0}, "bottom_offset"),
        ({"conductivity_factor": 0.0}, "conductivity_factor"),
        ({"stratification": 1.1}, "stratification"),
        ({"air_bias": -1.0}, "air_bias"),
        ({"sunlit_air": 31.0}, "sunlit_air"),
        ({"start": "soon"}, "'soon' is not a date"),
        ({"start": "9999-12-31"}, "too far away"),
        ({"start": "0001-01-01"}, "too far away"),
    ],
)
def test_impossible_settings_are_refused(change: dict, sentence: str):
    with pytest.raises(InputError, match=sentence):
        replace(DEFAULT, **change)
