"""A day ahead: what each of the coming hours permits, by forecasts of load and weather."""

from pathlib import Path

import numpy as np
from jaxtyping import Float

from agewise.assessment.decision.findings import noted_of
from agewise.assessment.life.explained_top_oil import inferred_ends
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.rating.day_table import AfterTrip, DayAhead, Hours
from agewise.assessment.rating.forecast import (
    Forecast,
    forecast_after,
)
from agewise.assessment.rating.hours_ahead import DRAWS, STEP_S, present_state
from agewise.assessment.rating.rating import all_stages, beyond_the_guide, refuse_unsafe
from agewise.assessment.rating.request import (
    SHORT_EMERGENCY,
    SHORT_EMERGENCY_S,
    USUAL_REQUEST,
    DayAheadRequest,
    ceiling,
)
from agewise.reading.forecast_file import read_series
from agewise.reading.options import Reading
from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.prognostics.coming_hours import ComingHours, State
from agewise.transformer.prognostics.day_permits import (
    envelope,
    permits_of_hours,
    permitted_factor,
    times_to_limit,
)
from agewise.transformer.prognostics.rating import Ceiling


def day_ahead(
    assessment: Assessment,
    load: str | Path,
    weather: str | Path,
    request: DayAheadRequest = USUAL_REQUEST,
    *,
    draws: int = DRAWS,
) -> DayAhead:
    """The load that each of the coming hours permits at a stated risk, by forecasts.

    Args:
        assessment: The fitted profile; the unit stands at its last row when the hours begin.
        load: File of the forecast load, with a time; in p.u., %, A, kVA or MVA.
        weather: File of the forecast air, with a time; it may be the same file.
        request: Risk, limits, and how wrong the forecasts may be.
        draws: Number of draws in which a risk is counted.

    Returns:
        A table by hours, and what all hours together permit.

    Raises:
        InputError: A forecast cannot be used, or nothing can be told from this assessment.

    Examples:
        >>> import agewise, pandas
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> last = pandas.Timestamp(fitted.profile.timeline.labels.iloc[-1])
        >>> hours = [(last + pandas.Timedelta(hours=n)).isoformat() for n in range(1, 7)]
        >>> forecast = pandas.DataFrame({"time": hours, "load": 0.8, "ambient": 25.0})
        >>> forecast.to_csv("forecast.csv", index=False)
        >>> rated = agewise.day_ahead(fitted, "forecast.csv", "forecast.csv", draws=50)
        >>> list(rated.table().columns[:3])
        ['time', 'air_c', 'forecast_pu']
    """
    forecast = read_forecast(assessment, load, weather)
    return rated_hours(assessment, forecast, request, draws=draws)


def read_forecast(assessment: Assessment, load: str | Path, weather: str | Path) -> Forecast:
    """Forecasts of load and air in files, from the end of an assessed profile on."""
    profile, unit = assessment.profile, assessment.nameplate
    # Times without a zone are on the record's own clock.
    reading = Reading(timezone=profile.timeline.timezone or None)
    series = (
        read_series(path, role, reading, rated=unit.rated())
        for path, role in ((load, "load"), (weather, "ambient"))
    )
    return forecast_after(profile, *series, hold=assessment.settings.hold)


def rated_hours(
    assessment: Assessment, forecast: Forecast, request: DayAheadRequest, *, draws: int = DRAWS
) -> DayAhead:
    """What the hours of a forecast permit; the arguments are those of `day_ahead`."""
    noted = noted_of(assessment)
    refuse_unsafe(assessment, noted)
    now = present_state(assessment, inferred_ends(assessment), draws=draws, doubts=noted.doubts())
    load, air = forecast.drawn(
        request.errors, assessment.profile, draws, seed=assessment.settings.seed
    )
    # Steps first, as everywhere in the coming hours.
    error = now.error_paths(forecast.seconds[1:]).T
    present = State(now.top_oil, now.winding_part, now.oil_part)
    hours = ComingHours(now.constants, present, forecast.seconds, air, np.ascontiguousarray(error))
    ceilings = {name: ceiling(assessment.nameplate, name) for name in LIMITS}
    asked, risk = ceilings[request.limit], request.risk
    return DayAhead(
        request,
        forecast,
        assessment.nameplate.rated(),
        asked,
        _hours(hours, forecast, load, ceilings, request),
        envelope(hours, forecast.hours, asked, risk),
        permitted_factor(hours, load, asked, risk),
        _trips(hours, forecast, load, ceilings, request),
        (
            *noted.findings,
            *beyond_the_guide(request.limit),
            *all_stages(assessment.nameplate),
        ),
    )


def _hours(
    hours: ComingHours,
    forecast: Forecast,
    load: Float[np.ndarray, "step draw"],
    ceilings: dict[str, Ceiling],
    request: DayAheadRequest,
) -> Hours:
    """What each hour permits by itself, and what the forecast does to it."""
    alone, risk = forecast.steps_of_hours(), request.risk
    # The last hour of a forecast may be shorter than an emergency.
    short = [min(steps, round(SHORT_EMERGENCY_S / STEP_S)) for steps in alone]
    permits = {
        name: permits_of_hours(
            hours, forecast.hours, short if name == SHORT_EMERGENCY else alone, load, top, risk
        )
        for name, top in ceilings.items()
    }
    states = hours.states(load)[1:]
    heat = [hours.temperatures(state, step) for step, state in enumerate(states)]
    top, hot = (np.array(part) for part in zip(*heat, strict=True))
    asked = ceilings[request.limit]
    beyond = np.maximum(top - asked.top_oil, hot - asked.hot_spot)
    first = list(forecast.hours)
    # The last part of `reduceat` runs to the end of the forecast.
    hottest = np.maximum.reduceat(hot, first)
    return Hours(
        permits,
        chance=(np.maximum.reduceat(beyond, first) > 0).mean(axis=1),
        hot_spot=np.median(hottest, axis=1),
        hot_spot_high=np.quantile(hottest, 1 - risk, axis=1),
        chance_of_all=float((beyond.max(axis=0) > 0).mean()),
    )


def _trips(
    hours: ComingHours,
    forecast: Forecast,
    load: Float[np.ndarray, "step draw"],
    ceilings: dict[str, Ceiling],
    request: DayAheadRequest,
) -> AfterTrip:
    """Time to each kind of limit if the parallel unit trips at the beginning of an hour."""
    factor, first = request.after_trip, list(forecast.hours)
    sure = {}
    for name, top in ceilings.items():
        times = times_to_limit(hours, forecast.hours, load, factor, top)
        # A quantile that is one of the draws: between a number and infinity there is none.
        sure[name] = np.quantile(times, request.risk, axis=1, method="inverted_cdf")
    highest = np.maximum.reduceat(forecast.load, first)
    return AfterTrip(factor, factor * highest, sure)
