"""The air of a year by the calendar, for seasons that nobody has seen."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from agewise.transformer.prognostics.life import Days, seasons, trend_factors
from agewise.units import DAYS_PER_YEAR

SWING_PER_DEGREE, SWING_SHARE = 0.22, 0.35
"""Half of the difference between the warmest and the coldest weeks for each degree of latitude [K],
and its standard deviation as a share. A choice of ours, from the climate normals of cities: 0.8 K
in Singapore (1 degree), 3 in Mumbai (19), 7.5 in Cairo (30), 9 in Madrid (40), 7 in London and 14
in Moscow (52, 56), 5.5 in Sydney (34)."""
UNKNOWN_SWING_K = 5.0
"""Standard deviation of that half about none where no latitude is given [K]."""
GIVEN_SWING_K = 1.0
"""Standard deviation of a season's mean air where monthly means are given [K]."""
SEASON_LOAD_SHARE = 0.05
"""Standard deviation of the mean load of a season that was not seen, as a share of it; a choice of
ours."""
WARMEST_DAY = 205.0
"""Day of the year that is warmest north of the equator, late in July."""
MID_MONTHS = (np.arange(12) + 0.5) * DAYS_PER_YEAR / 12
"""Middle of each month, as a day of the year."""


@dataclass(frozen=True)
class Climate:
    """What is known of the air of a place over the year."""

    latitude: float | None = None
    """Latitude [degrees north]; None where nobody gave it."""
    monthly_air: tuple[float, ...] | None = None
    """Mean air of the twelve months from January on [°C]; by the latitude unless given."""

    @property
    def known(self) -> bool:
        """Whether anything is known of the place."""
        return self.latitude is not None or self.monthly_air is not None

    def air(self, day_of_year: Float[np.ndarray, " day"]) -> Float[np.ndarray, " day"]:
        """Expected air about the mean of the year [K]; nothing where the place is not known."""
        if self.monthly_air is not None:
            values = np.array(self.monthly_air)
            return np.interp(day_of_year, MID_MONTHS, values - values.mean(), period=DAYS_PER_YEAR)
        # Without a latitude nothing is expected; what is in doubt stands in `swing_std`.
        latitude = self.latitude or 0.0
        swing = SWING_PER_DEGREE * abs(latitude)
        # South of the equator the warmest day is half a year away.
        return swing * _warmth(day_of_year) * (-1.0 if latitude < 0 else 1.0)

    @property
    def swing_std(self) -> float:
        """Standard deviation of half the difference between summer and winter [K]."""
        if self.monthly_air is not None:
            return GIVEN_SWING_K
        if self.latitude is None:
            return UNKNOWN_SWING_K
        return SWING_SHARE * SWING_PER_DEGREE * abs(self.latitude)


def _warmth(day_of_year: Float[np.ndarray, " day"]) -> Float[np.ndarray, " day"]:
    """1 on the warmest day of a northern year, -1 on the coldest."""
    return np.cos(2 * np.pi * (day_of_year - WARMEST_DAY) / DAYS_PER_YEAR)


def with_seasons(
    days: Days,
    day_of_year: Int[np.ndarray, " day"] | None,
    climate: Climate,
    slope: float,
    kelvin_per_load: float,
) -> Days:
    """Days whose variation holds what the calendar says of the seasons that were not seen.

    Args:
        days: The days that were seen.
        day_of_year: Their days of the year, 1 to 366; None where they have no dates.
        climate: What is known of the air over the year.
        slope: Relative change of a loss with a kelvin [1/K].
        kelvin_per_load: Kelvin of the hot spot for a relative change of the load of one [K].
    """
    year = np.arange(1, 366)
    shifts, spreads = [], []
    for season, pool in enumerate(days.pools()):
        season_days = year[seasons(year) == season].astype(float)
        # Without dates, any day of the year may have been seen.
        seen = year.astype(float) if day_of_year is None else day_of_year[pool].astype(float)
        expected, had = climate.air(season_days), climate.air(seen)
        # The mean of losses, which bends with the air, and not that of temperatures.
        shifts.append(float(np.log(np.exp(slope * expected).mean() / np.exp(slope * had).mean())))
        # How much of a swing lies between the season and the days that stand for it.
        colder = abs(float(_warmth(season_days).mean() - _warmth(seen).mean()))
        # A season that was seen has shown its load; air is corrected for its other days alone.
        load = 0.0 if season in days.season else kelvin_per_load * SEASON_LOAD_SHARE
        # Kelvin times the slope are a relative change of the loss.
        spreads.append(slope * float(np.hypot(climate.swing_std * colder, load)))
    if not climate.known:
        # Nobody says which way the seasons go: the mean stays that of the days that were seen, or
        # the chance of a hotter winter would outweigh everything.
        # Minus half the variance keeps the mean of a log-normal factor at one.
        shifts = [-(spread**2) / 2 for spread in spreads]
    variation = replace(days.variation, shifts=tuple(shifts), seasons=tuple(spreads))
    return replace(days, variation=variation)


def years_lived(
    trend: Float[np.ndarray, " draw"] | None, years: float
) -> Float[np.ndarray, " draw"] | float:
    """Years like the present one that use as much life as the years before, by a trend."""
    if trend is None or years == 0:
        return years
    # Steps of a tenth of the time at the most, each by its middle.
    edges = np.linspace(0.0, years, max(11, round(years) + 1))
    # Minus the trend, since these years lie before the present one.
    factors = trend_factors(-trend, (edges[1:] + edges[:-1]) / 2)
    return np.sum(factors * np.diff(edges), axis=1)
