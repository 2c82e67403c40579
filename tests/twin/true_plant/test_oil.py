"""Oil that departs from the paper's picture: warm at the bottom, other conductivity, in layers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agewise.errors import InputError
from agewise.plant.nameplate_file import read_nameplate
from agewise.transformer.oil.reference import oil_temperature
from agewise.twin.true_plant.layers import CENTRES, WIDTHS, step_shape, stratified
from agewise.twin.truth_file import refuse_other_truth, truth_from
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

SHORT = TwinSettings(seed=0, days=1.0)


@pytest.fixture(scope="module")
def plain() -> Twin:
    return make_twin(SHORT)


def true(twin: Twin, name: str) -> np.ndarray:
    return twin.truth[name].to_numpy().astype(float)


@pytest.mark.parametrize("offset", [0.3, 0.9])
def test_a_warm_bottom_is_the_stated_share_of_the_rise(plain: Twin, offset: float, tmp_path: Path):
    twin = make_twin(replace(SHORT, bottom_offset=offset))
    air, oil = true(twin, "air_true"), true(twin, "oil_true")
    assert np.abs(oil[:, 0] - (air + offset * (oil[:, -1] - air))).max() < 1e-4
    assert np.array_equal(oil[:, -1], true(plain, "oil_true")[:, -1])
    assert np.array_equal(air, true(plain, "air_true"))
    # The air's thermometer reads the air, whatever the oil does.
    assert twin.frame["ambient"].equals(plain.frame["ambient"])
    assert twin.truth.attrs["true_bottom_share"] == pytest.approx(offset)
    assert twin.true_nameplate.bottom_share().mean == pytest.approx(offset)
    write_twin(twin, tmp_path)
    assert read_nameplate(tmp_path / "nameplate.toml").oil.bottom is None
    assert plain.nameplate.oil.bottom == "ambient"


def test_a_tank_with_a_warm_bottom_is_cooled_by_the_air():
    twin = make_twin(replace(SHORT, bottom_offset=0.6))
    oil, air = true(twin, "oil_true"), true(twin, "air_true")
    ends = (twin.profile.seconds, true(twin, "load_true"), oil[:, 0], oil[:, -1])
    tank, heights = twin.true_nameplate.oil_tank(), twin.truth["height"].to_numpy()
    by_air = oil_temperature(tank, *ends, heights=heights, air=air).temperature
    by_bottom = oil_temperature(tank, *ends, heights=heights).temperature
    assert np.abs(by_air - oil).max() < 2e-3
    assert (by_bottom - oil)[600:, 25].min() > 1.0


def test_the_bottom_is_read_with_the_noise_of_the_law():
    twin = make_twin(replace(SHORT, bottom_offset=0.6, bottom_oil=True))
    z = (np.asarray(twin.profile.bottom_oil) - true(twin, "oil_true")[:, 0]) / true(
        twin, "noise_std"
    )[:, 0]
    assert abs(z.mean()) < 4 / np.sqrt(z.size)
    assert z.std() == pytest.approx(1, abs=4 / np.sqrt(2 * z.size))
    assert abs(np.corrcoef(z, twin.profile.ambient - true(twin, "air_true"))[0, 1]) < 0.15
    refuse_other_truth(twin.profile, truth_from(twin.truth))
    with pytest.raises(InputError, match="belongs to other measurements"):
        refuse_other_truth(twin.profile, truth_from(make_twin(replace(SHORT, seed=1)).truth))


@pytest.mark.parametrize("factor", [0.3, 5.0])
def test_conductivity_moves_the_inside_and_not_the_ends(plain: Twin, factor: float):
    twin = make_twin(replace(SHORT, conductivity_factor=factor))
    moved = true(twin, "oil_true") - true(plain, "oil_true")
    assert np.abs(moved[:, [0, -1]]).max() == 0.0
    assert np.sqrt(np.mean(moved[600:, 1:-1] ** 2)) > 0.3
    assert twin.frame.equals(plain.frame)
    assert twin.true_nameplate.oil_tank().conductivity == pytest.approx(10.0 * factor)
    assert twin.nameplate == plain.nameplate


def test_layers_keep_the_ends_and_rise_all_the_way(plain: Twin):
    oil, layered = (
        true(make_twin(replace(SHORT, stratification=share)), "oil_true") for share in (0.0, 1.0)
    )
    assert np.array_equal(layered[:, [0, -1]], oil[:, [0, -1]])
    shape = (layered - layered[:, :1]) / (layered[:, -1:] - layered[:, :1])
    assert np.abs(shape - shape[0]).max() < 1e-4
    assert (np.diff(shape[0]) > 0).all()
    half = true(make_twin(replace(SHORT, stratification=0.5)), "oil_true")
    assert np.abs(half - (oil + layered) / 2).max() < 1e-4


@pytest.mark.parametrize("centre", CENTRES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_step_runs_from_nought_to_one_and_is_steepest_at_its_centre(centre: float, width: float):
    shares = np.linspace(0.0, 1.0, 1001)
    shape = step_shape(shares, centre, width)
    assert shape[0] == 0.0 and shape[-1] == 1.0
    assert shares[np.diff(shape).argmax()] == pytest.approx(centre, abs=2e-3)
    assert np.diff(shape).min() > 0


def test_no_layers_change_nothing():
    oil = np.linspace(20.0, 50.0, 6).reshape(2, 3)
    assert stratified(oil, strength=0.0, rng=np.random.default_rng(0)) is oil
