"""What is not known for sure, where it comes from, and draws of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float

Source = Literal["epistemic", "aleatoric", "sensor bias", "nameplate", "ageing law", "future"]
SOURCES: tuple[Source, ...] = get_args(Source)
"""Where the doubt about a life comes from, in the order in which it is shown."""
SMALLEST_SHARE = 0.05
"""Share of its mean below which no positive number is drawn."""


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
        return np.maximum(rng.normal(self.mean, self.std, count), self.least)


Draws = Mapping[str, Float[np.ndarray, " draw"]]
"""of every unknown, by its name"""


def drawn(unknowns: Sequence[Unknown], count: int, *, seed: int) -> Draws:
    """Draws of all unknowns; each has random numbers of its own, whatever others there are."""
    return {
        unknown.name: unknown.drawn(
            count, rng=np.random.default_rng([seed, *unknown.name.encode()])
        )
        for unknown in unknowns
    }


def held(draws: Draws, unknowns: Sequence[Unknown], varied: Collection[str]) -> Draws:
    """The same draws with all at their means but the `varied` ones, named or by their source."""
    return {
        unknown.name: draws[unknown.name]
        if {unknown.name, unknown.source} & set(varied)
        else np.full_like(draws[unknown.name], unknown.mean)
        for unknown in unknowns
    }


def shares(variances: Mapping[str, float]) -> dict[str, float]:
    """Each variance as a share of their sum: what one unknown alone does, among all."""
    total = sum(variances.values())
    return {name: variance / total if total else 0.0 for name, variance in variances.items()}
