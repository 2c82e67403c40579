"""Long records day by day: thousands of swings on one page are a blot, their daily range is not."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes

from agewise.assessment.grid import LONG_DAYS
from agewise.plant.profile import Profile
from agewise.report.drawing.times import HOURS_PER_DAY, days, field_times
from agewise.units import SECONDS_PER_DAY


# Not compared field by field, since `==` of two arrays is an array, not a truth value.
@dataclass(frozen=True, eq=False)
class Daily:
    """Lowest, mean and highest value of each day in a record; NaN on days without a value."""

    times: np.ndarray
    """Noon of each day, as an axis shows it: local time, or hours from the start."""
    low: np.ndarray
    """Lowest value of the day."""
    mean: np.ndarray
    """Mean of the day."""
    high: np.ndarray
    """Highest value of the day."""


def is_long(profile: Profile) -> bool:
    """Whether a record is to be shown by days."""
    return float(profile.seconds[-1]) > LONG_DAYS * SECONDS_PER_DAY


def daily(times: np.ndarray, values: np.ndarray) -> Daily:
    """Values by local day; `times` as an axis shows them."""
    groups = pd.Series(np.asarray(values)).groupby(days(times))
    by_day = groups.agg(["min", "mean", "max"])
    low, mean, high = (by_day[name].to_numpy(dtype=float) for name in ("min", "mean", "max"))
    return Daily(noons(np.asarray(by_day.index)), low, mean, high)


def daily_field(field: xr.Dataset, profile: Profile) -> xr.Dataset:
    """Means of each local day, at the middle of its times."""
    day = days(field_times(profile, field))
    # Times ascend, so the rows of a day follow each other: sums from each first row to the next
    # are sums over days.
    first = np.flatnonzero(np.append(True, day[1:] != day[:-1]))
    last = np.append(first[1:], day.size) - 1
    times = field["time"].to_numpy()
    middle = times[first] + (times[last] - times[first]) / 2  # dates cannot be added
    count = (last - first + 1)[:, None]
    means = {
        name: (("time", "height"), np.add.reduceat(values.to_numpy(), first, axis=0) / count)
        for name, values in field.transpose("time", "height").items()
    }
    return xr.Dataset(means, {"time": middle, "height": field["height"]})


def noons(day: np.ndarray) -> np.ndarray:
    """The middle of days: dates, or hours from the start for days that are numbered from 1."""
    if np.issubdtype(day.dtype, np.datetime64):
        return day.astype("datetime64[h]") + np.timedelta64(12, "h")
    return (day - 0.5) * HOURS_PER_DAY


def draw_daily(
    axes: Axes, times: np.ndarray, values: np.ndarray, colour: str, name: str, *, alpha: float = 0.4
) -> None:
    """A band from the lowest to the highest of every day, and the line of its means."""
    by_day = daily(times, values)
    axes.fill_between(
        by_day.times, by_day.low, by_day.high, color=colour, alpha=alpha, linewidth=0,
        label=f"{name}, range of the day",
    )  # fmt: skip
    axes.plot(by_day.times, by_day.mean, color=colour, linewidth=1.3, label="mean of the day")
