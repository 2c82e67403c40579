"""Rules about stretches that leave what is usual at once, and come back at once."""

from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from agewise.quality.rules.values import noise
from agewise.quality.sheet import Mask, RuleFinding, Sheet, local_medians, rule_findings
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_HOUR

SIDE, PAIR = 3, 2
"""Number of samples on either side with which a sample is compared, and largest number of samples
that still count as single."""
EMERGENCY_PU = 2.0
"""Largest load in IEC 60076-7 [p.u.], of a distribution transformer in a short emergency."""
LONGEST_H = 3.0
"""Longest excursion of a thermometer [h]; what lasts longer is a step, for the rule `bias`."""
EVEN = 0.5
"""Share of the jump away by which the jump back may differ from it."""


def excursions(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A thermometer that jumps away and jumps back: no oil and no air does both."""
    return [
        finding
        for name in sheet.thermometers
        for finding in rule_findings(
            sheet, "spikes", name, _excursion(sheet, name, limits), "jumps away and back"
        )
    ]


def overloads(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Single loads, or pairs, far above all that lasts: an emergency, or a decimal point.

    Beyond the largest load that the guide knows they are left out. What lasts is kept.
    """
    load, brief = sheet.columns["load"], _brief_overload(sheet, limits)
    beyond = np.nan_to_num(load) > EMERGENCY_PU
    single = "single samples far above all others"
    lasting = f"more than any transformer is made for ({EMERGENCY_PU:g} p.u.)"
    findings = []
    for kind, mask, what, done in (
        ("spikes", brief & beyond, single, "left out"),
        ("spikes", brief & ~beyond, single, "kept"),
        ("range", beyond & ~brief, lasting, "kept"),
    ):
        if mask.any():
            text = f"{what}, up to {load[mask].max():.3g} p.u.,"
            findings += rule_findings(sheet, kind, "load", mask, text, done=done)
    return findings


def _excursion(sheet: Sheet, name: str, limits: Thresholds) -> Mask:
    """Rows between a jump away and a jump back of about the same size, within hours."""
    values = sheet.columns[name]
    mask, present = np.zeros(values.size, dtype=bool), np.flatnonzero(~np.isnan(values))
    if present.size < 2 * SIDE + 1:
        return mask
    samples, seconds = values[present], sheet.seconds[present]
    least = limits.spike_k + limits.spike_k_per_hour * sheet.step / SECONDS_PER_HOUR
    far = np.maximum(least, limits.spike_sigmas * noise(samples - local_medians(samples, SIDE)))
    moves = np.diff(samples, prepend=samples[0])
    # Across a gap the oil has had time to move, so a difference there is no jump.
    close = np.diff(seconds, prepend=seconds[0]) <= limits.gap_steps * sheet.step
    edges = np.flatnonzero((np.abs(moves) > far) & close)
    for out, back in pairwise(edges):
        # Away and back have opposite signs, so that equal jumps cancel.
        even = abs(moves[out] + moves[back]) <= EVEN * abs(moves[out])
        if even and seconds[back] - seconds[out] <= LONGEST_H * SECONDS_PER_HOUR:
            mask[present[out:back]] = True
    # Where most rows are concerned, the others may be the ones that are off.
    return mask if 2 * mask.sum() < present.size else np.zeros_like(mask)


def _brief_overload(sheet: Sheet, limits: Thresholds) -> Mask:
    """Loads above all that three samples in a row have."""
    load = sheet.columns["load"]
    mask, present = np.zeros(load.size, dtype=bool), np.flatnonzero(~np.isnan(load))
    if present.size < 2 * SIDE + 1:
        return mask
    samples = load[present]
    # The highest of all lows of three samples in a row: what a pair of samples cannot reach.
    lasting = float(sliding_window_view(samples, PAIR + 1).min(axis=1).max())
    least = max(limits.load_spike_factor * lasting, lasting + limits.load_spike_pu)
    mask[present] = samples > least
    return mask
