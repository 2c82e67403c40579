"""What days to come are made of: days that were seen, and how other days and years may differ."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.timeline import Timeline
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.prognostics.calendar import Climate, with_seasons
from agewise.transformer.prognostics.life import Days, seasons
from agewise.transformer.prognostics.variation import Variation, lasting_variation
from agewise.units import SECONDS_PER_DAY

SLOPE_K = 12.0
"""Kelvin below the reference temperature over which the steepness of an ageing law is taken: there
most of a life is used."""
LOAD_STEP = 1e-4
"""Relative step of the load for the derivative of the hot spot."""


@dataclass(frozen=True)
class Sensitivity:
    """How the life that a day uses answers to air and load."""

    slope: float
    """Relative change with a kelvin [1/K]."""
    kelvin_per_load: float
    """Kelvin of the hot spot for a relative change of the load of one [K]."""

    def trend(self, growth: Float[np.ndarray, " draw"]) -> Float[np.ndarray, " draw"]:
        """Change of the logarithm of a yearly loss by a growth of the load [% a year]."""
        # Growth is compound, and the hot spot is taken as linear in the logarithm of the load.
        return self.slope * self.kelvin_per_load * np.log1p(growth / 100)


def sensitivity(nameplate: Nameplate, load: Float[np.ndarray, " time"]) -> Sensitivity:
    """The sensitivity of a unit at the load of a profile [p.u.]."""
    law, unit = nameplate.ageing_law, nameplate.thermal_constants()
    top = law.reference_hot_spot
    rates = law.rate(np.array([top - SLOPE_K, top]))
    # Losses go with the square of the load, so that the mean square is what heats.
    usual = float(np.sqrt(np.nanmean(load**2)))
    more, less = (_steady_rise(unit, usual * (1 + step)) for step in (LOAD_STEP, -LOAD_STEP))
    slope = float(np.log(rates[1] / rates[0])) / SLOPE_K
    return Sensitivity(slope, (more - less) / (2 * LOAD_STEP))


def _steady_rise(unit: ThermalConstants, load: float) -> float:
    """Rise of the hot spot over the air under a constant load [K]."""
    losses = (1 + unit.loss_ratio * load**2) / (1 + unit.loss_ratio)
    oil = unit.top_oil_rise * losses**unit.oil_exponent
    return oil + unit.gradient * load**unit.winding_exponent


def observed_days(
    loss: Float[np.ndarray, "draw day"],
    timeline: Timeline,
    climate: Climate,
    answer: Sensitivity,
    *,
    measured: Int[np.ndarray, " measured"] | None = None,
) -> Days:
    """Days that were seen, and how far others may differ from them.

    Args:
        loss: Life that each day uses, in every draw [h].
        timeline: Dates of the stretch, which tell the seasons.
        climate: What is known of the air over the year.
        answer: How a loss answers to air and load.
        measured: Days that were measured; all if None. One on which typical days stood in says
            nothing of how days differ.
    """
    dates, numbers = days_of_year(loss.shape[1], timeline), (answer.slope, answer.kelvin_per_load)
    if measured is not None:
        loss, dates = loss[:, measured], None if dates is None else dates[measured]
    lasting = lasting_variation(loss.mean(axis=0), *numbers)
    seen = replace(_days(loss, dates, ordered=False), variation=lasting)
    return with_seasons(seen, dates, climate, *numbers)


def measured_days(profile: Profile, count: int) -> Int[np.ndarray, " measured"]:
    """Days, of `count` whole ones from the start, most of whose air and oil was read; all if none
    was."""
    read = np.isfinite(profile.ambient)
    if profile.top_oil is not None:
        read &= np.isfinite(profile.top_oil)
    # What is left of a day after the last whole one counts with that.
    day = np.minimum(profile.seconds // SECONDS_PER_DAY, count - 1).astype(int)
    rows, there = np.bincount(day, minlength=count), np.bincount(day, read, minlength=count)
    mostly = np.flatnonzero(there > 0.5 * rows)
    return mostly if mostly.size else np.arange(count)


def scenario_days(
    loss: Float[np.ndarray, "draw day"], timeline: Timeline, answer: Sensitivity
) -> Days:
    """Days of a scenario in their order; years that repeat them are good and bad ones."""
    lasting = lasting_variation(loss.mean(axis=0), answer.slope, answer.kelvin_per_load)
    # The days of a scenario are given: only good and bad years are left of what varies.
    return replace(days(loss, timeline, ordered=True), variation=Variation(year=lasting.year))


def days(loss: Float[np.ndarray, "draw day"], timeline: Timeline, *, ordered: bool) -> Days:
    """The days of a stretch of time, as days to come that are exactly like them.

    Args:
        loss: Life that each day uses, in every draw [h].
        timeline: Dates of the stretch, which tell the seasons.
        ordered: Whether the days follow each other in this order.
    """
    return _days(loss, days_of_year(loss.shape[1], timeline), ordered=ordered)


def _days(
    loss: Float[np.ndarray, "draw day"],
    dates: Int[np.ndarray, " day"] | None,
    *,
    ordered: bool,
) -> Days:
    """Days to come that are like these; `dates` are days of the year, None where unknown."""
    season_of_day = np.full(loss.shape[1], -1) if dates is None else seasons(dates)
    return Days(loss, season_of_day, ordered)


def days_of_year(count: int, timeline: Timeline) -> Int[np.ndarray, " day"] | None:
    """Days of the year of so many whole days from the start; None where there are no dates."""
    if timeline.start is None:
        return None
    # A day that starts at any hour belongs to the date of its middle.
    middle = (np.arange(count) + 0.5) * SECONDS_PER_DAY
    return pd.DatetimeIndex(timeline.utc(middle)).day_of_year.to_numpy()
