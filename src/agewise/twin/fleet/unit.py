"""One transformer of a made fleet, and what truly happens to it within the window."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.plant.nameplate import Nameplate
from agewise.transformer.cooling_defaults import DISTRIBUTION_LIMIT_KVA
from agewise.transformer.iec60076 import hot_spot_rise
from agewise.twin.fleet.incidents import Incident, drawn_incident
from agewise.twin.fleet.loads import SHAPES
from agewise.twin.fleet.places import PLACES
from agewise.twin.fleet.settings import WARM_UP_MIN, FleetSettings
from agewise.twin.fleet.sheets import Sheets, drawn_sheets
from agewise.twin.true_plant.oil import DISTURBANCE_H, DISTURBANCE_K, cooled_top_oil
from agewise.twin.weather import Site, ambient, smooth_noise
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

Series = Float[np.ndarray, " time"]
"""Numbers by time."""

LOADINGS = (0.4, 1.2)
"""Load in busy hours [p.u.], of the least and of the most loaded units."""
SMALL_SHAPES, LARGE_SHAPES = ("homes", "works", "solar", "city"), ("city", "works", "homes")
"""Shapes of the load that distribution and power units have."""
CRITICALITIES = (1.0, 2.0, 3.0, 5.0)
"""Consequences of a failure, in the unit of the least: chosen."""


@dataclass(frozen=True)
class Unit:
    """One transformer of the fleet."""

    number: int
    """Place of the unit in the fleet, from 0."""
    place: str
    """The town, a key of `PLACES`."""
    shape: str
    """Shape of its load, a key of `SHAPES`."""
    loading: float
    """Load in its busy hours [p.u.]."""
    sheets: Sheets
    """Nameplates of the unit, printed and true."""
    incident: Incident
    """What happens to it within the window."""
    criticality: float
    """What its failure costs, in the unit of the least critical one."""

    @property
    def id(self) -> str:
        """Its name in catalogues and folders."""
        return f"T{self.number + 1:04d}"

    @property
    def site(self) -> Site:
        """Place and climate."""
        return PLACES[self.place]

    @property
    def true(self) -> Nameplate:
        """The unit as it is."""
        return self.sheets.true

    def load(self, times: pd.DatetimeIndex, rng: np.random.Generator) -> Series:
        """Its load over uniform times [p.u.], without any incident."""
        # A disturbance may take more than there is.
        return np.maximum(self.loading * SHAPES[self.shape](self.site, times, rng), 0.0)


@dataclass(frozen=True, eq=False)
class Lived:
    """What truly happened to a unit, by uniform times."""

    times: pd.DatetimeIndex
    """The times, in local time."""
    load: Series
    """Load at these times [p.u.]."""
    air: Series
    """Temperature of the air [°C]."""
    top_oil: Series
    """Temperature of the top oil [°C]."""
    hot_spot: Series
    """Temperature of the winding's hottest place [°C]."""

    @property
    def seconds(self) -> Series:
        """Seconds from the first time."""
        return (self.times - self.times[0]).total_seconds().to_numpy()

    def after(self, row: int) -> "Lived":
        """What happened from a row on."""
        series = (self.load, self.air, self.top_oil, self.hot_spot)
        return Lived(self.times[row:], *(values[row:] for values in series))


def drawn_unit(settings: FleetSettings, number: int) -> Unit:
    """The unit of that number, by the seed and its number alone."""
    rng = settings.stream(number, "unit")
    place = str(rng.choice(list(PLACES)))
    name = f"{place} {number + 1}"
    sheets = drawn_sheets(name, PLACES[place].latitude, settings.start, rng)
    small = sheets.true.rated_power_kva.mean <= DISTRIBUTION_LIMIT_KVA
    return Unit(
        number,
        place,
        str(rng.choice(SMALL_SHAPES if small else LARGE_SHAPES)),
        float(np.round(rng.uniform(*LOADINGS), 3)),
        sheets,
        # From a stream of their own, so that incidents leave the units as they are.
        drawn_incident(settings, settings.stream(number, "incident")),
        float(rng.choice(CRITICALITIES)) * (1.0 if small else 2.0),
    )


def window(settings: FleetSettings, unit: Unit) -> Lived:
    """What truly happens to a unit in the window, minute by minute."""
    times = settings.minutes(unit.site.timezone)
    load = unit.load(times, settings.stream(unit.number, "load"))
    air = ambient(unit.site, times, rng=settings.stream(unit.number, "air"))
    # Where nothing happens the day is 0, and nothing is done from there on.
    onset = WARM_UP_MIN + round(1440 * unit.incident.day)
    if unit.incident.lasts("overload"):
        load[onset:] *= unit.incident.size
    lived = lived_through(unit, times, load, air, lost_row=onset)
    rng = settings.stream(unit.number, "top oil")
    slow = DISTURBANCE_H * SECONDS_PER_HOUR
    wander = smooth_noise(lived.seconds, std=DISTURBANCE_K, correlation_time_s=slow, rng=rng)
    # The winding is followed over the oil, so that whatever moves the oil moves both.
    top, hot = lived.top_oil + wander, lived.hot_spot + wander
    return Lived(times, load, air, top, hot).after(WARM_UP_MIN)


def lived_through(
    unit: Unit, times: pd.DatetimeIndex, load: Series, air: Series, *, lost_row: int
) -> Lived:
    """Oil and winding of a unit under a load and an air; lost cooling is lost from a row on."""
    constants = unit.true.thermal_constants()
    seconds = (times - times[0]).total_seconds().to_numpy()
    loss = unit.incident.size if unit.incident.lasts("cooling lost") else 0.0
    top = cooled_top_oil(constants, seconds, load, air, cooling_loss=loss, lost_row=lost_row)
    return Lived(times, load, air, top, top + hot_spot_rise(constants, seconds, load))


def days_from_start(lived: Lived) -> Series:
    """Days from the first time."""
    return lived.seconds / SECONDS_PER_DAY
