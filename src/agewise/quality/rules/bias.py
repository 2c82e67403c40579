"""Thermometers that jump and stay there."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from agewise.quality.rules.coarse import Bins, Coarse, coarse, window_sums
from agewise.quality.rules.jumps import jumps_by_column
from agewise.quality.rules.oil_model import fed
from agewise.quality.sheet import RuleFinding, Sheet, rule_findings, runs
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_HOUR

MANY_STEPS, STEPS_A_DAY = 5, 1 / 7
"""Number of steps of one thermometer, and of steps a day, above which they are not its own:
a loose thermometer, or one that was exchanged, steps a few times in its life."""
CLOSE_BINS, CANCELLED = 1, 0.1
"""Bins on either side within which jumps are one step, and the share of the largest jump below
which their sum is none."""
PASSING_H, PASSING_SHARE = 12.0, 0.5
"""Hours within which air that steps and comes back was in the sun, and how far from there it may
come back, as a share of the step."""


def bias(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A thermometer that jumps and stays there.

    The oil is not asked where the load is in doubt, since its model would be wrong there.
    """
    if not sheet.has_air:
        return []
    view = fed(coarse(sheet))
    doubt = view.bins(sheet.heatless)
    if doubt.any():
        # On either side too: the oil goes on feeling a doubtful load for hours.
        reach = 2 * round(limits.heatless_hours * SECONDS_PER_HOUR / view.width)
        # Half, since sums by running totals are not exact.
        about = window_sums(doubt.astype(float), 1 + 2 * reach) > 0.5
        oils = (name for name in view.columns if name not in ("load", "ambient"))
        view = view.without(dict.fromkeys(oils, about))
    return [
        finding
        for name, jumps in jumps_by_column(view, limits).items()
        for finding in _biased(sheet, view, name, jumps)
    ]


def _biased(sheet: Sheet, view: Coarse, name: str, jumps: Bins) -> list[RuleFinding]:
    """The finding about the rows in which a thermometer is off: until its steps cancel out."""
    jumps = _one_each(jumps)
    count, days = int(np.count_nonzero(jumps)), view.days(name)
    many = count > MANY_STEPS and count > STEPS_A_DAY * days
    if name == "ambient" and not many:
        jumps = _lasting(jumps, round(PASSING_H * SECONDS_PER_HOUR / view.width))
    if not jumps.any():
        return []
    # Two steps never cancel exactly; less than half of the smallest one is nothing.
    off = np.abs(np.cumsum(jumps)) > 0.5 * np.abs(jumps[jumps != 0]).min()
    worst = float(jumps[np.abs(jumps).argmax()])
    text = _sudden(name, count, worst) if many else _steps(jumps, worst)
    findings = rule_findings(sheet, "bias", name, view.rows(off), text, done="kept")
    # Nobody knows which side of a step is the true one. Air and winding do not set the hot spot.
    doubt = abs(worst) if name == "top_oil" else 0.0
    return [replace(finding, doubt_k=doubt) for finding in findings]


def _one_each(jumps: Bins) -> Bins:
    """Jumps of neighbouring bins as one, where the largest is: the search corrects itself there."""
    joined = np.zeros(jumps.size)
    # Gaps of a bin or two do not part them.
    near = window_sums((jumps != 0).astype(float), 1 + 2 * CLOSE_BINS) > 0.5
    for first, last in zip(*runs(near), strict=True):
        together = jumps[first : last + 1]
        joined[first + np.abs(together).argmax()] = together.sum()
    # What cancels out within them is no step.
    return np.where(np.abs(joined) > CANCELLED * np.abs(jumps).max(initial=0.0), joined, 0.0)


def _lasting(jumps: Bins, reach: int) -> Bins:
    """Steps without those that come back within so many bins: sun, or a fan that ran a while."""
    lasting, places = jumps.copy(), np.flatnonzero(jumps)
    for first, second in pairwise(places):
        back = lasting[first] + lasting[second]
        # The first of a pair may be gone with the one before it.
        alone = lasting[first] * lasting[second] < 0 and second - first <= reach
        if alone and abs(back) < PASSING_SHARE * max(abs(lasting[first]), abs(lasting[second])):
            lasting[[first, second]] = 0.0
    return lasting


def _sudden(name: str, count: int, worst: float) -> str:
    """What is said of many steps: not the thermometer steps, but what it hangs in."""
    cause = "in sun and shade or beside a fan" if name == "ambient" else "with a loose contact"
    return (
        f"it changes suddenly {count} times, by up to {abs(worst):.1f} K, as a thermometer {cause} "
        f"does (see where it is mounted),"
    )


def _steps(jumps: Bins, worst: float) -> str:
    """What is said of a few steps."""
    count = np.count_nonzero(jumps)
    steps = "1 step" if count == 1 else f"{count} steps"
    return f"{steps} of the thermometer, the largest {worst:+.1f} K,"
