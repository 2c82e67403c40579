"""What the spread of a life is made of: each source of doubt by itself."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from agewise.assessment.life.lives import Lives
from agewise.transformer.prognostics.unknowns import SOURCES, Source, Unknown, shares

LEARNED = "learned constants"
"""Name under which the doubt of all constants is counted that were learned together."""
WHOLES = ("epistemic", "aleatoric", "future")
"""Sources that are no numbers of a nameplate or a law: each is varied as a whole."""


@dataclass(frozen=True)
class Split:
    """Variances of the window's loss and of the years left, when one thing alone is not known."""

    source: dict[str, Source]
    """Source under which each unknown is counted, by the name of the unknown."""
    variances: dict[str, tuple[float, float]]
    """Variances of the loss [h²] and of the years left, by what alone varies: an unknown, or a
    source that is not made of unknowns."""

    def by_source(self, which: int) -> dict[str, float]:
        """Shares of the variance of the loss (0) or of the years left (1), by source."""
        sums: dict[str, float] = dict.fromkeys(SOURCES, 0.0)
        for name, pair in self.variances.items():
            # A source that is varied as a whole goes by its own name.
            sums[self.source.get(name, name)] += pair[which]
        return shares(sums)

    def by_unknown(self, which: int) -> dict[str, float]:
        """Shares of the variance of the loss (0) or of the years left (1), by unknown."""
        return shares({name: pair[which] for name, pair in self.variances.items()})


def varied_alone(
    numbers: Sequence[Unknown], together: Collection[str]
) -> tuple[dict[str, Source], dict[str, set[str]]]:
    """Sources by the name of an unknown, and what is varied for each line of a table.

    Args:
        numbers: All unknowns.
        together: Names of those that were learned together. They are known together: one of them
            alone would break the bond.
    """
    # In the order of the unknowns, so that tables of the same unit look alike.
    # What is known for sure has no line in a table.
    single = [u.name for u in numbers if u.std > 0 and u.name not in together]
    varied = {name: {name} for name in (*WHOLES, *single)}
    source: dict[str, Source] = {unknown.name: unknown.source for unknown in numbers}
    if together:
        varied[LEARNED] = set(together)
        source[LEARNED] = "nameplate"
    return source, varied


def variances(
    lives: Lives, horizon: float, by_chance: np.random.Generator | None
) -> tuple[float, float]:
    """Variances of the window's loss [h²] and of the years left.

    Args:
        lives: Lives in which some things vary.
        horizon: Years beyond which no end is looked for.
        by_chance: Source of good and bad years; None where the future is held.
    """
    # Life left over yearly loss, not years: those are infinite beyond the horizon.
    ahead = np.clip(np.median(lives.left / lives.days.yearly()), 1, horizon)
    # Chance evens out over the years: about as many are lived through as are left.
    yearly = lives.days.mean_year(round(ahead), rng=by_chance)
    # A number alone may use a life up, though with the others as they are believed it does not.
    years = np.maximum(lives.left, 0.0) / yearly
    # Years far beyond the horizon differ by much and mean nothing: they count less and less.
    years = years / (1 + years / horizon)
    return float(lives.loss.var()), float(years.var())
