"""What is not known for sure, where it comes from, and draws of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float

Source = Literal["epistemic", "aleatoric", "sensor bias", "nameplate", "ageing law", "future"]
"""A source of doubt about a life. `epistemic` is the oil as the posterior knows it, `aleatoric` the
noise of its readings, and `future` what the days to come may bring."""
SOURCES: tuple[Source, ...] = get_args(Source)
"""All sources of doubt, in the order in which they are shown."""
SMALLEST_SHARE = 0.05
"""Least draw of a number that must be positive, as a share of its mean."""


@dataclass(frozen=True)
class Unknown:
    """A number with a normal distribution, cut off where it would be impossible."""

    name: str
    """Name of the number, as a nameplate spells it where it has a place there."""
    source: Source
    """Source of doubt under which its share is counted."""
    mean: float
    """Expected value, in the unit of the number."""
    std: float
    """Standard deviation before the cut; 0 for a number that is known."""
    least: float = 0.0
    """Smallest value that is possible; draws below it are set to it."""

    def drawn(self, count: int, *, rng: np.random.Generator) -> Float[np.ndarray, " draw"]:
        """Independent draws."""
        # Cut and not drawn again, so that one draw never shifts the others.
        return np.maximum(rng.normal(self.mean, self.std, count), self.least)


Draws = Mapping[str, Float[np.ndarray, " draw"]]
"""Draws of every unknown by its name, all of the same length and in the unit of the unknown."""


def drawn(
    unknowns: Sequence[Unknown],
    count: int,
    *,
    seed: int,
    joint: Mapping[str, Sequence[float]] | None = None,
) -> Draws:
    """Draws of all unknowns by name, independent but for those that were learned together.

    Args:
        unknowns: The unknowns.
        count: Number of draws.
        seed: Seed of the independent ones.
        joint: Draws that were learned together, by name; they take turns where there are fewer.
    """
    together = {
        # Repeated and not shuffled: the same place is the same unit in everything learned together.
        name: np.resize(np.asarray(values, dtype=float), count)
        for name, values in (joint or {}).items()
    }
    # Each name has a generator of its own: one unknown more or less shifts no draw of another.
    return {
        unknown.name: together[unknown.name]
        if unknown.name in together
        else unknown.drawn(count, rng=np.random.default_rng([seed, *unknown.name.encode()]))
        for unknown in unknowns
    }


def held(draws: Draws, unknowns: Sequence[Unknown], varied: Collection[str]) -> Draws:
    """Draws in which only some unknowns vary and all others stay at their means.

    Args:
        draws: Draws of all unknowns.
        unknowns: The unknowns themselves.
        varied: What keeps its draws: names of unknowns, sources, or both.
    """
    # Arrays at the mean keep their length, so that draws of all unknowns still pair up.
    return {
        unknown.name: draws[unknown.name]
        # A name and its source both count, so that a source varies all of its numbers at once.
        if {unknown.name, unknown.source} & set(varied)
        else np.full_like(draws[unknown.name], unknown.mean)
        for unknown in unknowns
    }


def shares(variances: Mapping[str, float]) -> dict[str, float]:
    """Each variance as a share of their sum; all 0 where nothing varies."""
    total = sum(variances.values())
    return {name: variance / total if total else 0.0 for name, variance in variances.items()}
