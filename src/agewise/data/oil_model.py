"""What the oil should be: lagged squared load and lagged air, fitted to the data themselves."""

from itertools import product

import numpy as np
from jaxtyping import Bool, Float

from agewise.data.coarse import Bins, Coarse, filled, lagged

LAGS_S = (3600.0, 5400.0, 7200.0, 10800.0, 14400.0, 21600.0, 36000.0)
"""s: lags of the oil that are tried (IEC 60076-7 has 90 min to 7.5 h for k11 tau_o)"""
FLEXIBLE_S = (900.0, 1800.0, 3600.0, 7200.0, 14400.0, 28800.0, 86400.0)
"""s: lags that together follow whatever the oil does"""
TRIMMED = 0.7
"""Share of the bins, those that fit best, that the stiff model is fitted to."""
ROUNDS = 12
"""of trimming"""
RIDGE = 1e-8
"""of the flexible model, relative to the size of each input"""

Inputs = Float[np.ndarray, "bin input"]


def stiff_errors(view: Coarse, air: Bins, oil: Bins) -> Bins:
    """Oil less what load and air explain, by the best lag; the worst three tenths have no say.

    $T_o = a + b\\,K_\\tau + c\\,(K^2)_\\tau + d\\,(T_a)_\\tau$, least trimmed squares.
    """
    load, air = filled(view.columns["load"]), filled(air)
    best, errors = np.inf, np.full(oil.size, np.nan)
    for lag in LAGS_S:
        through = [lagged(x, lag / view.width) for x in (load, load**2, air)]
        inputs = np.stack([np.ones(oil.size), *through], axis=1)
        tried, size = _trimmed(inputs, oil)
        if size < best:
            best, errors = size, tried
    return errors


def flexible_errors(view: Coarse, air: Bins, oil: Bins) -> Bins:
    """Oil less everything that a bank of lags of load and air can follow; jumps are left."""
    load, air = filled(view.columns["load"]), filled(air)
    sources = (load, load**2, air)
    banks = [lagged(x, lag / view.width) for x, lag in product(sources, FLEXIBLE_S)]
    inputs = np.stack([np.ones(oil.size), air, *banks], axis=1)
    seen = ~np.isnan(oil)
    return oil - inputs @ _fit(inputs[seen], oil[seen], RIDGE)


def _trimmed(inputs: Inputs, oil: Bins) -> tuple[Bins, float]:
    """Errors of the fit to the bins that fit best, and their mean square among those."""
    seen = ~np.isnan(oil)
    count = int(TRIMMED * seen.sum())
    best = (np.full(oil.size, np.nan), np.inf)
    for used in _beginnings(seen):
        for _ in range(ROUNDS):
            errors = oil - inputs @ _fit(inputs[used], oil[used], 1e-12)
            size = np.where(seen, errors**2, np.inf)
            kept = size <= np.partition(size, count - 1)[count - 1]
            if (kept == used).all():
                break
            used = kept
        mean = float(size[used].mean())
        if mean < best[1]:
            best = (errors, mean)
    return best


def _beginnings(seen: Bool[np.ndarray, " bin"]) -> list[Bool[np.ndarray, " bin"]]:
    """All bins, and all but each quarter of the record: one of them is free of a long fault."""
    quarter = np.arange(seen.size) * 4 // seen.size
    return [seen, *(seen & (quarter != k) for k in range(4))]


def _fit(inputs: Inputs, oil: Float[np.ndarray, " _"], ridge: float) -> Float[np.ndarray, " input"]:
    size = np.sqrt(np.mean(inputs**2, axis=0)) + 1e-12
    scaled = inputs / size
    gram = scaled.T @ scaled + ridge * len(oil) * np.eye(size.size)
    return np.linalg.solve(gram, scaled.T @ oil) / size
