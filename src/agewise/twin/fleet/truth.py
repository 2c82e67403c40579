"""What there is to know about a unit of a made fleet: its life so far, and its end."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from agewise.plant.nameplate import Nameplate
from agewise.plant.quantity import Quantity
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.cooling_defaults import LIMITS
from agewise.twin.fleet.incidents import Incident
from agewise.twin.fleet.settings import FleetSettings
from agewise.twin.fleet.unit import Lived, Unit, days_from_start, lived_through
from agewise.twin.weather import ambient

YEAR_ROWS, HOUR_ROWS = 365 * 96, 4
"""Rows of a year of quarters of an hour, and of an hour of them."""
LIFE_SPREAD = 0.15
"""Relative standard deviation of the life of paper among units, as life results assume it."""
PAST_SPREAD = 0.3
"""Standard deviation of the logarithm of past ageing over today's: loads were others then."""
MOST_USED = (0.6, 0.97)
"""Largest share of its life that a unit can have used: it is alive, so a past that would have worn
it out was milder than today."""
WORN = 0.15
"""Share of units that have used so much whatever today's load is: they had another duty before."""
DOCUMENTED, DOCUMENT_ERROR = 0.6, 0.1
"""Share of the units whose owner knows the life used so far, and the relative error of that."""
LONGEST_YEARS = 1000.0
"""Years beyond which no date of the end is told: the insulation outlives everybody."""


@dataclass(frozen=True)
class UnitTruth:
    """What is known about a unit, and hidden from every method."""

    hot_spot_c: float
    """Highest temperature of the winding in the window [°C]."""
    limit_passed_day: float | None
    """Days from the first row until the hot spot first passed 120 °C; None if it never did."""
    loss_of_life_h: float
    """Life that the window used [h]."""
    life_h: float
    """Life of its paper at the reference temperature [h]."""
    life_used_before_h: float
    """Life that was used before the window [h]."""
    yearly_use_h: float
    """Life that the year after the window uses, with what happened lasting on [h a year]."""
    years_left: float
    """Years from the end of the window to the end of life, if every year is like the next."""
    end: str | None
    """Date of that end; None when it is more than 1000 years away."""


@dataclass(frozen=True, eq=False)
class Life:
    """A unit's truth, and what its owner gets of it."""

    truth: UnitTruth
    """What is known about the unit, and hidden from every method."""
    printed: Nameplate
    """The nameplate with the owner's belief about the life used."""
    scenario: pd.DataFrame
    """The year after the window, hour by hour: load [p.u.], ambient [°C]."""


def life(settings: FleetSettings, unit: Unit, lived: Lived) -> Life:
    """The life of a unit before, in and after the window."""
    year = year_ahead(settings, unit, lived.times[-1])
    # What happens within the window did not happen before it.
    sound = replace(unit, incident=Incident())
    ordinary = year_ahead(settings, sound, lived.times[-1]) if unit.incident.kind else year
    used, yearly = _used(unit, lived), _used(unit, year)
    rng = settings.stream(unit.number, "life")
    life_hours = unit.true.insulation.life_hours.mean * (1 + LIFE_SPREAD * float(rng.normal()))
    before = _used_before(unit, _used(unit, ordinary), life_hours, rng)
    years = max(life_hours - before - used, 0.0) / yearly
    past = lived.hot_spot > LIMITS["normal cyclic"].hot_spot
    truth = UnitTruth(
        float(lived.hot_spot.max()),
        float(days_from_start(lived)[past.argmax()]) if past.any() else None,
        used,
        life_hours,
        before,
        yearly,
        years,
        None if years >= LONGEST_YEARS else _date(lived.times[-1], years),
    )
    return Life(truth, _documented(unit, before, rng), scenario_table(year))


def record(unit: Unit, truth: UnitTruth, file: dict[str, Any]) -> dict[str, Any]:
    """Everything about a unit, for `truth.json`.

    Args:
        unit: The unit.
        truth: Its life.
        file: What became of its files.
    """
    quantities = unit.true.thermal_quantities().items()
    return {
        "id": unit.id,
        "place": unit.place,
        "shape": unit.shape,
        "loading": unit.loading,
        "age_years": round(unit.sheets.age_years, 2),
        "true_constants": {name: quantity.mean for name, quantity in quantities},
        "lost_fields": list(unit.sheets.lost),
        "incident": asdict(unit.incident),
        **asdict(truth),
        **file,
    }


def _used(unit: Unit, lived: Lived) -> float:
    rate = unit.true.insulation.law.rate(lived.hot_spot)
    return float(loss_of_life(lived.seconds, rate, axis=0)[-1])


def _used_before(unit: Unit, yearly: float, life_hours: float, rng: np.random.Generator) -> float:
    """Life used by the first row: like today's, unless it was worn elsewhere; it is alive."""
    used = unit.sheets.age_years * yearly * float(np.exp(rng.normal(0.0, PAST_SPREAD)))
    # Both are drawn in any case, so that the numbers behind them stay the same.
    worn, most = rng.random() < WORN, life_hours * float(rng.uniform(*MOST_USED))
    return most if worn else min(used, most)


def _documented(unit: Unit, before: float, rng: np.random.Generator) -> Nameplate:
    """The printed nameplate, on which an owner who keeps books also has the life used."""
    is_documented, error = rng.random() < DOCUMENTED, float(rng.normal())
    printed = unit.sheets.printed
    if not is_documented:
        return printed
    believed = max(before * (1 + DOCUMENT_ERROR * error), 0.0)
    spread = Quantity(mean=round(believed, 1), std=round(DOCUMENT_ERROR * believed, 1))
    history = printed.history.model_copy(update={"life_used_hours": spread})
    return printed.model_copy(update={"history": history})


def year_ahead(settings: FleetSettings, unit: Unit, first: pd.Timestamp) -> Lived:
    """The year after the window by quarters of an hour, with what happened lasting on."""
    times = pd.date_range(first, periods=YEAR_ROWS + 1, freq="15min")
    load = unit.load(times, settings.stream(unit.number, "year load"))
    air = ambient(unit.site, times, rng=settings.stream(unit.number, "year air"))
    if unit.incident.lasts("overload"):
        load *= unit.incident.size
    # What was lost in the window is lost from the first row on.
    return lived_through(unit, times, load, air, lost_row=0)


def scenario_table(year: Lived) -> pd.DataFrame:
    """A year as a profile without a top oil: means over the hour that ends at each time."""
    # The first row begins the year, and ends no hour.
    hourly = [series[1:].reshape(-1, HOUR_ROWS).mean(axis=1) for series in (year.load, year.air)]
    labels = year.times[HOUR_ROWS::HOUR_ROWS]
    return pd.DataFrame({"time": labels, "load": hourly[0].round(4), "ambient": hourly[1].round(2)})


def _date(last: pd.Timestamp, years: float) -> str:
    # By NumPy's days: an end beyond 2262 does not fit into nanoseconds.
    day = np.datetime64(f"{last:%Y-%m-%d}") + np.timedelta64(round(365.25 * years), "D")
    return str(day)
