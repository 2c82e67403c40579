"""Slips that a nameplate shows only when its fields are seen together.

Every field alone would still be plausible. Each function raises a `ValueError` whose sentence
becomes the complaint about the file.
"""

import unicodedata

from agewise.plant.sections import Oil
from agewise.transformer.oil.tank import Tank
from agewise.units import SECONDS_PER_MINUTE

LARGEST_LOSS_SHARE = 0.1
"""Largest share of the rated power that can be lost: the smallest units lose 3 %."""
SMALLEST_LOSS_SHARE = 0.001
"""Smallest share of the rated power that can be lost: the largest units lose 0.3 %."""

AGREEMENT = 0.10
"""Relative difference above which fields that determine each other contradict each other."""

UNPRINTABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories that move a cursor, colour a terminal, break a line or turn its direction."""
JOINERS = "\u200c\u200d"
"""Invisible letters that Persian and Indian names need; they are of category Cf, yet allowed."""


def printable(name: str) -> str:
    """A name that can stand in a terminal, a title and a table; any other is refused."""
    bad = [c for c in name if unicodedata.category(c) in UNPRINTABLE and c not in JOINERS]
    if bad:
        raise ValueError("it must have printable characters only, in one line")
    return name


def refuse_losses(load: float, no_load: float, rated_power_kva: float) -> None:
    """Refuse losses [W] that are swapped, or do not fit the rated power [kVA]."""
    if load <= no_load:
        raise ValueError(
            f"load_losses_w ({load:g}) is not above no_load_losses_w ({no_load:g}), "
            f"as if they were swapped"
        )
    power = rated_power_kva * 1000
    if load + no_load > LARGEST_LOSS_SHARE * power:
        raise ValueError(
            f"the losses ({load + no_load:g} W) are more than a tenth of rated_power_kva "
            f"({power / 1000:g} kVA), as if that were in MVA"
        )
    if load + no_load < SMALLEST_LOSS_SHARE * power:
        raise ValueError(
            f"the losses ({load + no_load:g} W) are less than a thousandth of rated_power_kva "
            f"({power / 1000:g} kVA), as if they were in kW"
        )


def refuse_lower_end(oil: Oil) -> None:
    """Refuse a lower end that is described twice, or is warmer than the upper one."""
    if oil.bottom_rise_k is None:
        return
    if oil.bottom is not None:
        raise ValueError(
            f"oil.bottom = {oil.bottom!r} says that the bottom has no rise over the air, but "
            f"oil.bottom_rise_k is {oil.bottom_rise_k.mean:g}; give one of them"
        )
    if oil.bottom_rise_k.mean >= oil.top_oil_rise_k.mean:
        raise ValueError(
            f"oil.bottom_rise_k ({oil.bottom_rise_k.mean:g}) is not below oil.top_oil_rise_k "
            f"({oil.top_oil_rise_k.mean:g})"
        )


def refuse_contradiction(tank: Tank, oil: Oil) -> None:
    """Refuse a tank that contradicts the oil.

    Heat transfer, volume, losses, rise and time constant determine each other, see `Tank.closed`.
    What the nameplate leaves open is closed from the rest and therefore agrees by itself.
    """
    minutes = oil.time_constant_min.mean
    implied = tank.time_constant / SECONDS_PER_MINUTE
    if abs(implied / minutes - 1) > AGREEMENT:
        raise ValueError(
            f"tank.heat_transfer_w_per_m3k implies an oil time constant of {implied:.4g} min, but "
            f"oil.time_constant_min is {minutes:g}"
        )
    rise = oil.top_oil_rise_k.mean
    # Losses by volume at rated load over the heat transfer by volume: a steady rise.
    implied = float(tank.source(1.0)) / tank.heat_transfer
    if abs(implied / rise - 1) > AGREEMENT:
        raise ValueError(
            f"tank.volume_m3, the losses and the heat transfer imply a top-oil rise of "
            f"{implied:.4g} K, but oil.top_oil_rise_k is {rise:g}"
        )
