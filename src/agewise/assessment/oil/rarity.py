"""Rows that are too rare for the oil: refused, or doubted."""

import numpy as np

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.units import SECONDS_PER_HOUR

RAREST = 3.0
"""Longest time between readings, in time constants of the oil."""
RARE_H = 2.0
"""Time between rows from which on the course of the load in between is in doubt [h]: a load has its
peaks of the morning and the evening within so many hours."""


def hours_between(profile: Profile) -> float:
    """The typical time between two rows [h]."""
    return float(np.median(np.diff(profile.seconds))) / SECONDS_PER_HOUR


def refuse_rare(profile: Profile, nameplate: Nameplate) -> None:
    """Refuse readings between which the oil has long forgotten what it was."""
    step = hours_between(profile)
    lag = nameplate.oil_tank().time_constant / SECONDS_PER_HOUR
    if step > RAREST * lag:
        raise InputError(
            f"The readings are {step:.3g} h apart, but the oil follows within {lag:.2g} h: what "
            "it does in between cannot be known.",
            hint="export them every 15 minutes, or at least every hour.",
        )
