"""Defaults of IEC 60076-7 by cooling, for what a nameplate does not say."""

from dataclasses import dataclass
from typing import Literal

Cooling = Literal["ONAN", "ONAF", "OF", "OD"]

DISTRIBUTION_LIMIT_KVA = 2500.0
"""Up to this rating an ONAN unit takes the guide's distribution row."""
MEDIUM_LIMIT_KVA = 100_000.0
"""Above this rating a power transformer is a large one, with tighter limits of its current."""

TOP_OIL_RISE = 60.0
"""K at rated load: the limit of IEC 60076-2, what a unit is built to when its rise is unknown."""


@dataclass(frozen=True)
class CoolingDefaults:
    """One row of the guide's thermal characteristics (8.2.2), times in minutes as printed there.

    The gradient is not in that table: it depends on the design, and stands here for a unit whose
    test report is lost.
    """

    oil_time_constant_min: float
    winding_time_constant_min: float
    k11: float
    k21: float
    k22: float
    oil_exponent: float
    winding_exponent: float
    gradient_k: float
    """K, hot spot over top oil at rated load"""


_DISTRIBUTION = CoolingDefaults(180.0, 4.0, 1.0, 1.0, 2.0, 0.8, 1.6, 23.0)
_POWER: dict[Cooling, CoolingDefaults] = {
    "ONAN": CoolingDefaults(210.0, 10.0, 0.5, 2.0, 2.0, 0.8, 1.3, 22.0),
    "ONAF": CoolingDefaults(150.0, 7.0, 0.5, 2.0, 2.0, 0.8, 1.3, 22.0),
    "OF": CoolingDefaults(90.0, 7.0, 1.0, 1.3, 1.0, 1.0, 1.3, 22.0),
    "OD": CoolingDefaults(90.0, 7.0, 1.0, 1.0, 1.0, 1.0, 2.0, 22.0),
}


def cooling_defaults(cooling: Cooling, rated_power_kva: float) -> CoolingDefaults:
    """The row for a cooling and a rating."""
    if cooling == "ONAN" and rated_power_kva <= DISTRIBUTION_LIMIT_KVA:
        return _DISTRIBUTION
    return _POWER[cooling]


@dataclass(frozen=True)
class Limits:
    """What IEC 60076-7, 7.1 advises not to pass: temperatures in °C, loads in p.u."""

    top_oil: float
    hot_spot: float
    distribution_load: float
    """of units up to 2500 kVA"""
    medium_load: float
    """of power transformers up to 100 MVA"""
    large_load: float

    def load(self, rated_power_kva: float) -> float:
        """p.u.: the most current for a rating, whatever the temperatures."""
        if rated_power_kva <= DISTRIBUTION_LIMIT_KVA:
            return self.distribution_load
        return self.medium_load if rated_power_kva <= MEDIUM_LIMIT_KVA else self.large_load


LIMITS = {
    "normal cyclic": Limits(105.0, 120.0, 1.5, 1.5, 1.3),
    "long emergency": Limits(115.0, 140.0, 1.8, 1.5, 1.3),
    "short emergency": Limits(115.0, 160.0, 2.0, 1.8, 1.5),
}
"""by the kind of loading"""
