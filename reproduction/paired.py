"""The one rule of all verdicts: chance, or the scatter of the repeats, tells nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from reproduction.tables import NONE, number

LEAST = 2
"""Smallest number of repeats that have a scatter."""
CHANCE = 0.05
"""Value of p from which a difference may be chance."""

Key = TypeVar("Key")


@dataclass(frozen=True)
class Margins:
    """By how much a claim holds, repeat by repeat: below zero where it does not."""

    values: np.ndarray
    """Margins over repeats, in any unit; not finite where a number is missing."""

    @property
    def p_value(self) -> float:
        """Chance of margins as far from zero if their mean were zero (Student's t, two-sided).

        NaN where there is none: a number is missing, there is one repeat, or all are alike.
        """
        from scipy.stats import ttest_1samp  # a second to import

        known = np.isfinite(self.values).all()
        if self.values.size < LEAST or not known or np.ptp(self.values) <= self._rounding:
            return np.nan
        return float(ttest_1samp(self.values, 0.0).pvalue)

    @property
    def p(self) -> str:
        """The same as it is printed."""
        return f"{self.p_value:.1g}" if np.isfinite(self.p_value) else NONE

    @property
    def holds(self) -> bool | None:
        """Whether the claim does; None where chance, one repeat or a missing number leaves it open.

        Repeats that all have the same margin, as where each one reaches a limit, need no test.
        """
        if self.values.size < LEAST or not np.isfinite(self.values).all():
            return None
        if self.p_value >= CHANCE or not np.mean(self.values):
            return None
        return bool(np.mean(self.values) > 0)

    @property
    def _rounding(self) -> float:
        """Difference of two margins that is none."""
        return 1e-12 * float(np.abs(self.values).max())

    @property
    def text(self) -> str:
        """In how many repeats it holds, and whether that may be chance."""
        if not np.isfinite(self.values).all():
            return NONE
        if self.values.size < LEAST:
            return "one repeat, which has no scatter"
        return f"in {int(np.sum(self.values > 0))} of {self.values.size} (p {self.p})"


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
    def margins(self) -> Margins:
        """By how much ours is smaller."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rows = (self.ours, self.theirs) if self.signed else np.log([self.ours, self.theirs])
            return Margins(np.asarray(rows[1] - rows[0], dtype=float))

    @property
    def wins(self) -> str:
        """In how many repeats ours is smaller."""
        if not np.isfinite(self.ours - self.theirs).all():
            return NONE
        return f"{int(np.sum(self.ours < self.theirs))} of {self.ours.size}"

    @property
    def p(self) -> str:
        """Chance of a difference as large if there were none, as it is printed."""
        return self.margins.p

    @property
    def p_value(self) -> float:
        """Chance by Student's paired t, two-sided; NaN where there is none."""
        return self.margins.p_value

    @property
    def smaller(self) -> bool | None:
        """Whether ours is; None where the one rule leaves it open."""
        return self.margins.holds

    @property
    def text(self) -> str:
        """Both means, in how many repeats ours is smaller, and whether that may be chance."""
        means = " against ".join(number(float(row.mean())) for row in (self.ours, self.theirs))
        return f"{means}, in {self.wins} (p {self.p})"


@dataclass(frozen=True)
class Contest:
    """Scores by value of a factor, of which one is said to be the best."""

    scores: Mapping[object, np.ndarray]
    """Scores over repeats by value, the smaller the better, all on the same twins."""
    claimed: object
    """The value that is said to be the best."""
    signed: bool = False
    """Whether scores may be negative (`Paired.signed`)."""

    @property
    def pairs(self) -> dict[object, Paired]:
        """The claimed value against every other."""
        return {
            value: Paired(self.scores[self.claimed], scores, self.signed)
            for value, scores in self.scores.items()
            if value != self.claimed
        }

    @property
    def better(self) -> dict[object, Paired]:
        """Values that are better than the claimed one, and not by chance."""
        return {value: pair for value, pair in self.pairs.items() if pair.smaller is False}

    @property
    def open(self) -> dict[object, Paired]:
        """Values of which it cannot be told."""
        return {value: pair for value, pair in self.pairs.items() if pair.smaller is None}

    @property
    def best(self) -> bool | None:
        """Whether the claimed value is better than every other."""
        if self.claimed not in self.scores:
            return None
        return together(pair.smaller for pair in self.pairs.values())


def together(outcomes: Iterable[bool | None]) -> bool | None:
    """Whether all of several claims hold: not if one does not, and open where one is open."""
    known = list(outcomes)
    if not known or False in known:
        return False if known else None
    return None if None in known else True
