"""A long record cut into overlapping spans, whose answers are blended where they meet."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

LONGER = 2.0
"""Windows that a record must exceed to be cut."""
LEAD_H, LEAD_LAGS = 24.0, 6.0
"""A span begins so much, and so many time constants of the oil, before its answer counts: by then
it has forgotten that it did not know its first profile."""
TAIL_H = 6.0
"""and ends so much after, for the last hours of a smoothed series are less sure."""
RAMP_H = 3.0
"""on either side of a joint, over which one answer passes into the next"""


@dataclass(frozen=True)
class Span:
    """Some rows of a record, and between which instants their answer counts [s]."""

    first: int
    last: int
    """rows, both included"""
    joint: float = -np.inf
    """at which it takes over from the span before"""
    until: float = np.inf

    @property
    def reach(self) -> tuple[float, float]:
        """s between which it has a say"""
        ramp = RAMP_H * SECONDS_PER_HOUR
        return self.joint - ramp, self.until + ramp

    def weight(self, seconds: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """Its share of the answer, smooth over the joints; with the others one in all."""
        return _risen(seconds - self.joint) - _risen(seconds - self.until)


def spans(seconds: Float[np.ndarray, " time"], *, days: float, lag: float) -> list[Span]:
    """Spans of about `days`; a single one where the record is not much longer. `lag` is in s."""
    total, lead = seconds[-1] - seconds[0], max(LEAD_H * SECONDS_PER_HOUR, LEAD_LAGS * lag)
    core = max(days * SECONDS_PER_DAY - lead, 0.5 * days * SECONDS_PER_DAY)
    if total <= LONGER * days * SECONDS_PER_DAY:
        return [Span(0, seconds.size - 1)]
    count = round(total / core)
    joints = [-np.inf, *(seconds[0] + core * np.arange(1, count)), np.inf]
    return [_span(seconds, joint, until, lead) for joint, until in pairwise(joints)]


def _span(seconds: np.ndarray, joint: float, until: float, lead: float) -> Span:
    first = int(np.searchsorted(seconds, joint - lead))
    last = int(np.searchsorted(seconds, until + TAIL_H * SECONDS_PER_HOUR, side="right")) - 1
    return Span(first, last, float(joint), float(until))


def _risen(since: np.ndarray) -> np.ndarray:
    """From 0 to 1 about zero, with no slope at either end."""
    share = np.clip(since / (2 * RAMP_H * SECONDS_PER_HOUR) + 0.5, 0.0, 1.0)
    return share**2 * (3 - 2 * share)
