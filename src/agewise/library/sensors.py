"""Readings of a known truth: where sensors stand, and what they show."""

import numpy as np
from jaxtyping import Float

from agewise.engine.problems import Observations, Unknowns
from agewise.engine.problems.base import Residual
from agewise.library.known import values_at
from agewise.types import ScalarField


def grid(*axes: Float[np.ndarray, " _"]) -> Float[np.ndarray, "point dim"]:
    """Every combination of places along the axes, one point a row."""
    # The first axis outermost: instants of one place follow each other.
    places = np.meshgrid(*axes, indexing="ij")
    return np.stack([place.ravel() for place in places], axis=1)


def noisy(
    points: Float[np.ndarray, "point dim"],
    values: Float[np.ndarray, " point"],
    noise: float | Float[np.ndarray, " point"],
    *,
    rng: np.random.Generator,
    quantity: Residual | None = None,
    noise_stated: bool = True,
) -> Observations:
    """Readings of values with normal noise.

    Args:
        points: Where sensors stand.
        values: What they would show without noise.
        noise: Standard deviation of the noise, in the unit of the values.
        rng: Where the noise comes from.
        quantity: What was measured; None for the unknown function itself.
        noise_stated: Whether the problem tells how large the noise is; else it is to be learned.
    """
    # A copy, since a broadcast array has one number for all and cannot be written.
    std = np.broadcast_to(np.asarray(noise, dtype=float), values.shape).copy()
    drawn = values + std * rng.standard_normal(values.shape)
    return Observations(points, drawn, std if noise_stated else None, quantity)


def read(
    truth: ScalarField | Unknowns,
    points: Float[np.ndarray, "point dim"],
    noise: float | Float[np.ndarray, " point"],
    *,
    rng: np.random.Generator,
    quantity: Residual | None = None,
    noise_stated: bool = True,
) -> Observations:
    """Noisy readings of a solution in closed form, or of a quantity that it determines."""
    # A quantity is asked of the truth as an equation is of the unknowns.
    shown = truth if quantity is None else lambda point: quantity(truth, point)
    values = values_at(shown, points)
    return noisy(points, values, noise, rng=rng, quantity=quantity, noise_stated=noise_stated)
