"""A nameplate by one standard or the other: which of its constants IEEE C57.91 takes from where.

Losses, rated rises and time constants are facts of the unit, and the same by both. The winding's
exponent, the factors k21, k22 and the ageing law belong to a standard: IEEE's stand in the place of
IEC's, which are kept aside, so that the two can be compared. How the top oil follows is learned
where it is measured; only where it is not, clause 7 models it (`ieee_constants`).
"""

from dataclasses import replace
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

from pydantic import BeforeValidator

from agewise.errors import InputError
from agewise.plant.quantity import Quantity, Section, within
from agewise.plant.sections import History, Insulation, Oil, Winding
from agewise.transformer.ageing.ieee import END_OF_LIFE_HOURS, IEEE_LAWS, AverageWindingRise
from agewise.transformer.cooling_defaults import Cooling
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.ieee_c57 import EXPONENTS, HOT_SPOT_RISE

Standard = Literal["iec", "ieee"]
"""Whose loading guide counts: IEC 60076-7 or IEEE C57.91."""
STANDARD_NAMES: dict[Standard, str] = {"iec": "IEC 60076-7", "ieee": "IEEE C57.91"}
"""Standards as they are called in sentences."""
EndOfLife = Literal[
    "tensile strength 50 %", "tensile strength 25 %", "polymerisation 200", "functional life"
]
"""Criteria of an end of life, as in `END_OF_LIFE_HOURS`."""
TOP_OIL_RISE_55 = 45.0
"""Rise of the top oil of a unit of 55 °C average winding rise where nobody gave it [K]: 15 K less
than the 60 K of others, as its hottest spot has; a choice of ours."""
FROM_IEEE = ("winding.exponent", "winding.k21", "winding.k22")
"""Constants that IEEE's clause 7 takes from its own tables, whatever IEC's are."""


def _integer(given: Any) -> Any:
    # A file may say 65.0, which is no member of the literal.
    return int(given) if isinstance(given, float) and given.is_integer() else given


class IeeeSection(Section):
    """What IEEE C57.91 asks of a unit beyond what both standards share."""

    average_winding_rise_k: Annotated[AverageWindingRise, BeforeValidator(_integer)] | None = None
    """Average winding rise over the air for which the insulation was built, 65 or 55 [K]; 55 where
    the paper is said to be `normal`, else 65."""
    hot_spot_rise_k: Annotated[Quantity, within(at_most=150)] | None = None
    """Rise of the hottest spot over the air at rated load [K], for a unit whose gradient is not
    given; 80 for 65, 65 for 55 unless given."""
    oil_exponent: Annotated[Quantity, within(at_most=3)] | None = None
    """Exponent n of the total losses in the top-oil rise [1]; by cooling unless given."""
    winding_exponent: Annotated[Quantity, within(at_most=3)] | None = None
    """Exponent m of the squared load in the rise of the hottest spot over the top oil [1]; by
    cooling unless given."""
    end_of_life: EndOfLife | None = None
    """Criterion of the end of life, which says how many hours the insulation lasts at its reference
    temperature [h]; `functional life` unless given."""
    life_hours: Annotated[Quantity, within(at_most=1e7)] | None = None
    """Life at the reference temperature of 110 or 95 °C [h]; by `end_of_life` unless given."""


class IecConstants(Section):
    """What IEC 60076-7 takes for a unit that is assessed by IEEE C57.91."""

    oil: Oil
    """Constants of the oil."""
    winding: Winding
    """Constants of the winding."""
    insulation: Insulation
    """Kind of paper, and its life [h]."""
    history: History
    """Life that was used before, in hours at the reference temperature of IEC's law [h]."""
    from_table: tuple[str, ...]
    """Names of the fields of `oil` and `winding` that were assumed."""


@runtime_checkable
class Unit(Protocol):
    """What is asked of a nameplate here, whose own file imports this one."""

    @property
    def cooling(self) -> Cooling:
        """Kind of cooling."""
        ...

    @property
    def oil(self) -> Oil:
        """Constants of the oil."""
        ...

    @property
    def winding(self) -> Winding:
        """Constants of the winding."""
        ...

    @property
    def insulation(self) -> Insulation:
        """Kind of paper, and its life [h]."""
        ...

    @property
    def history(self) -> History:
        """Life that was used before [h]."""
        ...

    @property
    def ieee(self) -> IeeeSection:
        """What IEEE asks beyond what both standards share."""
        ...

    @property
    def iec(self) -> IecConstants | None:
        """What IEC would take, where the standard is IEEE's."""
        ...

    @property
    def assumed(self) -> tuple[str, ...]:
        """Names of the constants that nobody gave."""
        ...

    def thermal_constants(self) -> ThermalConstants:
        """Constants of the thermal model at the mean of every field."""
        ...


def ieee_fields(unit: Unit) -> dict[str, Any]:
    """The fields of a nameplate by IEC that IEEE C57.91 has otherwise; nothing may be learned."""
    own, rise, unity = unit.ieee, average_winding_rise(unit), Quantity(mean=1.0)
    oil: dict[str, Quantity] = {}
    if rise == 55 and "oil.top_oil_rise_k" in unit.assumed:
        oil["top_oil_rise_k"] = Quantity(mean=TOP_OIL_RISE_55)
    m = own.winding_exponent or Quantity(mean=EXPONENTS[unit.cooling].winding)
    # m is a power of the squared load, y one of the load itself.
    winding = {"exponent": _scaled(m, 2.0), "k21": unity, "k22": unity}
    if "winding.gradient_k" in unit.assumed:
        winding["gradient_k"] = _gradient(
            own.hot_spot_rise_k or Quantity(mean=HOT_SPOT_RISE[rise]),
            oil.get("top_oil_rise_k", unit.oil.top_oil_rise_k).mean,
        )
    life = own.life_hours or Quantity(mean=END_OF_LIFE_HOURS[own.end_of_life or "functional life"])
    aside = ("oil", "winding", "insulation", "history")
    return {
        "standard": "ieee",
        "oil": unit.oil.model_copy(update=oil),
        "winding": unit.winding.model_copy(update=winding),
        "insulation": unit.insulation.model_copy(
            update={"paper": IEEE_LAWS[rise].name, "life_hours": life}
        ),
        "history": _history(unit, life),
        "from_table": _assumed(unit),
        "iec": IecConstants(
            **{name: getattr(unit, name) for name in aside}, from_table=unit.assumed
        ),
    }


def ieee_constants(unit: Unit) -> ThermalConstants:
    """Constants of clause 7 for a nameplate by IEEE, its model of the top oil included."""
    given = unit.ieee.oil_exponent
    n = EXPONENTS[unit.cooling].oil if given is None else given.mean
    # k21 and k22 of a nameplate by IEEE are 1 already.
    return replace(unit.thermal_constants(), oil_exponent=n, k11=1.0)


def iec_fields(unit: Unit) -> dict[str, Any]:
    """The fields of a nameplate by IEEE as they were before."""
    before = unit.iec
    if before is None:
        raise ValueError("The nameplate has IEEE's constants without those of IEC beside them.")
    fields = {name: getattr(before, name) for name in IecConstants.model_fields}
    return {"standard": "iec", "iec": None} | fields


def average_winding_rise(unit: Unit) -> AverageWindingRise:
    """The rise that was given, else what the paper tells: 65 °C needs upgraded paper."""
    if unit.ieee.average_winding_rise_k is not None:
        return unit.ieee.average_winding_rise_k
    # A paper that nobody named is a default, and says nothing of the insulation.
    paper_stated = "paper" in unit.insulation.model_fields_set
    return 55 if paper_stated and unit.insulation.paper in ("normal", "ieee-55") else 65


def _gradient(hot_spot: Quantity, oil: float) -> Quantity:
    """Hottest spot over top oil where nobody gave it: its rise over the air less the oil's [K]."""
    if hot_spot.mean <= oil:
        raise InputError(
            f"oil.top_oil_rise_k ({oil:g}) is not below the hottest spot's rise over the air "
            f"({hot_spot.mean:g}).",
            hint="give winding.gradient_k, or ieee.hot_spot_rise_k, from the test report.",
        )
    return Quantity(mean=hot_spot.mean - oil, std=hot_spot.std)


def _history(unit: Unit, life: Quantity) -> History:
    """The life that was used: the same share of it, since hours at another temperature differ."""
    used = unit.history.life_used_hours
    if used is None:
        return unit.history
    scaled = _scaled(used, life.mean / unit.insulation.life_hours.mean)
    return unit.history.model_copy(update={"life_used_hours": scaled})


def _assumed(unit: Unit) -> tuple[str, ...]:
    """Names of the constants that stand in a table: those of IEC, and what IEEE has in its own."""
    # A dict has no name twice and keeps the order.
    names = dict.fromkeys((*unit.assumed, *FROM_IEEE))
    if unit.ieee.winding_exponent is not None:
        del names["winding.exponent"]
    return tuple(names)


def _scaled(quantity: Quantity, factor: float) -> Quantity:
    std = None if quantity.std is None else factor * quantity.std
    return Quantity(mean=factor * quantity.mean, std=std)
