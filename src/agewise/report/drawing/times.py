"""Times as a reader knows them: the profile's local clock, or hours from the start."""

import re

import matplotlib.dates as mdates
import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes

from agewise.plant.profile import Profile
from agewise.units import SECONDS_PER_HOUR

MINUTES_PER_HOUR = 60.0
HOURS_PER_DAY = 24.0
TICKS = ["%Y", "%b %Y", "%d %b", "%H:%M", "%H:%M", "%H:%M:%S"]
"""Formats of ticks that are years, months, days, hours, minutes or seconds apart."""
ROUND_TICKS = ["", "%Y", "%d %b", "%d %b", "%H:%M", "%H:%M"]
"""Formats of those ticks that begin the next larger unit, such as midnight among hours."""


class DateFormatter(mdates.ConciseDateFormatter):
    """Ticks in which a day of the month has no leading zero."""

    def format_ticks(self, values) -> list[str]:
        """The texts of all ticks."""
        # Not by `%-d`, which Windows does not know. A time of day keeps its zero: no blank follows.
        return [re.sub(r"^0(?=\d )", "", text) for text in super().format_ticks(values)]


def local_times(profile: Profile, seconds: np.ndarray) -> np.ndarray:
    """Local wall-clock times, or hours when the profile counts minutes."""
    start = profile.timeline.start
    if start is None:
        return seconds / SECONDS_PER_HOUR
    instants = pd.DatetimeIndex(profile.timeline.utc(seconds)).tz_localize("UTC")
    # Without a zone in the end, since matplotlib would convert times that have one to UTC.
    return instants.tz_convert(start.tzinfo).tz_localize(None).to_numpy()


def field_seconds(profile: Profile, field: xr.Dataset) -> np.ndarray:
    """Seconds from the profile's first row at each time of a field."""
    times = field["time"].to_numpy()
    # Such a profile counts minutes, and so does its field.
    if profile.timeline.start is None:
        return times * (SECONDS_PER_HOUR / MINUTES_PER_HOUR)
    return (times - profile.timeline.utc(np.zeros(1))[0]) / np.timedelta64(1, "s")


def field_times(profile: Profile, field: xr.Dataset) -> np.ndarray:
    """The times of a field on the clock of its profile."""
    return local_times(profile, field_seconds(profile, field))


def name_time_axis(axes: Axes, profile: Profile) -> None:
    """Ticks and label of a horizontal axis in these times."""
    clock_axis(axes, profile.timeline.start, "time from the start [h]")


def clock_axis(axes: Axes, start: pd.Timestamp | None, counted: str) -> None:
    """Ticks and label of a horizontal axis of local times from a start; without it, `counted`."""
    if start is None:
        axes.set_xlabel(counted)
        return
    locator = mdates.AutoDateLocator(minticks=3, maxticks=9)
    axes.xaxis.set_major_locator(locator)
    formatter = DateFormatter(locator, formats=TICKS, zero_formats=ROUND_TICKS, show_offset=False)
    axes.xaxis.set_major_formatter(formatter)
    zone = str(start.tzinfo)
    clock = "time (UTC)" if zone == "UTC" else f"local time ({zone})"
    axes.set_xlabel(f"{clock}, from {start.day} {start:%B %Y}")


def days(times: np.ndarray) -> np.ndarray:
    """The day in which each local time lies: dates, or numbers from 1 for hours from the start."""
    if np.issubdtype(times.dtype, np.datetime64):
        return times.astype("datetime64[D]")
    return (times // HOURS_PER_DAY).astype(int) + 1


def day_name(day: np.datetime64 | np.integer) -> str:
    """A day as it stands over a panel."""
    if isinstance(day, np.datetime64):
        date = pd.Timestamp(day)
        return f"{date:%a} {date.day} {date:%b %Y}"
    return f"day {day}"


def clock(time: np.datetime64 | np.floating) -> str:
    """A local time as it stands over a panel."""
    if isinstance(time, np.datetime64):
        date = pd.Timestamp(time)
        return f"{date.day} {date:%b %Y, %H:%M}"
    return f"{time:.1f} h from the start"
