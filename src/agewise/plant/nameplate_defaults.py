"""What a nameplate leaves out, filled in from the guide's row for its cooling."""

from typing import Any, get_args

from agewise.plant.cooling_names import printed_cooling
from agewise.transformer.cooling_defaults import TOP_OIL_RISE, Cooling, cooling_defaults


def with_printed_cooling(given: dict[str, Any]) -> dict[str, Any]:
    """The guide's class in the place of a cooling as it is printed, which is kept beside it.

    A name that is not known stays as it is, so that validation can refuse it.
    """
    printed = given.get("cooling")
    if not isinstance(printed, str) or printed in get_args(Cooling):
        return given
    known = printed_cooling(printed)
    if known is None:
        return given
    return given | {"cooling": known.cooling, "cooling_printed": printed}


def with_defaults(given: dict[str, Any]) -> dict[str, Any]:
    """Fill what the oil and winding sections leave out from the guide's row for the cooling.

    Where the cooling or the rating is itself unusable, the validation that follows says so.
    """
    cooling, power = given.get("cooling", "ONAN"), given.get("rated_power_kva")
    # This runs before validation, so anything can stand in these two fields.
    power = power.get("mean") if isinstance(power, dict) else power
    power = power if isinstance(power, int | float) else 0.0
    row = cooling_defaults(cooling if cooling in get_args(Cooling) else "ONAN", power)
    oil = {
        "time_constant_min": row.oil_time_constant_min,
        "top_oil_rise_k": TOP_OIL_RISE,
        "exponent": row.oil_exponent,
        "k11": row.k11,
    }
    winding = {
        "time_constant_min": row.winding_time_constant_min,
        "gradient_k": row.gradient_k,
        "exponent": row.winding_exponent,
        "k21": row.k21,
        "k22": row.k22,
    }
    return given | {"oil": _over(oil, given, "oil"), "winding": _over(winding, given, "winding")}


def _over(defaults: dict[str, float], given: dict[str, Any], section: str) -> Any:
    # A section that is no table is passed on as it is, so that validation can name it.
    own = given.get(section, {})
    return defaults | own if isinstance(own, dict) else own
