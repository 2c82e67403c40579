"""What the variance of a noise may depend on: features of place and value, how rough they are."""

from functools import reduce

import numpy as np
from jaxtyping import Float
from scipy.interpolate import BSpline

READINGS_PER_SPLINE = 4
"""Readings for each spline of a smooth law, at least."""
MOST_SPLINES = {1: 40, 2: 8, 3: 5}
"""Splines along each coordinate of a smooth law at the most, by the number of coordinates."""


def feature_count(kind: str, readings: int, dimension: int) -> int:
    """How many features a law has."""
    if kind != "smooth":
        return {"constant": 1, "value": 3}[kind]
    most = MOST_SPLINES.get(dimension, 4)
    # Splines along each axis such that their product leaves each a few readings.
    along = int((readings / READINGS_PER_SPLINE) ** (1 / dimension))
    return min(most, max(along, 4)) ** dimension


def feature_values(
    kind: str, points: np.ndarray, value: np.ndarray, box: np.ndarray, spread: np.ndarray, count
) -> Float[np.ndarray, "point feature"]:
    """The features of a law at points."""
    if kind == "constant":
        return np.ones((len(points), 1))
    if kind == "value":
        share = (value - spread[0]) / max(spread[1] - spread[0], 1e-300)
        # Half a range beyond the readings at the most: a parabola runs away from there.
        share = np.clip(share, -0.5, 1.5)
        return np.stack([share**power for power in range(3)], axis=1)
    along = round(count ** (1 / points.shape[1]))
    shares = np.clip((points - box[0]) / (box[1] - box[0]), 0.0, 1.0)
    parts = [_splines(share, along) for share in shares.T]
    # Products of one spline for each coordinate.
    return reduce(lambda a, b: (a[:, :, None] * b[:, None, :]).reshape(len(a), -1), parts)


def _splines(share: Float[np.ndarray, " point"], count: int) -> Float[np.ndarray, "point spline"]:
    """Cubic splines on equal pieces of [0, 1]."""
    pieces = count - 3
    # Three knots beyond either end, so that four splines cover every piece.
    knots = np.linspace(-3, pieces + 3, pieces + 7) / pieces
    # The last knot belongs to no piece, so the end of the range is taken just before it.
    inside = np.minimum(share, 1 - 1e-12)
    return BSpline.design_matrix(inside, knots, 3).toarray()


def roughness(count: int, dimension: int) -> Float[np.ndarray, "feature feature"]:
    """Squared first differences along each coordinate.

    First differences let a law step where noise sets in, as second ones would not.
    """
    along = round(count ** (1 / dimension))
    difference = np.diff(np.eye(along), axis=0)
    identity, step = np.eye(along), difference.T @ difference
    total = np.zeros((count, count))
    for axis in range(dimension):
        factors = [step if axis == other else identity for other in range(dimension)]
        # Differences along one axis, the identity along the others, in `_design`'s order.
        total += reduce(np.kron, factors)
    return total
