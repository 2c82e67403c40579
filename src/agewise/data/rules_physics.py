"""Rules about what cannot be so: oil cooler than air, thermometers that jump, load without heat."""

from dataclasses import replace
from itertools import product

import numpy as np
from jaxtyping import Bool

from agewise.data.coarse import Bins, Coarse, coarse, edge_weights, steps
from agewise.data.oil_model import flexible_errors, stiff_errors
from agewise.data.rules_values import NORMAL_MAD
from agewise.data.sheet import Found, Sheet, found, runs
from agewise.data.thresholds import Thresholds
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

EDGE_BINS = 3
"""Bins on either side of an edge of a swapped stretch."""
EVEN = 0.35
"""Share of a jump by which its two sides may differ from an exchange."""
MOSTLY_SWAPPED = 0.5
"""Share of the file beyond which the names of the columns are taken to be exchanged throughout."""
THROUGHOUT = 0.9
"""Share of the time that oil is cooler than air when the columns are exchanged throughout."""
COARSEST_MIN = 20.0
"""min of sampling beyond which a step cannot be told from weather."""
MEMORIES, NOISES = (0.5, 1.0, 2.0), (0.03, 0.1, 0.3)
"""Times the hours that a signal is smooth over, and noise of a bin over its size: all are tried."""
MOST_STEPS = 12
"""of one thermometer that are looked for"""
WORTH_A_LOOK = 0.6
"""of the threshold, before the step's own part in the usual size of steps is taken out"""
REACH = 2.0
"""Times that memory, on either side of a step"""
SETTLED_H = 8.0
"""h at the start in which a model of the oil does not know what came before"""
HOURS_ABOUT = 2
"""h before and after an hour of the day in which steps are compared"""
FEW_BINS = 8
"""Least bins on either side of a step."""


def swapped(sheet: Sheet, limits: Thresholds) -> list[Found]:
    """Ambient and top oil exchanged: oil cooler than air, both jumping where it begins and ends.

    Without an edge, oil that is cooler than air nearly all the time: a transformer warms its oil.
    """
    mask = exchanged(sheet, limits)
    both, text = "ambient,top_oil", "exchanged, for the oil is cooler than the air,"
    if mask.sum() > MOSTLY_SWAPPED * mask.size:
        told = found(sheet, "swapped", both, mask, text, done="kept")
    else:
        told = found(sheet, "swapped", both, mask, text, empties=("ambient", "top_oil"))
    return [replace(one, marks={"swapped": mask}) for one in told]


def exchanged(sheet: Sheet, limits: Thresholds) -> Bool[np.ndarray, " row"]:
    """Rows in which ambient and top oil seem to have changed places."""
    none = np.zeros(sheet.seconds.size, dtype=bool)
    if "top_oil" not in sheet.columns:
        return none
    view = coarse(_possible(sheet, limits))
    above = view.columns["top_oil"] - view.columns["ambient"]
    seen = ~np.isnan(above)
    if seen.sum() < 2 * EDGE_BINS + 1:
        return none
    edges = _edges(view, limits)
    if not edges.any():
        throughout = np.mean(above[seen] < 0) > THROUGHOUT and np.median(above[seen]) < -1.0
        return ~none if throughout else none
    return view.rows(_below(above, edges))


def _possible(sheet: Sheet, limits: Thresholds) -> Sheet:
    low, high = limits.temperature_low_c, limits.temperature_high_c
    both = ("ambient", "top_oil")
    beyond = {n: (sheet.columns[n] < low) | (sheet.columns[n] > high) for n in both}
    return sheet.without(beyond)


def _edges(view: Coarse, limits: Thresholds) -> Bool[np.ndarray, " bin"]:
    """Bins in which oil and air change places: their difference turns round, their sum stays."""
    oil, air = view.columns["top_oil"], view.columns["ambient"]
    before, behind = (_beside(oil - air, side) for side in (-1, 1))
    total = np.abs(_beside(oil + air, 1) - _beside(oil + air, -1))
    jump = np.abs(behind - before)
    with np.errstate(invalid="ignore"):
        turned = (np.sign(before) != np.sign(behind)) & (jump > 2 * limits.swapped_k)
        return turned & (np.abs(before + behind) < EVEN * jump) & (total < EVEN * jump)


def _beside(values: Bins, side: int) -> Bins:
    """The median of the bins on one side of each, the bin itself left out."""
    places = np.arange(values.size) + side * np.arange(1, EDGE_BINS + 1)[:, None]
    inside = (places >= 0) & (places < values.size)
    some = np.where(inside, values[np.clip(places, 0, values.size - 1)], np.nan)
    seen = ~np.isnan(some).all(axis=0)
    medians = np.full(values.size, np.nan)
    medians[seen] = np.nanmedian(some[:, seen], axis=0)
    return medians


def _below(above: Bins, edges: Bool[np.ndarray, " bin"]) -> Bool[np.ndarray, " bin"]:
    """Runs of bins with oil below air that touch an edge, and the edges themselves."""
    below = edges | ~(above > 0)
    mask = np.zeros(above.size, dtype=bool)
    for first, last in zip(*runs(below), strict=True):
        if edges[max(0, first - 1) : last + 2].any() and np.any(above[first : last + 1] < 0):
            mask[first : last + 1] = True
    return mask


def bias(sheet: Sheet, limits: Thresholds) -> list[Found]:
    """A thermometer that jumps and stays there."""
    if sheet.step > COARSEST_MIN * SECONDS_PER_MINUTE:
        return []
    view, told = coarse(sheet), []
    air = view.columns["ambient"]
    for name in sheet.thermometers:
        if _days(view, view.columns[name]) < limits.physics_days:
            continue
        jumps = _jumps(view, name, air, limits)
        if name == "ambient":
            air = air - np.cumsum(jumps)
        told += _biased(sheet, view, name, jumps)
    return told


def heatless(sheet: Sheet, limits: Thresholds) -> list[Found]:
    """Load raised for hours while the oil does not follow."""
    if "top_oil" not in sheet.columns:
        return []
    view = coarse(sheet)
    air, oil = view.columns["ambient"], view.columns["top_oil"]
    if _days(view, oil) < limits.physics_days:
        return []
    errors = stiff_errors(view, air, oil)
    errors = errors - np.cumsum(_jumps(view, "top_oil", air, limits))
    hours = limits.heatless_hours * SECONDS_PER_HOUR
    mean = _rolling_mean(errors, max(1, round(hours / view.width)))
    mean = mean - np.nanmedian(mean)
    scale = NORMAL_MAD * np.nanmedian(np.abs(mean))
    cold = mean < -max(limits.heatless_k, limits.heatless_sigmas * scale)
    text = f"the oil is up to {-np.nanmin(mean):.1f} K cooler than this load would make it"
    return found(sheet, "heatless", "load", view.rows(cold), text, done="kept")


def _unexplained(view: Coarse, air: Bins, oil: Bins) -> Bins:
    """What a flexible model leaves of a thermometer in the oil, once it has settled."""
    errors = flexible_errors(view, air, oil)
    errors[: round(SETTLED_H * SECONDS_PER_HOUR / view.width)] = np.nan
    return errors


def _days(view: Coarse, values: Bins) -> float:
    """Days with an observation."""
    return float(np.sum(~np.isnan(values))) * view.width / SECONDS_PER_DAY


def _jumps(view: Coarse, name: str, air: Bins, limits: Thresholds) -> Bins:
    """The size of every step of a thermometer that stands out, in its bin; 0 elsewhere."""
    jumps = np.zeros(air.size)
    for _ in range(MOST_STEPS):
        size, scale = _steps(view, name, air, jumps, limits)
        far = np.nan_to_num(np.abs(size) / scale) * (np.nan_to_num(np.abs(size)) > limits.bias_k)
        top = int(far.argmax())
        if far[top] < WORTH_A_LOOK * limits.bias_sigmas:
            break
        more = jumps + np.where(np.arange(air.size) == top, size, 0.0)
        usual = _steps(view, name, air, more, limits)[1]
        if np.abs(size[top]) < limits.bias_sigmas * usual[top]:
            break
        jumps = more
    return jumps


def _steps(
    view: Coarse, name: str, air: Bins, jumps: Bins, limits: Thresholds
) -> tuple[Bins, Bins]:
    """Steps of a thermometer once some are taken out, and their usual size at that hour."""
    values = view.columns[name] - np.cumsum(jumps)
    errors = values if name == "ambient" else _unexplained(view, air, values)
    size = _sharpest(errors, view, limits)
    return size, _scale_by_hour(size, view)


def _sharpest(errors: Bins, view: Coarse, limits: Thresholds) -> Bins:
    """The steps that are smallest where nothing happens, of several ways to estimate them.

    Short memories suffer from noise, long ones from all that is not so smooth.
    """
    best, least = np.full(errors.size, np.nan), np.inf
    for factor, noise in product(MEMORIES, NOISES):
        memory = factor * limits.bias_hours * SECONDS_PER_HOUR / view.width
        reach = max(FEW_BINS, round(REACH * memory))
        size = steps(errors, edge_weights(reach, memory, noise))
        usual = np.median(np.abs(size[~np.isnan(size)])) if not np.isnan(size).all() else np.inf
        if usual < least:
            best, least = size, usual
    return best


def _scale_by_hour(size: Bins, view: Coarse) -> Bins:
    """The typical size of steps about each hour of the day: sun and clouds make days less even."""
    hour = (np.arange(size.size) * view.width // SECONDS_PER_HOUR).astype(int) % 24
    known, overall = ~np.isnan(size), np.nanmedian(np.abs(size)) if size.size else 0.0
    medians = np.full(24, overall)
    for now in range(24):
        about = known & ((hour - now + HOURS_ABOUT) % 24 <= 2 * HOURS_ABOUT)
        if about.any():
            medians[now] = max(np.median(np.abs(size[about])), overall / 2)
    return NORMAL_MAD * medians[hour] + 1e-9


def _biased(sheet: Sheet, view: Coarse, name: str, jumps: Bins) -> list[Found]:
    """Rows from each step on for as long as the sum of steps is not nothing."""
    if not jumps.any():
        return []
    off = np.abs(np.cumsum(jumps)) > 0.5 * np.abs(jumps[jumps != 0]).min()
    worst = jumps[np.abs(jumps).argmax()]
    count = np.count_nonzero(jumps)
    text = f"{count} step{'s' if count > 1 else ''} of the thermometer, the largest {worst:+.1f} K,"
    return found(sheet, "bias", name, view.rows(off), text, done="kept")


def _rolling_mean(values: Bins, width: int) -> Bins:
    kernel = np.ones(width)
    seen = np.convolve(~np.isnan(values), kernel, "same")
    total = np.convolve(np.nan_to_num(values), kernel, "same")
    return np.where(seen >= width / 2, total / np.maximum(seen, 1), np.nan)
