"""A rating: the constant load that the hours after the profile permit at a stated risk."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import jax
import numpy as np
from jaxtyping import Float

from agewise.assessment.decision.action import cannot_tell
from agewise.assessment.decision.finding import Finding
from agewise.assessment.decision.findings import impossible_hot_spot, noted_of
from agewise.assessment.decision.thresholds import THRESHOLDS
from agewise.assessment.life.doubts import BIAS, DOUBTS, Doubts, thermal_draws, unknowns
from agewise.assessment.life.explained_top_oil import (
    Ends,
    explanations,
    inferred_ends,
    shown_errors,
)
from agewise.assessment.life.scenario import refuse_unforeseen
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.plain_answers import iec_answer
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.iec60076 import ThermalConstants, hot_spot_parts
from agewise.transformer.prognostics.forecast import ModelError, drawn_errors
from agewise.transformer.prognostics.rating import Ahead, Ceiling, Permit, permit, permitted_loads
from agewise.transformer.prognostics.unknowns import drawn
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

DRAWS = 1000
"""Number of draws in which a risk is counted."""
STEP_S = 300.0
"""Time from one instant ahead to the next [s]: finer than any winding follows."""
EARLY_S = np.array([60.0, 120.0, 180.0, 240.0])
"""Instants before the first step [s], for a unit that is near its limit now and has just been
relieved."""
AMBIENTS, DURATIONS_H = (0.0, 10.0, 20.0, 30.0, 40.0), (1.0, 2.0, 4.0, 8.0, 24.0)
"""Air temperatures [°C] and durations [h] of the table."""
LONGEST_H = 168.0
"""Longest time ahead [h]: nobody holds a load longer without looking again."""
AMBIENT_RANGE = (-60.0, 60.0)
"""Lowest and highest air temperature about a transformer [°C]."""
FORGOTTEN = 20.0
"""Number of lags after which a start is forgotten."""


@dataclass(frozen=True)
class RatingRequest:
    """How long a constant load is to be carried, at which risk and up to which limits.

    Examples:
        >>> import agewise
        >>> agewise.RatingRequest(hours=8.0, risk=0.01, ambient=30.0).limit
        'normal cyclic'
    """

    hours: float = 4.0
    """How long the load is held from the end of the profile on [h]."""
    risk: float = 0.05
    """Probability that a temperature passes its limit at any moment of these hours."""
    ambient: float | None = None
    """Air temperature, held [°C]; the highest of the profile's last day if None."""
    limit: str = "normal cyclic"
    """Kind of loading whose limits hold: `"normal cyclic"`, `"long emergency"` or `"short
    emergency"`."""

    def __post_init__(self):
        low, high = AMBIENT_RANGE
        refusals = [
            (0 < self.hours <= LONGEST_H, f"{self.hours:g} hours ahead are", _HOURS_HINT),
            (0 < self.risk <= 0.5, f"A risk of {self.risk:g} is", _RISK_HINT),
            (
                self.ambient is None or low <= self.ambient <= high,
                f"An ambient of {self.ambient} °C is",
                f"give {low:g} to {high:g} °C.",
            ),
        ]
        for possible, what, hint in refusals:
            if not possible:
                raise InputError(f"{what} out of range.", hint=hint)
        if self.limit not in LIMITS:
            kinds = ", ".join(LIMITS)
            raise InputError(f"There is no limit {self.limit!r}.", hint=f"limits: {kinds}.")


_HOURS_HINT = f"choose hours above 0, at most {LONGEST_H:g}."
_RISK_HINT = "choose a probability above 0, at most 0.5, such as 0.05."


@dataclass(frozen=True)
class Rating:
    """The load that a request permits, and a table of permitted loads by ambient and duration.

    Examples:
        >>> import agewise
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> permitted = agewise.rating(fitted, agewise.RatingRequest(hours=4.0), draws=50)
        >>> len(permitted.table) == len(permitted.ambients)
        True
    """

    request: RatingRequest
    """What was asked for."""
    ambient: float
    """Air temperature that was taken [°C]."""
    ceiling: Ceiling
    """Limits of the temperatures [°C] and of the load [p.u.]."""
    permit: Permit
    """The permitted load [p.u.], what keeps it from being more, and its risk."""
    ambients: tuple[float, ...]
    """Air temperatures of the rows of the table [°C]."""
    hours: tuple[float, ...]
    """Durations of the columns of the table [h]."""
    table: list[list[Permit]]
    """A permit for every ambient and duration."""
    findings: tuple[Finding, ...] = ()
    """What to know before relying on it: findings about data, nameplate and fit."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON: loads in p.u., temperatures in °C, durations in h."""
        return {
            "load": self.permit.load,
            "binding": self.permit.binding,
            "risk": self.permit.risk,
            "asked": asdict(self.request),
            "ambient": self.ambient,
            "ambient_source": self.ambient_source,
            "limits": asdict(self.ceiling),
            "table": {
                "ambient": self.ambients,
                "hours": self.hours,
                "load": [[cell.load for cell in row] for row in self.table],
                "binding": [[cell.binding for cell in row] for row in self.table],
            },
            "findings": [finding.as_dict() for finding in self.findings],
        }

    @property
    def ambient_source(self) -> str:
        """Where the ambient comes from, in words."""
        given = self.request.ambient is not None
        return "as asked" if given else "the highest of the profile's last 24 h"


def rating(assessment: Assessment, request: RatingRequest, *, draws: int = DRAWS) -> Rating:
    """The constant load that the hours after the end of the profile permit at a stated risk.

    Args:
        assessment: The fitted profile; the unit stands at its last row when the hours begin.
        request: Hours, risk, ambient [°C] and kind of loading.
        draws: How many draws of oil, constants and model error the risk is counted in.

    Returns:
        The permitted load [p.u.], what keeps it from being more, and a table by ambient and
        duration.

    Raises:
        InputError: Nothing can be told from this assessment, so nothing can be permitted.

    Examples:
        >>> import agewise
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> cold, hot = (
        ...     agewise.rating(fitted, agewise.RatingRequest(ambient=celsius), draws=50)
        ...     for celsius in (0.0, 40.0)
        ... )
        >>> cold.permit.load >= hot.permit.load
        True
    """
    own = assessment.profile, assessment.nameplate, assessment.settings.hold
    refuse_unforeseen(*own, "A rating")
    noted = noted_of(assessment)
    refuse_undermined([f for f in (*noted.findings, *_unsurvived(assessment)) if f.undermines])
    ends, top = inferred_ends(assessment), ceiling(assessment.nameplate, request.limit)
    ambient = highest_ambient(ends) if request.ambient is None else request.ambient
    longest = max(request.hours, *DURATIONS_H)
    future = hours_ahead(assessment, ends, longest, draws=draws, doubts=noted.doubts())
    asked = permit(future, ambient, top, request.risk, steps=steps_of(request.hours))
    columns = [steps_of(hours) for hours in DURATIONS_H]
    table = permitted_loads(future, AMBIENTS, columns, top, request.risk)
    findings = tuple(noted.findings)
    return Rating(request, ambient, top, asked, AMBIENTS, DURATIONS_H, table, findings)


def _unsurvived(assessment: Assessment) -> list[Finding]:
    """A finding where the plain hot spot of the window is beyond what a transformer survives."""
    hold = assessment.settings.hold
    plain = iec_answer(assessment.profile, assessment.nameplate, hold=hold)
    hottest = float(plain.hot_spot.max())
    return [impossible_hot_spot(hottest)] if hottest > THRESHOLDS.survivable_c else []


def refuse_undermined(undermining: Sequence[Finding]) -> None:
    """Refuse to permit a load where findings leave nothing to tell."""
    if undermining:
        verdict = cannot_tell(undermining)
        raise InputError(
            f"No load can be permitted, for the run cannot tell: {verdict.reason}",
            hint=f"{verdict.mend} Then assess it again.",
        )


def ceiling(nameplate: Nameplate, limit: str) -> Ceiling:
    """The guide's limits of a kind of loading for a unit."""
    limits = LIMITS[limit]
    load = limits.load(nameplate.rated_power_kva.mean)
    return Ceiling(limits.top_oil, limits.hot_spot, load)


def highest_ambient(ends: Ends) -> float:
    """Highest air temperature of the last day [°C], freed of noise."""
    recent = ends.seconds >= ends.seconds[-1] - SECONDS_PER_DAY
    return float(ends.ambient[recent].max())


def steps_of(hours: float) -> int:
    """Number of instants ahead that cover so many hours."""
    return EARLY_S.size + _even_steps(hours)


def _even_steps(hours: float) -> int:
    # The allowance keeps a whole number of steps from becoming one more by rounding.
    return int(np.ceil(hours * SECONDS_PER_HOUR / STEP_S - 1e-9))


def hours_ahead(
    assessment: Assessment,
    ends: Ends,
    hours: float,
    *,
    draws: int = DRAWS,
    doubts: Doubts = DOUBTS,
) -> Ahead:
    """Draws of all that the hours after the profile depend on.

    A bias that all thermometers share shifts the oil and the air behind it alike, so it moves the
    present temperature and not the error of the model.

    Args:
        assessment: The fitted profile.
        ends: Both ends of its oil.
        hours: Time ahead [h].
        draws: Number of draws.
        doubts: Standard deviations of what the nameplate gives without one.
    """
    nameplate, seed = assessment.nameplate, assessment.settings.seed
    numbers = drawn(unknowns(nameplate, doubts), draws, seed=seed, joint=nameplate.joint_draws)
    constants = thermal_draws(nameplate, numbers)
    present = _drawn_top_oil(assessment, draws)
    explained = explanations(nameplate, numbers)
    shown = shown_errors(ends, explained)
    # The last error is inferred minus modelled, which gives the guide's own present top oil.
    modelled = ends.top_oil[-1] - np.array([model_error.last for model_error in shown])
    even = STEP_S * np.arange(1, _even_steps(hours) + 1)
    rng = np.random.default_rng([seed, *b"ahead"])
    error = _errors(shown, present - modelled, even, rng=rng)
    seconds = np.append(EARLY_S, even)
    # The zeros make a row for every draw of a single set of constants.
    parts = np.array([_last_parts(ends, unit) for unit in constants]) + np.zeros((draws, 1))
    return Ahead(constants, modelled - numbers[BIAS], parts[:, 0], parts[:, 1], seconds, error)


def _drawn_top_oil(assessment: Assessment, draws: int) -> Float[np.ndarray, " draw"]:
    """Draws of the top oil at the end of the profile [°C]."""
    # A key of its own: 1 is that of the functions behind a life.
    functions = assessment.draw(draws, key=jax.random.fold_in(assessment.key, 2))
    return functions.oil(np.ones(1), assessment.profile.seconds[-1:])[:, 0, 0]


def _errors(
    shown: Sequence[ModelError],
    present: Float[np.ndarray, " draw"],
    even: Float[np.ndarray, " step"],
    *,
    rng: np.random.Generator,
) -> Float[np.ndarray, "draw time"]:
    """Paths of the model's error [K], each from its `present` value; straight before the first
    step."""
    paths = drawn_errors(shown, even, present.size, rng=rng)
    # The paths start from the error of the expected top oil; that of the draw differs from it, and
    # the difference fades as the error itself does.
    fading = np.exp(-even / np.array([[model_error.correlation] for model_error in shown]))
    paths += (present - np.array([model_error.last for model_error in shown]))[:, None] * fading
    early = present[:, None] + (paths[:, :1] - present[:, None]) * EARLY_S / STEP_S
    return np.concatenate([early, paths], axis=1)


def _last_parts(ends: Ends, constants: ThermalConstants) -> tuple[float, float]:
    """Both parts of the hot spot's rise at the end [K], from rows that are not yet forgotten."""
    memory = FORGOTTEN * max(constants.slow_lag, constants.winding_lag)
    first = max(0, int(np.searchsorted(ends.seconds, ends.seconds[-1] - memory)) - 1)
    recent = (ends.seconds[first:], ends.load[first:])
    winding, oil = hot_spot_parts(constants, *recent, hold=ends.hold)
    return float(winding[-1]), float(oil[-1])
