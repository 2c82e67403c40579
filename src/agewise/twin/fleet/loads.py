"""How units are loaded: shapes whose busiest hours are about 1."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.twin.cases import LoadShape, city_load, lagged, solar_load
from agewise.twin.weather import Site, rough_noise, smooth_noise
from agewise.units import SECONDS_PER_HOUR

NIGHT_SHIFT, WEEKEND_SHIFT = 0.45, 0.3
"""Load of a works outside its two shifts on a working day, and on a weekend, as shares of its
busiest hours: chosen."""
SHIFTS_H = (6.0, 22.0)
"""Local hours between which a works runs its two shifts [h]."""
START_UP_MIN = 45.0
"""Time in which a works comes up to its load [min]."""
HOME_NIGHT, HOME_EVENING, HOME_MORNING = 0.35, 0.6, 0.25
"""Load of homes at night, and what evening and morning add to it: chosen."""


def works_load(
    site: Site, times: pd.DatetimeIndex, rng: np.random.Generator
) -> Float[np.ndarray, " time"]:
    """Load of a works with two shifts [p.u.]: flat by day, little at night and at weekends."""
    hours = _hours(times)
    shift = (hours >= SHIFTS_H[0]) & (hours < SHIFTS_H[1])
    busy = np.where(shift, 1.0, NIGHT_SHIFT)
    level = np.where(np.asarray(times.day_of_week) >= 5, WEEKEND_SHIFT, busy)
    return lagged(level, times, START_UP_MIN) * _restless(times, rng, slow=0.04, fast=0.03)


def homes_load(
    site: Site, times: pd.DatetimeIndex, rng: np.random.Generator
) -> Float[np.ndarray, " time"]:
    """Load of homes [p.u.]: an evening's peak and a morning's, alike on all days."""
    hours = _hours(times)
    evening = HOME_EVENING * np.exp(-(_apart(hours, 20.0) ** 2) / (2 * 2.5**2))
    morning = HOME_MORNING * np.exp(-(_apart(hours, 8.0) ** 2) / (2 * 1.5**2))
    return (HOME_NIGHT + evening + morning) * _restless(times, rng, slow=0.06, fast=0.03)


SHAPES: dict[str, LoadShape] = {
    "city": city_load,
    "works": works_load,
    "homes": homes_load,
    "solar": solar_load,
}
"""Shapes of the load by name."""


def _hours(times: pd.DatetimeIndex) -> Float[np.ndarray, " time"]:
    return np.asarray(times.hour + times.minute / 60, dtype=float)


def _apart(hours: Float[np.ndarray, " time"], hour: float) -> Float[np.ndarray, " time"]:
    """Hours from an hour of the day, round the clock."""
    return (hours - hour + 12) % 24 - 12


def _restless(
    times: pd.DatetimeIndex, rng: np.random.Generator, *, slow: float, fast: float
) -> Float[np.ndarray, " time"]:
    """A factor about 1 that wanders over hours and flickers over minutes."""
    seconds = times.as_unit("ns").asi8 / 1e9
    hours = smooth_noise(seconds, std=slow, correlation_time_s=2 * SECONDS_PER_HOUR, rng=rng)
    return 1 + hours + rough_noise(seconds, std=fast, correlation_time_s=300.0, rng=rng)
