"""Settings of a made fleet: how many units, how long, and how many of them ail."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agewise.errors import InputError

WARM_UP_MIN = 2880
"""Minutes before the window, so that the oil has forgotten how it began: the slowest lag is 7 h."""
RANGES = {
    "seed": (0, 2**31),
    "assets": (1, 100_000),
    "days": (1.0, 366.0),
    "step_min": (1, 60),
    "dirty": (0.0, 1.0),
    "hopeless": (0.0, 1.0),
    "incidents": (0.0, 1.0),
}
"""Lowest and highest value of each setting that is a number."""


@dataclass(frozen=True)
class FleetSettings:
    """What fleet to make.

    A unit depends on the seed and on its own number alone: a larger fleet begins with the smaller
    one.
    """

    seed: int
    """Seed of the random numbers."""
    assets: int = 300
    """Number of transformers."""
    days: float = 30.0
    """Length of the window [days], 1 to 366."""
    step_min: int = 15
    """Time from one written row to the next [min], 1 to 60."""
    start: str = "2025-06-01"
    """Local date on which every window begins."""
    dirty: float = 0.35
    """Share of the units whose file is written in another dialect, or with faults of the logger."""
    hopeless: float = 0.03
    """Share of the units whose files can only be refused."""
    incidents: float = 0.2
    """Share of the units to which something happens within the window."""

    def __post_init__(self):
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(
                    f"{value:g} is out of range for the fleet's {name}.",
                    hint=f"choose `{name}` from {low:g} to {high:g}.",
                )

    def stream(self, number: int, name: str) -> np.random.Generator:
        """Random numbers of one use by one unit."""
        # Unit and use are part of the seed: neither their order nor their number matters.
        return np.random.default_rng([self.seed, number, *name.encode()])

    def minutes(self, timezone: str) -> pd.DatetimeIndex:
        """Every minute of the window, and of the warm-up before it."""
        first = pd.Timestamp(self.start, tz=timezone) - pd.Timedelta(minutes=WARM_UP_MIN)
        # One minute more, with which the last interval ends.
        return pd.date_range(first, periods=WARM_UP_MIN + round(1440 * self.days) + 1, freq="min")
