"""Forecasts in files: load or air over time, in any dialect that a profile may have."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.measures import Rated
from agewise.plant.strict_numbers import LOAD_RANGE, TEMPERATURE_RANGE
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.record_file import read_record


@dataclass(frozen=True, eq=False)
class Series:
    """One forecast quantity, row by row in the order of time."""

    seconds: Float[np.ndarray, " row"]
    """Seconds from `start`; from the first row where there is no date."""
    start: pd.Timestamp | None
    """The instant of second 0 with its zone; None where the file counts minutes."""
    values: Float[np.ndarray, " row"]
    """Load [p.u.] or air temperature [°C]."""
    where: str
    """What the file is called in sentences about it."""


def read_series(
    path: str | Path,
    role: str,
    reading: Reading = DEFAULT_READING,
    *,
    rated: Rated | None = None,
) -> Series:
    """The forecast of one quantity in a file, which may have other columns besides.

    Args:
        path: CSV, Parquet or .xlsx with a time and the quantity.
        role: `load` or `ambient`.
        reading: What its columns, units and times mean, where that cannot be found in the file.
        rated: What 1 p.u. of load is, for loads in A, kVA or MVA.

    Raises:
        InputError: A time or a value is missing, repeated or impossible: nobody repairs a forecast.
    """
    record = read_record(path, reading, rated=rated, required=("time", role))
    # Nothing is filled in: the gaps of a forecast are for whoever made it to close.
    values, seconds, where = record.columns[role], record.seconds, str(path)
    bad = np.flatnonzero(~np.isfinite(values) | ~np.isfinite(seconds))
    if bad.size:
        line = record.line(bad[0])
        raise InputError(
            f"{where}, line {line}: the forecast lacks a time or its {role}.",
            hint="give every row both, or leave the row out.",
        )
    order = np.argsort(seconds, kind="stable")
    seconds, values = seconds[order], values[order]
    twice = np.flatnonzero(np.diff(seconds) <= 0)
    if twice.size:
        line = record.line(order[twice[0] + 1])
        raise InputError(
            f"{where}, line {line}: the time is in the forecast twice.",
            hint="keep one row for each instant.",
        )
    _refuse_impossible(values, role, where)
    return Series(seconds, record.start, values, where)


def _refuse_impossible(values: Float[np.ndarray, " row"], role: str, where: str) -> None:
    low, high = LOAD_RANGE if role == "load" else TEMPERATURE_RANGE
    strange = values[(values < low) | (values > high)]
    if strange.size:
        unit = "p.u." if role == "load" else "°C"
        raise InputError(
            f"{where}: a forecast {role} of {strange[0]:g} {unit} is not possible.",
            hint=f'give {low:g} to {high:g} {unit}, or say the unit: `units={{"{role}": "UNIT"}}`.',
        )
