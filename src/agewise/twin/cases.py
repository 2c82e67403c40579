"""The bundled cases: a nameplate, a place, a season and the way it is loaded."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pandas as pd
from jaxtyping import Float
from scipy.signal import lfilter

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from
from agewise.twin.weather import EXTREMADURA, SEVILLE, Site, irradiance, rough_noise, smooth_noise
from agewise.units import SECONDS_PER_HOUR

LoadShape = Callable[[Site, pd.DatetimeIndex, np.random.Generator], Float[np.ndarray, " time"]]

PLANT_RATIO = 0.95
"""p.u. of load at 1000 W/m2: panels a little smaller than their transformer."""
INVERTER_LAG_MIN = 3.0
"""min over which inverters and the spread of the panels smooth a passing cloud."""

NIGHT_LOAD, DAY_SWING = 0.68, 0.36
"""p.u. of a working day in the busiest season: at night, and added at the day's peak."""
WEEKEND = 0.80
"""of a working day's load"""
QUIET_SEASON, WINTER = 0.88, 0.7
"""of the summer's load, in spring and autumn; how much of the difference winter makes up."""


@dataclass(frozen=True)
class Case:
    """A transformer with its surroundings, from which twins are made."""

    name: str
    site: Site
    start: str
    """The local date on which a twin begins unless its settings name another."""
    load: LoadShape

    def nameplate(self) -> Nameplate:
        """The bundled nameplate."""
        text = files("agewise.twin").joinpath("bundled", f"{self.name}.toml").read_text("utf-8")
        return nameplate_from(text, where=self.name)


def solar_load(
    site: Site, times: pd.DatetimeIndex, rng: np.random.Generator
) -> Float[np.ndarray, " time"]:
    """Load of a solar plant [p.u.]: irradiance under broken clouds, smoothed by the inverters."""
    power = PLANT_RATIO * irradiance(site, times, rng=rng) / 1000.0
    keep = np.exp(-_minutes(times) / INVERTER_LAG_MIN)
    return np.asarray(lfilter([1 - keep], [1.0, -keep], power))


def city_load(
    site: Site, times: pd.DatetimeIndex, rng: np.random.Generator
) -> Float[np.ndarray, " time"]:
    """Load of a city substation [p.u.]: days, weekends and seasons, with people's unrest on top.

    Summer peaks in the afternoon (cooling), winter in the evening (heating and light).
    """
    hours = np.asarray(times.hour + times.minute / 60, dtype=float)
    warm = (1 + np.cos(2 * np.pi * (np.asarray(times.day_of_year) - 205) / 365.25)) / 2
    peak_hour = 20.0 - 4.0 * warm
    day = np.exp(-(((hours - peak_hour + 12) % 24 - 12) ** 2) / (2 * 4.0**2))
    morning = 0.4 * np.exp(-(((hours - 10.0 + 12) % 24 - 12) ** 2) / (2 * 2.0**2))
    busy = (2 * warm - 1) ** 2 * (WINTER + (1 - WINTER) * warm)
    season = QUIET_SEASON + (1 - QUIET_SEASON) * busy
    week = np.where(np.asarray(times.day_of_week) >= 5, WEEKEND, 1.0)
    seconds = times.as_unit("ns").asi8 / 1e9
    slow = smooth_noise(seconds, std=0.03, correlation_time_s=2 * SECONDS_PER_HOUR, rng=rng)
    fast = rough_noise(seconds, std=0.012, correlation_time_s=300.0, rng=rng)
    shape = NIGHT_LOAD + DAY_SWING * np.minimum(day + morning, 1.0)
    return season * _blended(week, times) * shape * (1 + slow + fast)


CASES = {
    case.name: case
    for case in (
        Case("floating-pv", EXTREMADURA, "2025-06-12", solar_load),
        Case("aged-substation", SEVILLE, "2025-07-07", city_load),
    )
}


def bundled_case(name: str) -> Case:
    """The case of that name."""
    if name not in CASES:
        raise InputError(f"There is no bundled case {name!r}.", hint=f"cases: {', '.join(CASES)}.")
    return CASES[name]


def _minutes(times: pd.DatetimeIndex) -> float:
    return (times[1] - times[0]).total_seconds() / 60.0


def _blended(week: np.ndarray, times: pd.DatetimeIndex) -> Float[np.ndarray, " time"]:
    """Working days pass into weekends over about two hours, not at the stroke of midnight."""
    keep = np.exp(-_minutes(times) / 120.0)
    start = [keep * week[0]]
    return np.asarray(lfilter([1 - keep], [1.0, -keep], week, zi=start)[0])
