"""The oil tank: frozen parameters of the heat equation, closed from what a nameplate says."""

import math
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float

OIL_HEAT_CAPACITY = 870.0 * 1900.0
"""Heat capacity of mineral oil by volume [J/m³K]: 870 kg/m³ times 1900 J/kgK."""

EFFECTIVE_CONDUCTIVITY = 10.0
"""Conductivity along the height that stands for circulation too [W/mK]. Molecular conduction (0.13)
alone would leave boundary layers only. At 50 the profile is almost the straight line between its
ends."""

TANK_HEIGHT = 1.0
"""Height of the oil column where a nameplate gives none [m]."""


@dataclass(frozen=True)
class Tank:
    r"""A column of oil, heated by losses and cooled to ambient over its whole height.

    $\rho c_p\,\partial_t T = k\,\partial_{xx} T + (P_0 + \mu K^2)/V - h\,(T - T_a)$ on $0 < x < H$.
    """

    height: float
    """Height H of the oil column [m]."""
    conductivity: float
    """Effective conductivity k along the height, circulation included [W/mK]."""
    heat_capacity: float
    """Heat capacity of the oil by volume [J/m³K]."""
    heat_transfer: float
    """Heat given to the air by volume of oil and kelvin of excess, h [W/m³K]."""
    volume: float
    """Effective volume V over which the losses are spread [m³]."""
    no_load_losses: float
    """Losses without load, P0 [W]."""
    load_losses: float
    """Losses caused by the rated load, mu [W]."""

    def __post_init__(self):
        # Solvers divide by nearly all of these, and would return nonsense instead of an error.
        for field in fields(self):
            value = getattr(self, field.name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"Tank.{field.name} is {value}; it must be finite and above zero.")

    @property
    def time_constant(self) -> float:
        """Time in which an excess of oil over air fades by a factor e [s]."""
        return self.heat_capacity / self.heat_transfer

    @property
    def diffusion_length(self) -> float:
        """Distance over which an end is felt in the oil at steady state, sqrt(k/h) [m]."""
        return math.sqrt(self.conductivity / self.heat_transfer)

    def source(self, load: float | Float[np.ndarray, "..."]) -> float | Float[np.ndarray, "..."]:
        """Losses at a load [p.u.], spread over the volume [W/m³]."""
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

        Args:
            no_load_losses: Losses without load [W].
            load_losses: Losses caused by the rated load [W].
            oil_time_constant: Time constant of the oil [s].
            top_oil_rise: Steady rise of the top oil at rated load [K].
            height: Height of the oil column [m].
            conductivity: Effective conductivity along the height [W/mK].
            heat_capacity: Heat capacity of the oil by volume [J/m³K].
            heat_transfer: Heat transfer to the air [W/m³K]; from the time constant if None.
            volume: Effective volume of oil [m³]; from losses and rise if None.
        """
        # What is known of the tank itself wins over what the nameplate implies.
        transfer = heat_capacity / oil_time_constant if heat_transfer is None else heat_transfer
        if volume is None:
            # Effective, not the tank's own: at rated load the losses then hold the rated rise.
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
