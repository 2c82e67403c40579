"""Points at which a posterior is asked: rows of coordinates inside the box of its problem."""

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from agewise.engine.equations.statement import outside
from agewise.engine.problems.base import AbstractProblem
from agewise.errors import InputError

Points = Float[np.ndarray, "point axis"]
"""Points in the problem's own coordinates, in the order in which it names them."""


def points_inside(problem: AbstractProblem, points: ArrayLike) -> Points:
    """Points as rows of coordinates, those beyond the ends of a ring as places on it; an error in a
    sentence where they are of another shape, or outside the box."""
    points = np.asarray(points, dtype=float)
    names = list(problem.coordinates())
    # A plain list of numbers is meant as points of a problem with one coordinate.
    points = points[:, None] if points.ndim == 1 and len(names) == 1 else points
    if points.ndim != 2 or points.shape[1] != len(names):
        raise InputError(
            f"Points have the shape {points.shape}; this problem needs (count, {len(names)}).",
            hint=f"give one row for each point, with the columns {', '.join(names)}.",
        )
    turned = _turned_back(problem, points)
    _refuse_outside(problem, points, turned)
    return turned


def around(problem: AbstractProblem) -> np.ndarray:
    """Which of the coordinates of a problem close to a ring."""
    return np.array([name in problem.periodic() for name in problem.coordinates()])


def lift_at(problem: AbstractProblem, name: str, points: Points) -> Float[np.ndarray, " point"]:
    """What a problem takes out of one of its functions, to be added again: of the first alone."""
    first = name == next(iter(problem.functions()))
    return problem.lift(points) if first else np.zeros(len(points))


def _turned_back(problem: AbstractProblem, points: Points) -> Points:
    """The same places with coordinates of rings between their ends.

    Waves are the same a turn further, but the law of a noise or a lift knows the box alone.
    """
    low, high = np.array(list(problem.coordinates().values()), dtype=float).T
    # What lies in the box stays as it is, to the bit.
    beyond = around(problem) & ((points < low) | (points > high))
    return np.where(beyond, low + (points - low) % (high - low), points)


def _refuse_outside(problem: AbstractProblem, points: Points, turned: Points) -> None:
    """Nothing was asked of a function outside the box, so it may be anything there."""
    box = np.array(list(problem.coordinates().values()))
    strange = outside(turned, box).any(axis=1)
    if strange.any():
        raise InputError(
            f"{int(strange.sum())} of {len(points)} points lie outside the box, such as "
            f"({', '.join(f'{c:g}' for c in points[strange][0])}): the equations hold inside "
            "alone.",
            hint="fit again with wider coordinates, which the equations then reach.",
        )
