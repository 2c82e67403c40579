"""A coarse view of a sheet: means over equal bins of time, for rules about hours and days."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.signal import lfilter, oaconvolve

from agewise.data.sheet import Mask, Sheet

BIN_S = 300.0
"""s: the narrowest bin; wider where the sampling is."""

Bins = Float[np.ndarray, " bin"]


@dataclass(frozen=True, eq=False)
class Coarse:
    """Means by bin; NaN where a bin has no observation."""

    width: float
    """s"""
    bin: Int[np.ndarray, " row"]
    """Of each row of the sheet."""
    columns: dict[str, Bins]

    def rows(self, bins: Bool[np.ndarray, " bin"]) -> Mask:
        """The rows of the sheet in some bins."""
        return bins[self.bin]


def coarse(sheet: Sheet) -> Coarse:
    """The sheet by bins of five minutes or of its step."""
    width = max(BIN_S, sheet.step)
    place = ((sheet.seconds - sheet.seconds[0]) / width + 1e-9).astype(int)
    count = int(place[-1]) + 1
    columns = {name: _means(values, place, count) for name, values in sheet.columns.items()}
    return Coarse(width, place, columns)


def lagged(values: Bins, bins: float) -> Bins:
    """The values through a first-order lag of so many bins, steady at the start; no NaN in it."""
    keep = np.exp(-1.0 / bins)
    return np.asarray(lfilter([1 - keep], [1.0, -keep], values, zi=[keep * values[0]])[0])


def filled(values: Bins) -> Bins:
    """Straight lines across what is missing."""
    present = np.flatnonzero(~np.isnan(values))
    if not present.size:
        return np.zeros(values.size)
    return np.interp(np.arange(values.size), present, values[present])


def steps(values: Bins, reach: int) -> Bins:
    """By how much the values jump in each bin: straight lines through `reach` bins on either side,
    the bin itself left out; NaN where a quarter of them is missing."""
    return _end(values[::-1], reach)[::-1] - _end(values, reach)


def _end(values: Bins, reach: int) -> Bins:
    """The end, in each bin, of the straight line through the `reach` bins before it."""
    away = np.arange(1, reach + 1, dtype=float)  # bins back from here
    seen, known = ~np.isnan(values), np.nan_to_num(values - np.nanmedian(values))
    weight, known = seen.astype(float), np.where(seen, known, 0.0)
    s0, s1, s2 = (_sum(weight, away**power) for power in (0, 1, 2))
    y0, y1 = (_sum(known, away**power) for power in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        end = (s2 * y0 - s1 * y1) / (s0 * s2 - s1**2)
    return np.where(s0 >= 0.75 * reach, end, np.nan)


def _sum(values: Bins, kernel: Float[np.ndarray, " _"]) -> Bins:
    """The sum of kernel[k] values[i - 1 - k] over k."""
    whole = oaconvolve(values, kernel)
    return np.concatenate([[0.0], whole[: values.size - 1]])


def _means(values: Float[np.ndarray, " row"], place: np.ndarray, count: int) -> Bins:
    seen = ~np.isnan(values)
    total = np.bincount(place[seen], values[seen], minlength=count)
    number = np.bincount(place[seen], minlength=count)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)
