"""Defaults of IEC 60076-7 by cooling, for what a nameplate does not say."""

from dataclasses import dataclass
from typing import Literal

Cooling = Literal["ONAN", "ONAF", "OF", "OD"]

DISTRIBUTION_LIMIT_KVA = 2500.0
"""Up to this rating an ONAN unit takes the guide's distribution row."""
MEDIUM_LIMIT_KVA = 100_000.0
"""Above this rating a power transformer is a large one, with tighter limits of its current."""

TOP_OIL_RISE = 60.0
"""Rise of the top oil over the air at rated load where a nameplate gives none [K]: the limit of IEC
60076-2, to which a unit is built."""
BOTTOM_RISE_STD = 5.0
"""Standard deviation of the bottom oil's rise over the air at rated load where a nameplate gives
none [K]: units of one cooling differ by that much (assumed)."""


@dataclass(frozen=True)
class CoolingDefaults:
    """One row of the guide's thermal characteristics (8.2.2), times in minutes as printed there.

    The gradient is not in that table: it depends on the design, and stands here for a unit whose
    test report is lost. Nor is the share of the bottom oil, which is from table 2 of IEC 60354.
    """

    oil_time_constant_min: float
    """Time constant of the oil, tau_o [min]."""
    winding_time_constant_min: float
    """Time constant of the winding, tau_w [min]."""
    k11: float
    """Factor on the oil's time constant in the lag of the top oil [1]."""
    k21: float
    """Factor on the gradient in the winding's part of the hot-spot rise; the oil's part, which is
    subtracted, has the factor k21 - 1 [1]."""
    k22: float
    """Factor on the winding's time constant, and divisor of the oil's, in the hot spot [1]."""
    oil_exponent: float
    """Exponent x of the total losses in the top-oil rise [1]."""
    winding_exponent: float
    """Exponent y of the load in the hot-spot gradient [1]."""
    gradient_k: float
    """Hot spot over top oil at rated load [K]."""
    bottom_share: float
    """Rise of the bottom oil over that of the top oil, both over the air at rated load [1]."""


# In the order of the fields above.
_DISTRIBUTION = CoolingDefaults(180.0, 4.0, 1.0, 1.0, 2.0, 0.8, 1.6, 23.0, 33 / 55)
_POWER: dict[Cooling, CoolingDefaults] = {
    "ONAN": CoolingDefaults(210.0, 10.0, 0.5, 2.0, 2.0, 0.8, 1.3, 22.0, 34 / 52),
    "ONAF": CoolingDefaults(150.0, 7.0, 0.5, 2.0, 2.0, 0.8, 1.3, 22.0, 34 / 52),
    "OF": CoolingDefaults(90.0, 7.0, 1.0, 1.3, 1.0, 1.0, 1.3, 22.0, 36 / 56),
    "OD": CoolingDefaults(90.0, 7.0, 1.0, 1.0, 1.0, 1.0, 2.0, 22.0, 43 / 49),
}


def cooling_defaults(cooling: Cooling, rated_power_kva: float) -> CoolingDefaults:
    """The row for a cooling and a rating [kVA]."""
    # The guide prints a row of its own for small units only under natural cooling.
    if cooling == "ONAN" and rated_power_kva <= DISTRIBUTION_LIMIT_KVA:
        return _DISTRIBUTION
    return _POWER[cooling]


@dataclass(frozen=True)
class Limits:
    """What IEC 60076-7, 7.1 advises not to pass under a kind of loading."""

    top_oil: float
    """Limit of the top-oil temperature [°C]."""
    hot_spot: float
    """Limit of the hot-spot temperature [°C]."""
    distribution_load: float
    """Limit of the load of units up to 2500 kVA [p.u.]."""
    medium_load: float
    """Limit of the load of power transformers up to 100 MVA [p.u.]."""
    large_load: float
    """Limit of the load of power transformers above 100 MVA [p.u.]."""

    def load(self, rated_power_kva: float) -> float:
        """The highest load for a rating [p.u.], whatever the temperatures."""
        if rated_power_kva <= DISTRIBUTION_LIMIT_KVA:
            return self.distribution_load
        return self.medium_load if rated_power_kva <= MEDIUM_LIMIT_KVA else self.large_load


LIMITS = {
    # Top oil, hot spot, then the loads of distribution, medium and large units.
    "normal cyclic": Limits(105.0, 120.0, 1.5, 1.5, 1.3),
    "long emergency": Limits(115.0, 140.0, 1.8, 1.5, 1.3),
    "short emergency": Limits(115.0, 160.0, 2.0, 1.8, 1.5),
}
"""Limits by the kind of loading, in the order in which they grow."""
