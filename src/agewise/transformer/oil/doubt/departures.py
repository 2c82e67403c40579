"""Drawn departures of the oil from what the equation says between its ends."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import Points
from agewise.transformer.oil.doubt.profile_doubt import Amplitudes, place_of, shapes
from agewise.transformer.oil.grid import GridFunction

AT_ONCE = 100
"""Draws that are worked on at a time."""


@dataclass(frozen=True, eq=False)
class Departures:
    """Drawn departures of the oil from what the equation says, as functions."""

    settled: GridFunction
    """What the constants do to the oil that sensors inside find likeliest [K]; 0 without them."""
    sensitivity: GridFunction
    """Change of the oil for a change of each constant by one, near these constants [K]."""
    constants: Float[np.ndarray, "draw constant"]
    """Departures of the constants of each draw from those that `settled` is solved with."""
    amplitudes: Amplitudes
    """Coefficients of the equation's own error."""
    times: Float[np.ndarray, " time"]
    """Time grid, in units of the window."""
    span: Float[np.ndarray, " time"]
    """Top minus bottom oil on it [K]."""

    def at(self, points: Points, draws: np.ndarray) -> Float[np.ndarray, "draw point"]:
        """The departures of some draws at points [K]; exactly zero at the top, which is read."""
        total = np.zeros((draws.size, len(points)))
        # Sines are not exactly zero at 1 in floating point, and there the oil is read.
        below = np.flatnonzero(points[:, 0] < 1.0)
        if below.size:
            total[:, below] = self._below(points[below], draws)
        return total

    def _below(self, points: Points, draws: np.ndarray) -> Float[np.ndarray, "draw point"]:
        x, t = points.T
        total = self.settled(points) + self.constants[draws] @ self.sensitivity(points)
        # Many points share an instant, at which coefficients are worked out once.
        instants, place = np.unique(t, return_inverse=True)
        # The error scales with the difference of the ends: without one there is no profile to get
        # wrong.
        modes = np.interp(t, self.times, self.span) * shapes(x)
        for first in range(0, draws.size, AT_ONCE):
            rows = slice(first, first + AT_ONCE)
            part = Amplitudes(self.amplitudes.knots, self.amplitudes.values[draws[rows]])
            # One sine at a time, so that draws by points is the largest array in memory.
            for coefficient, mode in zip(np.moveaxis(part.at(instants), 1, 0), modes, strict=True):
                total[rows] += coefficient[:, place] * mode
        return total

    def moments(self) -> tuple[Float[np.ndarray, "time node"], Float[np.ndarray, "time node"]]:
        """Mean [K] and variance [K²] over the draws, on the grid."""
        nodes, knots = self.sensitivity.elements.nodes, self.amplitudes
        fixed, moving = self.constants.mean(axis=0), knots.values.mean(axis=0)
        # Constants do not change over time; they get a time axis to stand beside what does.
        still = np.broadcast_to(fixed[:, None], (fixed.size, self.times.size))
        # Coefficients at every instant; the field is linear in these.
        mean = np.concatenate([still, Amplitudes(knots.knots, moving).at(self.times)])
        place = place_of(knots.knots, self.times)
        covariance = covariances(self.constants - fixed, knots.values - moving, place)
        modes = self.span[:, None, None] * shapes(nodes).T
        fields = np.concatenate([np.moveaxis(self.sensitivity.values, 0, -1), modes], axis=-1)
        expected = self.settled.values + np.einsum("txa,at->tx", fields, mean)
        # Constants and coefficients together: learned from the same readings, they are correlated.
        variance = np.einsum("txa,tab,txb->tx", fields, covariance, fields, optimize=True)
        # Rounding may leave a variance a little below zero where all draws agree.
        return expected, np.maximum(variance, 0.0)


def covariances(
    fixed: Float[np.ndarray, "draw constant"],
    moving: Float[np.ndarray, "draw mode knot"],
    place: Float[np.ndarray, " time"],
) -> Float[np.ndarray, "time coefficient coefficient"]:
    """Covariance over the draws, at every instant, of numbers whose mean is zero: constants, and
    coefficients that are straight between knots.

    Worked out at the knots, of which there are few: between two of them it is a mean of four
    covariances, of each with itself and with the other.

    Args:
        fixed: The constants.
        moving: The coefficients at the knots.
        place: Instants, counted in knots.
    """
    count, constants = fixed.shape
    modes, knots = moving.shape[1:]
    covariance = np.empty((place.size, constants + modes, constants + modes))
    covariance[:, :constants, :constants] = fixed.T @ fixed / count
    before = np.clip(place.astype(int), 0, knots - 2)
    late = (place - before)[:, None, None]
    early = 1 - late
    mixed = (fixed.T @ moving.reshape(count, -1) / count).reshape(constants, modes, knots)
    mixed = np.moveaxis(mixed, -1, 0)
    mixed = early * mixed[before] + late * mixed[before + 1]
    covariance[:, :constants, constants:] = mixed
    # The same block mirrored: covariance is symmetric.
    covariance[:, constants:, :constants] = mixed.swapaxes(1, 2)
    by_knot = np.ascontiguousarray(np.moveaxis(moving, -1, 0))  # (knot, draw, mode)
    own = by_knot.swapaxes(1, 2) @ by_knot / count
    next_to = by_knot[:-1].swapaxes(1, 2) @ by_knot[1:] / count
    crossed = next_to + next_to.swapaxes(1, 2)
    both = early**2 * own[before] + late**2 * own[before + 1] + early * late * crossed[before]
    covariance[:, constants:, constants:] = both
    return covariance
