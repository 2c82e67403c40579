"""ISO 8601, the format that has a fast parser of its own."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from agewise.plant.timeline import DATE_LENGTH, ZONE_PATTERN
from agewise.reading.clock.stamps import (
    NO_TIME,
    Moments,
    Stamps,
    encoded,
    nanoseconds,
    stamps,
    zone_offset,
)

pc: Any = pyarrow.compute  # its functions are made when it is imported

ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?![\d-])")
"""How ISO 8601 begins."""
ZONE = re.compile(ZONE_PATTERN)
"""How it ends where it names a zone."""
ZONE_LENGTH = len("0+02:00")
"""Characters of the longest zone and of the digit that must stand before it."""


def iso_stamps(text: pa.Array) -> Stamps:
    """Times from ISO 8601, with or without a zone; rows that are none are tried in other ways."""
    series = pd.Series(text.to_pandas(), dtype="str")
    parsed = pd.to_datetime(series, format="ISO8601", errors="coerce", utc=True)
    # pandas turns all into UTC and forgets the offsets, so these are read from the text once more.
    moments = nanoseconds(pd.DatetimeIndex(parsed))
    offset = offsets(text)
    wall = moments + np.where((offset == NO_TIME) | (moments == NO_TIME), 0, offset)
    return _mended(text, Stamps(wall, offset))


def offsets(text: pa.Array) -> Moments:
    """Nanoseconds ahead of UTC by the end of each text; `NO_TIME` where it names no zone."""
    # A date alone ends as an offset does: the -12 of 2025-06-12.
    long = pc.greater(pc.utf8_length(text), DATE_LENGTH).to_numpy(zero_copy_only=False)
    # Only the end is encoded: of the digit and the zone there are few, of time stamps many.
    ahead = encoded(pc.utf8_slice_codeunits(text, -ZONE_LENGTH)).mapped(_offset)
    return np.where(long, ahead, NO_TIME)


def _offset(end: str) -> int | None:
    zone = ZONE.search(end)
    return zone_offset(zone[0]) if zone else None


def _mended(text: pa.Array, read: Stamps) -> Stamps:
    """The same stamps, with rows that pandas could not read tried by the general parser.

    It knows 24:00 and decimal commas, for instance.
    """
    likely = pc.match_substring_regex(text, r"^\d{4}-\d{2}-\d{2}").to_numpy(zero_copy_only=False)
    rows = np.flatnonzero((read.wall == NO_TIME) & likely)
    if not rows.size:
        return read
    # With the year first there is one way to read a date, so that nothing is refused there.
    rest = stamps(text.take(pa.array(rows)), "")
    wall, offset = read.wall.copy(), read.offset.copy()
    wall[rows], offset[rows] = rest.wall, rest.offset
    return Stamps(wall, offset)
