"""What is believed of a tank's constants before sensors inside are read."""

from typing import Literal

from agewise.assessment.calibration.priors import PRIOR_SHARES, relative_std
from agewise.assessment.oil.constant_doubt import CONDUCTIVITY_SHARE
from agewise.plant.nameplate import Nameplate
from agewise.plant.quantity import Quantity
from agewise.transformer.calibration.names import OIL_MINUTES, RISE

FIELDS = {
    "conductivity": "tank.conductivity_w_per_mk",
    "heat_transfer": "tank.heat_transfer_w_per_m3k",
    "volume": "tank.volume_m3",
}
"""Field of the nameplate of every constant of a tank that can be learned."""
IMPLIED_BY = {"heat_transfer": OIL_MINUTES, "volume": RISE}
"""What a constant that the nameplate does not give follows from."""


def tank_prior(nameplate: Nameplate, *, volume: bool) -> dict[str, float]:
    """Standard deviation of the logarithm of every unknown constant, by its field of `Tank`.

    What the nameplate gives with a standard deviation is believed to that. Otherwise the heat
    transfer is as sure as the time constant, and the volume as time constant and rise together.
    """
    lag = relative_std(nameplate, OIL_MINUTES, PRIOR_SHARES.time_constant)
    rise = relative_std(nameplate, RISE, PRIOR_SHARES.rise)
    usual = {"conductivity": CONDUCTIVITY_SHARE, "heat_transfer": lag}
    usual |= {"volume": (lag**2 + rise**2) ** 0.5} if volume else {}
    return {name: _share(_own(nameplate, name), std) for name, std in usual.items()}


def tank_origin(nameplate: Nameplate, name: str) -> Literal["given", "assumed"]:
    """Whether the nameplate gives a constant of the tank, or what it follows from."""
    field = FIELDS[name].partition(".")[2]
    if _own(nameplate, name) is not None and field in nameplate.tank.model_fields_set:
        return "given"
    implied = IMPLIED_BY.get(name)
    return "assumed" if implied is None or implied in nameplate.assumed else "given"


def _own(nameplate: Nameplate, name: str) -> Quantity | None:
    """What the nameplate says of a constant itself."""
    return getattr(nameplate.tank, FIELDS[name].partition(".")[2])


def _share(own: Quantity | None, usual: float) -> float:
    # An exact zero would leave no density.
    return usual if own is None or own.std is None else max(own.std / own.mean, 1e-6)
