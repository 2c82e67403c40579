"""Equations that are stated wrongly are refused in a sentence."""

from typing import Any

import jax
import jax.numpy as jnp
from jax.errors import ConcretizationTypeError, TracerArrayConversionError

from agewise.engine.problems.base import AbstractProblem
from agewise.engine.problems.unknowns import Unknowns
from agewise.errors import InputError
from agewise.types import ScalarField


def refuse_wrong_equations(problem: AbstractProblem) -> None:
    """Residuals and measured quantities are one number at a point, of unknowns that there are."""
    written = {f"The residual {name!r}": r for name, r in problem.residuals().items()}
    # A sensor without a quantity reads the first function.
    first, asked = next(iter(problem.functions())), set[str]()
    for name, observed in problem.observations().items():
        if observed.quantity is not None:
            written[f"The quantity of {name!r}"] = observed.quantity
        else:
            asked.add(first)
    unknowns = Unknowns(
        {name: _trial(problem, name, asked) for name in problem.functions()},
        dict.fromkeys(problem.constants(), jnp.ones(())),
    )
    for what, function in written.items():
        _refuse_wrong(what, function, unknowns, len(problem.coordinates()))
    for name in (name for name in problem.functions() if name not in asked):
        raise InputError(
            f"The function {name!r} is in no equation and read by no sensor: nothing tells it.",
            hint="leave it out, or use it in an equation.",
        )


def _trial(problem: AbstractProblem, name: str, asked: set[str]) -> ScalarField:
    """A function that remembers that it was asked for, and insists on a whole point."""
    count = len(problem.coordinates())

    def trial(point):
        asked.add(name)
        if jnp.shape(point) != (count,):
            raise IndexError(f"{name!r} is asked at what has the shape {jnp.shape(point)}")
        # Smooth and of any number of coordinates: derivatives of every order exist.
        return jnp.sum(jnp.sin(point))

    return trial


def _refuse_wrong(what: str, function: Any, unknowns: Unknowns, count: int) -> None:
    # Any, since what was promised is what is looked at.
    if not callable(function):
        raise InputError(
            f"{what} is {function!r}, and no function.",
            hint="write what must vanish at one point, as `lambda u, p: u(p) - 40`.",
        )
    # A shape and no values: equations are traced, so a slow or singular one costs nothing here.
    point = jax.ShapeDtypeStruct((count,), jnp.float32)
    try:
        shape = jax.eval_shape(lambda p: function(unknowns, p), point)
    except AttributeError as error:
        hint = "name it among the functions or constants of the problem, or mend its name."
        raise InputError(f"{what} cannot be evaluated: {error}", hint=hint) from None
    except (TracerArrayConversionError, ConcretizationTypeError):
        # Both are type errors, whose own words speak of JAX's innards.
        raise InputError(
            f"{what} cannot be evaluated: it hands an unknown to NumPy, `math` or `float`, or "
            "decides by one.",
            hint="write `jax.numpy` for `numpy` and `math`, and `jax.numpy.where` for `if`.",
        ) from None
    except (IndexError, TypeError, ValueError) as error:
        raise InputError(
            f"{what} cannot be evaluated at a point of {count} coordinates: {error}",
            hint="write it as a function of the unknowns and one whole point, as "
            "`lambda u, p: agewise.partial(u, 0)(p) + u(p) - p[0]`, coordinates by their place.",
        ) from None
    # A tuple or a list has no shape at all, and is refused in the same sentence.
    if getattr(shape, "shape", None) != ():
        raise InputError(
            f"{what} gives {getattr(shape, 'shape', 'no array')} at one point; one number is "
            "needed.",
            hint="write one residual for each component, of coordinates `p[0]`, `p[1]`, ....",
        )
    if jnp.issubdtype(shape.dtype, jnp.complexfloating) or shape.dtype == bool:
        kind = "true or false" if shape.dtype == bool else "a complex number"
        raise InputError(
            f"{what} gives {kind} at one point; a real number is needed.",
            hint="write real and imaginary parts as two equations of two functions, and what must "
            "vanish as a difference.",
        )
