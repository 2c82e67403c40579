"""Records cut into whole days, with the life that each of them uses."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from agewise.units import SECONDS_PER_DAY


@dataclass(frozen=True, eq=False)
class WholeDays:
    """Whole days from the start of a record; a record of less than a day counts as one.

    A day whose last sample is one step short of its end is whole.
    """

    samples: Int[np.ndarray, "2 edge"]
    """The samples before and after each midnight from the start, and at the end of the record."""
    share: Float[np.ndarray, " edge"]
    """Where between these two the midnight lies, from 0 to 1."""
    lengths: Float[np.ndarray, " day"]
    """Time of each day that was recorded [s]."""

    def loss(
        self, before: Float[np.ndarray, "draw edge"], after: Float[np.ndarray, "draw edge"]
    ) -> Float[np.ndarray, "draw day"]:
        """Life used in each day [h], from that used up to both rows of `samples`; a day of which a
        part was recorded is stretched."""
        at_edges = before + self.share * (after - before)
        return np.diff(at_edges, axis=1) * (SECONDS_PER_DAY / self.lengths)


def whole_days(seconds: Float[np.ndarray, " time"]) -> WholeDays:
    """The whole days of a record whose samples are at `seconds` from its start."""
    # The median, so that gaps do not count as steps.
    step = float(np.median(np.diff(seconds)))
    # Half a day at the most: rows that are rarer than that make no day whole.
    count = max(1, int((seconds[-1] + min(step, SECONDS_PER_DAY / 2)) // SECONDS_PER_DAY))
    # The last edge may lie beyond the last sample; the day is then stretched at the end.
    edges = np.minimum(np.arange(count + 1) * SECONDS_PER_DAY, seconds[-1])
    # From 1 on, so that there is a sample before the first edge too.
    after = np.clip(np.searchsorted(seconds, edges), 1, seconds.size - 1)
    share = (edges - seconds[after - 1]) / (seconds[after] - seconds[after - 1])
    return WholeDays(np.stack([after - 1, after]), share, np.diff(edges))


def daily_loss(
    seconds: Float[np.ndarray, " time"], used: Float[np.ndarray, "draw time"]
) -> Float[np.ndarray, "draw day"]:
    """Life used in each whole day from the start [h]; a record of less than a day is stretched.

    Args:
        seconds: Instants from the start of the record [s].
        used: Life used since the first instant [h].

    Returns:
        One column for each day.
    """
    days = whole_days(seconds)
    before, after = days.samples
    return days.loss(used[:, before], used[:, after])
