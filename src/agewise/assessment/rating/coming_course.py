"""Load and air until a moment to come: by forecasts, or as they were in the record."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.explained_top_oil import Ends
from agewise.assessment.rating.departure import (
    AIR_LASTS_S,
    KNOWN_AT_ONCE,
    SWING_K,
    SWING_LASTS_S,
    SWING_LOAD,
    UNSEEN_AIR_K,
    UNSEEN_LOAD,
    Past,
    faded,
    spread,
)
from agewise.assessment.rating.fluctuation import LEAST_LOAD
from agewise.assessment.rating.forecast import LOAD_LASTS_S, Forecast, instants_after, lasting
from agewise.assessment.rating.hours_ahead import STEP_S
from agewise.assessment.rating.request import MOST_LOAD_SHARE, MOST_WEATHER_K, ForecastErrors
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

    def in_air(self, celsius: float) -> "Course":
        """The same load in air that is held for sure [°C]."""
        return replace(self, air=np.full(self.air.shape, celsius))

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
    profile: Profile, ends: Ends, hours: float, least: ForecastErrors, draws: int, *, seed: int
) -> Course:
    """Load and air as they were a week before, or a day before in a shorter record.

    What the last hour has more than it had then fades, and both may turn out otherwise by as much
    as the record shows of such differences.

    Args:
        profile: The record, for its clock.
        ends: Its load and air, freed of gaps and noise.
        hours: How long the course lasts [h].
        least: Least errors of it.
        draws: Number of draws.
        seed: Seed of these errors.
    """
    seconds = instants_after(profile, hours * SECONDS_PER_HOUR)
    load, air, words = expected_course(ends, seconds)
    errors = _shown_errors(ends, least)
    rng = np.random.default_rng([seed, *b"forecast"])
    wrong_air, wrong_load = (
        lasting(seconds, lasts, draws, known=KNOWN_AT_ONCE, rng=rng)
        for lasts in (AIR_LASTS_S if _days_back(ends)[0] else SWING_LASTS_S, LOAD_LASTS_S)
    )
    # Errors are drawn at instants, and a step has that of its end. One of more than the whole load
    # leaves none: a load has no sign.
    factors = np.maximum(1 + errors.load_share * wrong_load[1:], 0.0)
    return Course(
        seconds, load[:, None] * factors, air[:, None] + errors.weather_k * wrong_air, words
    )


def expected_course(
    ends: Ends, seconds: Float[np.ndarray, " instant"]
) -> tuple[Float[np.ndarray, " step"], Float[np.ndarray, " instant"], str]:
    """Load of every step [p.u.], air at every instant [°C], and where both come from, in words."""
    (days, words), (load, air) = _days_back(ends), _past(ends)
    if not days:
        last = float(ends.load[-1]), float(ends.ambient[-1])
        return np.full(seconds.size - 1, last[0]), np.full(seconds.size, last[1]), words
    # As few whole periods back as bring an instant into the record, and at least one.
    period = days * SECONDS_PER_DAY
    back = period * np.maximum(np.ceil(seconds / period), 1.0)
    then = np.interp(seconds - back, ends.seconds - ends.seconds[-1], ends.ambient)
    # The periods that bring the end of a step into the record take its beginning along.
    used = load.means(seconds[:-1] - back[1:], seconds[1:] - back[1:])
    more_load = faded(load.departure(period), seconds[1:], LOAD_LASTS_S)
    more_air = faded(air.departure(period), seconds, AIR_LASTS_S)
    return np.maximum(used + more_load, 0.0), then + more_air, words


def _past(ends: Ends) -> tuple[Past, Past]:
    """Load [p.u.] and air [°C] of the record."""
    seconds = ends.seconds - ends.seconds[-1]
    # The first row stands for a step of its own before it.
    step = float(np.median(np.diff(seconds)))
    seconds = np.append(seconds[0] - step, seconds)
    load = np.append(ends.load[0], interval_load(ends.load, ends.hold))
    air = np.append(ends.ambient[0], interval_load(ends.ambient, "linear"))
    return Past.of(seconds, load), Past.of(seconds, air)


def _days_back(ends: Ends) -> tuple[int, str]:
    """How many days before the same hour is looked up, by the length of the record."""
    # Seven times 24 rows are a week, though the last of them is only 167 h after the first; the
    # allowance is for the rounding of times.
    step = float(np.median(np.diff(ends.seconds)))
    recorded = (ends.seconds[-1] - ends.seconds[0] + step) / SECONDS_PER_DAY + 1e-6
    if recorded >= 7:
        return 7, "as a week before"
    if recorded >= 1:
        return 1, "as on the record's last day"
    return 0, "as at the end of the record"


def _shown_errors(ends: Ends, least: ForecastErrors) -> ForecastErrors:
    """How much load and air of the record differ from those of days before."""
    days, _ = _days_back(ends)
    load, air = (past.hourly() for past in _past(ends))
    size = max(float(np.sqrt(np.mean(load**2))), LEAST_LOAD) if load.size else 1.0
    # Air differs much alike however many days apart; load has its weekdays.
    air_k = spread(air, range(1, 8), UNSEEN_AIR_K) if days else SWING_K
    share = spread(load / size, [days], UNSEEN_LOAD) if days else SWING_LOAD
    return ForecastErrors(
        weather_k=min(max(air_k, least.weather_k), MOST_WEATHER_K),
        load_share=min(max(share, least.load_share), MOST_LOAD_SHARE),
    )
