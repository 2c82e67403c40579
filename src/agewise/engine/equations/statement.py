"""A problem that is stated wrongly is refused in a sentence, before anything is trained."""

from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.errors import ConcretizationTypeError, TracerArrayConversionError

from agewise.engine.problems.base import AbstractProblem
from agewise.engine.problems.constants import AbstractConstant
from agewise.engine.problems.unknowns import Unknowns
from agewise.errors import InputError

ROUNDING = 1e-6
"""Share of the box by which a point may lie outside for the sake of rounding [1]."""


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
    _values(problem)
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


def refuse_wrong_readings(problem: AbstractProblem, name: str, observed: Any) -> None:
    """Raise an `InputError` where points, values or deviations of a sensor do not fit together."""
    # Any, since its shapes, which `Observations` promises, are what is looked at.
    box = np.array(list(problem.coordinates().values()))
    points, values = np.asarray(observed.points, float), np.asarray(observed.values, float)
    if points.ndim != 2 or points.shape[1] != len(box):
        raise InputError(
            f"The points of {name!r} have the shape {points.shape}; they need (count, {len(box)}).",
            hint=f"give one row a reading, with the columns {', '.join(problem.coordinates())}.",
        )
    if values.shape != (len(points),):
        raise InputError(
            f"{name!r} has {len(points)} points and values of the shape {values.shape}.",
            hint="give one value for each point.",
        )
    if not len(values):
        raise InputError(f"{name!r} holds no readings.", hint="leave this sensor out.")
    broken = ~(np.isfinite(values) & np.isfinite(points).all(axis=1))
    if broken.any():
        raise InputError(
            f"{int(broken.sum())} of the {len(values)} readings of {name!r} hold values that are "
            f"no numbers, the first of them reading {int(np.argmax(broken))}.",
            hint="leave them out, with their points and standard deviations.",
        )
    beyond = outside(points, box).any(axis=1)
    if beyond.any():
        place = ", ".join(f"{c:g}" for c in points[beyond][0])
        raise InputError(
            f"{int(beyond.sum())} of the points of {name!r} lie outside the box, such as "
            f"({place}).",
            hint="widen the coordinates of the problem, or leave these readings out.",
        )
    if observed.std is not None:
        std = np.asarray(observed.std, float)
        # Not `any(std <= 0)`, which would let a NaN pass.
        if std.shape != values.shape or not ((std > 0) & np.isfinite(std)).all():
            raise InputError(
                f"The standard deviations of {name!r} are not one positive number a reading.",
                hint="give one for each, as `np.full(len(values), 0.5)`, or None to have the noise "
                "learned.",
            )


def outside(points: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Which coordinates of points leave the box by more than rounding, or are no numbers."""
    slack = ROUNDING * (box[:, 1] - box[:, 0])
    return ~((points >= box[:, 0] - slack) & (points <= box[:, 1] + slack))


def _values(problem: AbstractProblem) -> None:
    """Residuals and measured quantities are one number at a point, of unknowns that there are."""
    written = {f"The residual {name!r}": r for name, r in problem.residuals().items()}
    for name, observed in problem.observations().items():
        if observed.quantity is not None:
            written[f"The quantity of {name!r}"] = observed.quantity

    def trial(point):
        # Smooth and of any number of coordinates: derivatives of every order exist.
        return jnp.sum(jnp.sin(point))

    unknowns = Unknowns(
        dict.fromkeys(problem.functions(), trial),
        dict.fromkeys(problem.constants(), jnp.ones(())),
    )
    # A shape and no values: equations are traced, so a slow or singular one costs nothing here.
    point = jax.ShapeDtypeStruct((len(problem.coordinates()),), jnp.float32)
    for what, function in written.items():
        try:
            shape = jax.eval_shape(lambda p, f=function: f(unknowns, p), point)
        except AttributeError as error:
            hint = "name it among the functions or constants of the problem, or mend its name."
            raise InputError(f"{what} cannot be evaluated: {error}", hint=hint) from None
        except (TracerArrayConversionError, ConcretizationTypeError):
            # Both are type errors, whose own words speak of JAX's innards.
            raise InputError(
                f"{what} cannot be evaluated: it hands an unknown to NumPy, or decides by one.",
                hint="write `jax.numpy` for `numpy`, and `jax.numpy.where` for `if`.",
            ) from None
        except (IndexError, TypeError) as error:
            raise InputError(
                f"{what} cannot be evaluated at a point of {len(problem.coordinates())} "
                f"coordinates: {error}",
                hint="write it for one point, such as `u(p) - p[0]`.",
            ) from None
        # A tuple or a list has no shape at all, and is refused in the same sentence.
        if getattr(shape, "shape", None) != ():
            raise InputError(
                f"{what} gives {getattr(shape, 'shape', 'no array')} at one point; one number is "
                "needed.",
                hint="write one residual for each component.",
            )
