"""Columns of ambient and top oil that have changed places."""

from dataclasses import replace

import numpy as np
from jaxtyping import Bool

from agewise.quality.rules.coarse import Bins, Coarse, coarse
from agewise.quality.rules.cold import COLD_SHARE, cold_share
from agewise.quality.rules.oil_model import stiff_errors
from agewise.quality.sheet import RuleFinding, Sheet, rule_findings, runs
from agewise.quality.thresholds import Thresholds

EDGE_BINS = 3
"""Number of bins on either side by which an edge of a swapped stretch is judged."""
EVEN = 0.35
"""Share of a jump by which its two sides may differ from an exchange."""
SHARP = 0.6
"""Share of the difference of oil and air by which both step at once where they change places."""
MOSTLY_SWAPPED = 0.5
"""Share of the file beyond which the names of the columns are taken to be exchanged throughout."""
NAMES_SWAPPED = "Exchange the names of the columns ambient and top_oil."
"""What to mend where the columns are exchanged throughout."""
THROUGHOUT = 0.9
"""Share of the time that oil is cooler than air when the columns of a short file are exchanged."""
BETTER = 1.3
"""How many times better load and one column must explain the other with their names exchanged. On
twins it was 1.6 to 9 times better with the right names (`benchmarks/exchanged.py`)."""


def swapped(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Ambient and top oil exchanged: oil cooler than air, both jumping where it begins and ends.

    Without an edge, air that follows load and oil as oil should follow load and air.
    Where most of the file is so, the names of the columns are taken to be wrong, and it is kept.
    """
    mask = exchanged(sheet, limits)
    both, text = "ambient,top_oil", "exchanged: the oil is cooler than the air,"
    if mask.sum() > MOSTLY_SWAPPED * mask.size:
        swapped_findings = rule_findings(sheet, "swapped", both, mask, text, done="kept")
        findings = [replace(finding, mend=NAMES_SWAPPED) for finding in swapped_findings]
    else:
        findings = rule_findings(sheet, "swapped", both, mask, text, empties=("ambient", "top_oil"))
    return [replace(finding, marks={"swapped": mask}) for finding in findings]


def exchanged(sheet: Sheet, limits: Thresholds) -> Bool[np.ndarray, " row"]:
    """Rows in which ambient and top oil seem to have changed places."""
    none = np.zeros(sheet.seconds.size, dtype=bool)
    if "top_oil" not in sheet.columns or not sheet.has_air:
        return none
    view = coarse(_possible(sheet, limits))
    above = view.columns["top_oil"] - view.columns["ambient"]
    observed = ~np.isnan(above)
    if observed.sum() < 2 * EDGE_BINS + 1:
        return none
    edges = _edges(view, limits, several_rows=sheet.step < view.width)
    if not edges.any():
        return ~none if _throughout(view, limits) else none
    return view.rows(_below(above, edges))


def _throughout(view: Coarse, limits: Thresholds) -> bool:
    """Whether the two columns are exchanged from the first row to the last.

    Oil follows load and air behind a lag, and air follows nothing: the names are wrong where the
    column of the air is explained by load and top oil much better than the other way round. Air
    whose thermometer reads too high is warmer than idle oil too, but the oil still follows it.
    """
    oil, air = view.columns["top_oil"], view.columns["ambient"]
    above = (oil - air)[~np.isnan(oil - air)]
    if view.days("top_oil") >= limits.physics_days:
        if cold_share(view.width * np.arange(oil.size), air, oil) < COLD_SHARE:
            return False
        return _unexplained(view, air, oil) > BETTER * _unexplained(view, oil, air)
    # Too short for a model. By more than a kelvin: idle oil may well be a little below the air.
    return bool(np.mean(above < 0) > THROUGHOUT and np.median(above) < -1.0)


def _unexplained(view: Coarse, air: Bins, oil: Bins) -> float:
    """Typical error of the oil by load and air, as a share of how much the oil varies."""
    error = np.nanmedian(np.abs(stiff_errors(view, air, oil)))
    # Never 0: a column that stands still is explained by anything.
    return float(error / (np.nanstd(oil) + 1e-9))


def _possible(sheet: Sheet, limits: Thresholds) -> Sheet:
    """The sheet without temperatures that cannot be, since this rule runs before `impossible`."""
    low, high = limits.temperature_low_c, limits.temperature_high_c
    both = ("ambient", "top_oil")
    beyond = {n: (sheet.columns[n] < low) | (sheet.columns[n] > high) for n in both}
    return sheet.without(beyond)


def _edges(view: Coarse, limits: Thresholds, several_rows: bool) -> Bool[np.ndarray, " bin"]:
    """Bins in which oil and air change places: their difference turns round, their sum stays."""
    oil, air = view.columns["top_oil"], view.columns["ambient"]
    before, behind = (_beside(oil - air, side) for side in (-1, 1))
    total = np.abs(_beside(oil + air, 1) - _beside(oil + air, -1))
    jump = np.abs(behind - before)
    # In an exchange the difference changes its sign and keeps its size. A broken wire moves one
    # thermometer alone, and with it the sum of the two temperatures.
    with np.errstate(invalid="ignore"):
        turned = (np.sign(before) != np.sign(behind)) & (jump > 2 * limits.swapped_k)
        even = (np.abs(before + behind) < EVEN * jump) & (total < EVEN * jump)
        # Sun that leaves the air while the oil still warms turns the difference round as well, but
        # over an hour; an exchange moves both from one row to the next, each by the difference.
        return turned & even & _sharp(oil, air, jump / 2, several_rows)


def _sharp(oil: Bins, air: Bins, size: Bins, several_rows: bool) -> Bool[np.ndarray, " bin"]:
    """Bins at which both thermometers step by most of a size at once, one up and one down."""
    before, behind = ((_nearest(oil, side), _nearest(air, side)) for side in (-1, 1))
    if several_rows:  # the edge lies inside the bin
        return _opposite(before, behind, size)
    return _opposite(before, (oil, air), size) | _opposite((oil, air), behind, size)


def _opposite(
    first: tuple[Bins, Bins], second: tuple[Bins, Bins], size: Bins
) -> Bool[np.ndarray, " bin"]:
    """Whether oil and air step against each other by most of a size, from the first on."""
    of_oil, of_air = (after - earlier for earlier, after in zip(first, second, strict=True))
    least = np.minimum(np.abs(of_oil), np.abs(of_air))
    return (least > SHARP * size) & (np.sign(of_oil) != np.sign(of_air))


def _nearest(values: Bins, side: int) -> Bins:
    """The nearest reading on one side of each bin, the bin itself left out; NaN without one."""
    nearest = np.full(values.size, np.nan)
    for distance in range(1, EDGE_BINS + 1):
        moved = np.full(values.size, np.nan)
        if side > 0:
            moved[:-distance] = values[distance:]
        else:
            moved[distance:] = values[:-distance]
        nearest = np.where(np.isnan(nearest), moved, nearest)
    return nearest


def _beside(values: Bins, side: int) -> Bins:
    """The median of the bins on one side of each, the bin itself left out."""
    places = np.arange(values.size) + side * np.arange(1, EDGE_BINS + 1)[:, None]
    inside = (places >= 0) & (places < values.size)
    nearby = np.where(inside, values[np.clip(places, 0, values.size - 1)], np.nan)
    # NaN is sorted behind all numbers; np.nanmedian takes ten times as long.
    nearby.sort(axis=0)
    count = np.sum(~np.isnan(nearby), axis=0)
    middles = np.stack([np.maximum(count - 1, 0) // 2, count // 2 % EDGE_BINS])
    return np.take_along_axis(nearby, middles, axis=0).mean(axis=0)


def _below(above: Bins, edges: Bool[np.ndarray, " bin"]) -> Bool[np.ndarray, " bin"]:
    """Runs of bins with oil below air that touch an edge, and the edges themselves."""
    # Negated, so that empty bins do not cut a stretch in two.
    below = edges | ~(above > 0)
    mask = np.zeros(above.size, dtype=bool)
    for first, last in zip(*runs(below), strict=True):
        if edges[max(0, first - 1) : last + 2].any() and np.any(above[first : last + 1] < 0):
            mask[first : last + 1] = True
    return mask
