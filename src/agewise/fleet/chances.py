r"""The chance of an end within a horizon, and how far it would move if the unit were known better.

Years left are uncertain for two reasons: what is not known of the unit (its paper, its past, its
constants), which a measurement could tell, and what no measurement tells, the years to come. With
$s$ the standard deviation of $\ln Y$ over all draws and $f$ the share of the future in it, a draw
$Y_i$ stands for a unit whose own years are $m_i = m + \sqrt{1 - f}\,(\ln Y_i - m)$, and whose end
within $H$ years has the chance $\Phi\left((\ln H - m_i) / (\sqrt{f} s)\right)$.
"""

import numpy as np
from jaxtyping import Float
from scipy.special import ndtr

LEAST_YEARS, MOST_YEARS = 0.05, 100.0
"""Years between which an end counts as what it is; beyond, a logarithm would give it too much
weight, and an end beyond every horizon has no number at all."""
LEAST_SPREAD = 0.05
"""Least standard deviation of the logarithm of years: no plan is kept to the percent."""


def log_years(years: Float[np.ndarray, " draw"]) -> Float[np.ndarray, " draw"]:
    """Logarithm of years left, with no end of it infinitely far away."""
    return np.log(np.clip(years, LEAST_YEARS, MOST_YEARS))


def unit_chances(
    years: Float[np.ndarray, " draw"], horizon: float, *, future: float
) -> Float[np.ndarray, " draw"]:
    """The chance of an end within a horizon for each unit that this one may be.

    Args:
        years: Draws of the years left; infinite beyond what was looked at.
        horizon: Years ahead.
        future: Share of the years to come in the variance of the years left.
    """
    logs = log_years(years)
    middle, spread = logs.mean(), logs.std()
    own = middle + np.sqrt(1 - future) * (logs - middle)
    return ndtr((np.log(horizon) - own) / max(np.sqrt(future) * spread, LEAST_SPREAD))


def chance_interval(
    years: Float[np.ndarray, " draw"], horizon: float, *, future: float
) -> tuple[float, float]:
    """Central 90 % interval of the chance of an end, over what is not known of the unit."""
    low, high = np.quantile(unit_chances(years, horizon, future=future), [0.05, 0.95])
    return float(low), float(high)
