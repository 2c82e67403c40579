"""What the oil should be: lagged load, squared load and air, fitted to the data themselves."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Bool, Float

from agewise.quality.rules.coarse import Bins, Coarse, filled, lagged

LAGS_S = (3600.0, 5400.0, 7200.0, 10800.0, 14400.0, 21600.0, 36000.0)
"""Lags of the oil that are tried [s]; IEC 60076-7 has 75 min to 3 h for k11 tau_o, by cooling."""
FLEXIBLE_S = (900.0, 1800.0, 3600.0, 7200.0, 14400.0, 28800.0, 86400.0)
"""Lags of the flexible model [s], which together follow whatever the oil does."""
FED_S, FED_SHARE = 14400.0, 0.3
"""Time over which load and air must be known [s], and the share of it that may be missing."""
TRIMMED = 0.7
"""Share of the bins, those that fit best, that the stiff model is fitted to."""
ROUNDS = 8
"""How often the best bins are chosen anew and the stiff model is fitted to them."""
RIDGE, TINY = 1e-8, 1e-12
"""Ridge penalty of the flexible and of the stiff model, relative to the size of each input."""
MOST_BINS = 2000
"""Most bins that the stiff model is fitted to; of more, every second or third."""

Inputs = Float[np.ndarray, "bin input"]
"""Inputs of a linear model by bin, a constant among them."""


def fed(view: Coarse) -> Coarse:
    """The view without oil where load or air were missing for hours: no model knows it there."""
    # Lagged like the oil itself, which remembers for hours what it was heated by.
    unfed = np.isnan(view.columns["load"]) | np.isnan(view.columns["ambient"])
    share = lagged(unfed.astype(float), FED_S / view.width)
    oils = (name for name in view.columns if name not in ("load", "ambient"))
    return view.without(dict.fromkeys(oils, share > FED_SHARE))


def stiff_errors(view: Coarse, air: Bins, oil: Bins) -> Bins:
    """Oil less what load and air explain [K], by the lag that fits best.

    $T_o = a + b\\,K_\\tau + c\\,(K^2)_\\tau + d\\,(T_a)_\\tau$, least trimmed squares: the
    three tenths of the bins that fit worst have no say, so that a fault does not pull it along.

    Args:
        view: The coarse view, for load and width of its bins.
        air: Temperature of the air by bin [°C].
        oil: Temperature of the oil by bin [°C].
    """
    load, air = filled(view.columns["load"]), filled(air)
    stride = max(1, -(-oil.size // MOST_BINS))
    best, errors = np.inf, np.full(oil.size, np.nan)
    for lag in LAGS_S:
        through = [lagged(x, lag / view.width) for x in (load, load**2, air)]
        inputs = np.stack([np.ones(oil.size), *through], axis=1)
        weights, size = _trimmed(inputs[::stride], oil[::stride])
        if size < best:
            best, errors = size, oil - inputs @ weights
    return errors


@dataclass(frozen=True, eq=False)
class FlexibleModel:
    """Whatever a bank of lags of load and air can follow; jumps of a thermometer it cannot."""

    inputs: Inputs
    """A constant, the air, and each source behind each lag."""

    def errors(self, oil: Bins) -> Bins:
        """Readings of a thermometer less what the model, fitted to them, explains [K]."""
        observed = ~np.isnan(oil)
        return oil - self.inputs @ _fit(self.inputs[observed], oil[observed], RIDGE)


def flexible_model(view: Coarse, air: Bins) -> FlexibleModel:
    """The model of a sheet's oil, to be fitted to each of its thermometers."""
    load, air = filled(view.columns["load"]), filled(air)
    sources = (load, load**2, air)
    banks = [lagged(x, lag / view.width) for x, lag in product(sources, FLEXIBLE_S)]
    return FlexibleModel(np.stack([np.ones(air.size), air, *banks], axis=1))


def _trimmed(inputs: Inputs, oil: Bins) -> tuple[Float[np.ndarray, " input"], float]:
    """The fit to the bins that fit best, and their mean square."""
    # The iteration only finds the best fit near its beginning, hence several of them.
    best, least = np.zeros(inputs.shape[1]), np.inf
    for used in _beginnings(~np.isnan(oil)):
        weights, size = _concentrated(inputs, oil, used)
        if size < least:
            best, least = weights, size
    return best, least


def _concentrated(
    inputs: Inputs, oil: Bins, used: Bool[np.ndarray, " bin"]
) -> tuple[Float[np.ndarray, " input"], float]:
    """The fit to `used`, then to the bins that it fits best, and so on; and their mean square."""
    observed = ~np.isnan(oil)
    count = max(1, int(TRIMMED * observed.sum()))
    weights, size = np.zeros(inputs.shape[1]), np.zeros(oil.size)
    for _ in range(ROUNDS):
        weights = _fit(inputs[used], oil[used], TINY)
        # A bin without a reading fits worst of all, and is never used.
        size = np.where(observed, (oil - inputs @ weights) ** 2, np.inf)
        best_bins = size <= np.partition(size, count - 1)[count - 1]
        if (best_bins == used).all():
            break
        used = best_bins
    return weights, float(size[used].mean())


def _beginnings(observed: Bool[np.ndarray, " bin"]) -> list[Bool[np.ndarray, " bin"]]:
    """All bins, and all but each of seven overlapping quarters: one is free of a long fault."""
    eighth = np.arange(observed.size) * 8 // observed.size
    parts = [observed, *(observed & (eighth != k) & (eighth != k + 1) for k in range(7))]
    return [part for part in parts if part.any()]


def _fit(inputs: Inputs, oil: Float[np.ndarray, " _"], ridge: float) -> Float[np.ndarray, " input"]:
    """Least squares with a ridge penalty: neighbouring lags are nearly the same input."""
    # Scaled, so that the penalty weighs loads of about 1 and temperatures of about 20 alike.
    size = np.sqrt(np.mean(inputs**2, axis=0)) + 1e-12
    scaled = inputs / size
    # By the number of bins, so that the penalty weighs the same in any record.
    gram = scaled.T @ scaled + ridge * len(oil) * np.eye(size.size)
    return np.linalg.solve(gram, scaled.T @ oil) / size
