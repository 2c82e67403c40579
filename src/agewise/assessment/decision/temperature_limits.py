"""How likely each limit of the guide was passed, and for how long."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from agewise.assessment.life.exposure import in_batches
from agewise.assessment.life.hours_above import hours_above
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.plain_answers import iec_answer
from agewise.transformer.cooling_defaults import LIMITS

Quantity = Literal["hot spot", "top oil"]
"""A temperature that the guide limits."""


@dataclass(frozen=True)
class Exceedance:
    """One limit of the guide, and how it was kept in the window."""

    name: str
    """Kind of loading whose limit it is, as in IEC 60076-7, 7.1."""
    quantity: Quantity
    """Temperature that is limited."""
    limit: float
    """Limit of that temperature [°C]."""
    probability: float
    """Chance that it was passed at any moment of the window."""
    hours: float
    """Time above it, on average over the draws [h]."""
    iec: bool
    """Whether the plain answer of IEC 60076-7 passes it."""


def exceedances(prognosis: Prognosis) -> list[Exceedance]:
    """Hot spot and top oil against the limits of every kind of loading."""
    # The hot spot is that of the height that ages fastest; the top oil is always at the top.
    assessment, top = prognosis.assessment, prognosis.window["1 H"]
    # As given, like every plain answer: it takes the nameplate at its word and learns nothing.
    unit, hold = assessment.nameplate.as_given(), assessment.settings.hold
    plain = iec_answer(assessment.profile, unit, hold=hold)
    drawn: dict[Quantity, tuple[np.ndarray, np.ndarray]] = {
        "hot spot": (prognosis.hot_spots, plain.hot_spot),
        "top oil": (prognosis.drawn_oil("1 H"), plain.top_oil),
    }
    passed = []
    for name, limits in LIMITS.items():
        by_quantity = {"hot spot": limits.hot_spot, "top oil": limits.top_oil}
        for quantity, (values, plain_values) in drawn.items():
            limit = by_quantity[quantity]
            spent = in_batches(values, len(values))
            (hours,) = hours_above(top.seconds, spent, len(values), [limit])
            # A limit counts as passed if it was at any moment, in so many of the draws.
            chance = float(np.mean(values.max(axis=1) > limit))
            over = bool(plain_values.max() > limit)
            passed.append(Exceedance(name, quantity, limit, chance, float(hours.mean()), over))
    return passed
