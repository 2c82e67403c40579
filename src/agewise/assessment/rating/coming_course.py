"""Load and air until a moment to come: by forecasts, or as they were in the record."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.explained_top_oil import Ends
from agewise.assessment.rating.forecast import Forecast, instants_after, wrong_forecasts
from agewise.assessment.rating.hours_ahead import STEP_S
from agewise.assessment.rating.request import ForecastErrors
from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import interval_load
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR


@dataclass(frozen=True, eq=False)
class Course:
    """Load and air from the end of the record on, in draws."""

    seconds: Float[np.ndarray, " instant"]
    """Instants from the end of the record [s], the first of which is 0."""
    load: Float[np.ndarray, "step draw"]
    """Load from each instant to the next [p.u.]."""
    air: Float[np.ndarray, "instant draw"]
    """Air at the instants [°C]."""
    words: str
    """Where load and air come from, in words."""

    def steps(self, starts_h: float, hours: float) -> tuple[int, int]:
        """First step of hours that begin so long after the record, and the one behind their last.

        Raises:
            InputError: The course ends before these hours do.
        """
        end = (starts_h + hours) * SECONDS_PER_HOUR
        # A forecast is followed to the last round minutes of its clock.
        if end - self.seconds[-1] > STEP_S:
            reached = self.seconds[-1] / SECONDS_PER_HOUR
            raise InputError(
                f"The forecast ends {reached:.1f} h after the record, these hours "
                f"{starts_h + hours:.1f} h after it.",
                hint="give forecasts of load and weather that last as long.",
            )
        first, last = (self._nearest(at) for at in (starts_h * SECONDS_PER_HOUR, end))
        # The shortest of hours has a step, which may be longer than these hours.
        first = min(first, self.seconds.size - 2)
        return first, max(last, first + 1)

    def _nearest(self, at: float) -> int:
        """The instant nearest to a moment, which lies within half a step of it."""
        return int(np.abs(self.seconds - at).argmin())


def forecast_course(
    forecast: Forecast, errors: ForecastErrors, profile: Profile, draws: int, *, seed: int
) -> Course:
    """Load and air by forecasts, which may be wrong."""
    load, air = forecast.drawn(errors, profile, draws, seed=seed)
    return Course(forecast.seconds, load, air, "as forecast")


def repeated_course(
    profile: Profile,
    ends: Ends,
    hours: float,
    errors: ForecastErrors,
    draws: int,
    *,
    ambient: float | None = None,
    seed: int,
) -> Course:
    """Load and air as they were a week before, or a day before in a shorter record.

    They may turn out otherwise, as much as forecasts may.

    Args:
        profile: The record, for its clock.
        ends: Its load and air, freed of gaps and noise.
        hours: How long the course lasts [h].
        errors: How wrong it may be.
        draws: Number of draws.
        ambient: Air temperature, held for sure [°C]; as it was if None.
        seed: Seed of these errors.
    """
    seconds = instants_after(profile, hours * SECONDS_PER_HOUR)
    # Seven times 24 rows are a week, though the last of them is only 167 h after the first.
    step = float(np.median(np.diff(ends.seconds)))
    days, words = _days_back((ends.seconds[-1] - ends.seconds[0] + step) / SECONDS_PER_DAY)
    rng = np.random.default_rng([seed, *b"forecast"])
    wrong_air, wrong_load = wrong_forecasts(seconds, errors, draws, rng=rng)
    load = _repeated_load(ends, step, seconds, days * SECONDS_PER_DAY)[:, None] * wrong_load
    air = _repeated_air(ends, seconds, days * SECONDS_PER_DAY)[:, None] + wrong_air
    if ambient is not None:
        air = np.full(air.shape, ambient)
    return Course(seconds, load, air, words)


def _days_back(recorded: float) -> tuple[int, str]:
    """How many days before the same hour is looked up, of so many that are recorded."""
    if recorded >= 7:
        return 7, "as a week before"
    if recorded >= 1:
        return 1, "as on the record's last day"
    return 0, "as at the end of the record"


def _repeated_air(
    ends: Ends, seconds: Float[np.ndarray, " instant"], period: float
) -> Float[np.ndarray, " instant"]:
    """Air at every instant, one or more whole periods before [°C]; the last one without any."""
    if not period:
        return np.full(seconds.size, float(ends.ambient[-1]))
    back = period * np.ceil(seconds / period)
    return np.interp(seconds - back, ends.seconds - ends.seconds[-1], ends.ambient)


def _repeated_load(
    ends: Ends, step: float, seconds: Float[np.ndarray, " instant"], period: float
) -> Float[np.ndarray, " step"]:
    """Mean load of every step, one or more whole periods before [p.u.]; the last without any."""
    if not period:
        return np.full(seconds.size - 1, float(ends.load[-1]))
    # The first row stands for a step of its own before it.
    past = np.append(-step, ends.seconds - ends.seconds[0]) + (ends.seconds[0] - ends.seconds[-1])
    load = np.append(ends.load[0], interval_load(ends.load, ends.hold))
    # An integral of the load, so that steps may begin and end between rows.
    used = np.append(0.0, np.cumsum(load * np.diff(past)))
    # The periods that bring the end of a step into the record take its beginning along.
    back = period * np.ceil(seconds[1:] / period)
    begin, end = (np.interp(at - back, past, used) for at in (seconds[:-1], seconds[1:]))
    return (end - begin) / np.diff(seconds)
