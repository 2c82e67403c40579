"""Gates: what no oil in a running transformer does, taken out whatever its share."""

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float

from agewise.quality.rules.stuck import usual_length
from agewise.quality.sheet import Mask, RuleFinding, Sheet, rule_findings, runs
from agewise.quality.thresholds import Thresholds
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

MOVED_PU, MOVED_K = 0.1, 3.0
"""How far the load [p.u.] or the air [K] must have moved for the oil to answer."""
WIDEST_K, WIDER_K_PER_DAY = 45.0, 10.0
"""Largest difference between two readings of one thermometer within a day [K], from a cold start at
night to full load in the sun; and what each day between them adds [K/day], for seasons differ."""
MOST_PIECES = 400
"""Most pieces between leaps that are looked at; a column with more of them is ragged all over."""
AMBIGUOUS = 1 / 3
"""Share of the readings beyond which nobody can say which of two levels is the true one."""
IN_TURN, IN_TURN_K = 2.0, 0.5
"""Factor by which, and least size [K] of it, readings must be further from their neighbours than
from those after the next, to come from two sources in turn; for one source both are the same
noise."""
RAGGED_STEP_MIN = 15.0
"""Longest step between rows [min] at which neighbours of one oil must lie on a line."""


def frozen(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """A thermometer of oil that holds one value while load or air move: for half a day, or for a
    while before or behind a step that no oil makes."""
    findings = []
    for name in sheet.oils:
        mask = _held(sheet, name, limits)
        text = "one value held while load or air move, as by a dead probe,"
        findings += rule_findings(sheet, "stuck", name, mask, text)
    return findings


def leaps(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Stretches of a thermometer that begin or end with a step which no oil and no air makes.

    The record falls into pieces at these steps. What is kept is the chain of pieces with most
    readings in which each can follow from the one before.
    """
    findings = []
    for name in (*sheet.oils, *(["ambient"] if sheet.has_air else [])):
        mask, size = _unreachable(sheet, name, limits)
        share = mask.sum() / max(1, np.sum(~np.isnan(sheet.columns[name])))
        text = f"cut off by steps that neither oil nor air makes, the largest {size:.3g} K,"
        leap_findings = rule_findings(
            sheet, "leap", name, mask, f"{text}{_lost(sheet, mask, share)}"
        )
        if share > AMBIGUOUS and name == "top_oil":
            mend = f"Find out which level of {name} is the true one, and leave the other out."
            leap_findings = [replace(finding, mend=mend) for finding in leap_findings]
        findings += leap_findings
    return findings


def ragged(sheet: Sheet, limits: Thresholds) -> list[RuleFinding]:
    """Oil that jumps to and fro from row to row: two thermometers or two units in one column."""
    if sheet.step > RAGGED_STEP_MIN * SECONDS_PER_MINUTE:
        return []
    findings = []
    for name in sheet.oils:
        values = sheet.columns[name]
        next_to, over_next = (_bend(values[~np.isnan(values)], reach) for reach in (1, 2))
        # Of two sources in turn, each agrees with the row after the next far better.
        in_turn = next_to > max(IN_TURN_K, IN_TURN * over_next)
        if next_to > limits.ragged_k or in_turn:
            text = f"jumps to and fro by {next_to:.2g} K from row to row, as no oil does,"
            ragged_findings = rule_findings(
                sheet, "ragged", name, ~np.isnan(values), text, done="kept"
            )
            mend = f"See whether {name} mixes two thermometers, two units or two files."
            findings += [replace(finding, mend=mend) for finding in ragged_findings]
    return findings


def _bend(values: Float[np.ndarray, " _"], reach: int) -> float:
    """Median distance of a reading from the mean of those `reach` places before and behind [K]."""
    if values.size <= 2 * reach:
        return 0.0
    about = (values[: -2 * reach] + values[2 * reach :]) / 2
    return float(np.median(np.abs(values[reach:-reach] - about)))


def _held(sheet: Sheet, name: str, limits: Thresholds) -> Mask:
    """Rows in which a thermometer holds one value for long while what moves it moves."""
    values, mask = sheet.columns[name], np.zeros(sheet.seconds.size, dtype=bool)
    present = np.flatnonzero(~np.isnan(values))
    seconds, steps = sheet.seconds[present], np.diff(values[present])
    # Whether each reading comes with a leap; none comes before the first or after the last.
    leap = np.pad(np.abs(steps) > _reach(np.diff(seconds), limits), 1)
    first, last = runs(steps == 0)
    last = last + 1  # a run of n equal steps has n + 1 readings
    lasts = seconds[last] - seconds[first]
    # Coarse readings stand still for an hour by themselves, and a sound one may be followed by a
    # leap: what wakes up with one has held its value longer than is usual in a day.
    woken = (leap[first] | leap[last + 1]) & (lasts > usual_length(sheet, lasts))
    woken &= lasts >= limits.stuck_min * SECONDS_PER_MINUTE
    long = lasts >= limits.frozen_hours * SECONDS_PER_HOUR
    for n in np.flatnonzero(long | woken):
        start, end = present[first[n]], present[last[n]]
        mask[start : end + 1] = _moved(sheet, int(start), int(end))
    return mask & ~np.isnan(values)


def _moved(sheet: Sheet, start: int, end: int) -> bool:
    """Whether load or air moved enough between two rows for any oil to answer."""
    for name, least in (("load", MOVED_PU), ("ambient", MOVED_K)):
        if name not in sheet.columns:
            continue
        readings = sheet.columns[name][start : end + 1]
        readings = readings[~np.isnan(readings)]
        # Nine in ten of the values: single faulty ones are no motion.
        if readings.size and np.subtract(*np.quantile(readings, [0.95, 0.05])) > least:
            return True
    return False


def _lost(sheet: Sheet, mask: Mask, share: float) -> str:
    """From when to when readings are lost, and which share of them all, in words."""
    rows = np.flatnonzero(mask)
    if not rows.size:
        return ""
    first, last = sheet.time(rows[0]), sheet.time(rows[-1])
    return f" from {first} to {last}, {100 * share:.2g} % of its readings,"


def _unreachable(sheet: Sheet, name: str, limits: Thresholds) -> tuple[Mask, float]:
    """Rows outside the longest chain of pieces that can follow each other, and the largest leap."""
    values, mask = sheet.columns[name], np.zeros(sheet.seconds.size, dtype=bool)
    present = np.flatnonzero(~np.isnan(values))
    samples, seconds = values[present], sheet.seconds[present]
    moves = np.abs(np.diff(samples))
    leap = moves > _reach(np.diff(seconds), limits)
    pieces = np.split(np.arange(samples.size), np.flatnonzero(leap) + 1)
    if not leap.any() or len(pieces) > MOST_PIECES:
        return mask, 0.0
    kept = _longest_chain(samples, seconds, pieces, limits)
    for number, piece in enumerate(pieces):
        mask[present[piece]] = not kept[number]
    return mask, float(moves[leap].max())


def _longest_chain(
    samples: Float[np.ndarray, " _"],
    seconds: Float[np.ndarray, " _"],
    pieces: list[np.ndarray],
    limits: Thresholds,
) -> Bool[np.ndarray, " piece"]:
    """Which pieces make the chain with most readings in which each can follow the one before."""
    first, last = (np.array([piece[end] for piece in pieces]) for end in (0, -1))
    rows = np.array([piece.size for piece in pieces])
    # Dynamic programming: the best chain that ends with each piece, and the piece before that.
    best, before = rows.astype(float), np.full(rows.size, -1)
    for n in range(1, rows.size):
        apart = np.abs(samples[first[n]] - samples[last[:n]])
        follows = apart <= _reach(seconds[first[n]] - seconds[last[:n]], limits)
        longest = np.where(follows, best[:n], -1.0)
        if longest.max() > 0:
            before[n] = int(longest.argmax())
            best[n] += longest.max()
    kept, place = np.zeros(rows.size, dtype=bool), int(best.argmax())
    while place >= 0:
        kept[place], place = True, int(before[place])
    return kept


def _reach(apart: Float[np.ndarray, " _"], limits: Thresholds) -> Float[np.ndarray, " _"]:
    """Largest difference [K] between readings so many seconds apart."""
    reach = limits.leap_k + limits.leap_k_per_hour * apart / SECONDS_PER_HOUR
    widest = WIDEST_K + WIDER_K_PER_DAY * apart / SECONDS_PER_DAY
    return np.minimum(reach, np.maximum(widest, limits.leap_k))
