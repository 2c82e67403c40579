"""The oil tank: frozen parameters of the heat equation, closed from what a nameplate says."""

import math
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float

OIL_HEAT_CAPACITY = 870.0 * 1900.0
"""J/m3K: mineral oil, 870 kg/m3 times 1900 J/kgK."""

EFFECTIVE_CONDUCTIVITY = 10.0
"""W/mK along the height. Molecular conduction (0.13) would leave boundary layers only; circulation
carries the rest. At 50 the profile is almost the straight line between its ends."""

TANK_HEIGHT = 1.0
"""m, the height of the oil column when nobody gives one."""


@dataclass(frozen=True)
class Tank:
    r"""A column of oil, heated by losses and cooled to ambient over its whole height.

    $\rho c_p\,\partial_t T = k\,\partial_{xx} T + (P_0 + \mu K^2)/V - h\,(T - T_a)$ on $0 < x < H$.
    """

    height: float
    """m"""
    conductivity: float
    """W/mK, effective, vertical"""
    heat_capacity: float
    """J/m3K"""
    heat_transfer: float
    """W/m3K, to ambient, per volume of oil"""
    volume: float
    """m3, effective"""
    no_load_losses: float
    """W"""
    load_losses: float
    """W at rated load"""

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"Tank.{field.name} is {value}; it must be finite and above zero.")

    @property
    def time_constant(self) -> float:
        """s: how fast the oil forgets, heat capacity over heat transfer."""
        return self.heat_capacity / self.heat_transfer

    @property
    def diffusion_length(self) -> float:
        """m: how far a boundary reaches into the oil at steady state, sqrt(k/h)."""
        return math.sqrt(self.conductivity / self.heat_transfer)

    def source(self, load: float | Float[np.ndarray, "..."]) -> float | Float[np.ndarray, "..."]:
        """W/m3: the losses at a load [p.u.], spread over the volume."""
        return (self.no_load_losses + self.load_losses * load**2) / self.volume

    @classmethod
    def closed(
        cls,
        *,
        no_load_losses: float,
        load_losses: float,
        oil_time_constant: float,
        top_oil_rise: float,
        height: float = TANK_HEIGHT,
        conductivity: float = EFFECTIVE_CONDUCTIVITY,
        heat_capacity: float = OIL_HEAT_CAPACITY,
        heat_transfer: float | None = None,
        volume: float | None = None,
    ) -> "Tank":
        r"""Close the equation with nameplate values where the tank itself is unknown.

        $h = \rho c_p/\tau_o$, so that the oil has its nameplate time constant, and
        $V = (P_0 + \mu)/(h\,\Delta\Theta_{or})$, so that rated losses give the rated top-oil rise.
        """
        transfer = heat_capacity / oil_time_constant if heat_transfer is None else heat_transfer
        if volume is None:
            volume = (no_load_losses + load_losses) / (transfer * top_oil_rise)
        return cls(
            height=height,
            conductivity=conductivity,
            heat_capacity=heat_capacity,
            heat_transfer=transfer,
            volume=volume,
            no_load_losses=no_load_losses,
            load_losses=load_losses,
        )
