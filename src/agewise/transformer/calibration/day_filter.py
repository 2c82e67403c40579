r"""Draws of a unit carried onward through new readings, from where the readings before left them.

The same model and the same Kalman filter as in `model` and `disturbance`, in NumPy and for all
draws at once: a day takes milliseconds, with nothing to compile. What a draw needs to go on is
small: the modelled top oil, and mean and covariance of the four errors. The density of a record is
the product of those of its days, so that a posterior can be brought forward day by day.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.calibration.disturbance import GAP_S, MILLISECOND, SHOWN, START_STD
from agewise.transformer.calibration.names import (
    AFTERNOON,
    AIR_BIAS,
    EXPONENT,
    LASTING,
    LASTING_D,
    NEARBY,
    NOISE,
    OIL_MINUTES,
    RISE,
    SUN,
    WANDERING,
    WANDERING_H,
)
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

Values = Mapping[str, Float[np.ndarray, " draw"]]
"""A number for each draw by the name of the parameter, in its own unit."""
PerDraw = Float[np.ndarray, " draw"]
"""A number for each draw."""


@dataclass(frozen=True, eq=False)
class Cells:
    """New cells of a record, as `ThermalRecord` has them."""

    steps: Float[np.ndarray, " cell"]
    """Time from the cell before [s]; 0 for the very first one."""
    heating: Float[np.ndarray, " cell"]
    """Mean square of the load since the cell before [p.u.²]."""
    load: Float[np.ndarray, " cell"]
    """Mean load since the cell before [p.u.]."""
    air: Float[np.ndarray, " cell"]
    """Mean air temperature since the cell before [°C]."""
    sun: Float[np.ndarray, " cell"]
    """Mean height of the sun since the cell before [1]."""
    afternoon: Float[np.ndarray, " cell"]
    """How much more the sun shone from the west [1]."""
    measured: Float[np.ndarray, " cell"]
    """Measured top oil [°C]; NaN without a reading."""
    readings: Float[np.ndarray, " cell"]
    """Number of readings, over the usual number."""


@dataclass(frozen=True, eq=False)
class Carried:
    """What every draw carries from one reading to the next."""

    modelled: PerDraw
    """Top oil by the model alone [°C]."""
    errors: Float[np.ndarray, "draw 4"]
    """Expected errors: of the start, wandering, its slope, lasting [K, K, K/s, K]."""
    covariance: Float[np.ndarray, "draw 4 4"]
    """Covariance of the four errors, in the products of their units."""


@dataclass(frozen=True, eq=False)
class Passed:
    """What became of the draws on their way through new cells."""

    carried: Carried
    """What they carry after the last cell."""
    log_density: PerDraw
    """Logarithm of the density of the new readings, given all before [nats]."""
    modelled: Float[np.ndarray, "draw cell"]
    """Top oil by the model alone [°C]."""
    top_oil: Float[np.ndarray, "draw cell"]
    """Top oil by the model and the readings up to each cell [°C]."""
    variance: Float[np.ndarray, "draw cell"]
    """Variance of the top oil by the model and the readings up to each cell [K²]."""


def onward(
    values: Values, cells: Cells, *, loss_ratio: float, k11: float, carried: Carried | None = None
) -> Passed:
    """Carry draws through new cells.

    Args:
        values: Every parameter of the model of the top oil in draws.
        cells: The new cells.
        loss_ratio: Load losses at rated load over no-load losses [1].
        k11: Factor on the oil's time constant in the lag of the top oil [1].
        carried: What they carry from the cells before; None at the very first cell.
    """
    wanted, lag = top_oil_target(values, cells, loss_ratio), oil_lag(values, k11)
    carried = carried or _begun(values, wanted[:, 0])
    level, mean, covariance = carried.modelled, carried.errors, carried.covariance.copy()
    motions: dict[float, tuple[np.ndarray, np.ndarray]] = {}
    density, series = np.zeros_like(level), []
    # Rounded as in `steps_between`, so that a motion is worked out once for each length of a step.
    for n, step in enumerate(np.round(cells.steps, MILLISECOND)):
        if step not in motions:
            motions[step] = _motion(values, lag, float(step))
        move, noise = motions[step]
        # An error of the start fades as the model itself does, so that its decay is the model's.
        decay = move[:, 0, 0]
        level = decay * level + (1 - decay) * wanted[:, n]
        mean = np.einsum("dij,dj->di", move, mean)
        covariance = move @ covariance @ move.transpose(0, 2, 1) + noise
        if cells.readings[n] > 0:
            # Covariance of every state with the sum of states that a thermometer shows.
            shown = covariance[:, :, SHOWN].sum(axis=2)
            # Noise is that of a usual cell's mean: a cell of fewer readings has more of it.
            total = shown[:, SHOWN].sum(axis=1) + values[NOISE] ** 2 / cells.readings[n]
            off = cells.measured[n] - level - mean[:, SHOWN].sum(axis=1)
            density -= 0.5 * (off**2 / total + np.log(2 * np.pi * total))
            mean = mean + shown * (off / total)[:, None]
            covariance -= shown[:, :, None] * (shown / total[:, None])[:, None, :]
        variance = covariance[:, SHOWN][:, :, SHOWN].sum(axis=(1, 2))
        series.append((level, level + mean[:, SHOWN].sum(axis=1), variance))
    # From (cell, quantity, draw) to (quantity, draw, cell).
    modelled, oil, variance = np.array(series).transpose(1, 2, 0)
    return Passed(Carried(level, mean, covariance), density, modelled, oil, variance)


def top_oil_target(
    values: Values, cells: Cells, loss_ratio: float
) -> Float[np.ndarray, "draw cell"]:
    """Top oil that load and air would lead to in the end [°C], the air freed of its errors."""
    # Heating is a mean of squares: within a cell it is the losses that add up, not the load.
    losses = (1 + loss_ratio * cells.heating) / (1 + loss_ratio)
    wrong = values[AIR_BIAS][:, None] + values[SUN][:, None] * cells.sun
    wrong = wrong + values[AFTERNOON][:, None] * cells.afternoon
    wrong = wrong + values[NEARBY][:, None] * cells.load
    # The thermometer shows the air and its own errors; the oil follows the air alone.
    return values[RISE][:, None] * losses ** values[EXPONENT][:, None] + cells.air - wrong


def oil_lag(values: Values, k11: float) -> PerDraw:
    """Lag of the top oil [s]."""
    return k11 * values[OIL_MINUTES] * SECONDS_PER_MINUTE


def _begun(values: Values, first: PerDraw) -> Carried:
    """Draws before the first cell: steady, and with errors as wide as they can be."""
    rate = np.sqrt(3.0) / (values[WANDERING_H] * SECONDS_PER_HOUR)
    # `0 * rate` gives a place in every draw to the one number that all of them share.
    sizes = (START_STD + 0 * rate, values[WANDERING], values[WANDERING] * rate, values[LASTING])
    covariance = np.zeros((rate.size, 4, 4))
    for place, size in enumerate(sizes):
        covariance[:, place, place] = size**2
    return Carried(first, np.zeros((rate.size, 4)), covariance)


def _motion(values: Values, lag: PerDraw, step: float) -> tuple[np.ndarray, np.ndarray]:
    """How the errors move in a step [s], and the covariance that is added on the way."""
    rate = np.sqrt(3.0) / (values[WANDERING_H] * SECONDS_PER_HOUR)
    start, lasting = np.exp(-step / lag), np.exp(-step / (values[LASTING_D] * SECONDS_PER_DAY))
    fade, turn = np.exp(-rate * step), rate * step
    move, noise = np.zeros((2, rate.size, 4, 4))
    move[:, 0, 0], move[:, 3, 3] = start, lasting
    # A Matern 3/2 process is critically damped: its error and its slope share one rate.
    move[:, 1, 1], move[:, 1, 2] = fade * (1 + turn), fade * step
    move[:, 2, 1], move[:, 2, 2] = -fade * rate * turn, fade * (1 - turn)
    # What is added keeps a stationary process as wide as it was: Q = P - F P F'.
    wander = np.zeros((rate.size, 2, 2))
    wander[:, 0, 0], wander[:, 1, 1] = values[WANDERING] ** 2, (values[WANDERING] * rate) ** 2
    turned = move[:, 1:3, 1:3]
    noise[:, 1:3, 1:3] = wander - turned @ wander @ turned.transpose(0, 2, 1)
    # After a gap the start is unknown anew, as far as what was known of it has faded.
    noise[:, 0, 0] = (START_STD**2 if step > GAP_S else 0.0) * (1 - start**2)
    noise[:, 3, 3] = values[LASTING] ** 2 * (1 - lasting**2)
    return move, noise
