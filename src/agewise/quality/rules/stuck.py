"""Rules about stretches that no noisy sensor gives: one value held, or a straight line.

What is unusual is asked of the column itself: a coarse sensor, a load that is written once in a
quarter of an hour, a sun that is down all night have many such stretches, and none is a fault.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float

from agewise.quality.sheet import Mask, RuleFinding, Sheet, rule_findings, runs
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_MINUTE

LEAST_LINKS = 5
"""Fewest steps of a stretch, however coarse the sampling."""
RIVALS_A_DAY, LEAST_RIVALS = 1.0, 3
"""Rank, by length, of the stretch with which the others are compared: so many a day of record, but
at least so many. What occurs every day is usual."""
CHANCE = 1e-6
"""Probability below which a run of equal or straight samples is no coincidence."""
MOSTLY = 0.5
"""Share of a column beyond which such stretches are its nature: they are kept, with a finding."""
ROUNDING = 1.5
"""Largest bend of a rounded straight line, in units of the last digit."""
IDLE_DAYS, IDLE_SHARE, IDLE_BIN_S = 3, 0.9, 900.0
"""Fewest days with rows at an hour, and share of the other days with a load then, that make a load
of 0 odd; width of the bins in which hours are compared [s]."""

Samples = Float[np.ndarray, " _"]
"""Observations of a column, without its empty cells."""


def stuck(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A thermometer that holds one value for long."""
    return [finding for name in sheet.thermometers for finding in _stuck(sheet, name, limits)]


def stuck_load(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A load other than 0 that holds one value for long."""
    return _stuck(sheet, "load", limits)


def interpolated(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A thermometer that runs straight for long."""
    return [
        finding for name in sheet.thermometers for finding in _interpolated(sheet, name, limits)
    ]


def interpolated_load(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A load that runs straight for long."""
    return _interpolated(sheet, "load", limits)


def _stuck(sheet: Sheet, name: str, limits: Thresholds) -> list[RuleFinding]:
    present, samples = _present(sheet, name)
    links = np.diff(samples) == 0
    if name == "load":
        links &= samples[1:] != 0  # a load of 0 may last; `idle` asks whether it is odd
    lengths = Lengths(limits.stuck_min, limits.stuck_factor)
    mask = _unusual(sheet, present, _joined(links, 1), lengths)
    return _stretch_findings(sheet, "stuck", name, mask, "one value held")


def _interpolated(sheet: Sheet, name: str, limits: Thresholds) -> list[RuleFinding]:
    present, samples = _present(sheet, name)
    lengths = Lengths(limits.interpolated_min, limits.interpolated_factor)
    mask = _unusual(sheet, present, _lines(samples), lengths)
    return _stretch_findings(sheet, "interpolated", name, mask, "a straight line without any noise")


def _present(sheet: Sheet, name: str) -> tuple[np.ndarray, Samples]:
    """The places and values of a column's observations."""
    present = np.flatnonzero(~np.isnan(sheet.columns[name]))
    return present, sheet.columns[name][present]


def idle(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A load of 0 at hours at which other days have one: out of service, or a recorder stuck."""
    load = sheet.columns["load"]
    since = sheet.seconds - sheet.seconds[0]  # the earliest row need not be the first of the file
    hour = (since % SECONDS_PER_DAY // IDLE_BIN_S).astype(int)
    day = (since // SECONDS_PER_DAY).astype(int)
    shape = (day[-1] + 1, int(SECONDS_PER_DAY / IDLE_BIN_S))
    recorded, busy = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    recorded[day, hour] = True
    busy[day[load > limits.sentinel_pu], hour[load > limits.sentinel_pu]] = True
    # One day less than were recorded: the idle day itself is among them.
    odd = (recorded.sum(axis=0) >= IDLE_DAYS) & (
        busy.sum(axis=0) >= IDLE_SHARE * (recorded.sum(axis=0) - 1)
    )
    mask = _lasting(sheet, (load == 0) & odd[hour], limits.stuck_min)
    text = "no load at hours when other days have one (out of service, or a stuck recorder)"
    return rule_findings(sheet, "stuck", "load", mask, text, done="kept")


def last_digit(values: Samples) -> float:
    """The unit of the last digit in which a column is written, as 0.1: most samples fit it."""
    # Two thousand samples tell how a column is written.
    sample = values[:: max(1, values.size // 2000)]
    for digits in range(7):
        if np.mean(np.abs(sample - sample.round(digits)) < 1e-9) > 0.8:
            return 10.0**-digits
    return 1e-7


def usual_length(sheet: Sheet, lengths: Samples) -> float:
    """The length that stretches of a column reach about once a day [s]; 0 where there are few."""
    rank = max(LEAST_RIVALS, round(RIVALS_A_DAY * sheet.days))
    return float(np.sort(lengths)[-rank]) if lengths.size >= rank else 0.0


@dataclass(frozen=True)
class Lengths:
    """How long is long."""

    least_min: float
    """Shortest length that counts as long [min]."""
    factor: float
    """How many times longer than the column's other stretches."""

    def long(self, sheet: Sheet, lengths: Samples, links: float) -> Bool[np.ndarray, " _"]:
        """Which lengths [s] are at least so long, and stand out among the others.

        `links` is the share of samples that are joined to the one before; a run that chance would
        give is not long.
        """
        rival = usual_length(sheet, lengths)
        # A run of n links has the probability links^n, and can begin at any sample. The share is
        # kept away from 0 and 1, where its logarithm is of no use.
        least = self.least_min * SECONDS_PER_MINUTE - sheet.step  # both ends count
        chance = np.log(CHANCE / sheet.seconds.size) / np.log(min(max(links, 0.01), 0.999))
        long = lengths >= max(least, self.factor * rival, chance * sheet.step)
        # A stretch over most of the file is long whatever its rivals are.
        return long | (lengths > MOSTLY * SECONDS_PER_DAY * sheet.days)


@dataclass(frozen=True, eq=False)
class Joined:
    """Unbroken stretches of samples that are joined to their neighbours."""

    first: np.ndarray
    """Place of the first sample of each stretch."""
    last: np.ndarray
    """Place of the last sample of each stretch, included."""
    share: float
    """Share of all samples that are joined to the one before."""


def _joined(links: Bool[np.ndarray, " _"], reach: int) -> Joined:
    """Runs of links that are long enough to be looked at.

    Args:
        links: Whether each sample is joined to the next one (or two).
        reach: Number of samples from the first of a link to its last: 1 for equal values, 2 for
            bends, which need three samples.
    """
    first, last = runs(links)
    last = last + reach
    enough = last - first >= LEAST_LINKS
    return Joined(first[enough], last[enough], float(links.mean()) if links.size else 0.0)


def _lines(samples: Samples) -> Joined:
    """Straight, sloping stretches; none where a column is so coarse that all of it is straight."""
    if samples.size <= LEAST_LINKS:
        return _joined(np.zeros(0, dtype=bool), 2)
    bends, moves = np.abs(np.diff(samples, n=2)), np.diff(samples)[1:] != 0
    allowed = ROUNDING * last_digit(samples) + 1e-9
    if not moves.any() or np.median(bends[moves]) <= allowed:
        return _joined(np.zeros(0, dtype=bool), 2)
    bent = _joined(bends <= allowed, 2)
    pairs = zip(bent.first, bent.last, strict=True)
    straight = [_is_line(samples[first : last + 1], allowed) for first, last in pairs]
    return Joined(bent.first[straight], bent.last[straight], bent.share)


def _is_line(samples: Samples, allowed: float) -> bool:
    """Whether samples lie on one sloping line; bends that are small each can add up to a curve."""
    chord = np.linspace(samples[0], samples[-1], samples.size)
    # A line that does not slope is one value held, which is for `stuck`.
    return bool(np.abs(samples - chord).max() <= allowed < np.ptp(samples))


def _unusual(sheet: Sheet, present: np.ndarray, joined: Joined, lengths: Lengths) -> Mask:
    """Rows in stretches of present samples that are long."""
    mask = np.zeros(sheet.seconds.size, dtype=bool)
    if joined.first.size:
        first, last = present[joined.first], present[joined.last]
        long = lengths.long(sheet, sheet.seconds[last] - sheet.seconds[first], joined.share)
        for start, end in zip(first[long], last[long], strict=True):
            mask[start : end + 1] = True
    return mask


def _lasting(sheet: Sheet, mask: Mask, least_min: float) -> Mask:
    """The runs of a mask that last."""
    lasting = np.zeros(mask.size, dtype=bool)
    for start, end in zip(*runs(mask), strict=True):
        lasts = sheet.seconds[end] - sheet.seconds[start]
        lasting[start : end + 1] = lasts >= least_min * SECONDS_PER_MINUTE - sheet.step
    return lasting


def _stretch_findings(
    sheet: Sheet, kind: str, name: str, mask: Mask, what: str
) -> list[RuleFinding]:
    """Findings about long stretches: left out, but kept where most of the column is so."""
    mask = mask & ~np.isnan(sheet.columns[name])
    if mask.sum() > MOSTLY * np.sum(~np.isnan(sheet.columns[name])):
        text = f"{what} for most of the time"
        findings = rule_findings(sheet, kind, name, mask, text, done="kept")
        mend = "Give a top oil that was measured all the time." if name == "top_oil" else ""
        return [replace(finding, mend=mend) for finding in findings]
    return rule_findings(sheet, kind, name, mask, what)
