"""One row of a table of assets: what it may say, and the nameplate that its columns may hold."""

import math
from pathlib import Path
from typing import Any

import tomli_w

from agewise.errors import InputError
from agewise.files import write_text
from agewise.fleet.asset import Asset

OWN = ("id", "name", "site", "criticality", "nameplate", "data", "scenario", "mapping")
"""Columns of the table itself; every other one is a field of the nameplate by its dotted name."""


def asset_of(row: dict[str, Any], *, where: str, base: Path, plates: Path) -> Asset:
    """The asset of a row; `InputError` where the row itself cannot be used.

    Whether its files can be used is another matter, which is found out when it is assessed.

    Args:
        row: Cells by the names of their columns.
        where: Names the row in errors.
        base: Folder that paths are relative to.
        plates: Folder for a nameplate whose fields stand in the row.
    """
    name = str(row.get("id", "")).strip()
    if not name or "data" not in row:
        raise InputError(
            f"{where}: every asset needs an id and a data file.",
            hint=f"columns are {', '.join(OWN)}, and fields of a nameplate.",
        )
    return Asset(
        name,
        data=base / str(row["data"]).strip(),
        nameplate=_nameplate(name, row, where=where, base=base, plates=plates),
        name=str(row.get("name", "")).strip(),
        site=str(row.get("site", "")).strip(),
        criticality=_criticality(row.get("criticality", 1.0), where),
        scenario=_path(row, "scenario", base),
        mapping=_path(row, "mapping", base),
    )


def _path(row: dict[str, Any], name: str, base: Path) -> Path | None:
    return base / str(row[name]).strip() if name in row else None


def _criticality(given: Any, where: str) -> float:
    try:
        value = float(given)
    except (TypeError, ValueError):
        value = math.nan
    if not 0 <= value < math.inf:
        raise InputError(
            f"{where}: a criticality of {given!r} is impossible.",
            hint="give a number of 0 or more, such as what a failure of the unit would cost.",
        )
    return value


def _nameplate(asset: str, row: dict[str, Any], *, where: str, base: Path, plates: Path) -> Path:
    """Path of the nameplate: the file that the row names, or one made of its columns."""
    fields = {name: cell for name, cell in row.items() if name not in OWN}
    if "nameplate" in row:
        if fields:
            raise InputError(
                f"{where}: it names a nameplate and has a column {next(iter(fields))!r}.",
                hint=f"give one of both; the table's own columns are {', '.join(OWN)}.",
            )
        return base / str(row["nameplate"]).strip()
    path = plates / f"{Asset(asset, Path(), Path()).folder_name}.toml"
    text = tomli_w.dumps(_nested({"name": asset} | fields))
    # Written only where it changed, so that an unchanged asset looks unchanged to everybody.
    if not path.is_file() or path.read_text("utf-8") != text:
        write_text(path, text)
    return path


def _nested(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields by dotted names as sections: `oil.time_constant_min` is a field of `oil`."""
    sections: dict[str, Any] = {}
    for name, cell in fields.items():
        *path, last = name.split(".")
        place = sections
        for part in path:
            place = place.setdefault(part, {})
        place[last] = _value(cell)
    return sections


def _value(cell: Any) -> Any:
    """A cell as TOML has it: a number where it looks like one."""
    if not isinstance(cell, str):
        return cell.item() if hasattr(cell, "item") else cell
    try:
        number = float(cell)
    except ValueError:
        return cell.strip()
    return int(number) if number.is_integer() and "." not in cell and "e" not in cell else number
