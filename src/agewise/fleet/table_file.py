"""`fleet.parquet`: the latest run of every asset in one table, for analysts."""

import json
from pathlib import Path

import pandas as pd
from sqlalchemy import Double

from agewise.files import replacing
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow

TABLE = "fleet.parquet"
"""Name of the table in the folder of a fleet."""
TEXTS = ("inputs", "versions", "findings", "quantities")
"""Columns whose cells are JSON."""


def fleet_table(catalogue: Catalogue) -> pd.DataFrame:
    """A row for every asset: what it is, and the columns of its latest run; see `docs/fleet.md`."""
    latest = catalogue.latest_runs()
    rows = [_cells(asset, latest.get(asset.id)) for asset in catalogue.assets()]
    table = pd.DataFrame(rows, columns=_columns())
    # A number that no run has is still a number, and not a column of nothing.
    numbers = [c.name for c in RunRow.__table__.columns if isinstance(c.type, Double)]
    return table.astype(dict.fromkeys(numbers, float))


def write_fleet_table(catalogue: Catalogue, directory: Path) -> None:
    """Write `fleet.parquet`, whole or not at all."""
    with replacing(directory / TABLE) as temporary:
        fleet_table(catalogue).to_parquet(temporary, index=False)


def _columns() -> list[str]:
    own = [column.name for column in AssetRow.__table__.columns]
    ran = [column.name for column in RunRow.__table__.columns if column.name != "asset_id"]
    return [*own, *("run" if name == "id" else name for name in ran)]


def _cells(asset: AssetRow, run: RunRow | None) -> dict[str, object]:
    cells: dict[str, object] = {
        column.name: getattr(asset, column.name) for column in AssetRow.__table__.columns
    }
    if run is None:
        return cells
    for column in RunRow.__table__.columns:
        value = getattr(run, column.name)
        if column.name == "id":
            cells["run"] = value
        elif column.name != "asset_id":
            cells[column.name] = json.dumps(value) if column.name in TEXTS else value
    return cells
