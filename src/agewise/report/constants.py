"""Constants of a unit as a reader knows them: names in words, values with their units."""

from agewise.assessment.calibration.names import NAMES, Name, spread

OTHERS = {
    "oil.k11": Name("k11", "oil constant k11", ""),
    "winding.exponent": Name("winding exponent", "winding exponent", ""),
    "winding.k21": Name("k21", "winding constant k21", ""),
    "winding.k22": Name("k22", "winding constant k22", ""),
    "no_load_losses_w": Name("no-load losses", "no-load losses", "W"),
    "load_losses_w": Name("load losses", "load losses at rated load", "W"),
}
"""Names of the constants that are not learned."""


def constant_name(field: str) -> str:
    """What people call a field of the nameplate."""
    name = (NAMES | OTHERS)[field].long
    return name[0].upper() + name[1:]


def spread_of(field: str, mean: float, std: float) -> str:
    """A value with its standard deviation and unit."""
    unit = (NAMES | OTHERS)[field].unit
    return f"{spread(mean, std)} {unit}".rstrip()
