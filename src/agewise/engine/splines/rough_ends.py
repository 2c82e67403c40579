"""The two measured ends of a problem where they change fast, and the noise of their sensors."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.ends import settled_ends
from agewise.engine.splines.noise import NoiseLaw
from agewise.engine.splines.rough import RoughSeries, smooth_and_rough

NODES_PER_COUNT = 60
"""Nodes for each pseudo-observation of the problem, at the most: a node a minute where a problem
counts one an hour. Readings that are rarer have a node each."""
RECALL_COUNTS = 0.5
"""Time after which the rough part has forgotten what it was, in the time of a pseudo-observation:
half an hour, that of gusts and clouds."""
RECALL_NODES = 4.0
"""Time after which the rough part has forgotten what it was, in nodes at the least: what changes
from one reading to the next is noise."""
LEAST_NODES = 8
"""Least number of nodes, for a record of a few readings."""


@dataclass(frozen=True, eq=False)
class RoughEnds:
    """Bottom and top, and the law of the noise."""

    bottom: RoughSeries
    """The function at the bottom, x = 0."""
    top: RoughSeries
    """The function at the top, x = 1."""
    noise: NoiseLaw
    """Law of the noise, which both ends share."""


def rough_ends(problem: AbstractProblem) -> RoughEnds:
    """Both ends, each as smooth and as rough as its readings say, and their noise."""
    counts = max(problem.pseudo_observations().values())

    def smoothed(times: np.ndarray, values: np.ndarray, variance: np.ndarray) -> RoughSeries:
        nodes = _node_count(times, counts)
        # As shares of the window, which has `counts` pseudo-observations and `nodes` nodes.
        recall = max(RECALL_COUNTS / counts, RECALL_NODES / nodes)
        return smooth_and_rough(times, values, variance, nodes=nodes, recall=recall)

    return RoughEnds(*settled_ends(problem, smoothed))


def _node_count(times: Float[np.ndarray, " time"], counts: float) -> int:
    """Nodes over the window: about as many as it would have readings, even."""
    steps = np.diff(np.unique(times))
    # The median step, so that a gap of days does not thin the grid where there are readings.
    readings = 1 + 1 / float(np.median(steps)) if steps.size else LEAST_NODES
    most = min(readings, NODES_PER_COUNT * counts + 1)
    # Even, since a block of the algebra holds two nodes.
    return max(LEAST_NODES, 2 * round(most / 2))
