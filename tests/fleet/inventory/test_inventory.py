"""A fleet may be named in four ways, and each gives the same assets."""

from pathlib import Path

import pandas as pd
import pytest
import tomli_w

from agewise.errors import InputError
from agewise.fleet.asset import Asset
from agewise.fleet.inventory.inventory import assets_of
from agewise.plant.nameplate_file import read_nameplate

ROWS = [
    {"id": "007", "site": "Nord", "data": "a/profile.csv", "nameplate": "a/nameplate.toml"},
    {"id": "T 2", "data": "b/profile.csv", "nameplate": "b/nameplate.toml", "criticality": 2.5},
]


def written(folder: Path, suffix: str, rows: list[dict]) -> Path:
    path = folder / f"list.{suffix}"
    if suffix == "toml":
        path.write_text(tomli_w.dumps({"asset": rows}), "utf-8")
    elif suffix == "csv":
        pd.DataFrame(rows).to_csv(path, index=False, sep=";")
    else:
        pd.DataFrame(rows).to_parquet(path)
    return path


@pytest.mark.parametrize("suffix", ["csv", "parquet", "toml"])
def test_every_kind_of_table_names_the_same_assets(tmp_path: Path, suffix: str):
    first, second = assets_of(written(tmp_path, suffix, ROWS), plates=tmp_path / "plates")
    assert (first.id, first.name, first.site, first.criticality) == ("007", "007", "Nord", 1.0)
    assert first.data == tmp_path / "a/profile.csv"
    assert (second.id, second.criticality, second.scenario) == ("T 2", 2.5, None)


def test_a_folder_of_folders_names_its_assets_even_where_a_file_is_missing(tmp_path: Path):
    for folder, name in (("A", "profile.csv"), ("B", "nameplate.toml"), ("C", "notes.txt")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).touch()
    (tmp_path / "A" / "scenario.csv").touch()
    first, second = assets_of(tmp_path, plates=tmp_path)
    assert (first.id, first.scenario) == ("A", tmp_path / "A" / "scenario.csv")
    assert (second.id, second.data) == ("B", tmp_path / "B" / "profile.csv")


def test_a_table_in_the_folder_wins(tmp_path: Path):
    (tmp_path / "A").mkdir()
    (tmp_path / "A" / "profile.csv").touch()
    written(tmp_path, "csv", ROWS).rename(tmp_path / "fleet.csv")
    assert [asset.id for asset in assets_of(tmp_path, plates=tmp_path)] == ["007", "T 2"]


def test_columns_make_a_nameplate_once(tmp_path: Path):
    row = {"id": "T 2", "data": "b.csv", "rated_power_kva": "630", "no_load_losses_w": 1200}
    row |= {"load_losses_w": "6500.5", "oil.time_constant_min": 180}
    table = written(tmp_path, "csv", [row])
    (asset,) = assets_of(table, plates=tmp_path / "plates")
    plate = read_nameplate(asset.nameplate)
    assert plate.rated_power_kva.mean == 630
    assert plate.load_losses_w.mean == 6500.5
    assert plate.oil.time_constant_min.mean == 180
    before = asset.nameplate.stat().st_mtime_ns
    assets_of(table, plates=tmp_path / "plates")
    assert asset.nameplate.stat().st_mtime_ns == before


def test_ids_that_a_disk_cannot_tell_apart_have_folders_of_their_own():
    names = {
        Asset(name, Path(), Path()).folder_name for name in ("T/1", "T_1", "T 1", "../T1", "Ö")
    }
    assert len(names) == 5
    assert all(Path(name).name == name for name in names)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([ROWS[0], ROWS[0]], "names the asset '007' more than once"),
        ([{"id": "T1"}], "needs an id and a data file"),
        ([ROWS[0] | {"criticality": -1.0}], "a criticality of"),
        ([ROWS[0] | {"rated_power_kva": 3}], "it names a nameplate and has a column"),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused(tmp_path: Path, rows: list, sentence: str):
    with pytest.raises(InputError, match=sentence):
        assets_of(written(tmp_path, "toml", rows), plates=tmp_path)


def test_what_is_no_fleet_is_refused(tmp_path: Path):
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\x00\x00")
    (tmp_path / "empty.csv").touch()
    for name in ("nowhere", "picture.csv", "empty.csv", ""):
        with pytest.raises(InputError):
            assets_of(tmp_path / name, plates=tmp_path)
