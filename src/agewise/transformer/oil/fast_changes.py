"""What changes fast at the ends of the oil, as functions with their doubt."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.engine.splines.rough import RoughSeries, faster_than
from agewise.transformer.oil.grid import GridFunction

Ends = tuple[Float[np.ndarray, "*draw time"], Float[np.ndarray, "*draw time"]]
"""Bottom and top over time, scaled."""


@dataclass(frozen=True, eq=False)
class FastChanges:
    """The part of both ends that is faster than a period, and what it leaves open inside."""

    bottom: RoughSeries
    """The lower end, its slow part included."""
    top: RoughSeries
    """The upper end, likewise."""
    period: float
    """Period from which a change counts as slow, as a share of the window [1]."""
    variance: GridFunction | None = None
    """Variance of the fast part over height and time, scaled; None until it is worked out."""

    def expected(self, times: Float[np.ndarray, " time"]) -> Ends:
        """The expected fast part of both ends."""
        return self._at(times, self.bottom.at_nodes, self.top.at_nodes)

    def errors(
        self, times: Float[np.ndarray, " time"], count: int, *, rng: np.random.Generator
    ) -> Ends:
        """By how much drawn fast parts depart from the expected one."""
        bottom, top = (series.errors(count, rng=rng) for series in (self.bottom, self.top))
        return self._at(times, bottom, top)

    def _at(self, times: np.ndarray, *at_nodes: np.ndarray) -> Ends:
        bottom, top = (interpolated(faster_than(values, self.period), times) for values in at_nodes)
        return bottom, top


def interpolated(
    values: Float[np.ndarray, "node *draw"], times: Float[np.ndarray, " time"]
) -> Float[np.ndarray, "*draw time"]:
    """Values on even nodes of the window, straight between them."""
    place = np.clip(times, 0.0, 1.0) * (len(values) - 1)
    # The last instant belongs to the last interval.
    node = np.minimum(place.astype(int), len(values) - 2)
    # Given the axes of the draws, over which it broadcasts.
    share = (place - node).reshape(-1, *[1] * (values.ndim - 1))
    return np.moveaxis((1 - share) * values[node] + share * values[node + 1], 0, -1)
