"""A load that somebody asks for, from a moment on, for some hours, and what it does."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from agewise.assessment.decision.finding import Finding
from agewise.assessment.rating.request import (
    LONGEST_H,
    USUAL_ERRORS,
    ForecastErrors,
    RatingRequest,
)
from agewise.errors import InputError
from agewise.transformer.prognostics.rating import Ceiling
from agewise.units import SECONDS_PER_HOUR

MOST_LOAD = 3.0
"""Highest load that is worked out [p.u.]: beyond, somebody meant another unit."""


@dataclass(frozen=True)
class AskedLoad:
    """A load that is to be carried from a moment on.

    Examples:
        >>> import agewise
        >>> asked = agewise.AskedLoad(1.1, 6.0, agewise.RatingRequest(hours=4.0))
        >>> asked.request.risk
        0.05
    """

    load: float
    """Load, held [p.u.]."""
    starts_h: float = 0.0
    """Its beginning, counted from the end of the record [h]."""
    request: RatingRequest = field(default_factory=RatingRequest)
    """How many hours it is held, at which risk, in which air and up to which limits."""
    errors: ForecastErrors = USUAL_ERRORS
    """How wrong forecasts of load and air may be. Without forecasts both go on as in the record,
    and turn out otherwise by at least as much, and by as much as the record shows."""

    def __post_init__(self):
        if not 0 < self.load <= MOST_LOAD:
            raise InputError(
                f"A load of {self.load:g} p.u. is out of range.",
                hint=f"give a load above 0, at most {MOST_LOAD:g} times the rated one.",
            )
        if not 0 <= self.starts_h <= LONGEST_H:
            raise InputError(
                f"These hours begin {self.starts_h:.1f} h after the end of the record.",
                hint=f"begin 0 to {LONGEST_H:g} h after it, or assess a newer record first.",
            )


@dataclass(frozen=True)
class Passing:
    """What an asked load does to the limits of one kind of loading."""

    ceiling: Ceiling
    """Limits of the temperatures [°C] and of the load [p.u.]."""
    hot_spot: float
    """Chance that the hot spot passes its limit in these hours."""
    top_oil: float
    """Chance that the top oil does."""
    either: float
    """Chance that one of them does."""
    seconds: float
    """Time from the beginning [s] before which no limit is passed, with probability 1 - risk;
    infinite where none is passed in all these hours with that probability."""


@dataclass(frozen=True)
class Temperature:
    """The highest value of a temperature in these hours [°C]."""

    median: float
    """Half of the draws stay below it."""
    low: float
    """One draw in twenty stays below it."""
    high: float
    """One draw in twenty passes it."""


@dataclass(frozen=True)
class CarriedLoad:
    """Whether a load may be carried, and what it does.

    Examples:
        >>> import agewise
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> answer = agewise.carried_load(fitted, agewise.AskedLoad(0.3), draws=50)
        >>> answer.hot_spot.low <= answer.hot_spot.median <= answer.hot_spot.high
        True
    """

    asked: AskedLoad
    """The load, its hours, risk and limits."""
    passing: Mapping[str, Passing]
    """What it does to the limits, by kind of loading."""
    permitted: float
    """The highest constant load of the same hours at the stated risk [p.u.]."""
    hot_spot: Temperature
    """Highest hot spot in these hours."""
    top_oil: Temperature
    """Highest top oil in these hours."""
    air: tuple[float, float]
    """Lowest and highest air of these hours, as expected [°C]."""
    air_error: float
    """Standard deviation of the air in these hours, at its largest [K]; 0 where it is held."""
    passed_before: float
    """Chance that a limit of the asked loading is passed before these hours begin."""
    source: str
    """Where air, and load until these hours begin, come from, in words."""
    findings: tuple[Finding, ...] = ()
    """What to know before relying on it."""

    @property
    def allowed(self) -> bool:
        """Whether the stated risk is kept and the guide's limit of the current too."""
        own = self.passing[self.asked.request.limit]
        return self.asked.load <= own.ceiling.load and own.either <= self.asked.request.risk

    def as_dict(self) -> dict[str, Any]:
        """For JSON: loads in p.u., temperatures in °C, times in h; null where not reached."""
        limits = {
            name: asdict(one)
            | {"hours": one.seconds / SECONDS_PER_HOUR if np.isfinite(one.seconds) else None}
            for name, one in self.passing.items()
        }
        for one in limits.values():
            del one["seconds"]  # JSON knows no infinity
        return {
            "allowed": self.allowed,
            "asked": asdict(self.asked),
            "permitted": self.permitted,
            "limits": limits,
            "hot_spot": asdict(self.hot_spot),
            "top_oil": asdict(self.top_oil),
            "air": self.air,
            "air_error": self.air_error,
            "passed_before": self.passed_before,
            "source": self.source,
            "findings": [finding.as_dict() for finding in self.findings],
        }
