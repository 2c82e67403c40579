"""Tables in memory, read as files are."""

import pandas as pd

from agewise.plant.measures import Rated
from agewise.plant.record import Record
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.record_file import record_of
from agewise.reading.table.foreign import TableSheet


def record_from(
    frame: pd.DataFrame,
    reading: Reading = DEFAULT_READING,
    *,
    rated: Rated | None = None,
    where: str = "the table",
) -> Record:
    """The record in a table."""
    return record_of(TableSheet(frame), reading, rated or Rated(), where)
