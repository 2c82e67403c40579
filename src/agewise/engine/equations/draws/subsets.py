"""Subset simulation: from the prior to functions whose error is below a tolerance, level by level.

Of every level the best fifth by error goes on; Markov moves that stay below its error grow them to
as many again. No likelihood is needed, and none is used.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

KEPT = 0.2
"""Share of a level that goes on to the next [1] (Fernández et al. 2022)."""
FIRST_REACH = 0.8
"""Share of a move that is new to begin with [1]; adapted to how many moves are accepted."""
ACCEPTED = 0.44
"""Share of the moves that should be accepted [1] (Papaioannou et al. 2015)."""
PUBLISHED_STEP = 0.1
"""By how much the standard deviation of published moves falls from level to level [1]."""

Numbers = Float[np.ndarray, "sample number"]
Errors = Callable[[np.ndarray], np.ndarray]
"""Gives the error of every vector of numbers."""


@dataclass(frozen=True, eq=False)
class Level:
    """Numbers whose error is below a tolerance."""

    numbers: Numbers
    """As many as there are samples; a move that was refused leaves the same numbers twice."""
    errors: Float[np.ndarray, " sample"]
    """Error of every sample, in declared errors [1]."""
    tolerance: float
    """Tolerance of the level: what no error of its samples exceeds [1]."""
    accepted: float = 1.0
    """Share of the moves that were accepted on the way here [1]."""
    reach: float = FIRST_REACH
    """Share of the next move that is new [1], where the prior is kept."""

    @property
    def distinct(self) -> int:
        """Samples that differ from each other."""
        return len(np.unique(self.numbers, axis=0))


def first_level(size: int, samples: int, errors: Errors, *, rng: np.random.Generator) -> Level:
    """Samples of the prior."""
    numbers = rng.standard_normal((samples, size))
    return Level(numbers, errors(numbers), np.inf)


def next_level(
    level: Level,
    errors: Errors,
    *,
    rng: np.random.Generator,
    target: float,
    step: float | None,
    thinning: int,
) -> Level:
    r"""The level whose tolerance is the error that a fifth of the last one stays below.

    With the prior kept, a move is $w' = \sqrt{1 - b^2}\,w + b\,\xi$ with standard normal $\xi$,
    which leaves the prior as it is whatever the share $b$; it is refused only for its error. A
    published move $w' = w + s\,\xi$ forgets the prior: weights drift away from it.

    Args:
        level: The last one.
        errors: Gives the error of numbers.
        rng: Where chance comes from.
        target: Tolerance below which none is needed, in the unit of errors.
        step: Standard deviation of published moves [1]; None keeps the prior.
        thinning: Moves between two samples of a chain.
    """
    # Seeds are the best by error; the error of the next one is the new tolerance.
    order, seeds = np.argsort(level.errors), round(KEPT * len(level.errors))
    tolerance = float(level.errors[order[seeds]])
    # Never below the target, or samples would be made to follow the noise.
    if tolerance < target:
        tolerance = target
        # Any of those within it, since the best alone err less than such functions do.
        order = rng.permutation(np.flatnonzero(level.errors <= tolerance))
    here, error = level.numbers[order[:seeds]], level.errors[order[:seeds]]
    parts, reach, moved = [(here, error)], level.reach, []
    # So many moves for each seed bring a fifth back to the full number.
    for _ in range(round(1 / KEPT) - 1):
        for _ in range(thinning):
            fresh = rng.standard_normal(here.shape)
            # √(1-b²) w + b ξ is standard normal if w is, so the prior never enters the acceptance.
            tried = here + step * fresh if step else np.sqrt(1 - reach**2) * here + reach * fresh
            tried_errors = errors(tried)
            below = tried_errors <= tolerance
            # A refused move counts its old numbers once more, as Metropolis' rule has it.
            here, error = (
                np.where(below[:, None], tried, here),
                np.where(below, tried_errors, error),
            )
            moved.append(float(below.mean()))
            # Longer moves where most are accepted, shorter ones where hardly any is.
            reach = float(np.clip(reach * np.exp(moved[-1] - ACCEPTED), 1e-4, 1.0))
        parts.append((here, error))
    numbers, kept_errors = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Level(numbers, kept_errors, tolerance, float(np.mean(moved)), reach)
