"""The nameplate: what a user knows of a transformer, completed by the guide's defaults."""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ModelWrapValidatorHandler, model_validator

from agewise.plant.guide_constants import guide_fields, known_fields, thermal_constants_of
from agewise.plant.measures import Rated
from agewise.plant.nameplate_checks import (
    printable,
    refuse_contradiction,
    refuse_losses,
    refuse_lower_end,
)
from agewise.plant.nameplate_defaults import with_defaults, with_printed_cooling
from agewise.plant.quantity import Quantity, Section, within
from agewise.plant.sections import (
    Evidence,
    History,
    Insulation,
    LearnedConstants,
    Oil,
    Site,
    TankSection,
    Winding,
)
from agewise.plant.stage_sections import (
    CoolingStage,
    TapLosses,
    refuse_better_cooling,
    refuse_stages,
    refuse_taps,
)
from agewise.plant.standards import IecConstants, IeeeSection, Standard, iec_fields, ieee_fields
from agewise.plant.winding_sections import RatedWinding, refuse_windings, winding_ratings
from agewise.transformer.ageing.kinetics import kinetic_paper
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.cooling_defaults import BOTTOM_RISE_STD, Cooling, cooling_defaults
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.oil.tank import Tank
from agewise.units import SECONDS_PER_MINUTE

LONGEST_NAME = 200
"""Most letters that a name may have: it stands in titles of figures and in tables."""


class Nameplate(Section):
    """A transformer as its owner knows it; units are in the names of the fields.

    Rated power and the two losses are required, everything else has defaults, most of them by
    cooling. A number that is not known for sure is given with its standard deviation. The fields
    are listed in `docs/formats.md`.

    Examples:
        >>> import agewise
        >>> unit = agewise.read_nameplate("demo/nameplate.toml")
        >>> unit.rated_power_kva.mean
        1100.0
        >>> unit.thermal_constants().oil_time_constant  # s
        16008.0
    """

    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(printable)] = "transformer"
    """Name of the unit in answers and reports."""
    rated_power_kva: Annotated[Quantity, within(at_most=5e6)]
    """Rated power [kVA]."""
    rated_current_a: Annotated[Quantity, within(at_most=1e6)] | None = None
    """Rated current [A], which turns loads in amperes into p.u."""
    rated_voltage_v: Annotated[Quantity, within(at_most=2e6)] | None = None
    """Voltage between two lines on the side where the current is measured, mostly the lower one
    [V]. With the rated power of a three-phase unit it gives the rated current."""
    no_load_losses_w: Annotated[Quantity, within(at_most=1e7)]
    """No-load losses [W]."""
    load_losses_w: Annotated[Quantity, within(at_most=1e8)]
    """Load losses at rated load, without the no-load losses [W]."""
    cooling: Cooling = "ONAN"
    """Kind of cooling, on which the defaults of `oil` and `winding` depend; a file may give it as
    it is printed, such as OFAF or ONAN/ONAF."""
    cooling_printed: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(printable)] = ""
    """The cooling as a nameplate prints it, where that is not one of the guide's four classes."""
    cooling_stages: tuple[CoolingStage, ...] = ()
    """Stages of the cooling, from the first to the one with all fans and pumps on, which the other
    numbers of the nameplate describe; none for a unit without stages."""
    taps: tuple[TapLosses, ...] = ()
    """Load losses by position of the tap changer; none where they are the same."""
    rated_windings: tuple[RatedWinding, ...] = ()
    """Windings with loads of their own, as a tertiary's, in the order of their columns of current;
    none for a unit with a single load."""
    oil: Oil
    """Rise, time constant and exponents of the oil."""
    winding: Winding
    """Gradient, time constant and exponents of the winding."""
    tank: TankSection = TankSection()
    """Constants of the heat equation of the oil."""
    insulation: Insulation = Insulation()
    """Kind of paper, and its life at the reference temperature of its ageing law [h]."""
    history: History = History()
    """Date of commissioning, and the life that was used by the first row of the profile [h]."""
    evidence: Evidence = Evidence()
    """What samples of paper and oil have shown: degree of polymerisation, furans [mg/kg], water
    [%], oxygen [ppm]."""
    standard: Standard = "iec"
    """Loading guide by which the unit is assessed, IEC 60076-7 or IEEE C57.91."""
    ieee: IeeeSection = IeeeSection()
    """What IEEE C57.91 asks beyond what both standards share, such as an average winding rise of 65
    or 55 [K]."""
    site: Site = Site()
    """Where the unit stands: latitude [degrees north], or the mean air of every month [°C]."""
    learned: LearnedConstants | None = None
    """What was learned from measurements, as `agewise calibrate` writes it; then the fields of
    `oil` and `winding` hold its means, and nothing is learned again."""
    from_table: Annotated[tuple[str, ...], AfterValidator(known_fields)] = ()
    """Dotted names of fields of `oil` and `winding` that hold what was assumed, as if they had been
    left out. A nameplate that agewise writes has every number, and names these."""

    iec: IecConstants | None = None
    """What IEC 60076-7 would take, where the standard is IEEE's; agewise writes it."""

    @model_validator(mode="wrap")
    @classmethod
    def _completed(cls, given: Any, handler: ModelWrapValidatorHandler["Nameplate"]) -> "Nameplate":
        # What is no table is left to pydantic, which refuses it in its own words.
        if not isinstance(given, dict):
            return handler(given)
        given = with_printed_cooling(given)
        nameplate = handler(with_defaults(given))
        # To pydantic the defaults that were filled in look as if the user had given them. What the
        # user left out is struck from the record here, since `assumed` reads it.
        for section in ("oil", "winding"):
            if isinstance(own := given.get(section, {}), dict):
                getattr(nameplate, section).model_fields_set.intersection_update(own)
        # Kept as a field too, since a file that has every number would not tell. Frozen is for all
        # others: to return a copy is not allowed here.
        object.__setattr__(nameplate, "from_table", nameplate.assumed)
        # IEEE's constants are in a nameplate that agewise wrote, and are put into one by hand.
        if nameplate.standard == "ieee" and nameplate.iec is None:
            for name, value in ieee_fields(nameplate).items():
                object.__setattr__(nameplate, name, value)
        return nameplate

    @model_validator(mode="after")
    def _consistent(self) -> "Nameplate":
        # Each of these is a slip that is easily made: every field alone would still be plausible.
        losses = self.load_losses_w.mean, self.no_load_losses_w.mean
        refuse_losses(*losses, self.rated_power_kva.mean)
        if self.winding.time_constant_min.mean >= self.oil.time_constant_min.mean:
            raise ValueError("winding.time_constant_min is not below oil.time_constant_min")
        refuse_windings(self.rated_windings, self.load_losses_w.mean)
        refuse_taps(self.taps, self.load_losses_w.mean)
        refuse_stages(self.cooling_stages, self.cooling, self.rated_power_kva.mean)
        oil, ratio = self.oil, self.load_losses_w.mean / self.no_load_losses_w.mean
        rise_and_losses = oil.top_oil_rise_k.mean, ratio, oil.exponent.mean
        if self.learned is None:  # what was learned need not fit what the stages were given beside
            refuse_better_cooling(self.cooling_stages, *rise_and_losses)
        refuse_lower_end(oil)
        # Sensors inside may teach another tank than the top oil does: neither is a slip.
        if self.learned is None or self.learned.tank is None:
            refuse_contradiction(self.oil_tank(), oil)
        self.rated()  # for its refusal of a current that contradicts power and voltage
        return self

    @property
    def assumed(self) -> tuple[str, ...]:
        """Fields of oil and winding that the user left out: there the guide's values stand."""
        sections = {"oil": self.oil, "winding": self.winding}
        return tuple(
            f"{name}.{field}"
            for name, section in sections.items()
            for field in guide_fields(type(section))
            if field not in section.model_fields_set or f"{name}.{field}" in self.from_table
        )

    @property
    def ageing_law(self) -> AbstractAgeingLaw:
        """The law by which the paper ages, one that knows of water and air where samples do."""
        insulation, evidence = self.insulation, self.evidence
        # Samples of water and oxygen need unknowns that the plain laws do not have.
        if evidence.moisture_percent is None and evidence.oxygen_ppm is None:
            return insulation.law
        moisture = insulation.moisture_percent
        water = None if moisture is None else (moisture.mean, moisture.std)
        return kinetic_paper(insulation.paper, water, insulation.breathing)

    @property
    def joint_draws(self) -> dict[str, tuple[float, ...]]:
        """Draws of the constants that were learned together, by name; none unless some were."""
        return {} if self.learned is None else self.learned.draws

    def as_given(self) -> "Nameplate":
        """The nameplate before anything was learned: what its owner gave, or a table has."""
        if self.learned is None:
            return self
        sections: dict[str, dict[str, Quantity]] = {"oil": {}, "winding": {}}
        for name, before in self.learned.given.items():
            section, _, field = name.partition(".")
            sections[section][field] = before
        bottom, rise = self.oil.bottom_rise_k, sections["oil"].get("top_oil_rise_k")
        if bottom is not None and rise is not None:
            # It was moved with the rise of the top, so that their ratio stays.
            share = rise.mean / self.oil.top_oil_rise_k.mean
            std = None if bottom.std is None else share * bottom.std
            sections["oil"]["bottom_rise_k"] = Quantity(mean=share * bottom.mean, std=std)
        updates: dict[str, Any] = {
            name: getattr(self, name).model_copy(update=fields) for name, fields in sections.items()
        }
        if self.learned.tank is not None:
            updates["tank"] = self.learned.tank
        return self.model_copy(update=updates | {"learned": None})

    def by_standard(self, standard: Standard) -> "Nameplate":
        """The same unit by IEC 60076-7 or by IEEE C57.91, as it was before anything was learned."""
        # What was learned belongs to this standard, and is kept.
        if standard == self.standard:
            return self
        unit = self.as_given()
        return unit.model_copy(update=(ieee_fields if standard == "ieee" else iec_fields)(unit))

    def rated(self) -> Rated:
        """What 1 p.u. of load is, for files that give it in kVA or A."""
        current, voltage = self.rated_current_a, self.rated_voltage_v
        rated = Rated.of_unit(
            self.rated_power_kva.mean,
            current_a=None if current is None else current.mean,
            voltage_v=None if voltage is None else voltage.mean,
        )
        if not self.rated_windings:
            return rated
        windings = winding_ratings(self.rated_windings, self.load_losses_w.mean)
        return replace(rated, windings=windings)

    def thermal_quantities(self) -> dict[str, Quantity]:
        """The fields behind the constants of IEC 60076-7, by their dotted names."""
        sections = {"oil": self.oil, "winding": self.winding}
        quantities = {
            f"{name}.{field}": getattr(section, field)
            for name, section in sections.items()
            for field in guide_fields(type(section))
        }
        losses = ("no_load_losses_w", "load_losses_w")
        return quantities | {field: getattr(self, field) for field in losses}

    def thermal_constants(self) -> ThermalConstants:
        """Constants of the thermal model of IEC 60076-7, at the mean of every field."""
        quantities = self.thermal_quantities().items()
        return thermal_constants_of({name: quantity.mean for name, quantity in quantities})

    def bottom_share(self) -> Quantity:
        """Rise of the bottom oil over that of the top oil at rated load, and how sure that is [1].

        From the fields of `oil`, else by cooling; exactly 0 where the bottom is said to have the
        temperature of the air.
        """
        if self.oil.bottom == "ambient":
            return Quantity(mean=0.0, std=0.0)
        # By the rise before anything was learned: 5 K are a doubt about a unit of some 50 K.
        owner = self.as_given().oil
        given, top = owner.bottom_rise_k, owner.top_oil_rise_k.mean
        if given is None:
            row = cooling_defaults(self.cooling, self.rated_power_kva.mean)
            return Quantity(mean=row.bottom_share, std=BOTTOM_RISE_STD / top)
        std = BOTTOM_RISE_STD if given.std is None else given.std
        return Quantity(mean=given.mean / top, std=std / top)

    def oil_tank(self) -> Tank:
        """Constants of the heat equation; those that nobody gave follow from the other fields."""
        tank = self.tank
        transfer, volume = tank.heat_transfer_w_per_m3k, tank.volume_m3
        return Tank.closed(
            no_load_losses=self.no_load_losses_w.mean,
            load_losses=self.load_losses_w.mean,
            oil_time_constant=self.oil.time_constant_min.mean * SECONDS_PER_MINUTE,
            top_oil_rise=self.oil.top_oil_rise_k.mean,
            height=tank.height_m.mean,
            conductivity=tank.conductivity_w_per_mk.mean,
            heat_capacity=tank.heat_capacity_j_per_m3k.mean,
            heat_transfer=None if transfer is None else transfer.mean,
            volume=None if volume is None else volume.mean,
        )
