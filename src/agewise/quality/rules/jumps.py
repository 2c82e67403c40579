"""Jumps: steps of a thermometer that neither weather nor load nor noise explain."""

from collections.abc import Callable
from itertools import product

import numpy as np
from jaxtyping import Float

from agewise.quality.rules.coarse import Bins, Coarse, edge_weights, steps
from agewise.quality.rules.oil_model import flexible_model
from agewise.quality.rules.values import NORMAL_MAD
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

COARSEST_MIN = 20.0
"""Sampling step [min] beyond which a step of a thermometer looks like weather."""
MEMORIES, NOISES = (0.5, 1.0, 2.0), (0.03, 0.1, 0.3)
"""Times the hours that a signal is smooth over, and noise of a bin over its size: all are tried."""
REACH, FEW_BINS = 2.0, 8
"""Times that memory, on either side of a step; at least so many bins."""
ROUNDS = 3
"""How often steps are looked for, each time with those found before taken out."""
WORTH_A_LOOK = 0.6
"""Share of the threshold from which a candidate is tried: it raises the usual size of steps itself,
until it is taken out."""
SETTLED_H = 8.0
"""Hours at the start in which a model of the oil does not know what came before."""
HOURS_ABOUT = 2
"""Hours of the day before and after one with which its steps are compared."""

Weights = Float[np.ndarray, " reach"]
Explained = Callable[[Bins], Bins]
"""Values less what is known of them."""


def jumps_by_column(view: Coarse, limits: Thresholds) -> dict[str, Bins]:
    """The size of every step [K] in its bin, 0 elsewhere; columns without enough data left out.

    The air is smooth by itself. The oil is once a model of load and air (its steps taken out) is.
    """
    if view.width > COARSEST_MIN * SECONDS_PER_MINUTE:
        return {}
    long = [name for name in view.columns if view.days(name) >= limits.physics_days]
    jumps, air = {}, view.columns["ambient"]
    if "ambient" in long:
        jumps["ambient"] = _jumps(view, "ambient", lambda values: values, limits)
        air = air - np.cumsum(jumps["ambient"])
    model, settled = flexible_model(view, air), round(SETTLED_H * SECONDS_PER_HOUR / view.width)

    def unexplained(values: Bins) -> Bins:
        errors = model.errors(values)
        errors[:settled] = np.nan
        return errors

    oils = (name for name in long if name not in ("load", "ambient"))
    return jumps | {name: _jumps(view, name, unexplained, limits) for name in oils}


def _jumps(view: Coarse, name: str, explained: Explained, limits: Thresholds) -> Bins:
    """Steps that stand out from what is usual at that hour once they are taken out themselves."""
    values = view.columns[name]
    weights = _sharpest(explained(values), view, limits)
    jumps = np.zeros(values.size)
    for _ in range(ROUNDS):
        size = steps(explained(values - np.cumsum(jumps)), weights)
        likely = _peaks(size, WORTH_A_LOOK * usual(size, view), weights.size, limits)
        if not likely.any():
            break
        rest = steps(explained(values - np.cumsum(jumps + likely)), weights)
        kept = np.abs(likely) > limits.bias_sigmas * usual(rest, view)
        jumps = jumps + np.where(kept, likely, 0.0)
        if not kept.any():
            break
    return jumps


def _peaks(size: Bins, scale: Bins, reach: int, limits: Thresholds) -> Bins:
    """The largest steps beyond the threshold, none within reach of a larger one; 0 elsewhere."""
    far = np.nan_to_num(np.abs(size) / scale) * (np.nan_to_num(np.abs(size)) > limits.bias_k)
    peaks, open_ = np.zeros(size.size), far > limits.bias_sigmas
    for top in np.argsort(far)[::-1][: np.count_nonzero(open_)]:
        if open_[top]:
            peaks[top] = size[top]
            open_[max(0, top - reach) : top + reach + 1] = False
    return peaks


def _sharpest(errors: Bins, view: Coarse, limits: Thresholds) -> Weights:
    """The weights whose steps are smallest where nothing happens.

    Short memories suffer from noise, long ones from all that is not so smooth.
    """
    best, least = np.zeros(1), np.inf
    for factor, noise in product(MEMORIES, NOISES):
        memory = factor * limits.bias_hours * SECONDS_PER_HOUR / view.width
        weights = edge_weights(max(FEW_BINS, round(REACH * memory)), memory, noise)
        size = np.abs(steps(errors, weights))
        size = size[~np.isnan(size)]
        if not best.any() or (size.size and np.median(size) < least):
            best, least = weights, np.median(size) if size.size else np.inf
    return best


def usual(size: Bins, view: Coarse) -> Bins:
    """The usual size of steps about each hour of the day: sun and clouds make days less even."""
    known = np.flatnonzero(~np.isnan(size))
    if not known.size:
        return np.full(size.size, np.inf)
    hour = ((known * view.width) % SECONDS_PER_DAY // SECONDS_PER_HOUR).astype(int)
    sizes = [np.abs(size[known[hour == clock]]) for clock in range(24)]
    overall = float(np.median(np.abs(size[known])))
    medians = np.full(24, overall)
    for clock in range(24):
        about = [sizes[(clock + k) % 24] for k in range(-HOURS_ABOUT, HOURS_ABOUT + 1)]
        medians[clock] = max(float(np.median(np.concatenate([*about, [overall]]))), overall / 2)
    hours = (np.arange(size.size) * view.width) % SECONDS_PER_DAY // SECONDS_PER_HOUR
    return NORMAL_MAD * medians[hours.astype(int)] + 1e-9
