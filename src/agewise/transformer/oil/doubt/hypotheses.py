"""What sensors between the ends teach: whether the equation is right, its constants, its error.

Three kinds of answers are weighed by how well they explain the readings: the equation as it stands;
the equation with another conductivity; and an equation that is wrong, by an error of any size.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve, solve_triangular

from agewise.transformer.oil.doubt.inside import InsideReadings
from agewise.transformer.oil.doubt.profile_doubt import (
    CONSTANT_SHARE,
    KNOT_H,
    MODES,
    SIZE,
    SIZE_LOG_STD,
    WANDERING_H,
    Amplitudes,
    hats,
    knots_of,
    shapes,
    wandering_covariance,
)
from agewise.transformer.oil.doubt.sensitivity import CONDUCTIVITY, CONSTANTS

# Even in the logarithm, in which the prior of a size is normal.
CONSTANT_SIZES = np.geomspace(0.002, 1.0, 14)
WANDERING_SIZES = np.geomspace(0.0005, 0.5, 12)
"""Sizes of the constant part of the equation's error and of what wanders that are tried [1]. They
are learned apart: a week shows how an error wanders a hundred times, and its constant part once."""
RATIO, RATIO_LOG_STD = ((1 - CONSTANT_SHARE) / CONSTANT_SHARE) ** 0.5, 0.8
"""Median of the size of what wanders over that of the constant part, and standard deviation of its
logarithm: where nothing wanders, a large constant error is unlikely too, but not impossible."""
AS_IT_STANDS, WITH_OTHER_CONSTANTS = 0.05, 0.05
"""Prior probability that the equation is right with the conductivity that the nameplate has or that
is assumed, and that it is right with another. Chosen small: readings that agree raise them a
thousandfold, and where nobody reads they may not make the answer surer."""
EXACTLY = 1e-3
"""Factor on the doubt of a constant that is taken as it stands."""
BETWEEN_KNOTS = KNOT_H / WANDERING_H / 3
"""Mean variance of what wanders with a variance of one about the straight lines between its knots:
that of a Brownian bridge of the same roughness."""


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

    Given the sizes of its parts everything is Gaussian; sizes, and an equation that is right, are
    weighed by how well they explain the readings, and by the prior.

    Args:
        readings: Errors of the expected oil at the sensors.
        span: Top minus bottom oil at every cell [K].
        sensitivity: Change of the oil at every cell for a change of each constant by one [K].
        constants: Draws of the departures of the constants before.
        window: Length of the window [s].
        rng: Source of the random numbers.
    """
    knots, count, own = knots_of(window), len(constants), constants.shape[1]
    # (cell, mode): what a coefficient of one would do at the place and instant of each cell.
    modes = (span * shapes(readings.points[:, 0])).T
    at_knots = modes[:, :, None] * hats(knots, readings.points[:, 1])[:, None, :]
    # Columns: constants, constant part of each sine, then each sine at each knot.
    design = np.concatenate([sensitivity, modes, at_knots.reshape(len(span), -1)], axis=1)
    # What wanders between knots has no column; it counts as noise of a reading.
    between = BETWEEN_KNOTS * np.sum(modes**2, axis=1)
    fits, log_weights = _weighed(readings, design, between, constants, knots, window)
    share = np.exp(log_weights - log_weights.max())
    share /= share.sum()
    # Sorted, so that the draws of each hypothesis lie together and are made in one go.
    picked = np.sort(rng.choice(len(fits), count, p=share))
    white = rng.standard_normal((count, design.shape[1]))
    # Shuffled at the end: in their order, places would be tied to a hypothesis.
    drawn = np.concatenate(
        [fits[which].draws(white[picked == which]) for which in np.unique(picked)]
    )[rng.permutation(count)]
    # The axis of knots is added: the constant part is the same at each of them.
    lasting = drawn[:, own : own + MODES, None]
    values = lasting + drawn[:, own + MODES :].reshape(count, MODES, knots.size)
    size = float(np.sqrt(np.mean(values**2)))
    return Taught(drawn[:, :own], Amplitudes(knots, values), size)


def _weighed(
    readings: InsideReadings,
    design: np.ndarray,
    between: np.ndarray,
    constants: np.ndarray,
    knots: np.ndarray,
    window: float,
) -> "tuple[list[_Fit], np.ndarray]":
    """A Gaussian for every hypothesis, and the logarithm of its weight."""
    # The small diagonal keeps knots that are close to each other from a singular covariance.
    wander = np.linalg.inv(wandering_covariance(knots, window) + 1e-9 * np.eye(knots.size))
    # Sines wander independently of each other, hence a block for each.
    wander, given = np.kron(np.eye(MODES), wander), constants.copy()
    # Not to zero, which would have no inverse.
    given[:, CONSTANTS.index(CONDUCTIVITY)] *= EXACTLY
    free, declared = (_Known.of(draws, wander) for draws in (constants, given))
    # Where the equation is right nothing wanders between knots, and readings keep their noise.
    likelihood = _Likelihood.of(design, readings.error, readings.std, readings.ends)
    fits = [_Fit.right(likelihood, known) for known in (declared, free)]
    log_prior = [np.log(AS_IT_STANDS), np.log(WITH_OTHER_CONSTANTS)]
    for wandering in WANDERING_SIZES:
        std = np.sqrt(readings.std**2 + wandering**2 * between)
        likelihood = _Likelihood.of(design, readings.error, std, readings.ends)
        fits += [_Fit.wrong(likelihood, free, constant, wandering) for constant in CONSTANT_SIZES]
        log_prior += [_log_prior(constant, wandering) for constant in CONSTANT_SIZES]
    return fits, np.array(log_prior) + [fit.log_evidence for fit in fits]


def _log_prior(constant: float, wandering: float) -> float:
    """Logarithm of the prior probability of one cell of the grid of sizes."""
    off = np.log(constant / SIZE) / SIZE_LOG_STD
    apart = np.log(wandering / (RATIO * constant)) / RATIO_LOG_STD
    # In the logarithms of both sizes, as the cells of the grid are.
    density = -0.5 * (off**2 + apart**2) - np.log(2 * np.pi * SIZE_LOG_STD * RATIO_LOG_STD)
    area = np.prod([np.log(sizes[1] / sizes[0]) for sizes in (CONSTANT_SIZES, WANDERING_SIZES)])
    return float(np.log1p(-AS_IT_STANDS - WITH_OTHER_CONSTANTS) + density + np.log(area))


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known before the readings: constants, and how an error of size one wanders."""

    centre: np.ndarray
    of_constants: np.ndarray
    of_wandering: np.ndarray

    @classmethod
    def of(cls, constants: np.ndarray, wander: np.ndarray) -> "_Known":
        # A constant that is known for sure has no variance; a little keeps the inverse finite.
        covariance = np.cov(constants.T) + 1e-8 * np.eye(constants.shape[1])
        return cls(constants.mean(axis=0), np.linalg.inv(covariance), wander)


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """What the readings say of constants and coefficients."""

    gram: np.ndarray
    moment: np.ndarray
    log_likelihood: float

    @classmethod
    def of(
        cls, design: np.ndarray, error: np.ndarray, std: np.ndarray, ends: np.ndarray
    ) -> "_Likelihood":
        scaled, target, common = design / std[:, None], error / std, ends / std[:, None]
        # Woodbury: readings are independent but for what the ends leave open, in a few columns.
        factor = np.linalg.cholesky(np.eye(common.shape[1]) + common.T @ common)
        less = solve_triangular(factor, common.T @ np.column_stack([scaled, target]), lower=True)
        less, last = less[:, :-1], less[:, -1]
        # Without the 2 pi of every reading, which all hypotheses share.
        fit = -0.5 * float(target @ target - last @ last) - float(np.log(std).sum())
        fit -= float(np.log(np.diag(factor)).sum())
        return cls(scaled.T @ scaled - less.T @ less, scaled.T @ target - less.T @ last, fit)


@dataclass(frozen=True, eq=False)
class _Fit:
    """The Gaussian of constants and coefficients under one hypothesis."""

    mean: np.ndarray
    factor: np.ndarray
    log_evidence: float

    @classmethod
    def right(cls, likelihood: _Likelihood, known: _Known) -> "_Fit":
        """Of an equation that is right: constants alone."""
        return cls._of(likelihood, known, known.of_constants)

    @classmethod
    def wrong(
        cls, likelihood: _Likelihood, known: _Known, constant: float, wandering: float
    ) -> "_Fit":
        """Of an equation whose error has these sizes."""
        own = len(known.centre)
        prior = np.zeros_like(likelihood.gram)
        prior[:own, :own] = known.of_constants
        prior[own : own + MODES, own : own + MODES] = np.eye(MODES) / constant**2
        prior[own + MODES :, own + MODES :] = known.of_wandering / wandering**2
        return cls._of(likelihood, known, prior)

    @classmethod
    def _of(cls, likelihood: _Likelihood, known: _Known, prior: np.ndarray) -> "_Fit":
        own, size = len(known.centre), len(prior)
        # Copied, since several hypotheses share one likelihood.
        information = likelihood.moment[:size].copy()
        information[:own] += known.of_constants @ known.centre
        factor = np.linalg.cholesky(likelihood.gram[:size, :size] + prior)
        mean = cho_solve((factor, True), information)
        # Half the logarithm of the determinants before and after: what a hypothesis pays for room.
        room = 0.5 * np.linalg.slogdet(prior)[1] - np.log(np.diag(factor)).sum()
        off = 0.5 * (information @ mean - known.centre @ known.of_constants @ known.centre)
        return cls(mean, factor, float(likelihood.log_likelihood + off + room))

    def draws(self, white: np.ndarray) -> np.ndarray:
        """Draws of all coefficients; 0 for those that the hypothesis does not have."""
        own = len(self.mean)
        # The factor is that of a precision: its inverse transposed turns white noise into draws.
        part = self.mean + solve_triangular(self.factor.T, white[:, :own].T, lower=False).T
        return np.concatenate([part, np.zeros((len(white), white.shape[1] - own))], axis=1)
