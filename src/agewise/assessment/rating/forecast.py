"""Load and air that are forecast for the hours after a profile, and how wrong they may be."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.assessment.rating.fluctuation import Rows, moves, rows_of
from agewise.assessment.rating.hours_ahead import STEP_S
from agewise.assessment.rating.request import LONGEST_H, ForecastErrors
from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.reading.forecast_file import Series
from agewise.transformer.between_samples import Hold
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

SHORTEST_HOUR_S = SECONDS_PER_HOUR / 2
"""Shortest first hour of a table [s]: a shorter rest before the full hour joins the next one."""
AT_ONCE = 0.25
"""Variance of a forecast's error right at its beginning, as a share of that a day ahead. From there
on it grows with time: half the error at once, twice the error after five days."""
WEATHER_LASTS_S, LOAD_LASTS_S = 12 * SECONDS_PER_HOUR, 6 * SECONDS_PER_HOUR
"""Time over which an error of the forecast lasts [s]: a front that comes late is late for half a
day, a factory that stays shut is for a shift (assumed)."""


@dataclass(frozen=True, eq=False)
class Forecast:
    """Load and air from the end of the profile on, in steps of at most five minutes."""

    seconds: Float[np.ndarray, " instant"]
    """Instants from the end of the profile [s], the first of which is 0."""
    load: Float[np.ndarray, " step"]
    """Load from each instant to the next [p.u.]."""
    air: Float[np.ndarray, " instant"]
    """Air at the instants [°C]."""
    hours: tuple[int, ...]
    """First step of every hour of the clock."""
    start: pd.Timestamp | None
    """The end of the profile on its own clock; None where it counts minutes."""
    rows: Rows
    """Rows of the forecast load to which the steps belong."""

    def steps_of_hours(self) -> list[int]:
        """Number of steps of every hour."""
        return np.diff([*self.hours, self.load.size]).tolist()

    def drawn(
        self, errors: ForecastErrors, profile: Profile, count: int, *, seed: int
    ) -> tuple[Float[np.ndarray, "step draw"], Float[np.ndarray, "instant draw"]]:
        """Draws of load [p.u.] and air [°C], by which the forecast may turn out to be wrong.

        Within its rows the load moves as it moved in the record, `profile`.
        """
        rng = np.random.default_rng([seed, *b"forecast"])
        wrong_air, wrong_load = wrong_forecasts(self.seconds, errors, count, rng=rng)
        load = self.load[:, None] * wrong_load
        load *= moves(profile, self.seconds, self.rows, count, rng=rng)
        return load, self.air[:, None] + wrong_air


def wrong_forecasts(
    seconds: Float[np.ndarray, " instant"],
    errors: ForecastErrors,
    count: int,
    *,
    rng: np.random.Generator,
) -> tuple[Float[np.ndarray, "instant draw"], Float[np.ndarray, "step draw"]]:
    """Draws of what the air turns out to be above its forecast [K], and factors on the load."""
    grown = np.sqrt(AT_ONCE + (1 - AT_ONCE) * seconds / SECONDS_PER_DAY)[:, None]
    wrong_air = grown * lasting(seconds, WEATHER_LASTS_S, count, rng=rng)
    # Errors are drawn at instants, and a step has that of its end.
    wrong_load = (grown * lasting(seconds, LOAD_LASTS_S, count, rng=rng))[1:]
    # An error of more than the whole load leaves none: a load has no sign.
    return errors.weather_k * wrong_air, np.maximum(1 + errors.load_share * wrong_load, 0.0)


def forecast_after(profile: Profile, load: Series, weather: Series, *, hold: Hold) -> Forecast:
    """The forecast from the end of a profile on.

    Args:
        profile: The record.
        load: Forecast load [p.u.]; a row stands for the interval that `hold` says.
        weather: Forecast air [°C], straight from row to row.
        hold: Whether a load holds up to its time stamp (`backward`), from it on (`forward`), or is
            the value at that instant (`linear`).

    Raises:
        InputError: The forecast does not begin at the end of the profile, or is too short.
    """
    start, seconds = profile.timeline.start, profile.seconds
    end = None if start is None else start + pd.Timedelta(seconds=float(seconds[-1]))
    at_load, at_air = _from_end(load, end), _from_end(weather, end)
    # A row that holds from its time stamp on reaches a step further.
    last = at_load[-1] + (float(np.median(np.diff(at_load))) if hold == "forward" else 0.0)
    length = min(last, float(at_air[-1]), LONGEST_H * SECONDS_PER_HOUR)
    if length < SECONDS_PER_HOUR:
        raise InputError(
            f"The forecast reaches {length / 60:.0f} min beyond the end of the record.",
            hint=f"load and weather must both reach an hour beyond {_named(end)}.",
        )
    seconds, hours = _instants(end, length)
    middle = (seconds[:-1] + seconds[1:]) / 2
    rows = rows_of(at_load, middle, hold)
    held = np.interp(middle, at_load, load.values) if hold == "linear" else load.values[rows.row]
    # Whatever factor is put on it, no load stays none.
    if not held.any():
        raise InputError(
            f"{load.where}: the forecast load is zero in every hour.",
            hint="give the load that is expected, in p.u., %, A or MVA.",
        )
    return Forecast(seconds, held, np.interp(seconds, at_air, weather.values), hours, end, rows)


def instants_after(profile: Profile, length: float) -> Float[np.ndarray, " instant"]:
    """Instants from the end of a record on, on the clock's round minutes, for a length [s]."""
    start = profile.timeline.start
    end = None if start is None else start + pd.Timedelta(seconds=float(profile.seconds[-1]))
    seconds, _ = _instants(end, length)
    # The last of the round steps may end before the length does.
    return seconds if length - seconds[-1] < 1e-6 else np.append(seconds, length)


def _from_end(series: Series, end: pd.Timestamp | None) -> Float[np.ndarray, " row"]:
    """Seconds of the rows from the end of the profile; refused where they begin too late."""
    if series.start is not None and end is None:
        raise InputError(
            f"{series.where} has dates, but the record counts minutes.",
            hint="count the minutes of the forecast from the end of the record.",
        )
    # Minutes count from the end of the record, whatever the first of them is called.
    late = 0.0 if series.start is None or end is None else (series.start - end).total_seconds()
    seconds = series.seconds + late
    step = float(np.median(np.diff(seconds)))
    if seconds[0] > max(step, SECONDS_PER_HOUR):
        hours = seconds[0] / SECONDS_PER_HOUR
        raise InputError(
            f"{series.where} begins {hours:.1f} h after the end of the record.",
            hint=f"begin the forecast at {_named(end)}: the oil temperature depends on these "
            "hours.",
        )
    return seconds


def _instants(end: pd.Timestamp | None, length: float) -> tuple[np.ndarray, tuple[int, ...]]:
    """Instants on the clock's round minutes [s], and the steps with which its hours begin."""
    past = 0.0 if end is None else 60.0 * end.minute + end.second + end.microsecond / 1e6
    # Seconds to the next round step of the clock; 0 where the record ends on one.
    to_round = (-past) % STEP_S
    # The allowance keeps a step that ends exactly where the forecast does.
    even = np.arange(to_round or STEP_S, length + 1e-6, STEP_S)
    seconds = np.concatenate([[0.0], even])
    full = np.flatnonzero(np.isclose((seconds + past) % SECONDS_PER_HOUR, 0.0))
    # The last instant begins no hour.
    later = [n for n in full if SHORTEST_HOUR_S <= seconds[n] < seconds[-1]]
    return seconds, (0, *map(int, later))


def lasting(
    seconds: Float[np.ndarray, " instant"],
    lasts: float,
    count: int,
    *,
    known: float = 0.0,
    rng: np.random.Generator,
) -> Float[np.ndarray, "instant draw"]:
    """Paths of variance one whose correlation fades as exp(-t/T): an Ornstein-Uhlenbeck process.

    Of a process whose present value explains the share `known` of its variance, this is the rest.
    """
    decay = np.exp(-np.diff(seconds) / lasts)
    paths = rng.standard_normal((seconds.size, count))
    paths[0] *= np.sqrt(1 - known)
    paths[1:] *= np.sqrt(1 - decay**2)[:, None]
    for row in range(1, seconds.size):
        paths[row] += decay[row - 1] * paths[row - 1]
    return paths


def _named(end: pd.Timestamp | None) -> str:
    return "the end of the record" if end is None else f"{end:%Y-%m-%d %H:%M}, the record's end"
