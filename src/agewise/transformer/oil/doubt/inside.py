"""What sensors between the ends teach of the equation's error and of its constants."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve, solve_triangular

from agewise.transformer.oil.doubt.profile_doubt import (
    CONSTANT_SHARE,
    MODES,
    SIZE,
    SIZE_LOG_STD,
    Amplitudes,
    hats,
    knots_of,
    shapes,
    wandering_covariance,
)

CONSTANT_SIZES = np.geomspace(0.002, 1.0, 14)
WANDERING_SIZES = np.geomspace(0.0005, 0.5, 12)
"""Sizes of the constant part of the equation's error and of what wanders that are tried [1]. They
are learned apart: a week shows how an error wanders a hundred times, and its constant part once."""
RATIO, RATIO_LOG_STD = ((1 - CONSTANT_SHARE) / CONSTANT_SHARE) ** 0.5, 0.8
"""Median of the size of what wanders over that of the constant part, and standard deviation of its
logarithm: where nothing wanders, a large constant error is unlikely too, but not impossible."""
LEAST_STD = 0.02
"""Least standard deviation of the mean of a cell [K]: no thermometer is better calibrated."""


@dataclass(frozen=True, eq=False)
class InsideReadings:
    """Means of cells of readings between the ends, less what the equation expects there."""

    points: Float[np.ndarray, "cell 2"]
    """Height (fraction) and instant (share of the window) of each cell."""
    error: Float[np.ndarray, " cell"]
    """Mean reading minus expected oil [K]."""
    std: Float[np.ndarray, " cell"]
    """Standard deviation of that mean [K]."""


@dataclass(frozen=True, eq=False)
class Taught:
    """Draws of constants and coefficients, given the readings inside."""

    constants: Float[np.ndarray, "draw constant"]
    """Departures of the constants."""
    amplitudes: Amplitudes
    """Coefficients of the equation's error."""
    size: float
    """Root mean square of its coefficients [1]."""


def taught(
    readings: InsideReadings,
    span: Float[np.ndarray, " cell"],
    sensitivity: Float[np.ndarray, "cell constant"],
    constants: Float[np.ndarray, "draw constant"],
    window: float,
    *,
    rng: np.random.Generator,
) -> Taught:
    """Condition constants and the equation's error on the readings.

    Given the sizes of its parts everything is Gaussian; sizes are weighed by how well they explain
    the readings, and by the prior.

    Args:
        readings: Errors of the expected oil at the sensors.
        span: Top minus bottom oil at every cell [K].
        sensitivity: Change of the oil at every cell for a change of each constant by one [K].
        constants: Draws of the departures of the constants before.
        window: Length of the window [s].
        rng: Source of the random numbers.
    """
    knots, count = knots_of(window), len(constants)
    own, times = constants.shape[1], readings.points[:, 1]
    modes = (span * shapes(readings.points[:, 0])).T
    at_knots = (modes[:, :, None] * hats(knots, times)[:, None, :]).reshape(len(span), -1)
    design = np.concatenate([sensitivity, modes, at_knots], axis=1) / readings.std[:, None]
    target = readings.error / readings.std
    gram, moment = design.T @ design, design.T @ target
    known = _Known(
        constants.mean(axis=0),
        np.linalg.inv(np.cov(constants.T) + 1e-8 * np.eye(own)),
        np.kron(
            np.eye(MODES),
            np.linalg.inv(wandering_covariance(knots, window) + 1e-9 * np.eye(knots.size)),
        ),
    )
    sizes = [(c, w) for c in CONSTANT_SIZES for w in WANDERING_SIZES]
    fits = [_Fit.of(gram, moment, known, *pair) for pair in sizes]
    log_weights = np.array([fit.log_evidence for fit in fits])
    constant, wandering = np.array(sizes).T
    log_weights -= 0.5 * (np.log(constant / SIZE) / SIZE_LOG_STD) ** 2
    log_weights -= 0.5 * (np.log(wandering / (RATIO * constant)) / RATIO_LOG_STD) ** 2
    share = np.exp(log_weights - log_weights.max())
    share /= share.sum()
    picked = np.sort(rng.choice(len(sizes), count, p=share))
    white = rng.standard_normal((count, len(moment)))
    drawn = np.concatenate(
        [fits[which].draws(white[picked == which]) for which in np.unique(picked)]
    )[rng.permutation(count)]
    lasting = drawn[:, own : own + MODES, None]
    values = lasting + drawn[:, own + MODES :].reshape(count, MODES, knots.size)
    size = float(np.sqrt(np.mean(values**2)))
    return Taught(drawn[:, :own], Amplitudes(knots, values), size)


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known before the readings: constants, and how an error of size one wanders."""

    centre: np.ndarray
    of_constants: np.ndarray
    of_wandering: np.ndarray


@dataclass(frozen=True, eq=False)
class _Fit:
    """The Gaussian of constants and coefficients for one size of the equation's error."""

    mean: np.ndarray
    factor: np.ndarray
    log_evidence: float

    @classmethod
    def of(cls, gram, moment, known: _Known, constant: float, wandering: float) -> "_Fit":
        own, free = len(known.centre), len(known.of_wandering)
        prior = np.zeros_like(gram)
        prior[:own, :own] = known.of_constants
        prior[own : own + MODES, own : own + MODES] = np.eye(MODES) / constant**2
        prior[own + MODES :, own + MODES :] = known.of_wandering / wandering**2
        information = moment.copy()
        information[:own] += known.of_constants @ known.centre
        factor = np.linalg.cholesky(gram + prior)
        mean = cho_solve((factor, True), information)
        # Less what does not depend on the sizes.
        log_prior = -MODES * np.log(constant) - free * np.log(wandering)
        log_evidence = 0.5 * information @ mean + log_prior - np.log(np.diag(factor)).sum()
        return cls(mean, factor, float(log_evidence))

    def draws(self, white: np.ndarray) -> np.ndarray:
        return self.mean + solve_triangular(self.factor.T, white.T, lower=False).T


def inside_readings(
    sensors: Mapping[float, Float[np.ndarray, " time"]],
    times: Float[np.ndarray, " time"],
    expected: Mapping[float, Float[np.ndarray, " time"]],
    window: float,
    cell_s: float,
) -> InsideReadings | None:
    """Readings of the sensors between the ends in cells; None where there are none.

    Args:
        sensors: Temperatures [°C] by height, NaN where there is none.
        times: Instants of the rows, as shares of the window.
        expected: What is expected of each sensor at these instants [°C].
        window: Length of the window [s].
        cell_s: Length of a cell [s].
    """
    parts = []
    for height, values in sensors.items():
        there = np.isfinite(values)
        if not there.any():
            continue
        off, cell = (
            (values - expected[height])[there],
            (times[there] * window // cell_s).astype(int),
        )
        cell = np.unique(cell, return_inverse=True)[1]
        count = np.bincount(cell)
        mean = np.bincount(cell, off) / count
        # How readings scatter within their cells is noise; a single one a cell tells none, and
        # then neighbours do.
        inner = off - mean[cell]
        free = inner.size - count.size
        noise = (
            float(inner @ inner) / free if free > count.size else float(np.var(np.diff(mean))) / 2
        )
        std = np.sqrt(np.maximum(noise / count, LEAST_STD**2))
        at = np.bincount(cell, times[there]) / count
        parts.append((np.stack([np.full(at.size, height), at], axis=1), mean, std))
    if not parts:
        return None
    return InsideReadings(*(np.concatenate(column) for column in zip(*parts, strict=True)))
