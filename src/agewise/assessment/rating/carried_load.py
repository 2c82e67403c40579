"""May it carry this? The coming hours under a load that somebody asks for."""

import numpy as np
from jaxtyping import Float

from agewise.assessment.decision.findings import noted_of
from agewise.assessment.life.explained_top_oil import inferred_ends
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.rating.asked_load import AskedLoad, CarriedLoad, Passing, Temperature
from agewise.assessment.rating.coming_course import Course, repeated_course
from agewise.assessment.rating.hours_ahead import DRAWS, present_state
from agewise.assessment.rating.rating import all_stages, refuse_unsafe
from agewise.assessment.rating.request import ceiling
from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.prognostics.coming_hours import ComingHours, State
from agewise.transformer.prognostics.day_permits import (
    chance_of_passing,
    permits_of_hours,
    times_to_limit,
)
from agewise.transformer.prognostics.rating import Ceiling

Draws = Float[np.ndarray, " draw"]
"""A number for each draw."""


def carried_load(
    assessment: Assessment,
    asked: AskedLoad,
    course: Course | None = None,
    *,
    draws: int = DRAWS,
) -> CarriedLoad:
    """Whether a load may be carried from a moment on, with the chance to pass each limit.

    Args:
        assessment: The fitted profile; the unit stands at its last row now.
        asked: Load, beginning and hours, risk and limits.
        course: Load and air until then and in these hours, in draws; if None, both go on as they
            did in the record. Where the air is asked to be held, it is held in either case.
        draws: Number of draws in which a chance is counted, where no course is given.

    Returns:
        Yes or no, the chance to pass the limits of each kind of loading, how hot it gets, and the
        constant load that the same hours permit [p.u.].

    Raises:
        InputError: The course does not last, or nothing can be told from this assessment.

    Examples:
        >>> import agewise
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> little, much = (
        ...     agewise.carried_load(fitted, agewise.AskedLoad(load, 6.0), draws=50)
        ...     for load in (0.2, 1.6)
        ... )
        >>> little.allowed, much.allowed
        (True, False)
    """
    noted = noted_of(assessment)
    refuse_unsafe(assessment, noted)
    ends, request = inferred_ends(assessment), asked.request
    if course is None:
        course = repeated_course(
            assessment.profile,
            ends,
            asked.starts_h + request.hours,
            asked.errors,
            draws,
            seed=assessment.settings.seed,
        )
    if request.ambient is not None:
        course = course.in_air(request.ambient)
    first, last = course.steps(asked.starts_h, request.hours)
    now = present_state(assessment, ends, draws=course.load.shape[1], doubts=noted.doubts())
    # Steps first, as everywhere in the coming hours.
    error = np.ascontiguousarray(now.error_paths(course.seconds[1:]).T)
    present = State(now.top_oil, now.winding_part, now.oil_part)
    hours = ComingHours(now.constants, present, course.seconds, course.air, error)
    own_air = course.air[first : last + 1]
    air = np.median(own_air, axis=1)
    load = course.load[:last].copy()
    load[first:] = asked.load
    top, hot = _highest(hours, load, first)
    ceilings = {name: ceiling(assessment.nameplate, name) for name in LIMITS}
    own = ceilings[request.limit]
    permitted = permits_of_hours(hours, [first], last - first, load, own, request.risk)
    return CarriedLoad(
        asked,
        {
            name: Passing(
                limits,
                hot_spot=float((hot > limits.hot_spot).mean()),
                top_oil=float((top > limits.top_oil).mean()),
                either=float(((hot > limits.hot_spot) | (top > limits.top_oil)).mean()),
                seconds=_sure_time(hours, load, first, limits, request.risk),
            )
            for name, limits in ceilings.items()
        },
        float(permitted[0]),
        _temperature(hot),
        _temperature(top),
        (float(air.min()), float(air.max())),
        float(own_air.std(axis=1).max()),
        chance_of_passing(hours, load[:first], own) if first else 0.0,
        course.words,
        (*noted.findings, *all_stages(assessment.nameplate)),
    )


def _highest(
    hours: ComingHours, load: Float[np.ndarray, "step draw"], first: int
) -> tuple[Draws, Draws]:
    """Highest top oil and hot spot from a step on [°C]."""
    states = hours.states(load)[first + 1 :]
    heat = [hours.temperatures(state, first + n) for n, state in enumerate(states)]
    top, hot = (np.max(part, axis=0) for part in zip(*heat, strict=True))
    return top, hot


def _sure_time(
    hours: ComingHours,
    load: Float[np.ndarray, "step draw"],
    first: int,
    limits: Ceiling,
    risk: float,
) -> float:
    """Time before which no limit is passed, with probability 1 - risk [s]."""
    within = ComingHours(
        hours.constants,
        hours.present,
        hours.seconds[: len(load) + 1],
        hours.air[: len(load) + 1],
        hours.error[: len(load)],
    )
    times = times_to_limit(within, [first], load, 1.0, limits)[0]
    # A quantile that is one of the draws: between a number and infinity there is none.
    return float(np.quantile(times, risk, method="inverted_cdf"))


def _temperature(highest: Draws) -> Temperature:
    low, median, high = np.quantile(highest, [0.05, 0.5, 0.95])
    return Temperature(float(median), float(low), float(high))
