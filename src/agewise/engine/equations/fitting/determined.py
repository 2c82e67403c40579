"""Functions that exact equations determine but for a few numbers, and what they are beforehand."""

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from agewise.engine.equations.fitting.gains import with_factors
from agewise.engine.equations.fitting.stated import Stated
from agewise.engine.equations.functions.networks import AbstractGained
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.problems.base import AbstractProblem

WIDE = 30.0
"""Gains of functions that equations determine [1]: so wide that the prior hardly pulls at what
readings tell of constants and of where functions begin. With gains by evidence, Kraichnan and
Orszag's a comes to rest 0.8 standard deviations below what a solver learns of it, since functions
that change slowly seem likelier; with gains of 3, 10 and 30 it is 0.8, 0.1 and 0.01 below."""
UNREAD = 3.0
"""The same where nothing is read [1]: between the points of an equation the prior alone keeps
functions smooth. On tuning keys 100 and 101 gains of 1, 3, 5 and 30 leave Allen-Cahn's equation
2.9 and 1.4, 0.8 and 0.3, 0.05 and 0.2, 0.04 and 0.02 % off; but Burgers' front, which 3 leaves at
1.2 of its declared scale at unseen points, 5 leaves at 3.8 and 30 at 47."""


def determined_by_equations(problem: AbstractProblem, *, read: bool) -> bool:
    """Whether exact equations alone say what the functions are, but for a few numbers.

    Without readings they do where all are exact: whatever walls and first instants leave open,
    nothing else tells. With readings they do where they hold all along the only coordinate, as many
    as there are functions: ordinary differential equations leave constants open and where functions
    begin. How fast such functions change is for the equations to say and no matter of likelihood.
    Partial ones leave functions open, such as a first instant, and fewer equations than functions
    do too.
    """
    scales = problem.scales()
    if not read:
        return not any(scales.values())
    if len(problem.coordinates()) > 1:
        return False
    exact = [name for name, scale in scales.items() if scale == 0.0]
    everywhere = [name for name in exact if _everywhere(problem, name)]
    return len(everywhere) >= len(problem.functions())


def _everywhere(problem: AbstractProblem, name: str) -> bool:
    """Whether the region of a residual is the whole of the one coordinate."""
    (low,), (high,) = box_of(problem)
    lengths = [box.upper[0] - box.lower[0] for box in problem.regions()[name].boxes]
    return bool(sum(lengths) >= high - low)


def with_wide_gains(
    stated: Stated, numbers: Float[np.ndarray, " number"]
) -> tuple[Stated, Float[np.ndarray, " number"]]:
    """The same with gains that are wide for good, and numbers for the same functions."""
    wide = WIDE if stated.sensors else UNREAD
    factors = {
        name: wide / np.asarray(function.network.gains)
        for name, function in stated.unknown.functions.items()
        if isinstance(function.network, AbstractGained)
    }
    unknown, numbers = with_factors(stated.unknown, numbers, factors)
    return replace(stated, unknown=unknown, determined=True), numbers
