"""What was assumed of constants beforehand, beside what a fit makes of it."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

FAR = 4.0
"""Standard deviations of its prior [1] from which a constant is not where it was expected: by
chance in 6 of 100 000 problems."""
PART = 0.3
"""Weight of a constant in a combination of unit length [1] from which it has a part in it."""
FEWER = 0.05
"""Constants for each draw [1] below which draws tell combinations of them."""
UNLEARNED = 0.9
"""Standard deviation of a constant over that of its prior [1] from which nothing was learned."""


def excluded_finding(name: str, standard: Float[np.ndarray, " draw"]) -> str | None:
    """What is wrong where a constant is not where its prior expects it; None where nothing is.

    Args:
        name: Name of the constant.
        standard: Draws of the number that is standard normal beforehand.
    """
    away = float(np.mean(standard))
    if abs(away) < FAR:
        return None
    return (
        f"The constant {name!r} is {abs(away):.2g} standard deviations of its prior away from the "
        "middle of it: what was stated beforehand contradicts equations and readings. Give a wider "
        "prior, or mend the equation."
    )


def unlearned_remark(name: str, standard: Float[np.ndarray, " draw"]) -> str | None:
    """What a reader should know of a constant that is as uncertain as beforehand; arguments as
    those of `excluded_finding`."""
    if float(np.std(standard)) < UNLEARNED:
        return None
    return (
        f"Of the constant {name!r} equations and readings tell next to nothing: what is given is "
        "its prior."
    )


def joint_remark(standard: Mapping[str, Float[np.ndarray, " draw"]]) -> str | None:
    """What a reader should know of constants that are known together alone, such as two of which
    equations have the product; None where each is known by itself. Arguments by the constants'
    names, as those of `excluded_finding`."""
    # Of one that nothing is known of there is a remark already.
    learned = {name: draws for name, draws in standard.items() if np.std(draws) < UNLEARNED}
    drawn = np.array(list(learned.values()))
    # One vector of numbers, as of `map`, and a few members of an ensemble tell no combination.
    if not 2 <= len(learned) < FEWER * drawn.shape[-1]:
        return None
    variances, combinations = np.linalg.eigh(np.cov(drawn))
    if np.sqrt(variances[-1]) < UNLEARNED:
        return None
    weights = np.abs(combinations[:, -1])
    names = [repr(name) for name, own in zip(learned, weights, strict=True) if own > PART]
    return (
        f"The constants {' and '.join(names)} are known together alone: a combination of them is "
        "as uncertain as beforehand, so many other values of them would do as well."
    )
