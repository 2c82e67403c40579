"""Sections of a nameplate: oil, winding, tank, insulation and history, with ranges of fields."""

import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from agewise.plant.quantity import Quantity, Section, within
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.registry import DEFAULT_LAW, LAWS, ageing_law, laws_hint
from agewise.transformer.oil.tank import EFFECTIVE_CONDUCTIVITY, OIL_HEAT_CAPACITY, TANK_HEIGHT

FIRST_YEAR, LAST_YEAR = 1880, 2200
"""Years in which a transformer can have been commissioned: none is older than the first."""


def _plausible_date(date: datetime.date) -> datetime.date:
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise ValueError(f"it must be between {FIRST_YEAR} and {LAST_YEAR}")
    return date


class Oil(Section):
    """Oil, for IEC 60076-7."""

    time_constant_min: Annotated[Quantity, within(at_most=10_000)]
    top_oil_rise_k: Annotated[Quantity, within(at_most=150)]
    exponent: Annotated[Quantity, within(at_most=3)]
    k11: Annotated[Quantity, within(at_most=5)]


class Winding(Section):
    """Winding, for IEC 60076-7."""

    time_constant_min: Annotated[Quantity, within(at_most=1_000)]
    gradient_k: Annotated[Quantity, within(at_most=150)]
    exponent: Annotated[Quantity, within(at_most=3)]
    k21: Annotated[Quantity, within(at_least=1, at_most=5)]
    k22: Annotated[Quantity, within(at_most=5)]


class TankSection(Section):
    """The oil column of the heat equation."""

    height_m: Annotated[Quantity, within(at_most=20)] = Quantity(mean=TANK_HEIGHT)
    conductivity_w_per_mk: Annotated[Quantity, within(at_most=10_000)] = Quantity(
        mean=EFFECTIVE_CONDUCTIVITY
    )
    heat_capacity_j_per_m3k: Annotated[Quantity, within(at_most=1e8)] = Quantity(
        mean=OIL_HEAT_CAPACITY
    )
    heat_transfer_w_per_m3k: Annotated[Quantity, within(at_most=1e6)] | None = None
    volume_m3: Annotated[Quantity, within(at_most=1e4)] | None = None


def _known_paper(name: str) -> str:
    if name not in LAWS:
        raise ValueError(laws_hint().removesuffix("."))
    return name


def _normal_life(section: dict[str, Any]) -> Quantity:
    """What the law of the paper says; of a paper that was refused, what any law says."""
    return Quantity(mean=LAWS.get(section.get("paper", ""), DEFAULT_LAW).normal_life)


class Insulation(Section):
    """The paper around the winding."""

    paper: Annotated[str, AfterValidator(_known_paper)] = DEFAULT_LAW.name
    """Name of its ageing law, as in `agewise.transformer.ageing.registry`."""
    life_hours: Annotated[Quantity, within(at_most=1e7)] = Field(default_factory=_normal_life)
    """Life at the law's reference temperature [h]; the law's normal life unless given."""

    @property
    def law(self) -> AbstractAgeingLaw:
        """The law by which this paper ages."""
        return ageing_law(self.paper)


class History(Section):
    """What the insulation has been through."""

    commissioned: Annotated[datetime.date, AfterValidator(_plausible_date)] | None = None
    life_used_hours: Annotated[Quantity, within(at_least=0, at_most=1e7)] | None = None
