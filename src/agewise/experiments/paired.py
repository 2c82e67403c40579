"""Two methods on the same twins."""

from dataclasses import dataclass

import numpy as np

from agewise.experiments.tables import NONE

LEAST = 2
"""Repeats that a paired test needs."""


@dataclass(frozen=True)
class Paired:
    """Two rows of scores, repeat by repeat, the smaller the better."""

    ours: np.ndarray
    theirs: np.ndarray

    @property
    def wins(self) -> str:
        """In how many repeats ours is smaller."""
        if not np.isfinite(self.ours - self.theirs).all():
            return NONE
        return f"{int(np.sum(self.ours < self.theirs))} of {self.ours.size}"

    @property
    def p(self) -> str:
        """of no difference"""
        from scipy.stats import ttest_rel  # a second to import

        differences = self.ours - self.theirs
        if differences.size < LEAST or not np.isfinite(differences).all():
            return NONE
        if np.ptp(differences) == 0:
            return NONE
        return f"{float(ttest_rel(self.ours, self.theirs).pvalue):.1g}"
