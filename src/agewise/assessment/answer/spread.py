"""Draws in a few numbers: mean, standard deviation and central intervals."""

import numpy as np
from jaxtyping import Float

from agewise.assessment.answer.base import OpenInterval, Spread


def spread(values: Float[np.ndarray, " draw"]) -> Spread:
    """Mean, standard deviation and central 50 % and 90 % intervals of draws, in their unit."""
    return Spread.model_validate(
        {
            "mean": float(values.mean()),
            "std": float(values.std()),
            "interval_50": open_interval(values, 0.5),
            "interval_90": open_interval(values, 0.9),
        }
    )


def open_interval(values: Float[np.ndarray, " draw"], level: float) -> OpenInterval:
    """The central interval that holds a share of the draws; None for an end that is infinite.

    The ends are draws themselves (the inverse of the empirical distribution), because nothing can
    be interpolated between a finite draw and an infinite one.
    """
    # A draw and no value between two: there is none between a number and infinity.
    ends = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    low, high = (float(end) if np.isfinite(end) else None for end in ends)
    return low, high
