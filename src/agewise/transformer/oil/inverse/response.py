"""How the oil between the ends answers to errors of the ends and of its first profile.

The equation does not change with time: what a bend of an end does at one instant it does at any
later one, so that a few solutions stand for all.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.linalg import toeplitz

from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.heat_equation import HeatEquation
from agewise.transformer.oil.tank import Tank

ELEMENTS = 20
"""Quadratic elements over the height."""
START_MODES = 6
"""Sines of which the departure of the first profile from a straight line is made."""

Response = Float[np.ndarray, "height time _"]
"""Change of the oil at heights and instants for a change of each column by one."""


@dataclass(frozen=True, eq=False)
class Responses:
    """Changes of the oil at some heights on the instants of an even grid [K/K]."""

    bottom: Response
    """For the lower end at each instant of the grid."""
    top: Response
    """For the upper end at each instant of the grid."""
    start: Response
    """For each sine of the first profile."""


def responses(
    tank: Tank,
    times: Float[np.ndarray, " time"],
    heights: Float[np.ndarray, " height"],
    *,
    bottom_is_air: bool,
) -> Responses:
    """The responses on even instants [s] at heights that are fractions of the tank's.

    Args:
        tank: Parameters of the equation.
        times: Even instants [s]; the ends are straight between them.
        heights: Heights as fractions.
        bottom_is_air: Whether the lower end is the air, which then cools the tank too.
    """
    mesh = LineElements.uniform(tank.height, ELEMENTS, 2)
    equation = HeatEquation(mesh, tank.heat_capacity, tank.conductivity, tank.heat_transfer)
    share, pulses = mesh.nodes / tank.height, np.eye(2, times.size)
    sines = np.sin(np.pi * np.arange(1, START_MODES + 1)[:, None] * share)
    still, flat = np.zeros_like(pulses), np.zeros((1, share.size))
    unmoved = np.zeros((START_MODES, times.size))
    # A draw each: the lower end at the first and at the second instant, the upper end, the sines.
    bottom = np.concatenate([pulses, still, unmoved])
    top = np.concatenate([still, pulses, unmoved])
    # An end that is off at the first instant takes the line that begins there with it.
    start = np.concatenate([1 - share[None], flat, share[None], flat, sines])
    air = (bottom[:, 1:] + bottom[:, :-1]) / 2 if bottom_is_air else np.zeros_like(bottom[:, 1:])
    shown = mesh.interpolation(heights * tank.height)
    source = tank.heat_transfer * air[..., None]
    solved = equation.solution(times, bottom, top, source, start, shown).swapaxes(1, 2)
    of_start = np.moveaxis(solved[4:], 0, -1)
    return Responses(_at_any_instant(*solved[:2]), _at_any_instant(*solved[2:4]), of_start)


def _at_any_instant(
    first: Float[np.ndarray, "height time"], second: Float[np.ndarray, "height time"]
) -> Response:
    """Answers to a bend at every instant, of those to one at the first and one at the second."""
    size = first.shape[1]
    response = np.zeros((*first.shape, size))
    response[:, :, 0] = first
    for height, after in enumerate(second):
        # From the second instant on all bends are alike, each later than the one before.
        response[height, 1:, 1:] = np.tril(toeplitz(after[1:]))
    return response
