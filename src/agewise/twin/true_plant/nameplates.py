"""Nameplates of a made plant: what is printed, and what is true.

A bundled nameplate is a heat-run sheet. The unit behind it may differ from it, and of an old unit
half of the sheet is lost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import without_fields

RISE_ERROR, TIME_CONSTANT_ERROR, EXPONENT_ERROR = 0.25, 0.30, 0.15
"""Largest relative error of the rated top-oil rise and of the oil's time constant, and largest
error of the oil's exponent [1], at an error of 1; uniform up to there, and chosen."""
GRADIENT_ERROR = 0.05
"""Relative standard deviation of the hot-spot gradient at an error of 1: that of life results."""
REQUIRED = ("rated_power_kva", "no_load_losses_w", "load_losses_w")
"""Fields without which a file is no nameplate."""


def printed_nameplate(
    nameplate: Nameplate, *, leave_out: Sequence[str] = (), warm_bottom: bool = False
) -> Nameplate:
    """The nameplate that the owner has: without some fields, where the guide's defaults stand.

    Args:
        nameplate: The sheet of the case.
        leave_out: Dotted names of the fields that are lost, as `oil.top_oil_rise_k`.
        warm_bottom: Whether the bottom oil is warmer than the air, so that nobody may say that it
            has the air's temperature.
    """
    given = nameplate.model_dump(exclude_none=True)
    known = [name for name in _leaves(given) if name not in REQUIRED]
    for name in leave_out:
        if name not in known:
            why = "is needed by every nameplate" if name in REQUIRED else "is no field of it"
            raise InputError(
                f"The nameplate cannot leave out {name!r}, which {why}.",
                hint=f"fields: {', '.join(known)}.",
            )
    lost = (*leave_out, *(["oil.bottom"] if warm_bottom else []))
    return Nameplate.model_validate(without_fields(given, lost)) if lost else nameplate


@dataclass(frozen=True)
class Deviation:
    """How a unit differs from the sheet of its case."""

    error: float = 0.0
    """Size of the drawn errors; 0 for none, 1 for those that the constants above name."""
    bottom_offset: float = 0.0
    """Rise of the bottom oil over that of the top oil [1]."""
    conductivity_factor: float = 1.0
    """Factor on the conductivity of the oil along its height [1]."""


def true_nameplate(
    nameplate: Nameplate, deviation: Deviation, *, rng: np.random.Generator
) -> Nameplate:
    """The unit behind a printed sheet: its constants times drawn factors.

    Args:
        nameplate: The sheet of the case.
        deviation: How far the unit is from it.
        rng: Random numbers of the errors; another size scales the same ones.
    """
    if deviation == Deviation():
        return nameplate
    rise, time_constant, exponent = deviation.error * rng.uniform(-1.0, 1.0, 3)
    gradient = deviation.error * rng.normal()
    oil, winding, tank = nameplate.oil, nameplate.winding, nameplate.tank
    true_rise = oil.top_oil_rise_k.mean * (1 + RISE_ERROR * rise)
    given = nameplate.model_dump(exclude_none=True)
    given["oil"] |= {
        "top_oil_rise_k": true_rise,
        "time_constant_min": oil.time_constant_min.mean * (1 + TIME_CONSTANT_ERROR * time_constant),
        "exponent": oil.exponent.mean + EXPONENT_ERROR * exponent,
    }
    given["winding"]["gradient_k"] = winding.gradient_k.mean * (1 + GRADIENT_ERROR * gradient)
    given["tank"]["conductivity_w_per_mk"] = (
        tank.conductivity_w_per_mk.mean * deviation.conductivity_factor
    )
    if deviation.bottom_offset:
        given["oil"].pop("bottom", None)
        # Without doubt, since it is the truth.
        given["oil"]["bottom_rise_k"] = {"mean": deviation.bottom_offset * true_rise, "std": 0.0}
    return Nameplate.model_validate(given)


def _leaves(given: dict[str, Any]) -> Iterator[str]:
    """Dotted names of all fields; a number with its standard deviation is one field."""
    for name, value in given.items():
        if isinstance(value, dict) and "mean" not in value:
            yield from (f"{name}.{field}" for field in value)
        else:
            yield name
