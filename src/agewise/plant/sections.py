"""Sections of a nameplate: oil, winding, tank, insulation, history and what was learned."""

import datetime
import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_serializer

from agewise.plant.quantity import Quantity, Section, within
from agewise.transformer.ageing.kinetics import kinetic_paper
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.registry import DEFAULT_LAW, LAWS, ageing_law, laws_hint
from agewise.transformer.oil.tank import EFFECTIVE_CONDUCTIVITY, OIL_HEAT_CAPACITY, TANK_HEIGHT
from agewise.transformer.prognostics.calendar import Climate

FIRST_YEAR, LAST_YEAR = 1880, 2200
"""Years in which a transformer can have been commissioned: none is older than the first."""

LARGEST_GROWTH = 10.0
"""Largest growth or decline of a load that can last for years [% a year]."""

LOWER_END = ("bottom", "bottom_rise_k")
"""Fields of the oil about its lower end. They are no constants of the guide's model, so they are
neither drawn with those nor listed among those that were left out."""


def _plausible_date(date: datetime.date) -> datetime.date:
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise ValueError(f"it must be between {FIRST_YEAR} and {LAST_YEAR}")
    return date


def _plausible_growth(growth: Quantity) -> Quantity:
    if not -LARGEST_GROWTH <= growth.mean <= LARGEST_GROWTH:
        raise ValueError(f"it must be between -{LARGEST_GROWTH:g} and {LARGEST_GROWTH:g}")
    return growth


class Oil(Section):
    """Constants of the oil in IEC 60076-7; the defaults depend on the cooling."""

    time_constant_min: Annotated[Quantity, within(at_most=10_000)]
    """Time constant of the oil [min]."""
    top_oil_rise_k: Annotated[Quantity, within(at_most=150)]
    """Rise of the top oil over the ambient in the steady state at rated load [K]."""
    exponent: Annotated[Quantity, within(at_most=3)]
    """Oil exponent x: power of the total losses to which the top-oil rise is proportional."""
    k11: Annotated[Quantity, within(at_most=5)]
    """Constant k11 of IEC 60076-7: factor on the time constant of the oil."""
    bottom: Literal["ambient"] | None = None
    """`ambient`: the lower end of the oil is taken to have the temperature of the air [°C], which
    is the paper's choice."""
    bottom_rise_k: Annotated[Quantity, within(at_least=0, at_most=150)] | None = None
    """Rise of the bottom oil over the ambient in the steady state at rated load [K]; by cooling
    unless given."""


class Winding(Section):
    """Constants of the winding in IEC 60076-7; the defaults depend on the cooling."""

    time_constant_min: Annotated[Quantity, within(at_most=1_000)]
    """Time constant of the winding [min]."""
    gradient_k: Annotated[Quantity, within(at_most=150)]
    """Difference between hot spot and top oil at rated load [K]: winding gradient times hot-spot
    factor."""
    exponent: Annotated[Quantity, within(at_most=3)]
    """Winding exponent y: power of the load to which that difference is proportional."""
    k21: Annotated[Quantity, within(at_least=1, at_most=5)]
    """Constant k21 of IEC 60076-7: how far the hot spot overshoots after a step of the load; 1 for
    no overshoot."""
    k22: Annotated[Quantity, within(at_most=5)]
    """Constant k22 of IEC 60076-7: factor on the time constants of that overshoot."""


class TankSection(Section):
    """The oil column of the heat equation."""

    height_m: Annotated[Quantity, within(at_most=20)] = Quantity(mean=TANK_HEIGHT)
    """Height of the oil [m]."""
    conductivity_w_per_mk: Annotated[Quantity, within(at_most=10_000)] = Quantity(
        mean=EFFECTIVE_CONDUCTIVITY
    )
    """Effective vertical conductivity of the oil [W/(m K)]."""
    heat_capacity_j_per_m3k: Annotated[Quantity, within(at_most=1e8)] = Quantity(
        mean=OIL_HEAT_CAPACITY
    )
    """Heat capacity of a volume of oil [J/(m3 K)]."""
    heat_transfer_w_per_m3k: Annotated[Quantity, within(at_most=1e6)] | None = None
    """Heat transfer from oil to air, by volume [W/(m3 K)]; from the time constant unless given."""
    volume_m3: Annotated[Quantity, within(at_most=1e4)] | None = None
    """Effective volume of oil [m3]; from the losses and the rise unless given."""


class LearnedConstants(Section):
    """What was learned of the unit from its measurements, as joint draws."""

    start: str
    """Time of the first row that was learned from, as its file writes it."""
    end: str
    """Time of the last row that was learned from."""
    given: dict[str, Quantity]
    """What the nameplate gave or assumed of each constant, by its dotted name, with the standard
    deviation that was believed before."""
    draws: dict[str, tuple[float, ...]]
    """Draws of every learned number by name, in the unit of its name; the same place in each list
    is the same draw."""
    tank: TankSection | None = None
    """The tank before sensors inside taught it; none where they did not."""

    @field_validator("draws")
    @classmethod
    def _alike(cls, draws: dict[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
        sizes = {len(values) for values in draws.values()}
        # A standard deviation needs two draws.
        if len(sizes) != 1 or min(sizes) < 2:
            raise ValueError("every list of draws must have the same length, at least 2")
        if not all(math.isfinite(value) for values in draws.values() for value in values):
            raise ValueError("draws must be finite numbers")
        return draws


def _known_paper(name: str) -> str:
    if name not in LAWS:
        raise ValueError(laws_hint().removesuffix("."))
    return name


def _normal_life(section: dict[str, Any]) -> Quantity:
    """Normal life of the paper by its ageing law [h]."""
    # A paper that was refused is missing here. Any life will do then: the nameplate is refused, and
    # this default must not add a complaint of its own.
    return Quantity(mean=LAWS.get(section.get("paper", ""), DEFAULT_LAW).normal_life)


class Insulation(Section):
    """The paper around the winding."""

    paper: Annotated[str, AfterValidator(_known_paper)] = DEFAULT_LAW.name
    """Name of its ageing law, as in `agewise.transformer.ageing.registry`."""
    # The factory is handed the fields above it, so that the paper must stand first.
    life_hours: Annotated[Quantity, within(at_most=1e7)] = Field(default_factory=_normal_life)
    """Life at the law's reference temperature [h]; the law's normal life unless given."""

    moisture_percent: Annotated[Quantity, within(at_most=10)] | None = None
    """Water in the paper [% by mass]; with it or `breathing`, the paper ages by the rate constants
    of IEC 60076-7, annex A, and `life_hours` is that of dry paper without air."""
    breathing: Literal["sealed", "free-breathing"] | None = None
    """Whether air gets to the oil."""

    @property
    def law(self) -> AbstractAgeingLaw:
        """The law by which this paper ages."""
        moisture = self.moisture_percent
        if moisture is None and self.breathing is None:
            return ageing_law(self.paper)
        water = None if moisture is None else (moisture.mean, moisture.std)
        return kinetic_paper(self.paper, water, self.breathing)


class History(Section):
    """What the insulation has been through."""

    commissioned: Annotated[datetime.date, AfterValidator(_plausible_date)] | None = None
    """Date on which the unit went into service."""
    life_used_hours: Annotated[Quantity, within(at_least=0, at_most=1e7)] | None = None
    """Life that was used before the profile begins, in hours at the reference temperature [h]."""
    load_growth_percent_per_year: Annotated[Quantity, AfterValidator(_plausible_growth)] | None = (
        None
    )
    """Growth of the load over the years in service, which is taken to go on [% a year]; negative
    where the load shrinks."""


class Sample(Quantity):
    """A number that was measured on some day."""

    date: datetime.date | None = None
    """Day on which the sample was taken; the end of the profile if None."""

    @field_validator("std")
    @classmethod
    def _uncertain(cls, std: float | None) -> float | None:
        # A draw is never exactly what was measured: all of them would be excluded.
        if std == 0:
            raise ValueError("a sample is never exact; leave it out for the usual one")
        return std

    @model_serializer
    def _plain(self) -> dict[str, Any]:
        given = {"mean": self.mean, "std": self.std, "date": self.date}
        return {name: value for name, value in given.items() if value is not None}


class Evidence(Section):
    """What samples of paper and oil have shown."""

    degree_of_polymerisation: Annotated[Sample, within(at_least=100, at_most=1500)] | None = None
    """Degree of polymerisation of paper at the winding's hottest place."""
    furans_mg_per_kg: Annotated[Sample, within(at_most=100)] | None = None
    """2-FAL in the oil [mg/kg]."""
    moisture_percent: Annotated[Sample, within(at_most=10)] | None = None
    """Water in the paper [% by mass]."""
    oxygen_ppm: Annotated[Sample, within(at_most=60_000)] | None = None
    """Oxygen dissolved in the oil [ppm by volume]."""

    def samples(self) -> dict[str, Sample]:
        """The samples that there are, by the names of their fields."""
        fields = ((name, getattr(self, name)) for name in type(self).model_fields)
        return {name: sample for name, sample in fields if sample is not None}


class Site(Section):
    """Where the unit stands."""

    latitude: float | None = Field(default=None, strict=True, ge=-90, le=90)
    """Latitude [degrees north], negative south of the equator."""
    monthly_air_c: Annotated[tuple[float, ...], Field(min_length=12, max_length=12)] | None = None
    """Mean air of the twelve months from January on [°C]; by the latitude unless given."""

    def climate(self) -> Climate:
        """What is known of the air over the year."""
        return Climate(self.latitude, self.monthly_air_c)
