"""Functions that were drawn from a fit, with the constants of their equation."""

from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from agewise.engine.equations.functions.unknown import (
    Unknown,
    drawn_values,
    gradients_at,
    values_at,
)
from agewise.engine.equations.posterior.points import lift_at, points_inside
from agewise.engine.equations.posterior.weights import AbstractWeights
from agewise.engine.problems.base import AbstractProblem


@dataclass(frozen=True, eq=False)
class DrawnFunctions:
    """Functions that were drawn together with the constants of their equation."""

    problem: AbstractProblem
    """Problem that was fitted."""
    unknown: Unknown
    """Functions and constants for every vector of numbers."""
    weights: AbstractWeights
    """Distribution that the numbers were drawn from."""
    numbers: Float[np.ndarray, "draw number"]
    """Numbers of every drawn function."""

    @property
    def constants(self) -> dict[str, Float[np.ndarray, " draw"]]:
        """The constants of every draw, in their units."""
        with jax.enable_x64(True):
            return self.unknown.drawn_constants(self.numbers)

    def values(self, points: ArrayLike, of: str | None = None) -> Float[np.ndarray, "draw point"]:
        """The drawn functions at points.

        Args:
            points: Points in the problem's coordinates.
            of: Name of the function; the first of the problem unless given.
        """
        unknown, centre = self.unknown, self.weights.centre
        name, points = unknown.named(of), points_inside(self.problem, points)
        with jax.enable_x64(True):
            # What a linear posterior states holds for the tangent, not for the bent network.
            if self.weights.linear:
                middle = np.asarray(values_at(unknown, centre, name, points))
                gradients = np.asarray(gradients_at(unknown, centre, name, points))
                values = middle + (self.numbers - centre) @ gradients.T
            else:
                values = np.asarray(drawn_values(unknown, self.numbers, name, points))
        return values + lift_at(self.problem, name, points)
