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
"""Factors on `bias_hours`, the time over which a signal is smooth, and noise of a bin relative to
the signal; all pairs are tried."""
REACH, FEW_BINS = 2.0, 8
"""Factor on that time within which bins on either side of a step are used, and fewest such bins."""
ROUNDS = 3
"""Number of searches for steps, each with the steps of those before it taken out."""
WORTH_A_LOOK = 0.6
"""Share of the threshold from which a candidate is tried: it raises the usual size of steps itself,
until it is taken out."""
SETTLED_H = 8.0
"""Hours at the start in which a model of the oil does not know what came before."""
HOURS_ABOUT = 2
"""Hours of the day before and after one with which its steps are compared."""

Weights = Float[np.ndarray, " reach"]
"""Weights of the bins on one side of a step, nearest first."""
Explained = Callable[[Bins], Bins]
"""Takes a thermometer's values and leaves what nothing explains."""


def jumps_by_column(view: Coarse, limits: Thresholds) -> dict[str, Bins]:
    """Steps of each thermometer that nothing explains.

    The air is smooth by itself. The oil is smooth once a model of load and air is subtracted; the
    steps of the air's own thermometer are taken out of that model first.

    Args:
        view: The coarse view of a sheet.
        limits: Where the rule draws its line.

    Returns:
        The size of each step [K] in its bin, 0 elsewhere, by column; columns with too few days are
        left out.
    """
    if view.width > COARSEST_MIN * SECONDS_PER_MINUTE:
        return {}
    long = [name for name in view.columns if view.days(name) >= limits.physics_days]
    jumps, air = {}, view.columns["ambient"]
    if "ambient" in long:
        jumps["ambient"] = _jumps(view, "ambient", lambda values: values, limits)
        # A step lasts, so the sum of all steps so far is what the thermometer is off by.
        air = air - np.cumsum(jumps["ambient"])
    model, settled = flexible_model(view, air), round(SETTLED_H * SECONDS_PER_HOUR / view.width)

    def unexplained(values: Bins) -> Bins:
        errors = model.errors(values)
        errors[:settled] = np.nan
        return errors

    # A winding follows its load within minutes, which looks like steps to a model of the oil.
    oils = (name for name in long if name not in ("load", "ambient", "winding"))
    return jumps | {name: _jumps(view, name, unexplained, limits) for name in oils}


def _jumps(view: Coarse, name: str, explained: Explained, limits: Thresholds) -> Bins:
    """Steps that stand out from what is usual at that hour once they are taken out themselves."""
    values = view.columns[name]
    # A step raises the usual size of steps about it, and hides behind it. So each candidate is
    # taken out, and then compared with what is left.
    weights = _sharpest(explained(values), view, limits)
    jumps = np.zeros(values.size)
    for _ in range(ROUNDS):
        size = steps(explained(values - np.cumsum(jumps)), weights)
        candidates = _peaks(size, WORTH_A_LOOK * usual(size, view), weights.size, limits)
        if not candidates.any():
            break
        rest = steps(explained(values - np.cumsum(jumps + candidates)), weights)
        confirmed = np.abs(candidates) > limits.bias_sigmas * usual(rest, view)
        jumps = jumps + np.where(confirmed, candidates, 0.0)
        if not confirmed.any():
            break
    return jumps


def _peaks(size: Bins, scale: Bins, reach: int, limits: Thresholds) -> Bins:
    """The largest steps beyond the threshold, none within reach of a larger one; 0 elsewhere."""
    far = np.nan_to_num(np.abs(size) / scale) * (np.nan_to_num(np.abs(size)) > limits.bias_k)
    # From the largest down: one step shows in all bins within reach, of which only the peak counts.
    peaks, available = np.zeros(size.size), far > limits.bias_sigmas
    for top in np.argsort(far)[::-1][: np.count_nonzero(available)]:
        if available[top]:
            peaks[top] = size[top]
            available[max(0, top - reach) : top + reach + 1] = False
    return peaks


def _sharpest(errors: Bins, view: Coarse, limits: Thresholds) -> Weights:
    """The weights whose steps are smallest where nothing happens.

    A short memory averages too little noise away, a long one takes every bend for a step.
    """
    # The median, since most bins have no step.
    best, least = np.zeros(1), np.inf
    for factor, noise in product(MEMORIES, NOISES):
        memory = factor * limits.bias_hours * SECONDS_PER_HOUR / view.width
        weights = edge_weights(max(FEW_BINS, round(REACH * memory)), memory, noise)
        size = np.abs(steps(errors, weights))
        size = size[~np.isnan(size)]
        # The first weights are taken whatever they give, so that there are some.
        if not best.any() or (size.size and np.median(size) < least):
            best, least = weights, np.median(size) if size.size else np.inf
    return best


def usual(size: Bins, view: Coarse) -> Bins:
    """The usual size of steps about each hour of the day: sun and clouds make days less even."""
    known = np.flatnonzero(~np.isnan(size))
    if not known.size:
        return np.full(size.size, np.inf)
    # Counted from the first row: hours are only compared with each other.
    hour = ((known * view.width) % SECONDS_PER_DAY // SECONDS_PER_HOUR).astype(int)
    sizes = [np.abs(size[known[hour == clock]]) for clock in range(24)]
    overall = float(np.median(np.abs(size[known])))
    medians = np.full(24, overall)
    for clock in range(24):
        about = [sizes[(clock + k) % 24] for k in range(-HOURS_ABOUT, HOURS_ABOUT + 1)]
        # Not less than half of the overall size, or anything would stand out in a quiet hour.
        medians[clock] = max(float(np.median(np.concatenate([*about, [overall]]))), overall / 2)
    hours = (np.arange(size.size) * view.width) % SECONDS_PER_DAY // SECONDS_PER_HOUR
    # Never 0, since steps are divided by it.
    return NORMAL_MAD * medians[hours.astype(int)] + 1e-9
