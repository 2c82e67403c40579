"""The bundled cases: a nameplate, a place, a season and the way it is loaded."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from
from agewise.twin.weather import (
    EXTREMADURA,
    SEVILLE,
    Site,
    faded,
    irradiance,
    rough_noise,
    smooth_noise,
)
from agewise.units import SECONDS_PER_HOUR

LoadShape = Callable[[Site, pd.DatetimeIndex, np.random.Generator], Float[np.ndarray, " time"]]
"""Load [p.u.] at a site over uniform times, by random numbers."""

PLANT_RATIO = 0.95
"""Load at an irradiance of 1000 W/m2 [p.u.]: panels are a little smaller than their transformer."""
INVERTER_LAG_MIN = 3.0
"""Time over which inverters and the spread of the panels smooth a passing cloud [min]."""

NIGHT_LOAD, DAY_SWING = 0.68, 0.36
"""Load at night on a working day in the busiest season, and what the day's peak adds [p.u.]."""
WEEKEND = 0.80
"""Load of a weekend as a share of a working day's."""
QUIET_SEASON, WINTER = 0.88, 0.7
"""Load in spring and autumn as a share of summer's, and share of that difference that winter makes
up."""


@dataclass(frozen=True)
class Case:
    """A transformer with its surroundings, from which twins are made."""

    name: str
    """Name of the case and of its nameplate."""
    site: Site
    """Place and climate."""
    start: str
    """The local date on which a twin begins unless its settings name another."""
    load: LoadShape
    """How the transformer is loaded."""
    solar: bool = False
    """Whether the load follows the sun."""

    def nameplate(self) -> Nameplate:
        """The bundled nameplate."""
        text = files("agewise.twin").joinpath("bundled", f"{self.name}.toml").read_text("utf-8")
        return nameplate_from(text, where=self.name)


def solar_load(
    site: Site, times: pd.DatetimeIndex, rng: np.random.Generator
) -> Float[np.ndarray, " time"]:
    """Load of a solar plant [p.u.]: irradiance under broken clouds, smoothed by the inverters."""
    return plant_load(irradiance(site, times, rng=rng), times)


def plant_load(
    sun: Float[np.ndarray, " time"], times: pd.DatetimeIndex
) -> Float[np.ndarray, " time"]:
    """Load of a solar plant [p.u.] under an irradiance [W/m2], smoothed by the inverters."""
    return lagged(PLANT_RATIO * sun / 1000.0, times, INVERTER_LAG_MIN)


def lagged(
    values: Float[np.ndarray, " time"], times: pd.DatetimeIndex, minutes: float
) -> Float[np.ndarray, " time"]:
    """Values behind a first-order lag of some minutes, in their own unit."""
    # Begun at zero, which a lag of minutes soon forgets.
    keep = np.exp(-_minutes(times) / minutes)
    return faded((1 - keep) * values, keep)


def city_load(
    site: Site, times: pd.DatetimeIndex, rng: np.random.Generator
) -> Float[np.ndarray, " time"]:
    """Load of a city substation [p.u.]: days, weekends and seasons, and random changes on top.

    Summer peaks in the afternoon (cooling), winter in the evening (heating and light).
    """
    hours = np.asarray(times.hour + times.minute / 60, dtype=float)
    # 1 in late July, 0 in late January, as the weather has it.
    warm = (1 + np.cos(2 * np.pi * (np.asarray(times.day_of_year) - 205) / 365.25)) / 2
    peak_hour = 20.0 - 4.0 * warm
    # Distances round the clock: 23:00 and 01:00 are two hours apart.
    day = np.exp(-(((hours - peak_hour + 12) % 24 - 12) ** 2) / (2 * 4.0**2))
    morning = 0.4 * np.exp(-(((hours - 10.0 + 12) % 24 - 12) ** 2) / (2 * 2.0**2))
    # 0 in spring and autumn, 1 in high summer, `WINTER` in deep winter.
    busy = (2 * warm - 1) ** 2 * (WINTER + (1 - WINTER) * warm)
    season = QUIET_SEASON + (1 - QUIET_SEASON) * busy
    week = np.where(np.asarray(times.day_of_week) >= 5, WEEKEND, 1.0)
    seconds = times.as_unit("ns").asi8 / 1e9
    slow = smooth_noise(seconds, std=0.03, correlation_time_s=2 * SECONDS_PER_HOUR, rng=rng)
    fast = rough_noise(seconds, std=0.012, correlation_time_s=300.0, rng=rng)
    # Morning and afternoon overlap, and together make no more than a peak.
    shape = NIGHT_LOAD + DAY_SWING * np.minimum(day + morning, 1.0)
    return season * _blended(week, times) * shape * (1 + slow + fast)


CASES = {
    case.name: case
    for case in (
        Case("floating-pv", EXTREMADURA, "2025-06-12", solar_load, solar=True),
        Case("aged-substation", SEVILLE, "2025-07-07", city_load),
    )
}
"""The bundled cases by name."""


def bundled_case(name: str) -> Case:
    """The case of that name."""
    if name not in CASES:
        raise InputError(f"There is no bundled case {name!r}.", hint=f"cases: {', '.join(CASES)}.")
    return CASES[name]


def _minutes(times: pd.DatetimeIndex) -> float:
    return (times[1] - times[0]).total_seconds() / 60.0


def _blended(week: np.ndarray, times: pd.DatetimeIndex) -> Float[np.ndarray, " time"]:
    """Factors of the week, passing from working days into weekends over about two hours."""
    # Begun at its first value, so that a twin does not begin with a step.
    keep = np.exp(-_minutes(times) / 120.0)
    return faded((1 - keep) * week, keep, float(week[0]))
