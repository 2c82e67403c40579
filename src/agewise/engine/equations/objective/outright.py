"""What a problem says outright of its functions: which of them a sensor reads, and which values
conditions give them."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.problems.base import AbstractProblem, Residual
from agewise.engine.problems.unknowns import Unknowns

PLACES = 64
"""Points of a wall or first instant at which the values that it states are looked at."""
EXACT = 1e-6
"""Share of a value [1] to which it must meet its condition: else the condition is not linear."""


def function_read(quantity: Residual, problem: AbstractProblem) -> str | None:
    """Name of the function whose own value a quantity is; None where it makes something of it."""
    point = jnp.zeros(len(problem.coordinates()))
    shown = {name: jnp.zeros(()) for name in problem.functions()}

    def function(name: str):
        # By identity: a derivative, or a place shifted, comes with another point.
        return lambda place: shown[name] if place is point else jnp.zeros(())

    functions = {name: function(name) for name in shown}
    constants = {
        name: constant.value(jnp.zeros(())) for name, constant in problem.constants().items()
    }
    found = quantity(Unknowns(functions, constants), point)
    # Whatever is made of a number is another object, even if it has the same value.
    return next((name for name, number in shown.items() if found is number), None)


def stated_values(problem: AbstractProblem) -> dict[str, Float[np.ndarray, " place"]]:
    """The values that conditions on walls and first instants give a function outright, by its name.

    `u(p) - 40` says 40. What says something of a derivative, of two functions at once, or is not
    linear says no value.
    """
    stated: dict[str, list[np.ndarray]] = {}
    regions = {n: region for n, region in problem.regions().items() if not region.solid}
    with jax.enable_x64(True):
        for name, region in regions.items():
            points = np.asarray(region.points(PLACES, key=jax.random.key(0)), dtype=float)
            found = _value(problem, problem.residuals()[name], points)
            if found is not None:
                stated.setdefault(found[0], []).append(found[1])
    return {name: np.concatenate(parts) for name, parts in stated.items()}


def _value(
    problem: AbstractProblem, condition: Residual, points: Float[np.ndarray, "place axis"]
) -> tuple[str, Float[np.ndarray, " place"]] | None:
    """The one function that a condition speaks of and the values that it gives it, if any."""
    names = list(problem.functions())
    medians = {
        name: constant.value(jnp.zeros(())) for name, constant in problem.constants().items()
    }

    def left(levels, bend, point):
        def function(level):
            # At the point itself `level` whatever the bend, which all derivatives have.
            return lambda place: level + bend * jnp.expm1(jnp.sum(place - point))

        flat = {name: function(level) for name, level in zip(names, levels, strict=True)}
        return jnp.asarray(condition(Unknowns(flat, medians), point), dtype=float)

    nothing = jnp.zeros((len(points), len(names)))
    at = jax.jit(jax.vmap(left, (0, None, 0)))
    rest, bent = at(nothing, 0.0, points), at(nothing, 1.0, points)
    slopes = jax.vmap(jax.grad(left), (0, None, 0))(nothing, 0.0, points)
    spoken = np.flatnonzero(np.abs(slopes).max(axis=0))
    if len(spoken) != 1 or not np.array_equal(rest, bent):
        return None
    own = int(spoken[0])
    values = np.asarray(-rest / slopes[:, own])
    error = at(nothing.at[:, own].set(values), 0.0, points) / slopes[:, own]
    met = np.isfinite(values).all() and np.all(np.abs(error) <= EXACT * np.abs(values))
    return (names[own], values) if met else None
