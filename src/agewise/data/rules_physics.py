"""Rules about what cannot be so: oil cooler than air, thermometers that jump, load without heat."""

from dataclasses import replace

import numpy as np
from jaxtyping import Bool

from agewise.data.coarse import Bins, Coarse, coarse, steps
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
        values = view.columns[name]
        if _days(view, values) < limits.physics_days:
            continue
        errors = values if name == "ambient" else flexible_errors(view, air, values)
        jumps = _jumps(errors, view, limits)
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
    errors = errors - np.cumsum(_jumps(flexible_errors(view, air, oil), view, limits))
    hours = limits.heatless_hours * SECONDS_PER_HOUR
    mean = _rolling_mean(errors, max(1, round(hours / view.width)))
    mean = mean - np.nanmedian(mean)
    scale = NORMAL_MAD * np.nanmedian(np.abs(mean))
    cold = mean < -max(limits.heatless_k, limits.heatless_sigmas * scale)
    text = f"the oil is up to {-np.nanmin(mean):.1f} K cooler than this load would make it"
    return found(sheet, "heatless", "load", view.rows(cold), text, done="kept")


def _days(view: Coarse, values: Bins) -> float:
    """Days with an observation."""
    return float(np.sum(~np.isnan(values))) * view.width / SECONDS_PER_DAY


def _jumps(errors: Bins, view: Coarse, limits: Thresholds) -> Bins:
    """The size of every step that stands out, in its bin; 0 elsewhere."""
    reach = max(FEW_BINS, round(limits.bias_hours * SECONDS_PER_HOUR / view.width))
    size = steps(errors, reach)
    jumps = np.zeros(size.size)
    if np.isnan(size).all():
        return jumps
    scale = NORMAL_MAD * np.nanmedian(np.abs(size))
    far = np.nan_to_num(np.abs(size)) > max(limits.bias_k, limits.bias_sigmas * scale)
    while far.any():
        top = int(np.where(far, np.abs(size), 0.0).argmax())
        jumps[top] = size[top]
        far[max(0, top - reach) : top + reach + 1] = False
    return jumps


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
