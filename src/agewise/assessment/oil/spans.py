"""A long record cut into overlapping spans, whose answers are blended where they meet."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

LONGER = 2.0
"""Length in windows up to which a record is fitted as a whole."""
LEAD_H, LEAD_LAGS = 24.0, 6.0
"""Time by which a span begins before its answer counts, in hours and in time constants of the oil;
the longer one holds. By then the unknown first profile is forgotten."""
TAIL_H = 6.0
"""Time by which a span ends after its answer counts [h]: the last hours of a smoothed series are
less sure."""
RAMP_H = 3.0
"""Time on either side of a joint over which one answer passes into the next [h]."""


@dataclass(frozen=True)
class Span:
    """Consecutive rows of a record, and the instants between which their answer counts."""

    first: int
    """First row of the span."""
    last: int
    """Last row of the span, included."""
    joint: float = -np.inf
    """Instant at which it takes over from the span before [s]; -inf for the first span."""
    until: float = np.inf
    """Instant at which the next span takes over [s]; inf for the last span."""

    @property
    def reach(self) -> tuple[float, float]:
        """Instants between which its weight is not zero [s]."""
        ramp = RAMP_H * SECONDS_PER_HOUR
        return self.joint - ramp, self.until + ramp

    def weight(self, seconds: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """Its share of the answer at instants [s], smooth over joints; all shares add up to 1."""
        return _risen(seconds - self.joint) - _risen(seconds - self.until)


def spans(seconds: Float[np.ndarray, " time"], *, days: float, lag: float) -> list[Span]:
    """Overlapping spans of a record; a single one where it is not much longer than a window.

    Args:
        seconds: Instants of the rows [s].
        days: Length of a window [days].
        lag: Time constant of the oil [s].
    """
    total, lead = seconds[-1] - seconds[0], max(LEAD_H * SECONDS_PER_HOUR, LEAD_LAGS * lag)
    # At least half of a window counts, however slow the oil is.
    core = max(days * SECONDS_PER_DAY - lead, 0.5 * days * SECONDS_PER_DAY)
    if total <= LONGER * days * SECONDS_PER_DAY:
        return [Span(0, seconds.size - 1)]
    count = round(total / core)
    # The last span takes what rounding leaves over, so it may be longer or shorter than the others.
    joints = [-np.inf, *(seconds[0] + core * np.arange(1, count)), np.inf]
    return [_span(seconds, joint, until, lead) for joint, until in pairwise(joints)]


def _span(seconds: np.ndarray, joint: float, until: float, lead: float) -> Span:
    first = int(np.searchsorted(seconds, joint - lead))
    last = int(np.searchsorted(seconds, until + TAIL_H * SECONDS_PER_HOUR, side="right")) - 1
    return Span(first, last, float(joint), float(until))


def _risen(since: np.ndarray) -> np.ndarray:
    """A smooth step from 0 to 1 about zero [s], with no slope at either end of the ramp."""
    # Infinite joints are fine: the clip makes a weight of 0 or 1 of them.
    share = np.clip(since / (2 * RAMP_H * SECONDS_PER_HOUR) + 0.5, 0.0, 1.0)
    return share**2 * (3 - 2 * share)
