"""Winding and ageing of all draws, carried from cell to cell."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.fleet.watch.belief import Belief
from agewise.plant.nameplate import Nameplate
from agewise.transformer.calibration.names import GRADIENT, OIL_MINUTES, WINDING_MINUTES
from agewise.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

PerDraw = Float[np.ndarray, " draw"]
"""A number for each draw."""
Series = Float[np.ndarray, "draw cell"]
"""A number for each draw and cell."""


@dataclass(frozen=True, eq=False)
class Track:
    """Where a winding is: both parts of its rise without their factors, and its ageing."""

    fast: PerDraw
    """The gradient after the winding's lag [K]."""
    slow: PerDraw
    """The gradient after the oil's lag [K]."""
    rate: PerDraw
    """Ageing rate [1]."""


@dataclass(frozen=True, eq=False)
class Way:
    """What a winding went through in some cells."""

    track: Track
    """Where it is at the end."""
    hot_spot: Series
    """Hot spot [°C]."""
    used: PerDraw
    """Life used [h]."""


def hot_spot_way(
    belief: Belief,
    unit: Nameplate,
    oil: Series,
    heating: Float[np.ndarray, " cell"],
    steps: Float[np.ndarray, " cell"],
    track: Track | None,
) -> Way:
    r"""The hot spot over an oil, and the life that it uses (IEC 60076-7, 8.2.3).

    Args:
        belief: Draws of all unknowns.
        unit: The unit, for its ageing law.
        oil: Top oil [°C].
        heating: Mean square of the load since the cell before [p.u.²].
        steps: Time from the cell before [s].
        track: Where the winding was; None for a steady start.
    """
    draws = belief.draws
    wanted = draws[GRADIENT][:, None] * heating ** (draws["winding.exponent"][:, None] / 2)
    minutes, k21, k22 = draws[WINDING_MINUTES], draws["winding.k21"], draws["winding.k22"]
    lags = k22 * minutes, draws[OIL_MINUTES] / k22
    starts = (wanted[:, 0],) * 2 if track is None else (track.fast, track.slow)
    fast, slow = (
        _lagged(wanted, steps / SECONDS_PER_MINUTE, lag, start)
        for lag, start in zip(lags, starts, strict=True)
    )
    hot = oil + k21[:, None] * fast - (k21 - 1)[:, None] * slow
    law = unit.ageing_law
    own = {unknown.name: draws[unknown.name][:, None] for unknown in law.unknowns()}
    rate = law.rate(hot, own)
    before = rate[:, :1] if track is None else track.rate[:, None]
    mean = (rate + np.concatenate([before, rate[:, :-1]], axis=1)) / 2
    used = mean @ (steps / SECONDS_PER_HOUR)
    return Way(Track(fast[:, -1], slow[:, -1], rate[:, -1]), hot, used)


def lagged_oil(wanted: Series, steps: Float[np.ndarray, " cell"], lag: PerDraw, start: PerDraw):
    """What follows a target [°C] with a lag [s]."""
    return _lagged(wanted, steps, lag, start)


def _lagged(wanted: Series, steps: np.ndarray, lag: PerDraw, start: PerDraw) -> Series:
    """What follows a target with a lag, in the unit of the steps, from a start."""
    level, levels = start, np.empty_like(wanted)
    for n, step in enumerate(steps):
        decay = np.exp(-step / lag)
        level = decay * level + (1 - decay) * wanted[:, n]
        levels[:, n] = level
    return levels
