"""The profile and the nameplate that a caller gave: as objects, or as the files that hold them.

Public functions pass what they are given through here, so that `assess("profile.csv", ...)` works
and None ends in a sentence instead of an AttributeError deep inside.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pandas as pd

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import read_nameplate
from agewise.plant.profile import Profile
from agewise.reading.files import Files
from agewise.reading.profile_file import read_profile

NameplateInput = Nameplate | str | Path
"""A nameplate, or the path of the TOML file that holds one."""
ProfileInput = Profile | str | Path | Sequence[str | Path] | pd.DataFrame
"""A profile, or the path of the file that holds one (CSV, Parquet or .xlsx), or several of them, or
a table of pandas with an index or a column of times."""


def given_nameplate(given: object) -> Nameplate:
    """The nameplate that was given, read first where it is a path.

    Raises `InputError` for anything else, and for a file that cannot be used.
    """
    if isinstance(given, Nameplate):
        return given
    if isinstance(given, str | Path):
        return read_nameplate(given)
    raise InputError(
        f"The nameplate is {_described(given)}, not a nameplate.",
        hint="give the path of its TOML file, or what `agewise.read_nameplate(path)` returns.",
    )


def given_profile(given: object, nameplate: Nameplate, *, what: str = "profile") -> Profile:
    """The profile that was given, read and repaired first where it is a path or a table.

    `nameplate` says what 1 p.u. of load is, for files that hold amperes or kVA. `what` names the
    argument in the sentence of the `InputError` that refuses anything else.
    """
    if isinstance(given, Profile):
        return given
    paths = isinstance(given, list | tuple) and all(isinstance(each, str | Path) for each in given)
    if isinstance(given, str | Path | pd.DataFrame) or paths:
        return read_profile(cast("Files | pd.DataFrame", given), rated=nameplate.rated())
    raise InputError(
        f"The {what} is {_described(given)}, not a profile.",
        hint="give the path of its file, a table of pandas, or what `agewise.read_profile(path)` "
        "returns.",
    )


def refuse_stages_by_ieee(nameplate: Nameplate) -> None:
    """Refuse a unit whose constants change in service where it is to be judged by IEEE C57.91."""
    if nameplate.standard == "ieee" and nameplate.cooling_stages:
        raise InputError(
            "Cooling stages can be followed by IEC 60076-7 only, not by IEEE C57.91.",
            hint='take `standard="iec"`, or a nameplate without cooling_stages.',
        )


def _described(given: object) -> str:
    """What somebody gave instead, by its type."""
    return "None" if given is None else f"of type {type(given).__name__}"
