"""Fields of a nameplate that are constants of the thermal model of IEC 60076-7."""

from collections.abc import Mapping

from agewise.plant.quantity import Section
from agewise.plant.sections import LOWER_END, Oil, Winding
from agewise.transformer.iec60076 import ThermalConstants
from agewise.units import SECONDS_PER_MINUTE


def guide_fields(section: type[Section]) -> list[str]:
    """Fields of oil or winding that are constants of IEC 60076-7."""
    return [field for field in section.model_fields if field not in LOWER_END]


def known_fields(names: tuple[str, ...]) -> tuple[str, ...]:
    """Dotted names of constants of oil or winding; any other name is refused."""
    sections = {"oil": Oil, "winding": Winding}
    known = {f"{name}.{field}" for name, kind in sections.items() for field in guide_fields(kind)}
    if unknown := sorted(set(names) - known):
        raise ValueError(f"{unknown[0]!r} is no constant of oil or winding")
    return names


def thermal_constants_of(values: Mapping[str, float]) -> ThermalConstants:
    """Constants of the thermal model of IEC 60076-7, in SI units.

    Args:
        values: A number for each key of `Nameplate.thermal_quantities`, in the unit of that field.
    """
    return ThermalConstants(
        oil_time_constant=values["oil.time_constant_min"] * SECONDS_PER_MINUTE,
        winding_time_constant=values["winding.time_constant_min"] * SECONDS_PER_MINUTE,
        top_oil_rise=values["oil.top_oil_rise_k"],
        gradient=values["winding.gradient_k"],
        loss_ratio=values["load_losses_w"] / values["no_load_losses_w"],
        oil_exponent=values["oil.exponent"],
        winding_exponent=values["winding.exponent"],
        k11=values["oil.k11"],
        k21=values["winding.k21"],
        k22=values["winding.k22"],
    )
