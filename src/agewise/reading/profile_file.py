"""Profiles in files: foreign ones, read, checked and repaired; our own, stored and read back."""

from pathlib import Path

import pandas as pd

from agewise.plant.measures import Rated
from agewise.plant.profile import DOUBTS, Profile, stored_profile_from
from agewise.plant.record import Record
from agewise.plant.tables import read_table, write_table
from agewise.reading.checked_record import checked_record
from agewise.reading.files import Files, given_files, named
from agewise.reading.frame import frame_profile
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.record_file import read_record


def read_profile(
    path: Files | pd.DataFrame,
    reading: Reading = DEFAULT_READING,
    *,
    rated: Rated | None = None,
) -> Profile:
    """Read a profile from CSV in any common dialect, Parquet, .xlsx or pandas, and repair it.

    Args:
        path: The file; or several, a folder or a pattern such as `2025-*.csv`: monthly exports, or
            one file with the load and another with temperatures, are joined by their times. Or a
            table in memory whose index, or a column of which, is the time.
        reading: What its columns, units and times mean, where that cannot be found in the file.
        rated: What 1 p.u. of load is, for loads in A, kVA or MVA: `nameplate.rated()`.

    Returns:
        The profile; its `findings` say what was guessed, found and done.

    Raises:
        InputError: The file cannot be used; the sentence names line and column.

    Examples:
        >>> import agewise
        >>> profile = agewise.read_profile("demo/profile.csv")
        >>> profile.load.size, profile.findings
        (720, ())
        >>> import pandas
        >>> table = pandas.read_csv("demo/profile.csv", index_col="time", parse_dates=True)
        >>> agewise.read_profile(table).load.size
        720
    """
    if isinstance(path, pd.DataFrame):
        return frame_profile(path, reading, rated=rated)
    return checked_file(path, reading, rated=rated)[1]


def checked_file(
    path: Files, reading: Reading = DEFAULT_READING, *, rated: Rated | None = None
) -> tuple[Record, Profile]:
    """The record as the file holds it, and the profile that is left of it after the repair.

    A file in our own columns with one more, `load_std` or `ambient_std`, was written by a repair,
    and is taken as it is. The arguments are those of `read_profile`.
    """
    files = given_files(path)
    record = read_record(path, reading, rated=rated)
    # Judged again, the loads that were filled in would lose their standard deviation, and count as
    # measured. No notes means that no column was guessed or converted, so the file is our own.
    repaired = bool({*DOUBTS} & {*record.ignored})
    own = repaired and not record.notes and reading == DEFAULT_READING
    if own and len(files) == 1:
        return record, stored_profile(files[0])
    return checked_record(record, reading, named(files))


def write_profile(profile: Profile, path: Path) -> None:
    """Write a profile, CSV or Parquet by its suffix."""
    write_table(profile.frame(), path)


def stored_profile(path: Path) -> Profile:
    """The profile that `write_profile` has written there, as it was: nothing is judged again."""
    # The time stays text, so that it is written back later as it was.
    return stored_profile_from(read_table(path, text_columns=("time",)), where=str(path))
