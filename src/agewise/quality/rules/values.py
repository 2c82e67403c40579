"""Rules about single cells: none, codes for none, impossible ones, spikes."""

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float

from agewise.quality.sheet import Mask, RuleFinding, Sheet, local_medians, rule_findings, runs
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

CODES = (
    *(-999.0, -999.9, -9999.0, -9999.9, -99999.0, 999.0, 999.9, 9999.0, 9999.9, 99999.0),
    *(32767.0, -32768.0, 3276.7, -3276.8, 65535.0, 6553.5, -127.0, 1e20, -1e20),
)
"""Codes that loggers write for no value: nines, the ends of 16-bit numbers (also in tenths), a
1-wire sensor that does not answer, and a fill value. None is a temperature of oil or a load."""
PLAUSIBLE_CODES = (0.0, 85.0)
"""Codes for no value that could be values: an empty register, a 1-wire sensor just switched on."""
LATE = 2.5
"""Steps of a column that is read less often than rows come, after which a reading is missing."""
BRIEF_MIN = 15.0
"""Longest stretch of a load of 0 that is a code, or of a spike [min]; what lasts may be true."""
SIDES, SIDE_MIN = (3, 8), 10.0
"""Fewest and most samples on either side with which a sample is compared, and the time within which
they lie otherwise [min]."""
SPREAD = 2.0
"""Factor on their usual span over which these neighbours may spread in time; across a hole they say
nothing about the sample."""
MOST_SAMPLES = 3
"""Most neighbouring samples that one spike has."""
PASSES = 4
"""Number of searches for spikes, each without those that were found before."""
BLOCK = 240
"""Number of samples over which the noise is taken as even."""
NORMAL_MAD, NORMAL_Q80 = 1.4826, 0.7803
"""Standard deviations in the median and the 80 % quantile of absolute deviations, for normal
noise; the second is steadier when a coarse sensor has only a few of them."""
NORMAL_SCALES = np.array([NORMAL_MAD, NORMAL_Q80])
"""Both factors, in the order of the quantiles in `noise`."""


def missing(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Cells without a number."""
    return [
        finding
        for name in sheet.columns
        for finding in rule_findings(sheet, "missing", name, _lacking(sheet, name), "no value")
    ]


def _lacking(sheet: Sheet, name: str) -> Mask:
    """Rows without a value; in a column that is read less often, those where a reading is due."""
    empty = np.isnan(sheet.columns[name])
    step, read = sheet.steps.get(name), np.flatnonzero(~empty)
    if step is None or read.size < 2:
        return empty
    times = sheet.seconds[read]
    behind = np.clip(np.searchsorted(times, sheet.seconds), 1, times.size - 1)
    between = times[behind] - times[behind - 1]
    outside = (sheet.seconds < times[0] - step) | (sheet.seconds > times[-1] + step)
    return empty & ((between > LATE * step) | outside)


def sentinel(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Codes that loggers write for no value."""
    return [
        finding
        for name, values in sheet.columns.items()
        for finding in rule_findings(
            sheet,
            "sentinel",
            name,
            np.isin(values, CODES) | _odd_codes(sheet, name, limits),
            "codes for no value",
        )
    ]


def reverse(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Loads below zero by more than an offset: power flows back, and heats by its magnitude."""
    load = sheet.columns["load"]
    # Further below it is no load at all, which is for `impossible`.
    mask = (load < -limits.load_negative_pu) & (load >= -limits.load_high_pu)
    least = load[mask].min() if mask.any() else 0.0
    text = f"power flows back, down to {least:.3g} p.u., and heats as much as forward power,"
    findings = rule_findings(sheet, "reverse", "load", mask, text, done="magnitude taken")
    turned = {"load": np.where(mask, -load, load)}
    return [replace(finding, changes=turned) for finding in findings]


def impossible(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Cells beyond what the quantity can be; small negative loads become 0 in the repair."""
    findings = []
    for name, values in sheet.columns.items():
        if name == "load":
            low, high, unit = -limits.load_negative_pu, limits.load_high_pu, "p.u."
        else:
            low, high, unit = limits.temperature_low_c, highest(name, limits), "°C"
        bad = (values < low) | (values > high)
        if name == "ambient":
            high = limits.ambient_high_c
            bad |= (values > high) & ~sheet.swapped  # exchanged columns: this is the oil
        worst = values[bad][0] if bad.any() else 0.0
        text = f"impossible values beyond {low:g} to {high:g} {unit}, the first is {worst:g},"
        findings += rule_findings(sheet, "range", name, bad, text)
    return findings


def highest(name: str, limits: Thresholds) -> float:
    """Highest temperature that a thermometer of that name can show in service [°C]."""
    if name == "ambient":
        return limits.temperature_high_c  # a higher one than 60 °C may be the oil's, exchanged
    return limits.winding_high_c if name == "winding" else limits.oil_high_c


def spikes(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Single samples of a thermometer, or three at most, far from those about them."""
    return [
        finding
        for name in sheet.thermometers
        for finding in rule_findings(
            sheet, "spikes", name, _spiked(sheet, name, limits), "single samples far off"
        )
    ]


def _spiked(sheet: Sheet, name: str, limits: Thresholds) -> Mask:
    """Rows of spikes, searched several times, since a spike may hide the next one."""
    mask = np.zeros(sheet.seconds.size, dtype=bool)
    step_min = sheet.step / SECONDS_PER_MINUTE
    most = int(np.clip(round(BRIEF_MIN / step_min), 1, MOST_SAMPLES))
    side = int(np.clip(round(SIDE_MIN / step_min), *SIDES))
    least = limits.spike_k + limits.spike_k_per_hour * sheet.step / SECONDS_PER_HOUR
    for _ in range(PASSES):
        present = np.flatnonzero(~np.isnan(sheet.columns[name]) & ~mask)
        if present.size < 2 * side + 1:
            break
        samples = sheet.columns[name][present]
        off = samples - local_medians(samples, side)
        far = np.maximum(least, limits.spike_sigmas * noise(off))
        judged = _span(sheet.seconds[present], side) <= SPREAD * 2 * side * sheet.step
        spiked = _brief(samples, judged & (np.abs(off) > far), far, most)
        if not spiked.any():
            break
        mask[present[spiked]] = True
    return mask


def _span(seconds: Float[np.ndarray, " _"], side: int) -> Float[np.ndarray, " _"]:
    """Time [s] from the first to the last of the samples about each."""
    places = np.arange(seconds.size)
    last = np.minimum(places + side, seconds.size - 1)
    return seconds[last] - seconds[np.maximum(places - side, 0)]


def _brief(
    samples: Float[np.ndarray, " _"],
    odd: Bool[np.ndarray, " _"],
    far: Float[np.ndarray, " _"],
    most: int,
) -> Bool[np.ndarray, " _"]:
    """Odd samples, a few at most, between neighbours that agree: no edge of a step."""
    first, last = runs(odd)
    before, behind = np.maximum(first - 1, 0), np.minimum(last + 1, samples.size - 1)
    # At an end of the series there is one neighbour only, and nothing to disagree with.
    within = (first == 0) | (last == samples.size - 1)
    within |= np.abs(samples[before] - samples[behind]) <= far[first]
    brief = np.zeros(odd.size, dtype=bool)
    for start, end in zip(first[within], last[within], strict=True):
        brief[start : end + 1] = end - start < most
    return brief


def noise(deviations: Float[np.ndarray, " _"]) -> Float[np.ndarray, " _"]:
    """A standard deviation about each sample that outliers do not move, block by block.

    Args:
        deviations: Distances of the samples from what their neighbours say.
    """
    size = min(BLOCK, deviations.size)
    blocks = deviations.size // size
    parts = np.abs(deviations[: blocks * size]).reshape(blocks, size)
    ranks = [size // 2, int(0.8 * size)]
    sizes = np.partition(parts, ranks, axis=1)[:, ranks] * NORMAL_SCALES
    # The rest, which fills no block, has the noise of the last one.
    spread = np.repeat(sizes.max(axis=1), size)
    return np.append(spread, np.full(deviations.size - spread.size, spread[-1]))


def _odd_codes(sheet: Sheet, name: str, limits: Thresholds) -> Mask:
    """Stretches of a plausible code, far from what stands before and behind them."""
    values, mask = sheet.columns[name], np.zeros(sheet.seconds.size, dtype=bool)
    drift = limits.spike_k_per_hour * sheet.step / SECONDS_PER_HOUR
    far = limits.sentinel_pu if name == "load" else limits.sentinel_k + drift
    # A load knows the empty register only; 85.0 is the code of a thermometer.
    for code in PLAUSIBLE_CODES[: 1 if name == "load" else 2]:
        away = ~np.isnan(values) & (values != code) & ~np.isin(values, CODES)
        if not away.any():
            continue
        # Codes of any kind side by side make one stretch, compared with the values beside it.
        first, last = runs((values == code) | np.isin(values, CODES))
        # The nearest value that is no code, behind and before each stretch.
        places, rows = np.flatnonzero(away), np.arange(values.size)
        behind = places[np.minimum(np.searchsorted(places, rows[last]), places.size - 1)]
        before = places[np.maximum(np.searchsorted(places, rows[first]) - 1, 0)]
        odd = (np.abs(values[before] - code) > far) & (np.abs(values[behind] - code) > far)
        # A load may be nothing for hours; no oil and no air leaps to a code and back.
        if name == "load":
            odd &= sheet.seconds[last] - sheet.seconds[first] < BRIEF_MIN * SECONDS_PER_MINUTE
        for start, end in zip(first[odd], last[odd], strict=True):
            mask[start : end + 1] = values[start : end + 1] == code
    return mask
