"""The assets that a user names: by a table of them, or by a folder with a folder for each."""

import math
from collections import Counter
from pathlib import Path

from agewise.errors import InputError
from agewise.fleet.asset import Asset
from agewise.fleet.inventory.rows import asset_of
from agewise.plant.toml_file import read_toml

TABLES = ("fleet.csv", "fleet.parquet", "fleet.toml")
"""Names of the table that a folder may hold beside the folders of its assets."""
PROFILES = ("profile.csv", "profile.parquet", "profile.xlsx")
"""Names that the readings of an asset may have in its folder; the first that is there counts."""
NAMEPLATE, SCENARIO, MAPPING = "nameplate.toml", "scenario.csv", "mapping.toml"
"""Names of the other files in the folder of an asset."""
EXAMPLE = "docs/fleet.md shows a fleet."
"""Hint for a table that cannot be read."""


def assets_of(fleet: Path, *, plates: Path) -> list[Asset]:
    """All assets of a fleet, in the order in which they are given.

    Args:
        fleet: A table of assets (CSV, Parquet or TOML); or a folder that holds one by the name of
            `fleet.csv`, `fleet.parquet` or `fleet.toml`, or a folder for each asset.
        plates: Folder for nameplates whose fields stand in columns of the table.
    """
    if not fleet.exists():
        raise InputError(f"There is no file or folder {fleet}.", hint="check the path.")
    if fleet.is_dir():
        table = next((fleet / name for name in TABLES if (fleet / name).is_file()), None)
        assets = _from_folders(fleet) if table is None else _from_table(table, plates)
    else:
        assets = _from_table(fleet, plates)
    _refuse_twice(assets, fleet)
    return assets


def _from_folders(fleet: Path) -> list[Asset]:
    """An asset for every folder that holds readings or a nameplate."""
    folders = sorted(path for path in fleet.iterdir() if path.is_dir())
    assets = [_of_folder(folder) for folder in folders if _tells_of_an_asset(folder)]
    if not assets:
        raise InputError(
            f"{fleet} holds neither {TABLES[0]} nor a folder with {PROFILES[0]}.", hint=EXAMPLE
        )
    return assets


def _tells_of_an_asset(folder: Path) -> bool:
    # One of the two is enough: an asset whose other file is missing is refused by name, not lost.
    return any((folder / name).is_file() for name in (*PROFILES, NAMEPLATE))


def _of_folder(folder: Path) -> Asset:
    profile_files = (folder / name for name in PROFILES if (folder / name).is_file())
    scenario, mapping = folder / SCENARIO, folder / MAPPING
    return Asset(
        folder.name,
        data=next(profile_files, folder / PROFILES[0]),
        nameplate=folder / NAMEPLATE,
        scenario=scenario if scenario.is_file() else None,
        mapping=mapping if mapping.is_file() else None,
    )


def _from_table(path: Path, plates: Path) -> list[Asset]:
    rows = _rows(path)
    if not rows:
        raise InputError(f"{path} names no assets.", hint=EXAMPLE)
    return [
        asset_of(row, where=f"{path}, asset {number}", base=path.parent, plates=plates)
        for number, row in enumerate(rows, start=1)
    ]


def _rows(path: Path) -> list[dict[str, object]]:
    """The rows of a table as they are given, but for cells that are empty."""
    suffix = path.suffix.lower()
    if suffix == ".toml":
        return _toml_rows(path)
    # pandas takes a while to load.
    import pandas as pd

    try:
        if suffix == ".parquet":
            table = pd.read_parquet(path)
        else:
            # As text: an id may be 007, and whoever reads a cell knows what it should be.
            table = pd.read_csv(path, dtype=str, sep=None, engine="python", encoding="utf-8-sig")
    except Exception as error:  # readers of tables fail in many ways
        raise InputError(
            f"{path} cannot be read as a table of assets ({type(error).__name__}).", hint=EXAMPLE
        ) from None
    return [_without_empty(row) for row in table.to_dict("records")]


def _without_empty(row: dict) -> dict[str, object]:
    empty = {
        name
        for name, cell in row.items()
        if cell is None
        or (isinstance(cell, float) and math.isnan(cell))
        or (isinstance(cell, str) and not cell.strip())
    }
    return {str(name).strip(): cell for name, cell in row.items() if name not in empty}


def _toml_rows(path: Path) -> list[dict[str, object]]:
    given = read_toml(path, example=EXAMPLE)
    rows = given.get("asset")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path} has no tables [[asset]].", hint=EXAMPLE)
    return rows


def _refuse_twice(assets: list[Asset], fleet: Path) -> None:
    often = [name for name, count in Counter(asset.id for asset in assets).items() if count > 1]
    if often:
        raise InputError(
            f"{fleet} names the asset {often[0]!r} more than once.",
            hint="give every asset an id of its own.",
        )
