"""A series put on the times of another one: as many readings as there were, and none made up."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

LONGEST_BRIDGE = 2.5
"""Steps of a series over which it is taken to run straight; one reading may be missing."""
STEEP_K = 10.0
"""Difference of neighbouring readings from which on they are not blended [K]: one may be a code for
no value, such as 0 or 999, and halfway to it would pass for a temperature."""
COARSE = 1.5
"""Ratio of steps from which on a series is coarser than the times it is put on."""

Seconds = Float[np.ndarray, " _"]
"""Seconds from a common start."""


@dataclass(frozen=True, eq=False)
class Series:
    """Temperatures in the order of time, one an instant."""

    seconds: Seconds
    """When they were taken, strictly increasing."""
    values: Float[np.ndarray, " _"]
    """The readings [°C], without NaN."""

    @property
    def step(self) -> float:
        """The typical step between two readings [s]; endless where there is one alone."""
        return typical_step(self.seconds)


def merged_series(seconds: Seconds, values: Float[np.ndarray, " _"]) -> Series:
    """Readings in any order as a series; those that contradict each other are left out."""
    known = np.isfinite(seconds) & np.isfinite(values)
    order = np.argsort(seconds[known], kind="stable")
    times, readings = seconds[known][order], values[known][order]
    if not times.size:
        return Series(times, readings)
    first = np.flatnonzero(np.diff(times, prepend=-np.inf) > 0)
    low, high = np.minimum.reduceat(readings, first), np.maximum.reduceat(readings, first)
    return Series(times[first][low == high], low[low == high])


def on_times(series: Series, times: Seconds) -> Float[np.ndarray, " _"]:
    """The series at other times, straight between its readings; NaN where it was silent.

    A series that is coarser than the times gets one value a reading, at the time next to it: more
    would pass for readings that nobody took.
    """
    placed = np.full(times.size, np.nan)
    if series.seconds.size < 2 or times.size < 2:
        return placed
    behind = np.clip(np.searchsorted(series.seconds, times), 1, series.seconds.size - 1)
    before, after = series.seconds[behind - 1], series.seconds[behind]
    inside = (times >= series.seconds[0]) & (times <= series.seconds[-1])
    # A reading at that very time needs no neighbour close by.
    exact = np.isin(times, series.seconds)
    near = inside & (exact | (after - before <= LONGEST_BRIDGE * series.step))
    if series.step > COARSE * typical_step(times):
        near &= _next_to(series.seconds, times)
    low, high = series.values[behind - 1], series.values[behind]
    share = (times - before) / (after - before)
    # Beyond the steep ones, whichever reading is next.
    share = np.where(np.abs(high - low) > STEEP_K, np.round(share), share)
    placed[near] = (low + share * (high - low))[near]
    return placed


def held_at(series: Series, times: Seconds) -> Float[np.ndarray, " _"]:
    """The last value written before each time; NaN before the first. For states, which hold."""
    behind = np.searchsorted(series.seconds, times, side="right") - 1
    return np.where(behind < 0, np.nan, series.values[np.maximum(behind, 0)])


def typical_step(times: Seconds) -> float:
    """The median of the steps between different times [s]."""
    steps = np.diff(times)
    steps = steps[steps > 0]
    return float(np.median(steps)) if steps.size else np.inf


def _next_to(readings: Seconds, times: Seconds) -> np.ndarray:
    """Marks, for each reading, the time that is next to it."""
    order = np.argsort(times, kind="stable")
    ordered = times[order]
    behind = np.clip(np.searchsorted(ordered, readings), 1, times.size - 1)
    left = readings - ordered[behind - 1] < ordered[behind] - readings
    marked = np.zeros(times.size, dtype=bool)
    marked[order[np.where(left, behind - 1, behind)]] = True
    return marked
