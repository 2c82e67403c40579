"""The answer of a day ahead: a table by hours, in p.u., MVA and A."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.assessment.decision.finding import Finding
from agewise.assessment.rating.forecast import Forecast
from agewise.assessment.rating.request import DayAheadRequest
from agewise.plant.measures import Rated
from agewise.transformer.prognostics.day_permits import Envelope
from agewise.transformer.prognostics.rating import Ceiling
from agewise.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

ByHour = Float[np.ndarray, " hour"]
"""A number for each hour."""


@dataclass(frozen=True, eq=False)
class Hours:
    """Each hour by itself: before it the load goes as forecast."""

    permits: Mapping[str, ByHour]
    """Permitted load by kind of loading [p.u.]; a short emergency for its first 30 min."""
    chance: ByHour
    """Chance that the forecast load passes a limit in that hour."""
    hot_spot: ByHour
    """Highest hot spot under the forecast load, median [°C]."""
    hot_spot_high: ByHour
    """Highest hot spot that is passed with the stated risk only [°C]."""
    chance_of_all: float
    """Chance that the forecast load passes a limit at any time."""


@dataclass(frozen=True, eq=False)
class AfterTrip:
    """What happens if a parallel unit trips at the beginning of an hour."""

    factor: float
    """Factor on the load from there on."""
    load: ByHour
    """Highest load of that hour then, as forecast [p.u.]."""
    seconds: Mapping[str, ByHour]
    """Time to the limit by kind of loading [s], which is shorter with the stated risk only;
    infinite where the limit is not reached while the forecast lasts."""


@dataclass(frozen=True, eq=False)
class DayAhead:
    """What the hours of a forecast permit.

    Examples:
        >>> import agewise, pandas
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> last = pandas.Timestamp(fitted.profile.timeline.labels.iloc[-1])
        >>> hours = [(last + pandas.Timedelta(hours=n)).isoformat() for n in range(1, 4)]
        >>> forecast = pandas.DataFrame({"time": hours, "load": 0.8, "ambient": 25.0})
        >>> forecast.to_csv("hours.csv", index=False)
        >>> rated = agewise.day_ahead(fitted, "hours.csv", "hours.csv", draws=20)
        >>> len(rated.table())
        3
    """

    request: DayAheadRequest
    """Risk, limits and errors of the forecast that were asked for."""
    forecast: Forecast
    """Load and air that were forecast."""
    rated: Rated
    """What 1 p.u. is [kVA, A]."""
    ceiling: Ceiling
    """Limits of the temperatures [°C] and of the load [p.u.]."""
    hours: Hours
    """What each hour permits by itself."""
    envelope: Envelope
    """Loads up to which all hours may be loaded one after the other."""
    factor: float
    """Largest factor on the whole forecast load at the stated risk."""
    after_trip: AfterTrip
    """Time to the limits if a parallel unit trips."""
    findings: tuple[Finding, ...] = ()
    """What to know before relying on it: findings about data, nameplate and fit."""

    @property
    def times(self) -> list[pd.Timestamp] | list[float]:
        """The beginning of every hour: local time, or hours from the end of the record."""
        seconds, start = self.forecast.seconds[list(self.forecast.hours)], self.forecast.start
        if start is None:
            return (seconds / SECONDS_PER_HOUR).tolist()
        return [start + pd.Timedelta(seconds=float(second)) for second in seconds]

    def table(self) -> pd.DataFrame:
        """A row for each hour: loads in p.u., MVA and, where the rated current is known, A."""
        first = list(self.forecast.hours)
        length = np.array(self.forecast.steps_of_hours())
        mean = np.add.reduceat(self.forecast.load, first) / length
        loads = {
            "forecast": mean,
            "permitted": self.envelope.load,
            "permitted_in_this_hour_alone": self.hours.permits[self.request.limit],
            "long_emergency": self.hours.permits["long emergency"],
            "short_emergency_30_min": self.hours.permits["short emergency"],
        }
        columns: dict[str, Any] = {"time": [self._label(time) for time in self.times]}
        # The highest of each hour, at the ends of its steps.
        columns["air_c"] = np.maximum.reduceat(self.forecast.air[1:], first)
        columns |= {f"{name}_pu": load for name, load in loads.items()}
        for unit, base in self._bases().items():
            columns |= {f"{name}_{unit}": base * load for name, load in loads.items()}
        columns |= {
            "chance_forecast_passes": self.hours.chance,
            "hot_spot_c": self.hours.hot_spot,
            "hot_spot_high_c": self.hours.hot_spot_high,
            "after_trip_pu": self.after_trip.load,
        }
        for name, seconds in self.after_trip.seconds.items():
            # JSON and many readers of CSV know no infinity: empty says that it is not reached.
            minutes = np.where(np.isinf(seconds), np.nan, seconds / SECONDS_PER_MINUTE)
            columns[f"after_trip_min_to_{name.replace(' ', '_')}"] = minutes
        return pd.DataFrame(columns)

    def _label(self, time: pd.Timestamp | float) -> str | float:
        return time.isoformat() if isinstance(time, pd.Timestamp) else time

    def _bases(self) -> dict[str, float]:
        """What 1 p.u. is in other units."""
        power, current = self.rated.power_kva, self.rated.current_a
        known = {"mva": None if power is None else power / 1000, "a": current}
        return {unit: base for unit, base in known.items() if base is not None}

    def as_dict(self) -> dict[str, Any]:
        """For JSON: loads in p.u., MVA and A, temperatures in °C; null where not reached."""
        # A column of numbers has no place for None.
        table = self.table().astype(object)
        rows = table.where(table.notna(), None).to_dict("records")
        return {
            "asked": asdict(self.request),
            "limits": asdict(self.ceiling),
            "chance_forecast_passes": self.hours.chance_of_all,
            "factor_on_forecast": self.factor,
            "risk_of_permitted": self.envelope.risk,
            "hours": rows,
            "findings": [finding.as_dict() for finding in self.findings],
        }
