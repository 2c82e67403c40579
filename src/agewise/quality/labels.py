"""Labels: how the times of a repaired profile are written, beside the file's own."""

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from agewise.errors import InputError
from agewise.plant.tables import iso_text
from agewise.plant.timeline import Timeline, zoned_instants
from agewise.quality.repair import Repaired
from agewise.units import SECONDS_PER_MINUTE


def labelled(labels: pd.Series, start: pd.Timestamp | None, rows: Repaired) -> Timeline:
    """The times of a repaired profile, as the file writes them where it has them.

    Rows that were inserted are written in ISO 8601, or in minutes. Times of a file in any other
    format are replaced throughout, so that one column has one format.

    Args:
        labels: The time column of the file.
        start: The instant of second 0 with its zone; None when the file counts minutes.
        rows: The repaired rows.
    """
    # Inserted rows have no label. They borrow that of the first row, and it is replaced below.
    inserted, seconds = rows.origin < 0, rows.seconds - rows.seconds[0]
    given = labels.iloc[np.maximum(rows.origin, 0)].reset_index(drop=True)
    if start is None:
        return Timeline(_minutes(given, inserted, rows.seconds), seconds, None)
    instants = pd.DatetimeIndex(start + pd.to_timedelta(rows.seconds, unit="s"))
    if isinstance(given.dtype, pd.DatetimeTZDtype):
        return Timeline(pd.Series(instants), seconds, instants[0])
    if not _readable(given[~inserted], instants[~inserted]):
        return Timeline(iso_text(instants), seconds, instants[0])
    if inserted.any():
        given = given.where(~inserted, iso_text(instants).astype(given.dtype))
    return Timeline(given, seconds, instants[0])


def _minutes(
    given: pd.Series, inserted: Bool[np.ndarray, " time"], seconds: Float[np.ndarray, " time"]
) -> pd.Series:
    """Labels in minutes; those of inserted rows are numbers or text, like the others."""
    first = float(pd.to_numeric(given.iloc[:1], errors="coerce").to_numpy(dtype=float)[0])
    # The file need not count from 0, so minutes are counted on from its own first number.
    minutes = pd.Series(first + (seconds - seconds[0]) / SECONDS_PER_MINUTE)
    if not np.isfinite(first):
        return pd.Series(seconds / SECONDS_PER_MINUTE)
    if not inserted.any():
        return given
    if pd.api.types.is_numeric_dtype(given):
        return given.astype(float).where(~inserted, minutes)
    return given.where(~inserted, minutes.map("{:.10g}".format).astype(given.dtype))


def _readable(labels: pd.Series, instants: pd.DatetimeIndex) -> bool:
    """Whether labels are ISO 8601 with a zone, and mean these instants to the millisecond."""
    try:
        read = zoned_instants(labels.reset_index(drop=True), "the table")
    except InputError:
        return False
    off = read.as_unit("ns").asi8 - instants.as_unit("ns").asi8
    return bool(np.abs(off).max() < 1e6)
