"""Nameplates of a made plant: what is printed, and what is true.

A bundled nameplate is a heat-run sheet. The unit behind it may differ from it, and of an old unit
half of the sheet is lost.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import without_fields

RISE_ERROR, TIME_CONSTANT_ERROR, EXPONENT_ERROR = 0.25, 0.30, 0.15
"""Largest relative error of the rated top-oil rise and of the oil's time constant, and largest
error of the oil's exponent [1], at an error of 1; uniform up to there. Chosen: heat runs in service
differ from the works' by a quarter, and the guide's time constants from measured ones by more."""
GRADIENT_ERROR = 0.05
"""Relative standard deviation of the hot-spot gradient at an error of 1: nobody has measured it in
most units."""
REQUIRED = ("rated_power_kva", "no_load_losses_w", "load_losses_w")
"""Fields without which a file is no nameplate."""


def printed_nameplate(nameplate: Nameplate, *, leave_out: Iterable[str] = ()) -> Nameplate:
    """The nameplate that the owner has: without some fields, where the guide's defaults stand.

    Args:
        nameplate: The sheet of the case.
        leave_out: Dotted names of the fields that are lost, as `oil.top_oil_rise_k`.
    """
    names = tuple(leave_out)
    if not names:
        return nameplate
    given = nameplate.model_dump(exclude_none=True)
    known = [name for name in _leaves(given) if name not in REQUIRED]
    for name in names:
        if name not in known:
            why = "is needed by every nameplate" if name in REQUIRED else "is no field of it"
            raise InputError(
                f"The nameplate cannot leave out {name!r}, which {why}.",
                hint=f"fields: {', '.join(known)}.",
            )
    return Nameplate.model_validate(without_fields(given, names))


def true_nameplate(
    nameplate: Nameplate, *, error: float = 0.0, rng: np.random.Generator
) -> Nameplate:
    """The unit behind a printed sheet: its constants times drawn factors.

    Args:
        nameplate: The sheet of the case.
        error: Size of the errors; 0 for none, 1 for those that the constants above name.
        rng: Random numbers of the errors; another size scales the same ones.
    """
    rise, time_constant, exponent = error * rng.uniform(-1.0, 1.0, 3)
    gradient = error * rng.normal()
    if not error:
        return nameplate
    given = nameplate.model_dump(exclude_none=True)
    factors = {
        "oil.top_oil_rise_k": 1 + RISE_ERROR * rise,
        "oil.time_constant_min": 1 + TIME_CONSTANT_ERROR * time_constant,
        "winding.gradient_k": 1 + GRADIENT_ERROR * gradient,
    }
    for name, factor in factors.items():
        section, field = name.split(".")
        given[section][field] = factor * getattr(getattr(nameplate, section), field).mean
    given["oil"]["exponent"] = nameplate.oil.exponent.mean + EXPONENT_ERROR * exponent
    return Nameplate.model_validate(given)


def _leaves(given: dict[str, Any]) -> Iterator[str]:
    """Dotted names of all fields; a number with its standard deviation is one field."""
    for name, value in given.items():
        if isinstance(value, dict) and "mean" not in value:
            yield from (f"{name}.{field}" for field in value)
        else:
            yield name
