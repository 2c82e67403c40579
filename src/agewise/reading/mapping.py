"""A mapping: what was said and found about a file, kept for the next one of the same kind."""

from pathlib import Path
from typing import Any

import tomli_w

from agewise.files import write_text
from agewise.plant.record import Record
from agewise.reading.options import Reading

REMARK = "# How files of this kind are read; given to any command as --mapping.\n\n"
"""First line of a mapping."""


def write_mapping(record: Record, reading: Reading, path: Path) -> None:
    """Write down columns, units, zone, rated load and air, so that nothing is guessed another time.

    Args:
        record: What was read.
        reading: What the user said about it, which is kept as it is.
        path: The TOML file.
    """
    write_text(path, REMARK + tomli_w.dumps(mapping(record, reading)))


def mapping(record: Record, reading: Reading) -> dict[str, Any]:
    """The keys and tables of a mapping: what was said, completed by what was found."""
    columns = {role: name for role, (name, _) in record.sources.items()}
    units = {role: unit for role, (_, unit) in record.sources.items() if unit is not None}
    loads = list(reading.rated_loads)
    entries = {
        "timezone": reading.timezone,
        "time_format": reading.time_format,
        "rated_load": loads if len(loads) > 1 else reading.rated_load,
        "ambient": reading.ambient,
        "columns": columns | dict(reading.columns),
        "units": units | dict(reading.units),
        "thresholds": dict(reading.thresholds),
    }
    return {name: value for name, value in entries.items() if value not in (None, {})}
