"""The surroundings of a made plant: its load and its air, minute by minute."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.twin.cases import bundled_case
from agewise.twin.settings import TwinSettings
from agewise.twin.weather import ambient

Series = Float[np.ndarray, " time"]
"""Numbers by minute."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What a plant is exposed to, the day of warm-up before its window included."""

    times: pd.DatetimeIndex
    """Every minute, in local time."""
    load: Series
    """Load [p.u.]."""
    air: Series
    """Temperature of the air at the unit [°C]."""


def surroundings(settings: TwinSettings) -> Surroundings:
    """The load and the air of a twin."""
    case = bundled_case(settings.case)
    times = settings.minutes_from(settings.start or case.start)
    load = case.load(case.site, times, settings.stream("load"))
    air = ambient(case.site, times, rng=settings.stream("air"), rough=settings.rough_ambient)
    return Surroundings(times, load, air)
