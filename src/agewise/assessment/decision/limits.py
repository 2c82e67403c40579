"""How likely each limit of the guide was passed, and for how long."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.exposure import batches
from agewise.assessment.life.prognosis import EVERYTHING, Prognosis
from agewise.assessment.plain import iec_answer
from agewise.transformer.cooling import LIMITS
from agewise.units import SECONDS_PER_HOUR

Quantity = Literal["hot spot", "top oil"]


@dataclass(frozen=True)
class Exceedance:
    """One limit over the window."""

    name: str
    """of the kind of loading, as in IEC 60076-7, 7.1"""
    quantity: Quantity
    limit: float
    """°C"""
    probability: float
    """that it was passed at any moment"""
    hours: float
    """h above it, on average over the draws"""
    iec: bool
    """whether the plain answer passes it"""


def exceedances(prognosis: Prognosis) -> list[Exceedance]:
    """Hot spot and top oil against the limits of every kind of loading."""
    assessment, top = prognosis.assessment, prognosis.window["1 H"]
    plain = iec_answer(assessment.profile, assessment.nameplate, hold=assessment.settings.hold)
    drawn: dict[Quantity, tuple[np.ndarray, np.ndarray]] = {
        "hot spot": (prognosis.hot_spots, plain.hot_spot),
        "top oil": (top.oil.drawn(prognosis.draws, EVERYTHING), plain.top_oil),
    }
    found = []
    for name, limits in LIMITS.items():
        told_limits = {"hot spot": limits.hot_spot, "top oil": limits.top_oil}
        for quantity, (values, told) in drawn.items():
            limit = told_limits[quantity]
            hours = _hours_above(top.seconds, values, limit)
            chance = float(np.mean(values.max(axis=1) > limit))
            over = bool(told.max() > limit)
            found.append(Exceedance(name, quantity, limit, chance, float(hours.mean()), over))
    return found


def _hours_above(
    seconds: Float[np.ndarray, " time"], values: Float[np.ndarray, "draw time"], limit: float
) -> Float[np.ndarray, " draw"]:
    steps, count = np.diff(seconds), len(values)
    above = [(values[rows, 1:] > limit) @ steps for rows in batches(count)]
    return np.concatenate(above) / SECONDS_PER_HOUR
