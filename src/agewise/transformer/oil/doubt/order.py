"""Warm oil rises: what stands below for long is not hotter than what stands above."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from agewise.transformer.oil.doubt.profile_doubt import Amplitudes, shapes
from agewise.transformer.oil.grid import GridFunction

MARGIN_K = 2.0
"""Excess over the top oil that is still possible [K], as the mean over a time constant."""
LOOK_H = 1.0
"""Time between the instants that are looked at [h]."""
LOOK_HEIGHTS = 4
"""One node in so many is looked at."""


def ordered(
    tries: Sequence[Amplitudes],
    constants: Float[np.ndarray, "draw constant"],
    sensitivity: GridFunction,
    hours: Float[np.ndarray, " time"],
    oil: Float[np.ndarray, "time node"],
    span: Float[np.ndarray, " time"],
    lag: float,
) -> Amplitudes:
    """Coefficients of the equation's error with which no oil stands hotter than the top for long.

    Over the time constant of the oil, no height may be hotter than the top by more than a margin,
    or by more than the equation itself has it. An error that breaks this is drawn again with the
    same size: its opposite, which is as likely, then the next try and its opposite. Where all of
    them break it, the one that needs to shrink least is made smaller.

    Args:
        tries: Coefficients in draws, each draw with the same size in every try.
        constants: Departures of the constants in the same draws.
        sensitivity: Change of the oil for a change of each constant by one [K].
        hours: Instants of the grid [h].
        oil: Expected oil on the grid [°C].
        span: Top minus bottom oil [K].
        lag: Time constant of the oil [h].
    """
    # Without the ends, where the error is zero.
    nodes = slice(LOOK_HEIGHTS, -1, LOOK_HEIGHTS)
    looks = slice(None, None, max(1, round(LOOK_H / (hours[1] - hours[0]))))
    width, at = max(1, round(lag / LOOK_H)), (hours / hours[-1])[looks]
    base = (oil[:, nodes] - oil[:, -1:])[looks]
    trusted = base + np.einsum("nc,ctx->ntx", constants, sensitivity.values[:, looks, nodes])
    trusted = _smoothed(trusted, width)
    # Where the trusted oil is above the margin already, the error may add nothing to it.
    room = np.maximum(MARGIN_K, trusted) - trusted
    sines = shapes(sensitivity.elements.nodes[nodes])
    best, values = np.full(len(constants), -np.inf), np.zeros_like(tries[0].values)
    for amplitudes in tries:
        # Whoever is in order already keeps its coefficients.
        rows = np.flatnonzero(best < 1)
        coefficients = np.moveaxis(
            Amplitudes(amplitudes.knots, amplitudes.values[rows]).at(at), 1, 2
        )
        error = _smoothed(span[looks, None] * (coefficients @ sines), width)
        for sign in (1.0, -1.0):
            factor = _largest_factor(room[rows], sign * error)
            better = (factor > best[rows]) & (best[rows] < 1)
            chosen = rows[better]
            best[chosen] = factor[better]
            values[chosen] = sign * factor[better, None, None] * amplitudes.values[chosen]
    return Amplitudes(tries[0].knots, values)


def _largest_factor(
    room: Float[np.ndarray, "draw time height"], error: Float[np.ndarray, "draw time height"]
) -> Float[np.ndarray, " draw"]:
    """The largest factor up to 1 with which an error stays within its room, for each draw."""
    with np.errstate(divide="ignore", invalid="ignore"):
        # An error that cools, or none, leaves room without end.
        factor = np.where(error > 1e-9, room / error, np.inf)
    return np.minimum(factor.min(axis=(1, 2)), 1.0)


def _smoothed(values: Float[np.ndarray, "draw time height"], width: int) -> np.ndarray:
    """Mean over the `width` looks up to each one; over fewer at the beginning."""
    total = np.cumsum(values, axis=1)
    late = total.copy()
    late[:, width:] -= total[:, :-width]
    count = np.minimum(np.arange(1, values.shape[1] + 1), width)
    return late / count[:, None]
