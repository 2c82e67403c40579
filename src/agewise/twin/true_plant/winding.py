"""The true winding of a made plant, and the life that its insulation truly uses."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.plant.nameplate import Nameplate
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.iec60076 import hot_spot_rise


@dataclass(frozen=True)
class TrueLife:
    """What the winding truly went through."""

    hot_spot_peak: float
    """Highest temperature of the winding at any height [°C]."""
    loss_of_life: float
    """Life that the window uses at the worst height [h]."""
    worst_row: int
    """Place of that height among the heights of the oil."""


def true_rise(
    nameplate: Nameplate, seconds: Float[np.ndarray, " time"], load: Float[np.ndarray, " time"]
) -> Float[np.ndarray, " time"]:
    """Rise of the winding over the oil [K]: it depends on the load alone, alike at all heights."""
    return hot_spot_rise(nameplate.thermal_constants(), seconds, load)


def true_life(
    nameplate: Nameplate,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    oil: Float[np.ndarray, "time height"],
) -> TrueLife:
    """Peak and life used, by the true constants.

    Args:
        nameplate: The true constants of the unit.
        seconds: Times of the rows [s].
        load: Load [p.u.].
        oil: Temperature of the oil from bottom to top [°C].
    """
    winding = oil + true_rise(nameplate, seconds, load)[:, None]
    used = loss_of_life(seconds, nameplate.insulation.law.rate(winding), axis=0)[-1]
    return TrueLife(float(winding.max()), float(used.max()), int(used.argmax()))
