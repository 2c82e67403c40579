"""What was assumed of constants beforehand, beside what a fit makes of it."""

import numpy as np
from jaxtyping import Float

FAR = 4.0
"""Standard deviations of its prior [1] from which a constant is not where it was expected: by
chance in 6 of 100 000 problems."""
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
