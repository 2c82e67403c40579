"""Air from a weather file: EPW, TMY3, or a table with time and temperature."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.measures import Rated
from agewise.plant.notes import listed
from agewise.reading.heading import Heading
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.record_file import record_of
from agewise.reading.table.foreign import sheet_of
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

AIR_NAMES = ("temp air", "air temperature", "dry bulb", "temperature", "temp", "t2m", "tair", "t")
"""Headers of the air in a table of weather, likeliest first; in a profile they would be vague."""
AIR_RANGE = (-60.0, 60.0)
"""What air can be [°C]; beyond are codes for no value: EPW writes 99.9."""
LONGEST_GAP_H = 6.0
"""Longest time between two values that is bridged by a straight line [h]."""
YEAR_DAYS = 365
"""Length of the year of a weather file [days]."""
WHOLE_YEAR_DAYS = 360.0
"""Length of a table from which on it stands for other years too [days]."""
STATION_K = 2.0
"""Standard deviation of the air at a unit about that of a station nearby at the same hours [K]: a
few hundred metres in height, a town, and walls about a yard make as much (assumed)."""
SMOOTHED_DAYS = 31
"""Days over which the mean of a season is taken, about which its days differ."""

Series = Float[np.ndarray, " time"]
"""Numbers by instant that is asked for."""
Samples = Float[np.ndarray, " sample"]
"""Numbers by row of the file."""


@dataclass(frozen=True, eq=False)
class Weather:
    """The air in a weather file."""

    where: str
    """What the file is called in sentences."""
    instants: pd.DatetimeIndex
    """Times of the values with their zone, increasing where they are dated."""
    air: Samples
    """Temperature of the air [°C], none of it missing."""
    typical: bool
    """Whether it is a year put together from months of several years, which nobody has lived."""

    def covers(self, times: pd.DatetimeIndex) -> bool:
        """Whether the file has the very hours that are asked for."""
        early, late = self.instants[0] - times[0], times[-1] - self.instants[-1]
        beyond = pd.Timedelta(hours=1)  # the last hour of a file is often the one before midnight
        return not self.typical and early <= beyond and late <= beyond

    def at(self, times: pd.DatetimeIndex) -> Series:
        """Air at these times [°C]: of the same hours, else of the same days of the year; NaN in
        long gaps of the file."""
        if self.covers(times):
            return _interpolated(_seconds(times), _seconds(self.instants), self.air)
        if not self.typical and np.ptp(_seconds(self.instants)) < WHOLE_YEAR_DAYS * SECONDS_PER_DAY:
            raise InputError(
                f"{self.where} runs from {self.instants[0]:%Y-%m-%d %H:%M} to "
                f"{self.instants[-1]:%Y-%m-%d %H:%M}, but the profile from "
                f"{times[0]:%Y-%m-%d %H:%M} to {times[-1]:%Y-%m-%d %H:%M}.",
                hint="give weather of the same time, or of a whole year, as an EPW file.",
            )
        return self._by_calendar(_of_year(times.tz_convert(self.instants.tz)))

    def std(self, times: pd.DatetimeIndex) -> float:
        """Standard deviation of the air at the unit about this [K].

        Of another year, the days of both differ from what is usual, each by as much.
        """
        if self.covers(times):
            return STATION_K
        hours = self._by_calendar(np.arange(YEAR_DAYS * 24) * SECONDS_PER_HOUR)
        daily = hours.reshape(YEAR_DAYS, 24).mean(axis=1)
        # The year follows upon itself, so that December counts with January.
        around = np.arange(SMOOTHED_DAYS) - SMOOTHED_DAYS // 2
        usual = np.nanmean([np.roll(daily, shift) for shift in around], axis=0)
        return float(np.hypot(STATION_K, np.sqrt(2) * np.nanstd(daily - usual)))

    def _by_calendar(self, wanted: Series) -> Series:
        """Air at seconds of the year by the file's first year, which follows upon itself."""
        first = np.ones(self.air.size, dtype=bool)
        if not self.typical:
            days = (_seconds(self.instants) - _seconds(self.instants)[0]) / SECONDS_PER_DAY
            first = days < YEAR_DAYS
        # Of a time that the file has twice, the first value counts.
        own, place = np.unique(_of_year(self.instants[first]), return_index=True)
        air, year = self.air[first][place], YEAR_DAYS * SECONDS_PER_DAY
        # One value more on either side of New Year, so that nothing is extrapolated there.
        around = np.concatenate([own[-1:] - year, own, own[:1] + year])
        return _interpolated(wanted, around, np.concatenate([air[-1:], air, air[:1]]))


def read_weather(path: str | Path, reading: Reading = DEFAULT_READING) -> Weather:
    """The air in a file: EPW by its ending, TMY3 by its second line, else any table.

    Args:
        path: The file.
        reading: For a table, the zone of its times where they have none.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(
            f"There is no weather file {path}.",
            hint="`ambient` is a number [°C], a weather file, or 'none'.",
        )
    if path.suffix.lower() == ".epw":
        return _known_format(path, "read_epw")
    with path.open("rb") as file:
        typical = b"Date (MM/DD/YYYY)" in file.read(2000)
    return _known_format(path, "read_tmy3") if typical else _table(path, reading)


def _known_format(path: Path, reader: str) -> Weather:
    """A file that pvlib knows."""
    from pvlib import iotools  # slow, and tables do without

    try:
        frame = (
            iotools.read_epw(path)[0]
            if reader == "read_epw"
            else iotools.read_tmy3(path, map_variables=True)[0]
        )
        air = pd.to_numeric(frame["temp_air"], errors="coerce").to_numpy(dtype=float)
    except Exception as error:  # whatever a broken file makes of a parser
        raise InputError(
            f"{path} cannot be read as weather: {type(error).__name__}.",
            hint="download it again, or give a CSV with the columns time and temperature.",
        ) from None
    instants = pd.DatetimeIndex(frame.index)
    if reader == "read_epw":
        # Temperatures hold at the end of the hour that the file names; pvlib labels its beginning.
        instants = instants + pd.Timedelta(hours=1)
    # Typical years are put together from months of several years, so their dates jump.
    return _weather(path, instants, air, typical=bool((np.diff(_seconds(instants)) <= 0).any()))


def _table(path: Path, reading: Reading) -> Weather:
    """A table with a time and a temperature of the air."""
    sheet = sheet_of(path)
    headings = [Heading(name, sheet.units.get(name, "")) for name in sheet.names]
    named = any(head.meaning == "ambient" for head in headings)
    columns = {} if named else _air_column(headings, path)
    # Of what is said about the profile, the zone alone holds for the weather too.
    own = replace(DEFAULT_READING, timezone=reading.timezone, columns=columns)
    record = record_of(sheet, own, Rated(), str(path), required=("time", "ambient"))
    if record.start is None:
        raise InputError(
            f"{path} counts its times from a start, and has no dates.",
            hint="give weather with dates, or a constant `ambient`.",
        )
    known = np.isfinite(record.seconds)
    instants = record.start + pd.to_timedelta(record.seconds[known], unit="s")
    air = record.columns["ambient"][known]
    order = np.argsort(_seconds(pd.DatetimeIndex(instants)), kind="stable")
    return _weather(path, pd.DatetimeIndex(instants)[order], air[order], typical=False)


def _air_column(headings: list[Heading], path: Path) -> dict[str, str]:
    """The column of a weather table that is the air by a name which says no more."""
    plain = {" ".join(head.name.casefold().replace("_", " ").split()): head for head in headings}
    air_column = next((plain[name].column for name in AIR_NAMES if name in plain), None)
    if air_column is None:
        raise InputError(
            f"{path} has no column for the air.",
            hint=f"name it temperature; it has: {listed([head.column for head in headings])}.",
        )
    return {"ambient": air_column}


def _weather(path: Path, instants: pd.DatetimeIndex, air: Samples, *, typical: bool) -> Weather:
    # Comparisons with NaN are false, so missing values drop out with the impossible ones.
    usable = np.asarray(instants.notna()) & (air >= AIR_RANGE[0]) & (air <= AIR_RANGE[1])
    if usable.sum() < 2:
        raise InputError(
            f"{path} has no air from {AIR_RANGE[0]:g} to {AIR_RANGE[1]:g} °C.",
            hint="give temperatures in °C, or say their unit in the header.",
        )
    return Weather(str(path), instants[usable], air[usable], typical)


def _interpolated(wanted: Series, seconds: Samples, values: Samples) -> Series:
    """Values straight between those of the file; NaN in gaps that are too long."""
    after = np.clip(np.searchsorted(seconds, wanted), 1, seconds.size - 1)
    gap = seconds[after] - seconds[after - 1] > LONGEST_GAP_H * SECONDS_PER_HOUR
    # At a value of the file itself there is no gap.
    return np.where(gap & (wanted != seconds[after]), np.nan, np.interp(wanted, seconds, values))


def _of_year(times: pd.DatetimeIndex) -> Series:
    """Seconds since New Year by the calendar; 29 February counts as 1 March."""
    later = np.asarray(times.is_leap_year & (times.month > 2))
    clock = times.hour * 3600.0 + times.minute * 60.0 + times.second
    return (np.asarray(times.day_of_year) - 1 - later) * SECONDS_PER_DAY + np.asarray(clock)


def _seconds(times: pd.DatetimeIndex) -> Series:
    return times.as_unit("ns").asi8 / 1e9
