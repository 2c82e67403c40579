"""Load without heat: hours in which the oil does not follow a raised load."""

from dataclasses import replace

import numpy as np

from agewise.quality.rules.coarse import Bins, Coarse, coarse, window_sums
from agewise.quality.rules.jumps import jumps_by_column
from agewise.quality.rules.oil_model import fed, stiff_errors
from agewise.quality.rules.values import NORMAL_MAD
from agewise.quality.sheet import RuleFinding, Sheet, rule_findings, runs
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_HOUR

JUMP_SHARE = 0.5
"""Share of the missing temperature rise that a step of the thermometer must have to explain it."""


def heatless(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Load raised for hours while the oil does not follow."""
    if "top_oil" not in sheet.columns or not sheet.has_air:
        return []
    view = fed(coarse(sheet))
    if view.days("top_oil") < limits.physics_days:
        return []
    errors = stiff_errors(view, view.columns["ambient"], view.columns["top_oil"])
    short = _short(errors, view, limits)
    # A thermometer that steps down looks like missing heat too; asked only now, as it is slow.
    if short.any():
        jumps = jumps_by_column(view.only("load", "ambient", "top_oil"), limits)
        short = _without_jumps(short, jumps.get("top_oil", np.zeros(short.size)), view, limits)
    mask = view.rows(short > 0)
    text = f"the oil is up to {short.max():.1f} K cooler than this load would make it"
    findings = rule_findings(sheet, "heatless", "load", mask, text, done="kept")
    # What the oil is short of is the size of the load's error, which moves the winding as well.
    doubt = float(short.max())
    return [replace(finding, marks={"heatless": mask}, doubt_k=doubt) for finding in findings]


def _short(errors: Bins, view: Coarse, limits: Thresholds) -> Bins:
    """Mean over some hours by which the oil is too cool [K], where that stands out; 0 elsewhere."""
    hours = limits.heatless_hours * SECONDS_PER_HOUR
    mean = _rolling_mean(errors, max(1, round(hours / view.width)))
    mean = mean - np.nanmedian(mean)  # what is always so is the model's error, not the load's
    scale = NORMAL_MAD * np.nanmedian(np.abs(mean))
    cold = mean < -max(limits.heatless_k, limits.heatless_sigmas * scale)
    return np.where(cold, -mean, 0.0)


def _without_jumps(short: Bins, jumps: Bins, view: Coarse, limits: Thresholds) -> Bins:
    """Missing heat [K] without the stretches that a step of the thermometer begins or ends."""
    unexplained = short.copy()
    reach = max(1, round(limits.heatless_hours * SECONDS_PER_HOUR / view.width))
    for first, last in zip(*runs(short > 0), strict=True):
        # A step down where the heat begins to lack, or up where it ends, would look the same.
        down = -jumps[max(0, first - reach) : first + reach].min()
        up = jumps[max(0, last - reach) : last + reach].max()
        if max(down, up) > JUMP_SHARE * short[first : last + 1].max():
            unexplained[first : last + 1] = 0.0
    return unexplained


def _rolling_mean(values: Bins, width: int) -> Bins:
    """The mean over `width` bins about each; NaN where fewer than half of them have a value."""
    count = window_sums((~np.isnan(values)).astype(float), width)
    total = window_sums(np.nan_to_num(values), width)
    return np.where(count >= width / 2, total / np.maximum(count, 1), np.nan)
