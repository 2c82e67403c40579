"""Weather that was recorded: air and sun from a file, instead of made ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.tables import read_table

TIMES = ("time_utc", "time", "timestamp", "datetime", "utc")
AIR = ("air_temperature", "air", "ambient", "t_air", "temp_air", "temperature")
SUN = ("ghi", "irradiance", "global_irradiance")
"""Names of the columns in any capitals, the likeliest first."""
AIR_RANGE, SUN_RANGE = (-60.0, 60.0), (-50.0, 2000.0)
"""What air [°C] and sun [W/m2] can be; beyond are codes for no value. By night a pyranometer reads
a little below 0."""
LONGEST_GAP_S = 3600.0
"""Longest time between two values that is bridged by a straight line [s]."""

Series = Float[np.ndarray, " time"]
"""Numbers by minute."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """One quantity over time, as a file has it."""

    what: str
    """File and column, for errors."""
    instants: pd.DatetimeIndex
    """Times of the values, in UTC and increasing."""
    values: Float[np.ndarray, " sample"]
    """The values, none of them missing."""

    def at(self, times: pd.DatetimeIndex) -> Series:
        """The values at uniform times, straight between those of the file."""
        if times[0] < self.instants[0] or times[-1] > self.instants[-1]:
            raise InputError(
                f"{self.what} runs from {self.instants[0]:%Y-%m-%d %H:%M} to "
                f"{self.instants[-1]:%Y-%m-%d %H:%M} UTC, too short for a twin that needs "
                f"{times[0].tz_convert('UTC'):%Y-%m-%d %H:%M} to "
                f"{times[-1].tz_convert('UTC'):%Y-%m-%d %H:%M} with its day of warm-up.",
                hint="make `days` smaller, or choose another `start`.",
            )
        here, wanted = _seconds(self.instants), _seconds(times)
        # One value before the first time and one behind the last: gaps at the ends count too.
        first = np.searchsorted(here, wanted[0], side="right") - 1
        last = np.searchsorted(here, wanted[-1])
        steps = np.diff(here[first : last + 1])
        if steps.size and steps.max() > LONGEST_GAP_S:
            gap = self.instants[first + int(steps.argmax())]
            raise InputError(
                f"{self.what} has a gap of {steps.max() / 3600:.1f} h after {gap:%Y-%m-%d %H:%M} "
                f"UTC, longer than the hour that is bridged.",
                hint="choose another `start`, or make `days` smaller.",
            )
        return np.interp(wanted, here, self.values)


@dataclass(frozen=True, eq=False)
class RecordedWeather:
    """The weather in a file."""

    air: Recorded
    """Temperature of the air [°C]."""
    sun: Recorded | None
    """Global horizontal irradiance [W/m2], negative by night; None where the file has none."""

    def first_start(self, timezone: str) -> str:
        """The local date on which a twin can begin: a day after the first midnight."""
        # The day after the first midnight is the warm-up.
        midnight = self.air.instants[0].tz_convert(timezone).ceil("D")
        return f"{midnight.tz_localize(None) + pd.Timedelta(days=1):%Y-%m-%d}"


def read_weather(path: str | Path) -> RecordedWeather:
    """Air, and sun where it is there, of a CSV or Parquet file; times without a zone are UTC."""
    frame = read_table(Path(path))
    time = _named(frame, TIMES)
    if time is None or _named(frame, AIR) is None:
        lacking = "a time" if time is None else "an air temperature"
        raise InputError(
            f"{path} has no column for {lacking}.",
            hint=f"name the columns {TIMES[0]}, {AIR[0]} [°C] and, if there is a sun, {SUN[0]} "
            f"[W/m2].",
        )
    air = _recorded(frame, time, AIR, AIR_RANGE, str(path))
    assert air is not None  # its column is there
    return RecordedWeather(air, _recorded(frame, time, SUN, SUN_RANGE, str(path)))


def _recorded(
    frame: pd.DataFrame,
    time: str,
    names: Sequence[str],
    possible: tuple[float, float],
    where: str,
) -> Recorded | None:
    """A column's values in the order of time; None where there is no such column."""
    column = _named(frame, names)
    if column is None:
        return None
    instants = _instants(frame[time])
    values = pd.to_numeric(frame[column], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    # Comparisons with NaN are false, so missing values drop out with the impossible ones.
    usable = instants.notna() & (values >= possible[0]) & (values <= possible[1])
    series = pd.Series(values[usable], index=instants[usable]).sort_index()
    series = series[~series.index.duplicated()]
    if series.size < 2:
        raise InputError(
            f"{where}: the column {column!r} has no values from {possible[0]:g} to {possible[1]:g} "
            f"at times that can be read.",
            hint="give times in ISO 8601, temperatures in °C and irradiance in W/m2.",
        )
    index = pd.DatetimeIndex(series.index)
    return Recorded(f"The column {column!r} of {where}", index, series.to_numpy(dtype=float))


def _instants(column: pd.Series) -> pd.DatetimeIndex:
    """Times in UTC; none where a cell cannot be read, or is a number."""
    if pd.api.types.is_numeric_dtype(column):
        return pd.DatetimeIndex([pd.NaT] * len(column), tz="UTC")
    return pd.DatetimeIndex(pd.to_datetime(column, utc=True, errors="coerce", format="ISO8601"))


def _named(frame: pd.DataFrame, names: Sequence[str]) -> str | None:
    """The first column that has one of these names."""
    plain = {str(column).strip().lower().replace(" ", "_"): str(column) for column in frame}
    return next((plain[name] for name in names if name in plain), None)


def _seconds(times: pd.DatetimeIndex) -> Series:
    return times.as_unit("ns").asi8 / 1e9
