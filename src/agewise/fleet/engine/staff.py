"""Workers of a cluster of our own: whoever is gone for good is replaced, with growing patience.

Dask replaces a worker that dies, but not one that dies again before it has begun: its nanny gives
up, and the cluster would shrink to nothing.
"""

import logging
from dataclasses import dataclass

from distributed import LocalCluster
from distributed.core import Status

LOG = logging.getLogger("agewise.fleet")
GONE = (Status.failed, Status.closed)
"""What a nanny says of itself when it will start no worker any more."""
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 1.0, 10.0
"""Time before the first and between the last tries to start a worker [s]; it doubles between. What
kills workers in a row, such as a lack of memory, needs time to pass."""
TRIES = 12
"""Starts of workers that may fail in a row before a cluster is given up: a minute and a half of
waiting, and the time of the starts."""


@dataclass(frozen=True)
class Patience:
    """How long is waited before the next try, after those that failed in a row."""

    failures: int = 0
    """Tries that failed in a row."""
    until: float = 0.0
    """Moment before which nothing is tried [s]."""

    @property
    def over(self) -> bool:
        """Whether another try makes no sense."""
        return self.failures >= TRIES

    def wait(self) -> float:
        """Time to wait after the last failure [s]."""
        return min(FIRST_WAIT_SECONDS * 2.0 ** max(self.failures - 1, 0), LONGEST_WAIT_SECONDS)

    def failed(self, now: float) -> "Patience":
        """The patience after one more failure."""
        more = Patience(self.failures + 1)
        return Patience(more.failures, now + more.wait())


class Staff:
    """The workers of a cluster of our own, kept at their number."""

    def __init__(self, cluster: LocalCluster, jobs: int):
        self._cluster, self._jobs = cluster, jobs
        self._patience = Patience()
        cluster.scale(jobs)

    def looked_after(self, present: int, now: float) -> bool:
        """Replace who is gone; False where workers could not be started again and again.

        Args:
            present: Number of workers that are at work.
            now: The moment [s].
        """
        if present >= self._jobs:
            self._patience = Patience()
        for name in self._gone():
            # Forgotten, so that the cluster has room for another in its place.
            self._cluster.workers.pop(name, None)
            self._patience = self._patience.failed(now)
            LOG.warning("a worker is gone for good; another is started")
        if len(self._cluster.workers) < self._jobs and now >= self._patience.until:
            self._cluster.scale(self._jobs)  # changes nothing where they are being started
        return not self._patience.over

    def _gone(self) -> list:
        # A copy at once: the cluster's own thread changes the original.
        return [
            name for name, worker in dict(self._cluster.workers).items() if worker.status in GONE
        ]
