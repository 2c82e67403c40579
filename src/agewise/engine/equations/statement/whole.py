"""A problem that is stated wrongly is refused in a sentence, before anything is trained."""

from collections.abc import Iterable

import numpy as np

from agewise.engine.equations.statement.equations import refuse_wrong_equations
from agewise.engine.equations.statement.readings import (
    outside,
    refuse_same_readings,
    refuse_wrong_readings,
)
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.problems.constants import AbstractConstant
from agewise.errors import InputError

TAKEN = ("first",)
"""Names that mean something else as attributes of the unknowns."""
TERMS, READINGS = ("prior", "total", "step"), "readings of "
"""Names under which a fit keeps its own terms and losses, and how those of readings begin."""


def refuse_wrong_statement(problem: AbstractProblem) -> None:
    """Raise an `InputError` that says what is wrong with a problem, if anything is."""
    # In this order: what comes later relies on what was found right before.
    _box(problem)
    _names(problem)
    _regions(problem)
    for name, observed in problem.observations().items():
        refuse_wrong_readings(problem, name, observed)
        if observed.std is None and len(observed.values) == 1:
            raise InputError(
                f"{name!r} holds one reading, from which no noise can be learned.",
                hint="give the standard deviation of its noise, as an array of one.",
            )
    refuse_wrong_equations(problem)
    refuse_same_readings(problem)
    # Every residual of the whole box alone leaves a family of solutions, and none is meant.
    if not problem.observations() and all(r.solid for r in problem.regions().values()):
        raise InputError(
            "Nothing pins the solution down: there are no readings, and every residual is of the "
            "whole box.",
            hint="add readings, or a residual on a wall or at the first instant.",
        )


def _box(problem: AbstractProblem) -> None:
    for name, (low, high) in problem.coordinates().items():
        # Written such that an end that is no number fails it too.
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise InputError(
                f"The coordinate {name!r} goes from {low} to {high}.",
                hint="give its least and then its largest value.",
            )
    if not problem.coordinates():
        raise InputError("The problem has no coordinates.", hint='give one, such as {"t": (0, 1)}.')


def _names(problem: AbstractProblem) -> None:
    functions, constants = problem.functions(), problem.constants()
    coordinates = problem.coordinates()
    if not functions:
        raise InputError("The problem has no unknown function.", hint="name at least one.")
    both = sorted(set(functions) & set(constants))
    if both:
        raise InputError(f"{both[0]!r} is both a function and a constant.", hint="rename one.")
    for name in (*functions, *constants):
        # `u.first` would be the first function, whichever bears that name.
        if name in TAKEN or name.startswith("_"):
            raise InputError(
                f"An unknown cannot be called {name!r}, which `u.{name}` does not find.",
                hint="give it another name.",
            )
    for name in problem.residuals():
        # An equation of such a name would be left out of the loss, and nobody would know.
        if name in TERMS or name.startswith(READINGS):
            raise InputError(
                f"An equation cannot be called {name!r}, as a fit calls a part of its own loss.",
                hint="give it another name.",
            )
    for name, constant in constants.items():
        if not isinstance(constant, AbstractConstant):
            raise InputError(
                f"The constant {name!r} is {constant!r}, which is no distribution.",
                hint="give `agewise.LogNormal`, `agewise.Normal` or `agewise.Uniform`; what is "
                "known for sure is a number in the equation.",
            )
    for name, depends in functions.items():
        _refuse_strange(f"the coordinates of the function {name!r}", depends, coordinates)
    _refuse_strange("the periodic coordinates", problem.periodic(), coordinates)
    _refuse_strange("the sizes", problem.sizes(), functions)
    for what in ("regions", "scales", "pseudo_observations"):
        given, wanted = list(getattr(problem, what)()), list(problem.residuals())
        # `agewise.Problem` calls regions places, and its users know no other word.
        kind = "places" if what == "regions" else what.replace("_", " ")
        # Where a wall is meant, a name written wrongly is a place without an equation.
        for name in (name for name in given if name not in wanted):
            raise InputError(
                f"{name!r} is a name among the {kind} and no equation.",
                hint=f"the equations are {', '.join(wanted) or 'missing'}.",
            )
        for name in (name for name in wanted if name not in given):
            raise InputError(
                f"The equation {name!r} has no {kind}.",
                hint="give each equation its own, under the same name.",
            )
    for name, scale in problem.scales().items():
        if not (np.isfinite(scale) and scale >= 0):
            raise InputError(f"The scale of {name!r} is {scale}.", hint="0 says exact.")
    for name, size in problem.sizes().items():
        if not 0 < size < np.inf:
            raise InputError(
                f"The size of {name!r} is {size}.", hint="give about its largest value, unsigned."
            )


def _refuse_strange(what: str, given: Iterable[str], names: Iterable[str]) -> None:
    strange = [name for name in given if name not in list(names)]
    if strange:
        raise InputError(
            f"Among {what} is {strange[0]!r}, which the problem does not have.",
            hint=f"it has: {', '.join(names)}.",
        )


def _regions(problem: AbstractProblem) -> None:
    box = np.array(list(problem.coordinates().values()))
    for name, region in problem.regions().items():
        for part in region.boxes:
            if len(part.lower) != len(box) or len(part.upper) != len(box):
                raise InputError(
                    f"The region of {name!r} has {len(part.lower)} coordinates and the problem "
                    f"has {len(box)}.",
                    hint=f"give one value for each of {', '.join(problem.coordinates())}.",
                )
            if outside(np.array([part.lower, part.upper]), box).any():
                raise InputError(
                    f"The region of {name!r} leaves the box of the problem.",
                    hint="widen the coordinates, or narrow the region.",
                )
