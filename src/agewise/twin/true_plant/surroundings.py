"""The surroundings of a made plant: its load and its air, minute by minute."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.twin.cases import Case, bundled_case, lagged, plant_load
from agewise.twin.settings import TwinSettings
from agewise.twin.true_plant.air_file import RecordedWeather, read_weather
from agewise.twin.weather import ambient, clear_sky, irradiance

FULL_SUN = 1000.0
"""Irradiance that counts as full sun [W/m2]."""
SHIELD_LAG_MIN = 10.0
"""Time in which a thermometer's box warms up in the sun and cools in the shade [min]: chosen."""

Series = Float[np.ndarray, " time"]
"""Numbers by minute."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What a plant is exposed to, the day of warm-up before its window included."""

    times: pd.DatetimeIndex
    """Every minute, in local time."""
    load: Series
    """Load of every minute [p.u.]."""
    air: Series
    """Temperature of the air at the unit [°C]."""
    air_error: Series
    """What the air's thermometer shows too much, besides its noise [K]."""


def surroundings(settings: TwinSettings) -> Surroundings:
    """The load and the air of a twin, made or from its file, and how the air is read."""
    case = bundled_case(settings.case)
    weather = None if settings.air_file is None else read_weather(settings.air_file)
    # A file has its own days, where a case has a season.
    own = case.start if weather is None else weather.first_start(case.site.timezone)
    times = settings.minutes_from(settings.start or own)
    # Not read where nobody needs it: then a gap in it is no reason to refuse the file.
    needed = case.solar or settings.sunlit_air > 0
    sun = _recorded_sun(weather, times) if weather is not None and needed else None
    if sun is not None and case.solar:
        load = plant_load(sun, times)
    else:
        load = case.load(case.site, times, settings.stream("load"))
    air = _air(settings, case, weather, times)
    error = drawn_air_bias(settings) + _sunlit(settings, case, sun, times)
    return Surroundings(times, load, air, error)


def drawn_air_bias(settings: TwinSettings) -> float:
    """The constant error of the air's thermometer [K], drawn by the seed."""
    return settings.air_bias * float(settings.stream("air bias").normal())


def _air(
    settings: TwinSettings, case: Case, weather: RecordedWeather | None, times: pd.DatetimeIndex
) -> Series:
    if weather is not None:
        return weather.air.at(times)
    return ambient(case.site, times, rng=settings.stream("air"), rough=settings.rough_ambient)


def _recorded_sun(weather: RecordedWeather, times: pd.DatetimeIndex) -> Series | None:
    """Irradiance of a file [W/m2], without the small negative readings of the night."""
    return None if weather.sun is None else np.maximum(weather.sun.at(times), 0.0)


def _sunlit(
    settings: TwinSettings, case: Case, sun: Series | None, times: pd.DatetimeIndex
) -> Series:
    """What the sun on a thermometer adds to its reading [K]: never less than nothing."""
    if not settings.sunlit_air:
        return np.zeros(len(times))
    if sun is None:
        # The numbers of the load again, so that the same clouds pass over plant and thermometer.
        sun = (
            irradiance(case.site, times, rng=settings.stream("load"))
            if case.solar
            else clear_sky(case.site, times)
        )
    share = np.minimum(sun / FULL_SUN, 1.0)
    return settings.sunlit_air * lagged(share, times, SHIELD_LAG_MIN)
