"""Readings that are stated wrongly are refused in a sentence."""

from itertools import combinations
from typing import Any

import jax
import numpy as np

from agewise.engine.equations.objective.outright import function_read
from agewise.engine.problems.base import AbstractProblem, Observations
from agewise.errors import InputError

ROUNDING = 1e-6
"""Share of the box by which a point may lie outside for the sake of rounding [1]."""


def refuse_wrong_readings(problem: AbstractProblem, name: str, observed: Any) -> None:
    """Raise an `InputError` where points, values or deviations of a sensor do not fit together."""
    # Any, since its shapes, which `Observations` promises, are what is looked at.
    if not all(hasattr(observed, part) for part in ("points", "values", "std", "quantity")):
        raise InputError(
            f"The readings of {name!r} are of the type {type(observed).__name__}.",
            hint="give `agewise.Observations(points, values, std)`.",
        )
    for part in ("points", "values", "std"):
        _refuse_no_numbers(name, part, getattr(observed, part))
    _refuse_wrong(problem, name, observed)


def refuse_same_readings(problem: AbstractProblem) -> None:
    """Raise an `InputError` where one sensor stands there twice: its readings would count twice,
    and what is learned of them seem surer than it is."""
    first = next(iter(problem.functions()))
    read = {
        name: first if o.quantity is None else function_read(o.quantity, problem) or o.quantity
        for name, o in problem.observations().items()
    }
    for (one, mine), (other, theirs) in combinations(problem.observations().items(), 2):
        # Values that are all alike, as of a thermometer in whole degrees, may well be two sensors'.
        if read[one] == read[other] and np.ptp(mine.values) > 0 and _same(mine, theirs):
            raise InputError(
                f"{one!r} and {other!r} hold the same readings, which would count twice.",
                hint="leave one of the two out.",
            )


def _same(one: Observations, other: Observations) -> bool:
    pairs = ((one.points, other.points), (one.values, other.values))
    return all(np.array_equal(np.asarray(a, float), np.asarray(b, float)) for a, b in pairs)


def _refuse_no_numbers(name: str, part: str, given: Any) -> None:
    """Raise an `InputError` where an array holds words, dates or complex numbers."""
    if given is None or isinstance(given, jax.Array):
        return
    kind = np.asarray(given).dtype.kind
    if kind in "fiub":
        return
    what = {"M": "dates", "m": "spans of time", "c": "complex numbers"}.get(kind, "no numbers")
    hints = {
        "M": "give seconds or days since the first, as `(dates - dates[0]) / "
        "np.timedelta64(1, 's')`.",
        "m": "divide them by a unit, as `np.timedelta64(1, 's')`.",
        "c": "give real and imaginary parts as two sensors of two functions.",
    }
    raise InputError(
        f"The {'standard deviations' if part == 'std' else part} of {name!r} are {what}.",
        hint=hints.get(kind, "give an array of numbers."),
    )


def _refuse_wrong(problem: AbstractProblem, name: str, observed: Any) -> None:
    box = np.array(list(problem.coordinates().values()))
    points, values = np.asarray(observed.points, float), np.asarray(observed.values, float)
    if points.ndim != 2 or points.shape[1] != len(box):
        column = "; `np.asarray(points)[:, None]` makes one" if len(box) == points.ndim == 1 else ""
        raise InputError(
            f"The points of {name!r} have the shape {points.shape}; they need (count, {len(box)}).",
            hint="give one row a reading, with the columns "
            f"{', '.join(problem.coordinates())}{column}.",
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
