"""Noise that changes between a quiet and a loud regime along a coordinate, and back."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

GROUPS = 600
"""Groups of neighbouring readings, at the most, each of which is of one regime as a whole."""
REGIMES = 2
"""Number of regimes: a quiet one and a loud one."""
ROUNDS = 60
"""Rounds in which levels and regimes are learned in turn, at the most."""
ENOUGH = 1e-4
"""Gain of the evidence in a round below which learning ends [nats]."""
FIRST_CHANGE = 0.05
"""Chance that a reading is of another regime than the one before it, to begin with [1]."""
SMALLEST_CHANGE = 1e-6
"""Least chance of a change of regime [1], since a chance of zero would never be left again."""
LEARNED = 2 * REGIMES
"""Numbers that are learned: the level of every regime, and how often it is left."""


@dataclass(frozen=True, eq=False)
class Regimes:
    """The variance along one coordinate, with what it was learned from."""

    places: Float[np.ndarray, " group"]
    """The coordinate at every group of readings, ascending."""
    logs: Float[np.ndarray, " group"]
    """Natural logarithm of the expected variance there."""
    evidence: float
    """Logarithm of the evidence, by Schwarz' criterion, up to what all laws share [nats]."""


def learned_regimes(
    coordinate: Float[np.ndarray, " reading"], squares: Float[np.ndarray, " reading"]
) -> Regimes | None:
    """Two levels of noise and when each holds, by a hidden Markov chain along a coordinate.

    Readings of one regime share its level, however far apart they are, so that three short loud
    spells tell the level of all. None where there are too few groups to tell anything.

    Args:
        coordinate: Where or when each reading was taken.
        squares: Expected squared error of each.
    """
    places, counts, sums = _grouped(coordinate, squares)
    # Fewer groups than numbers to learn, about: any pattern would be explained.
    if len(places) <= LEARNED * REGIMES:
        return None
    # Apart from the start, or both regimes would share every reading and never part.
    levels = np.quantile(squares, (0.25, 0.95)) + 1e-300
    stay = np.full(REGIMES, 1 - FIRST_CHANGE)
    before = -np.inf
    chance = np.full((len(places), REGIMES), 0.5)
    likelihood = -np.inf
    for _ in range(ROUNDS):
        chance, stayed, likelihood = _chances(counts, sums, levels, stay)
        if likelihood - before < ENOUGH:
            break
        before = likelihood
        # Expectation and maximisation: mean square of the readings that each regime answers for.
        levels = (chance.T @ sums) / np.maximum(chance.T @ counts, 1e-12) + 1e-300
        stay = np.clip(stayed, SMALLEST_CHANGE, 1 - SMALLEST_CHANGE)
    # Half a log n for each number learned (Schwarz).
    evidence = likelihood - 0.5 * LEARNED * np.log(len(squares))
    # The expected variance, not its logarithm's mean: doubt between regimes counts as loud.
    return Regimes(places, np.log(chance @ levels), float(evidence))


def _grouped(
    coordinate: np.ndarray, squares: np.ndarray
) -> tuple[Float[np.ndarray, " group"], Float[np.ndarray, " group"], Float[np.ndarray, " group"]]:
    """Place, number of readings and sum of squares of every group; equal places are one group."""
    places, which = np.unique(coordinate, return_inverse=True)
    # Even runs of neighbouring places; where there are few, each is a group of its own.
    together = np.arange(len(places)) * min(GROUPS, len(places)) // len(places)
    group = together[which]
    counts = np.bincount(group).astype(float)
    return (
        np.bincount(group, coordinate) / counts,
        counts,
        np.bincount(group, squares),
    )


def _chances(
    counts: np.ndarray, sums: np.ndarray, levels: np.ndarray, stay: np.ndarray
) -> tuple[Float[np.ndarray, "group regime"], Float[np.ndarray, " regime"], float]:
    """The chance of every regime at every group, the share of neighbours that stay in each, and the
    logarithm of the likelihood (forward and backward recursion)."""
    # All readings of a group are of one regime, so their log densities add up.
    logs = -0.5 * (counts[:, None] * np.log(levels) + sums[:, None] / levels)
    top = logs.max(axis=1)
    # The largest is taken out, since hundreds of readings in a group would underflow.
    likely = np.exp(logs - top[:, None])
    # Row: regime before, column: regime after.
    moves = np.array([[stay[0], 1 - stay[0]], [1 - stay[1], stay[1]]])
    forward, scale = np.empty_like(likely), np.empty(len(likely))
    state = np.full(REGIMES, 1 / REGIMES)
    for place, here in enumerate(likely):
        # The first group has no regime before it.
        state = (state @ moves if place else state) * here
        # Scaled to one at every group; the scales' logarithms add up to the likelihood.
        scale[place] = state.sum()
        forward[place] = state = state / scale[place]
    backward = np.ones_like(likely)
    for place in range(len(likely) - 2, -1, -1):
        backward[place] = moves @ (likely[place + 1] * backward[place + 1]) / scale[place + 1]
    chance = forward * backward
    # Chance of one regime at both of two neighbours: the diagonal of the pairwise chances.
    stays = forward[:-1] * np.diag(moves) * (likely * backward)[1:] / scale[1:, None]
    stayed = stays.sum(axis=0) / np.maximum(chance[:-1].sum(axis=0), 1e-300)
    # What was taken out of `likely` comes back here.
    return chance, stayed, float(np.sum(np.log(scale) + top))
