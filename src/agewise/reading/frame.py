"""Profiles in memory: a table of pandas, read, checked and repaired as a file is."""

import pandas as pd

from agewise.plant.measures import Rated
from agewise.plant.profile import Profile
from agewise.reading.checked_record import checked_record
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.record_file import record_of
from agewise.reading.table.foreign import TableSheet
from agewise.units import SECONDS_PER_MINUTE

WHERE = "The table"
"""What a table in memory is called in sentences about it."""


def frame_profile(
    frame: pd.DataFrame, reading: Reading = DEFAULT_READING, *, rated: Rated | None = None
) -> Profile:
    """The profile in a table, whose index or one of whose columns is the time.

    Args:
        frame: The measurements, one row an instant.
        reading: What its columns, units and times mean, where their names do not tell.
        rated: What 1 p.u. of load is, for loads in A, kVA or MVA.
    """
    sheet = TableSheet(_with_time(frame, reading.columns.get("time", "time")))
    record = record_of(sheet, reading, rated or Rated(), WHERE)
    return checked_record(record, reading, WHERE)[1]


def _with_time(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """The table with an index of times as its first column, where it has one."""
    index = frame.index
    # A period is stamped by its beginning, as pandas has it.
    if isinstance(index, pd.PeriodIndex):
        index = index.to_timestamp()
    elif isinstance(index, pd.TimedeltaIndex):
        index = index.total_seconds() / SECONDS_PER_MINUTE
    elif not isinstance(index, pd.DatetimeIndex):
        return frame
    # A column of that name would be the same time twice: the index is the one that pandas sorts by.
    rest = frame.drop(columns=name, errors="ignore").reset_index(drop=True)
    return pd.concat([pd.Series(index, name=name), rest], axis=1)
