"""A long record cut into overlapping spans, whose answers are blended where they meet.

A record is cut where it is long, and where a thermometer was silent for more than a day: such a
silence is a span of its own, in which nothing is fitted.
"""

from collections.abc import Sequence
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
"""Time on either side of a joint over which one answer passes into the next [h]; twice as long is
the shortest part between two silences that is fitted."""


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
    silent: bool = False
    """Whether an end of the oil was not read in it, so that typical days stand in."""

    @property
    def reach(self) -> tuple[float, float]:
        """Instants between which its weight is not zero [s]."""
        ramp = RAMP_H * SECONDS_PER_HOUR
        return self.joint - ramp, self.until + ramp

    def weight(self, seconds: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """Its share of the answer at instants [s], smooth over joints; all shares add up to 1."""
        return _risen(seconds - self.joint) - _risen(seconds - self.until)


Silence = tuple[float, float]
"""Instants between which an end of the oil was not read [s]."""


def spans(
    seconds: Float[np.ndarray, " time"],
    *,
    days: float,
    lag: float,
    silences: Sequence[Silence] = (),
) -> list[Span]:
    """Overlapping spans of a record; a single one where it is not much longer than a window.

    Args:
        seconds: Instants of the rows [s].
        days: Length of a window [days].
        lag: Time constant of the oil [s].
        silences: Long silences of an end of the oil, in order and apart from each other [s].
    """
    lead = max(LEAD_H * SECONDS_PER_HOUR, LEAD_LAGS * lag)
    edges = [seconds[0], *(edge for silence in silences for edge in silence), seconds[-1]]
    parts = []
    # Parts that were read and silences take turns; a record may begin or end with a silence.
    for number, (begin, end) in enumerate(pairwise(edges)):
        if begin == end:
            continue
        silent = number % 2 == 1
        cuts = [] if silent else _cuts(begin, end, days, lead)
        # Answers pass over within the part that was read: in the silence itself there may be no
        # row at all, and a fit says nothing of instants beyond its rows.
        inwards = -RAMP_H * SECONDS_PER_HOUR if silent else RAMP_H * SECONDS_PER_HOUR
        joints = [
            -np.inf if begin == seconds[0] else begin + inwards,
            *cuts,
            np.inf if end == seconds[-1] else end - inwards,
        ]
        # Nothing that lies in a silence helps a part behind it, so its first span leads by hours.
        leads = [lead if silent else TAIL_H * SECONDS_PER_HOUR, *(lead for _ in cuts)]
        parts += [
            _span(seconds, *pair, own, silent)
            for pair, own in zip(pairwise(joints), leads, strict=True)
        ]
    return parts


def _cuts(begin: float, end: float, days: float, lead: float) -> list[float]:
    """Instants at which one span of a part takes over from the one before [s]."""
    if end - begin <= LONGER * days * SECONDS_PER_DAY:
        return []
    # At least half of a window counts, however slow the oil is.
    core = max(days * SECONDS_PER_DAY - lead, 0.5 * days * SECONDS_PER_DAY)
    # The last span takes what rounding leaves over, so it may be longer or shorter than the others.
    return list(begin + core * np.arange(1, round((end - begin) / core)))


def _span(seconds: np.ndarray, joint: float, until: float, lead: float, silent: bool) -> Span:
    first = int(np.searchsorted(seconds, joint - lead))
    last = int(np.searchsorted(seconds, until + TAIL_H * SECONDS_PER_HOUR, side="right")) - 1
    return Span(first, last, float(joint), float(until), silent)


def _risen(since: np.ndarray) -> np.ndarray:
    """A smooth step from 0 to 1 about zero [s], with no slope at either end of the ramp."""
    # Infinite joints are fine: the clip makes a weight of 0 or 1 of them.
    share = np.clip(since / (2 * RAMP_H * SECONDS_PER_HOUR) + 0.5, 0.0, 1.0)
    return share**2 * (3 - 2 * share)
