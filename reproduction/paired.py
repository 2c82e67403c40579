"""Two methods on the same twins."""

from dataclasses import dataclass

import numpy as np

from reproduction.tables import NONE, number

LEAST = 2
"""Smallest number of repeats that a paired test needs."""
CHANCE = 0.05
"""Value of p from which a difference may be chance."""


@dataclass(frozen=True)
class Paired:
    """Two rows of scores, repeat by repeat, the smaller the better."""

    ours: np.ndarray
    """Scores of the first method, over repeats."""
    theirs: np.ndarray
    """Scores of the second method on the same twins."""
    signed: bool = False
    """Whether scores may be negative; others differ by factors, so their logarithms are tested."""

    @property
    def wins(self) -> str:
        """In how many repeats ours is smaller."""
        if not np.isfinite(self.ours - self.theirs).all():
            return NONE
        return f"{int(np.sum(self.ours < self.theirs))} of {self.ours.size}"

    @property
    def p(self) -> str:
        """Chance of a difference as large if there were none, as it is printed."""
        return f"{self.p_value:.1g}" if np.isfinite(self.p_value) else NONE

    @property
    def p_value(self) -> float:
        """Chance by Student's paired t, two-sided; NaN where there is none."""
        from scipy.stats import ttest_rel  # a second to import

        with np.errstate(divide="ignore", invalid="ignore"):
            both = np.stack([self.ours, self.theirs])
            tested = both if self.signed else np.log(both)
            differences = tested[0] - tested[1]
        if differences.size < LEAST or not np.isfinite(differences).all():
            return np.nan
        # Differences that are all alike have no spread to test against.
        return float(ttest_rel(*tested).pvalue) if np.ptp(differences) else np.nan

    @property
    def smaller(self) -> bool | None:
        """Whether ours is, by the mean; None where that may be chance, or a number is missing."""
        # Where p is NaN, as with a single repeat, the comparison is false and the mean decides.
        difference = float(np.mean(self.ours - self.theirs))
        if not np.isfinite(difference) or self.p_value >= CHANCE:
            return None
        return difference < 0

    @property
    def text(self) -> str:
        """Both means, in how many repeats ours is smaller, and whether that may be chance."""
        means = " against ".join(number(float(row.mean())) for row in (self.ours, self.theirs))
        return f"{means}, in {self.wins} (p {self.p})"
