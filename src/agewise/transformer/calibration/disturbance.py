r"""What a model leaves unexplained: an error that wanders, one that lasts, and noise.

The residual of a model is $r = e + f + s + \varepsilon$. $e$ is what is left of a wrong start and
fades with the lag of the model; $f$ wanders smoothly within hours (Matern 3/2); $s$ lasts for days
(Ornstein-Uhlenbeck); $\varepsilon$ is the noise of the thermometer. All are Gaussian, so a Kalman
filter gives the density of the residual, and what was known of each part at every instant.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from agewise.transformer.calibration.parameters import Number

Series = Float[Array | np.ndarray, "cell ..."]
"""A number for each cell of a record; with a last axis, for each draw too, or one for them all."""

START_STD = 10.0
"""Standard deviation of the error of a start, and of what happens in a gap [K]."""
GAP_S = 2 * 3600.0
"""Time between two cells from which on nobody knows what drove the oil in between [s]."""
MILLISECOND = 3
"""Decimals of a step in seconds; steps that differ by rounding alone are the same."""
UNROLLED = 8
"""Cells that one turn of a compiled loop of a lag goes through: its work is less than its turn."""


class Steps(NamedTuple):
    """Times from cell to cell, of which most records have a few only.

    What depends on a step alone is worked out once for each length instead of once for each cell.
    """

    lengths: Float[Array | np.ndarray, "length ..."]
    """The different times [s], increasing."""
    places: Int[Array | np.ndarray, " cell"]
    """Place among the lengths of the time from the cell before, for each cell."""

    @property
    def seconds(self) -> Series:
        """Time from the cell before [s]; 0 for the first one."""
        return self.lengths[self.places]


def steps_between(instants: Float[np.ndarray, " cell"]) -> Steps:
    """Steps from cell to cell of increasing instants [s], 0 for the first; to a millisecond."""
    steps = np.round(np.diff(instants, prepend=instants[0]), MILLISECOND)
    return Steps(*np.unique(steps, return_inverse=True))


class Fading(NamedTuple):
    """How an error of the start fades where that changes: with stages of the cooling."""

    lag: Series
    """Lag of the model in each cell [s]."""
    added: Series
    """Variance that is added in each cell [K²]: a stage that was switched sooner or later than it
    seems leaves an error that fades as one of the start does."""


class Disturbance(NamedTuple):
    """Sizes and durations of what a model leaves unexplained."""

    lag: Number | Fading
    """Time with which an error of the start fades, that of the model [s]; or what it does in each
    cell."""
    wandering_std: Number
    """Standard deviation of the error that wanders within hours [K]."""
    wandering_time: Number
    """Time over which the wandering error lasts [s]."""
    lasting_std: Number
    """Standard deviation of the error that lasts for days [K]."""
    lasting_time: Number
    """Time over which the lasting error lasts [s]."""
    noise_std: Number
    """Standard deviation of the mean of a cell's readings [K]."""


class Filtered(NamedTuple):
    """What a Kalman filter knows after each cell."""

    log_density: Number
    """Logarithm of the density of all residuals [nats]."""
    innovations: Series
    """Residual less what was expected of it from the cells before [K]."""
    variances: Series
    """Variance of each innovation [K²]."""
    wandering: Series
    """Expected wandering error, by the cells up to this one [K]."""
    lasting: Series
    """Expected lasting error, by the cells up to this one [K]."""


def filtered(
    disturbance: Disturbance, residual: Series, steps: Steps, readings: Series
) -> Filtered:
    """Filter the residual of a model, or those of many draws at once.

    Draws are the last axis, where the processor reads them in a row: the same over a first axis
    takes a fifth longer, and twice as long where the cells have hundreds of different steps.

    Args:
        disturbance: Sizes and durations of its parts.
        residual: Measured minus modelled temperature [K]; any number where nothing was read.
        steps: Times from cell to cell.
        readings: Readings of a cell over the usual number; 0 where nothing was read.
    """
    seen = readings > 0
    # 1 where nothing was read: a division by 0 would carry an infinity into the sums below.
    variance = disturbance.noise_std**2 / jnp.where(seen, readings, 1.0)
    motions = _motion(disturbance, jnp.asarray(steps.lengths))
    # A lag that changes makes the motion of the start one of each cell.
    own, fading = None, disturbance.lag
    if isinstance(fading, Fading):
        start, noise = _start(fading.lag, jnp.asarray(steps.seconds))
        own = start, noise + fading.added

    # Written out over the four states instead of as 4 x 4 matrices: a scan of scalars is compiled
    # into a loop that is ten times quicker than one of small matrix products.
    def step(state, cell):
        mean, upper = state
        covariance = _symmetric(upper)
        place, value, seen, variance, own = cell
        motion = jax.tree.map(lambda each: each[place], motions)
        if own is not None:
            motion = motion._replace(start=own[0], start_noise=own[1])
        move, noise = _assembled(motion)
        mean = [_dot(row, mean) for row in move]
        half = [[_dot(row, column) for column in covariance] for row in move]  # F P, P symmetric
        upper = {(i, j): _dot(move[j], half[i]) + noise[i][j] for i, j in UPPER}
        covariance = _symmetric(upper)
        shown = [sum(covariance[i][j] for j in SHOWN) for i in STATES]  # covariance with their sum
        total = sum(shown[i] for i in SHOWN) + variance
        innovation = jnp.where(seen, value - sum(mean[i] for i in SHOWN), 0.0)
        # Without a reading the gain vanishes, and the same formulas leave the state as it is.
        certainty = jnp.where(seen, 1 / total, 0.0)
        gain = [part * certainty for part in shown]
        mean = [part + g * innovation for part, g in zip(mean, gain, strict=True)]
        # One reading at a time is a number, so that no matrix is inverted.
        upper = {(i, j): upper[i, j] - gain[i] * shown[j] for i, j in UPPER}
        return (mean, upper), (innovation, total, mean[1], mean[3])

    # Made of the residual, so that the state has its type throughout the scan.
    zero = jnp.zeros_like(residual[0])
    sizes = (
        START_STD,
        disturbance.wandering_std,
        disturbance.wandering_std * _rate(disturbance),
        disturbance.lasting_std,
    )
    upper = {(i, j): zero + sizes[i] ** 2 if i == j else zero for i, j in UPPER}
    cells = (steps.places, residual, seen, variance, own)
    _, series = jax.lax.scan(step, ([zero] * len(STATES), upper), cells)
    innovations, variances, *_ = series
    density = -0.5 * (innovations**2 / variances + jnp.log(2 * jnp.pi * variances))
    return Filtered(jnp.where(seen, density, 0.0).sum(axis=0), *series)


STATES = range(4)
"""Error of the start, wandering error and its slope, lasting error."""
UPPER = [(i, j) for i in STATES for j in STATES if i <= j]
"""Places of a covariance on and above its diagonal; those below are the same, so not worked out."""
SHOWN = (0, 1, 3)
"""States that add up to the residual: a slope is not seen."""


Lengths = Float[Array, "length ..."]
"""A number for each length of a step, and each draw."""


class _Motion(NamedTuple):
    """How the states move in a step, and the variance that is added on the way."""

    start: Lengths
    wander: tuple[Lengths, Lengths, Lengths, Lengths]
    lasting: Lengths
    start_noise: Lengths
    wander_noise: tuple[Lengths, Lengths, Lengths]
    lasting_noise: Lengths


def _rate(disturbance: Disturbance) -> Number:
    """Rate with which a wandering error changes [1/s]."""
    return jnp.sqrt(3.0) / disturbance.wandering_time


def _motion(disturbance: Disturbance, steps: Lengths) -> _Motion:
    lag = disturbance.lag
    # Where it changes any of its lags has the shape that is wanted here, and is not used.
    start, start_noise = _start(lag.lag[0] if isinstance(lag, Fading) else lag, steps)
    lasting = jnp.exp(-steps / disturbance.lasting_time)
    rate = _rate(disturbance)
    fade, turn = jnp.exp(-rate * steps), rate * steps
    # Exponential of [[0, 1], [-rate², -2 rate]] steps: an error and its slope, critically damped.
    a, b, c, d = fade * (1 + turn), fade * steps, -fade * rate * turn, fade * (1 - turn)
    # What is added keeps a stationary process as wide as it was: Q = P - F P F'.
    size, slope = disturbance.wandering_std**2, (disturbance.wandering_std * rate) ** 2
    return _Motion(
        start,
        (a, b, c, d),
        lasting,
        start_noise,
        (
            size - a**2 * size - b**2 * slope,
            -(a * c * size + b * d * slope),
            slope - c**2 * size - d**2 * slope,
        ),
        disturbance.lasting_std**2 * (1 - lasting**2),
    )


def _start(lag: Number | Series, steps: Lengths) -> tuple[Lengths, Lengths]:
    """What is left of an error of the start after each step [s], and the variance that is added."""
    start = jnp.exp(-steps / lag)
    # In a gap the start is forgotten as far as it has faded; otherwise nothing is added to it.
    gap = jnp.where(steps > GAP_S, START_STD**2, 0.0)
    return start, gap * (1 - start**2)


def _assembled(motion: _Motion) -> tuple[list, list]:
    """The matrices of one cell; zeros stay plain numbers, so that no work is compiled for them."""
    (a, b, c, d), (p, q, r) = motion.wander, motion.wander_noise
    move = [[motion.start, 0, 0, 0], [0, a, b, 0], [0, c, d, 0], [0, 0, 0, motion.lasting]]
    noise = [
        [motion.start_noise, 0, 0, 0],
        [0, p, q, 0],
        [0, q, r, 0],
        [0, 0, 0, motion.lasting_noise],
    ]
    return move, noise


def _symmetric(upper: Mapping[tuple[int, int], Number]) -> list[list[Number]]:
    """All entries of a symmetric matrix, from those on and above its diagonal."""
    return [[upper[min(i, j), max(i, j)] for j in STATES] for i in STATES]


def _dot(row: list, column: list) -> Any:
    # Zeros of `_assembled` are plain integers, and are left out instead of multiplied.
    return sum(a * b for a, b in zip(row, column, strict=True) if not isinstance(a, int))


def lagged(decay: Series, gain: Series, start: Number) -> Series:
    """Follow $y_n = d_n y_{n-1} + g_n$ from `start` through the cells."""

    def step(before, cell):
        after = cell[0] * before + cell[1]
        return after, after

    # One after the other: joining pairs in parallel takes two seconds to compile, and is no
    # quicker where many draws go through the cells together.
    return jax.lax.scan(step, start, (decay, gain), unroll=UNROLLED)[1]
