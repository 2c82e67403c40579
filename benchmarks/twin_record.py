"""A twin's table as a record; shared by the scripts beside it that spoil it first."""

import pandas as pd

from agewise.plant.record import Record
from agewise.plant.tables import iso_text


def record(frame: pd.DataFrame) -> Record:
    """What a reader would make of a frame."""
    times = pd.DatetimeIndex(frame["time"])
    seconds = (times - times[0]).total_seconds().to_numpy(dtype=float)
    columns = {str(name): frame[name].to_numpy(dtype=float) for name in frame if name != "time"}
    return Record(iso_text(times), seconds, times[0], columns)
