r"""The chance of an end within a horizon, and how far it would move if the unit were known better.

Years left are uncertain for two reasons: what is not known of the unit (its paper, its past, its
constants), which a measurement could tell, and what no measurement tells, the years to come. With
$s$ the standard deviation of $\ln Y$ over all draws and $f$ the share of the future in it, a draw
$Y_i$ stands for a unit whose own years are $m_i = m + \sqrt{1 - f}\,(\ln Y_i - m)$, and whose end
within $H$ years has the chance $\Phi\left((\ln H - m_i) / (\sqrt{f} s)\right)$.
"""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float
from scipy.special import log_ndtr, ndtr

LEAST_YEARS, MOST_YEARS = 0.05, 1e6
"""Years between which an end counts as what it is; beyond, a logarithm would give it too much
weight, or has no number at all."""
TINY = 1e-9
"""Least life that a year uses [h], where next to none is used."""
LEAST_SPREAD = 0.05
"""Least standard deviation of the logarithm of years: no plan is kept to the percent."""


def years_left(
    arrays: Mapping[str, np.ndarray], yearly_loss: float | None
) -> Float[np.ndarray, " draw"]:
    """Draws of the years left of a run, with a number also beyond the years that it looked at.

    There they are the hours of life that are left over those that a year uses: years to come like
    those that were seen.

    Args:
        arrays: The draws of the run, `remaining_years` and `remaining_hours` [h].
        yearly_loss: Hours of life that a year uses, on average [h]; None where nobody knows.
    """
    years = arrays["remaining_years"]
    seen = years[np.isfinite(years)].max(initial=LEAST_YEARS)
    beyond = np.maximum(arrays["remaining_hours"] / max(yearly_loss or 0.0, TINY), seen)
    return np.where(np.isfinite(years), years, beyond)


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


def log_chance(years: Float[np.ndarray, " draw"], horizon: float) -> float:
    """Logarithm of the chance of an end within a horizon, for years whose logarithm is normal.

    It tells units apart of which no draw ends so soon.
    """
    logs = log_years(years)
    return float(log_ndtr((np.log(horizon) - logs.mean()) / max(logs.std(), LEAST_SPREAD)))
