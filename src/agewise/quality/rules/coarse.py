"""A coarse view of a sheet: means over equal bins of time, for rules about hours and days.

Filters are written with NumPy and LAPACK: importing scipy.signal and scipy.ndimage takes as long as
checking a small file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy.fft import irfft, rfft
from scipy.linalg import lapack

from agewise.quality.sheet import Mask, Sheet
from agewise.units import SECONDS_PER_DAY

BIN_S = 300.0
"""Width of the narrowest bin [s]; wider where the sampling is."""

LEVEL = 1e3
"""Variance of the unknown level of a smooth signal, in units of the signal's own variance."""

Bins = Float[np.ndarray, " bin"]
"""Numbers by bin of a coarse view."""


@dataclass(frozen=True, eq=False)
class Coarse:
    """Means by bin; NaN where a bin has no observation."""

    width: float
    """Width of a bin [s]."""
    bin: Int[np.ndarray, " row"]
    """The bin in which each row of the sheet lies."""
    columns: dict[str, Bins]
    """Load [p.u.] and temperatures [°C] by bin."""

    def days(self, name: str) -> float:
        """Days with an observation of a column."""
        return float(np.sum(~np.isnan(self.columns[name]))) * self.width / SECONDS_PER_DAY

    def only(self, *names: str) -> "Coarse":
        """The same view with these columns alone."""
        return replace(self, columns={name: self.columns[name] for name in names})

    def without(self, bins: Mapping[str, Bool[np.ndarray, " bin"]]) -> "Coarse":
        """The same view with the marked bins of some columns emptied."""
        emptied = {name: np.where(mask, np.nan, self.columns[name]) for name, mask in bins.items()}
        return replace(self, columns={**self.columns, **emptied})

    def bins(self, rows: Mask) -> Bool[np.ndarray, " bin"]:
        """The bins with some rows of the sheet in them."""
        count = next(iter(self.columns.values())).size
        return np.bincount(self.bin[rows], minlength=count) > 0

    def rows(self, bins: Bool[np.ndarray, " bin"]) -> Mask:
        """The rows of the sheet in some bins."""
        return bins[self.bin]


def coarse(sheet: Sheet) -> Coarse:
    """The sheet by bins of five minutes or of its step."""
    width = max(BIN_S, sheet.step)
    # A hair is added, so that rows which fall on an edge are not rounded into the bin before it.
    place = ((sheet.seconds - sheet.seconds[0]) / width + 1e-9).astype(int)
    count = int(place[-1]) + 1
    columns = {name: _means(values, place, count) for name, values in sheet.columns.items()}
    return Coarse(width, place, columns)


def lagged(values: Bins, bins: float) -> Bins:
    """The values behind a first-order lag.

    $y_i - k y_{i-1} = (1 - k) x_i$ with $k = e^{-1/bins}$, solved as one banded system.

    Args:
        values: The input, without NaN; taken as steady before the first bin.
        bins: Time constant of the lag, in bins.
    """
    keep = np.exp(-1.0 / bins)
    inputs = (1 - keep) * values
    inputs[0] = values[0]
    # Ones on the diagonal, one band below: a single pass of LAPACK in place of a loop.
    bands = np.stack([np.ones(values.size), np.full(values.size, -keep)])
    solution, _ = lapack.dtbtrs(bands, inputs[:, None], uplo="L", diag="U")
    return solution[:, 0]


def window_sums(values: Bins, width: int) -> Bins:
    """The sum over `width` bins about each, with nothing beyond the ends."""
    # Differences of running totals, so that the cost does not grow with the width.
    total = np.concatenate([[0.0], np.cumsum(values)])
    first = np.arange(values.size) - width // 2
    ends = np.clip([first, first + width], 0, values.size)
    return total[ends[1]] - total[ends[0]]


def filled(values: Bins) -> Bins:
    """The values with straight lines across what is missing, and constant beyond the ends."""
    present = np.flatnonzero(~np.isnan(values))
    if not present.size:
        return np.zeros(values.size)
    return np.interp(np.arange(values.size), present, values[present])


def edge_weights(reach: int, lag: float, noise: float) -> Float[np.ndarray, " reach"]:
    r"""Weights of the last `reach` bins, nearest first, in what a smooth signal is one bin on.

    The signal has covariance $c + e^{-d^2/2\ell^2}$ with a large $c$ (its level is unknown) and
    `noise` times its standard deviation as noise in every bin: kriging.
    """
    # Place 0 is where the signal is asked for; the bins that were read follow it.
    place = np.arange(reach + 1, dtype=float)
    smooth = LEVEL + np.exp(-((place[:, None] - place) ** 2) / (2 * lag**2))
    return np.linalg.solve(smooth[1:, 1:] + noise**2 * np.eye(reach), smooth[1:, 0])


def steps(values: Bins, weights: Float[np.ndarray, " reach"]) -> Bins:
    """By how much the values jump in each bin.

    What the bins behind it say the signal is there, less what those before it say; NaN where more
    than a quarter of either is missing, and at the ends.
    """
    observed, continuous = ~np.isnan(values), filled(values)
    share = np.ones(weights.size) / weights.size
    # From behind as from before, in a series that is turned round.
    jump = _before(continuous[::-1], weights)[::-1] - _before(continuous, weights)
    coverage = np.minimum(_before(observed, share), _before(observed[::-1], share)[::-1])
    inside = np.arange(values.size)
    inside = (inside >= weights.size) & (inside < values.size - weights.size)
    # Shares come from products of spectra, whose rounding must not turn 0.75 into less.
    return np.where(inside & (coverage >= 0.75 - 1e-6), jump, np.nan)


def _before(values: np.ndarray, kernel: Float[np.ndarray, " _"]) -> Bins:
    """The sum of kernel[k] values[i - 1 - k] over k, as a product of spectra."""
    # A circle longer than both together, so that its end does not run into its beginning.
    circle = 1 << (values.size + kernel.size).bit_length()
    spectrum = rfft(values.astype(float), circle) * rfft(kernel, circle)
    return np.concatenate([[0.0], irfft(spectrum, circle)[: values.size - 1]])


def _means(values: Float[np.ndarray, " row"], place: np.ndarray, count: int) -> Bins:
    observed = ~np.isnan(values)
    total = np.bincount(place[observed], values[observed], minlength=count)
    number = np.bincount(place[observed], minlength=count)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)
