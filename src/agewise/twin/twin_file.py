"""A twin in a folder of five files; no other file there is replaced."""

import json
from dataclasses import asdict, fields
from pathlib import Path

import pandas as pd

from agewise.errors import InputError
from agewise.files import prepare, write_text
from agewise.plant.field import write_dataset
from agewise.plant.nameplate_file import write_nameplate
from agewise.plant.tables import write_table
from agewise.twin.cases import bundled_case
from agewise.twin.faults import Injected
from agewise.twin.scenario import year_ahead
from agewise.twin.twin import Twin

FILES = ("profile.csv", "nameplate.toml", "truth.nc", "faults.json", "scenario.csv")
"""Names of the files of a twin; `faults.json` only where faults were asked for."""


def write_twin(twin: Twin, directory: str | Path, *, overwrite: bool = False) -> None:
    """Write a twin as the files that a plant would have, and its truth.

    `profile.csv`, `nameplate.toml`, `truth.nc` and the year that follows, `scenario.csv`; and
    `faults.json` when there are faults.

    Args:
        twin: What `make_twin` returned.
        directory: The folder for the files; it is made if it is not there.
        overwrite: Whether files of these names that exist are replaced; refused otherwise.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=1, days=0.5))
        >>> agewise.write_twin(twin, "another", overwrite=True)
        >>> agewise.read_profile("another/profile.csv").load.size
        720
    """
    # All paths are checked before anything is written, so that a refusal leaves no half twin.
    paths = [Path(directory) / name for name in FILES]
    for path in paths:
        _refuse_existing(path, overwrite=overwrite)
        prepare(path)
    profile, nameplate, truth, faults, scenario = paths
    if twin.injected:
        listed = [asdict(fault) for fault in twin.injected]
        write_text(faults, json.dumps(listed, indent=2) + "\n")
    elif _lists_faults(faults):
        faults.unlink()  # of an earlier twin, and not true of this one
    write_nameplate(twin.nameplate, nameplate, leave_out=twin.settings.leave_out)
    write_dataset(twin.truth, truth)
    write_table(twin.frame, profile)
    case = bundled_case(twin.settings.case)
    # From the truth, since faults may have moved the times of the frame.
    last = pd.Timestamp(twin.truth["time"].to_numpy()[-1], tz="UTC")
    # The year begins where the last minute of the window ends.
    end = last.tz_convert(case.site.timezone) + pd.Timedelta(minutes=1)
    write_table(year_ahead(case, end, seed=twin.settings.seed), scenario)


def _refuse_existing(path: Path, *, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise InputError(
            f"{path} exists already.",
            hint="choose another `directory`, or add `overwrite=True` to replace it.",
        )


def _lists_faults(path: Path) -> bool:
    """Whether a file is the `faults.json` of a twin, not somebody else's file of that name."""
    names = {field.name for field in fields(Injected)}
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, list) and all(
        isinstance(item, dict) and item.keys() == names for item in content
    )
