"""Lives that a unit which runs today can have: draws that are used up already are impossible.

Life and the past are drawn many times for every draw of the temperatures, because that costs next
to nothing. So a few lives in a thousand that are possible are enough for an answer.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

EACH = 200
"""Pairs of a life and a past that are drawn for every draw of the temperatures."""
LEAST_EFFECTIVE = 0.2
"""Effective number of possible pairs below which the past cannot be what was assumed, as a share of
the draws: with `EACH` pairs a draw, one in a thousand."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Lives and pasts, several for every draw of the temperatures."""

    life: Float[np.ndarray, "draw each"]
    """Life at the reference temperature [h]."""
    used: Float[np.ndarray, "draw each"]
    """Life used before the window [h]."""


LogLikelihood = Callable[[Pairs], Float[np.ndarray, "draw each"]]
"""Logarithm of the likelihood of what was measured of the paper, for each pair."""


@dataclass(frozen=True, eq=False)
class Living:
    """Draws of a unit that lives, all of the same weight."""

    rows: Int[np.ndarray, " draw"]
    """The draw of the temperatures behind each of them."""
    life: Float[np.ndarray, " draw"]
    """Life at the reference temperature [h]."""
    used: Float[np.ndarray, " draw"]
    """Life used before the window [h]."""
    possible: float
    """Share of the pairs whose life is not used up today, before anything else is considered."""
    effective: float
    """Effective number of pairs behind these draws."""
    past_doubted: bool = False
    """Whether the assumed past leaves next to nothing, and was replaced by: any share of a life."""


def living(
    loss: Float[np.ndarray, " draw"],
    pairs: Pairs,
    log_likelihood: LogLikelihood,
    *,
    rng: np.random.Generator,
) -> Living:
    """Draws in proportion to their weight: none where the life is used up, else the likelihood.

    Args:
        loss: Life used in the window, for every draw of the temperatures [h].
        pairs: Lives and pasts as they are believed before.
        log_likelihood: What was measured of the paper; a function that gives zeros if nothing was.
        rng: Source of the random numbers.

    Returns:
        As many draws as there are of the temperatures.
    """
    # Before the likelihood, so that it says what survival alone leaves out.
    possible = float(np.mean(_left(loss, pairs) > 0))
    weights = _weights(loss, pairs, log_likelihood)
    # Measured by weights, since a few pairs may hold all of the likelihood.
    doubted = _effective(weights) < LEAST_EFFECTIVE * loss.size
    if doubted:
        # Whatever was assumed of the past is wrong; that the unit runs is not.
        share = rng.uniform(size=pairs.life.shape)
        # A window that uses more than a life leaves no past: 0, and such pairs get no weight.
        pairs = Pairs(pairs.life, share * np.maximum(pairs.life - loss[:, None], 0.0))
        weights = _weights(loss, pairs, log_likelihood)
    at = chosen(weights.ravel(), loss.size, rng=rng)
    life, used = pairs.life.ravel()[at], pairs.used.ravel()[at]
    # Pairs were laid out draw by draw.
    rows = at // pairs.life.shape[1]
    return Living(rows, life, used, possible, _effective(weights), doubted)


def chosen(
    weights: Float[np.ndarray, " item"], count: int, *, rng: np.random.Generator
) -> Int[np.ndarray, " draw"]:
    """Items in proportion to their weights: one from each of `count` parts of the same weight.

    All items alike where every weight is zero.
    """
    total = np.cumsum(weights)
    if not total[-1] > 0:
        total = np.arange(1.0, weights.size + 1)
    # One mark in each part, so that resampling adds little noise of its own.
    marks = (np.arange(count) + rng.uniform(size=count)) / count * total[-1]
    return np.searchsorted(total, np.minimum(marks, total[-1]), side="left")


def _left(loss: np.ndarray, pairs: Pairs) -> Float[np.ndarray, "draw each"]:
    return pairs.life - pairs.used - loss[:, None]


def _weights(
    loss: np.ndarray, pairs: Pairs, log_likelihood: LogLikelihood
) -> Float[np.ndarray, "draw each"]:
    """Weights of pairs, the largest of them 1; all zero where no unit could be alive."""
    logs = np.where(_left(loss, pairs) > 0, log_likelihood(pairs), -np.inf)
    best = logs.max()
    # Less the largest, so that nothing overflows and at least one weight is 1.
    return np.exp(logs - best) if np.isfinite(best) else np.zeros(logs.shape)


def _effective(weights: np.ndarray) -> float:
    """Number of equal weights that would tell as much (Kish)."""
    squares = float(np.sum(weights**2))
    return float(weights.sum()) ** 2 / squares if squares else 0.0
