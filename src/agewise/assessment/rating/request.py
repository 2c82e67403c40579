"""What a rating is asked for: risk, limits and hours, or how wrong forecasts may be."""

from dataclasses import dataclass

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.transformer.cooling_defaults import LIMITS
from agewise.transformer.prognostics.rating import Ceiling
from agewise.units import SECONDS_PER_MINUTE

LONGEST_H = 168.0
"""Longest time ahead [h]: nobody holds a load longer without looking again."""
SHORT_EMERGENCY, SHORT_EMERGENCY_S = "short emergency", 30 * SECONDS_PER_MINUTE
"""Name of the highest limits, and how long such an emergency may last [s]: less than half an hour
(IEC 60076-7, 3.6)."""
AMBIENT_RANGE = (-60.0, 60.0)
"""Lowest and highest air temperature about a transformer [°C]."""

MOST_WEATHER_K, MOST_LOAD_SHARE = 20.0, 1.0
"""Largest errors of a forecast: of the air [K], and of the load as a share of it."""


@dataclass(frozen=True)
class RatingRequest:
    """How long a constant load is to be carried, at which risk and up to which limits.

    Examples:
        >>> import agewise
        >>> agewise.RatingRequest(hours=8.0, risk=0.01, ambient=30.0).limit
        'normal cyclic'
    """

    hours: float = 4.0
    """How long the load is held [h]: from the end of the profile on, or from the beginning that an
    `AskedLoad` gives."""
    risk: float = 0.05
    """Probability that a temperature passes its limit at any moment of these hours."""
    ambient: float | None = None
    """Air temperature, held from the end of the profile on [°C]. If None, the highest of the
    profile's last day; for an `AskedLoad`, air that goes on as in the record or as forecast."""
    limit: str = "normal cyclic"
    """Kind of loading whose limits hold: `"normal cyclic"`, `"long emergency"` or `"short
    emergency"`."""

    def __post_init__(self):
        low, high = AMBIENT_RANGE
        # As what is possible, so that NaN, of which no comparison is true, is refused.
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
class ForecastErrors:
    """Standard deviations of what is forecast, a day ahead.

    Examples:
        >>> import agewise
        >>> agewise.ForecastErrors(weather_k=2.5).load_share
        0.05
    """

    weather_k: float = 1.5
    """Error of the air [K]. Services publish mean absolute errors of 1 to 1.5 K for the next day
    (MetGIS, Schmittenhöhe, winter 2011/12: 1.03 K, and 2.3 K after five days), so 1.3 to 1.9 K."""
    load_share: float = 0.05
    """Error of the load, as a share of it: usual for a substation (assumed)."""

    def __post_init__(self):
        air, load = (self.weather_k, MOST_WEATHER_K), (self.load_share, MOST_LOAD_SHARE)
        for what, (value, most) in (("air", air), ("load", load)):
            if not 0 <= value <= most:
                raise InputError(
                    f"An error of the forecast {what} of {value:g} is out of range.",
                    hint=f"give 0 to {most:g}: kelvin for the air, a share for the load.",
                )


USUAL_ERRORS = ForecastErrors()


@dataclass(frozen=True)
class DayAheadRequest:
    """At which risk, up to which limits and with which errors of the forecast to rate a day.

    Examples:
        >>> import agewise
        >>> agewise.DayAheadRequest(risk=0.01).after_trip
        2.0
    """

    risk: float = 0.05
    """Probability that a temperature passes its limit."""
    limit: str = "normal cyclic"
    """Kind of loading whose limits hold, as in `RatingRequest`."""
    errors: ForecastErrors = USUAL_ERRORS
    """How wrong load and weather may be."""
    after_trip: float = 2.0
    """Factor on the load when a parallel unit trips; 2 where two equal units share it."""

    def __post_init__(self):
        RatingRequest(risk=self.risk, limit=self.limit)  # for its refusals
        if not 1 <= self.after_trip <= 10:
            raise InputError(
                f"A load {self.after_trip:g} times as high after a trip is out of range.",
                hint="give 1 to 10; 2 where two equal units share the load.",
            )


USUAL_REQUEST = DayAheadRequest()


def ceiling(nameplate: Nameplate, limit: str) -> Ceiling:
    """The guide's limits of a kind of loading for a unit."""
    limits = LIMITS[limit]
    load = limits.load(nameplate.rated_power_kva.mean)
    return Ceiling(limits.top_oil, limits.hot_spot, load)
