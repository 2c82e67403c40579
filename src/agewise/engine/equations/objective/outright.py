"""What a problem says outright of its functions: which of them a sensor reads, and which values
conditions give them."""

from collections.abc import Iterable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.problems.base import AbstractProblem, Residual
from agewise.engine.problems.unknowns import Unknowns

Balance = dict[str, Float[np.ndarray, " place"]]
"""Values of functions, by their names."""

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
    walls = [name for name, region in problem.regions().items() if not region.solid]
    return _collected(found for found in _balances(problem, walls) if len(found) == 1)


def balanced_values(problem: AbstractProblem) -> dict[str, Float[np.ndarray, " place"]]:
    """The values that functions would have where one of them alone met a condition, by its name.

    `u.healthy(p) + u.ill(p) - 1000` says 1000 of either: about as large may it be.
    """
    return _collected(_balances(problem, list(problem.regions())))


def _collected(parts: Iterable[Balance]) -> Balance:
    values: dict[str, list[np.ndarray]] = {}
    for found in parts:
        for name, own in found.items():
            values.setdefault(name, []).append(own)
    return {name: np.concatenate(own) for name, own in values.items()}


def _balances(problem: AbstractProblem, names: Sequence[str]) -> list[Balance]:
    """What every one of these conditions says of the functions in it."""
    regions, residuals, found = problem.regions(), problem.residuals(), []
    with jax.enable_x64(True):
        for name in names:
            points = np.asarray(regions[name].points(PLACES, key=jax.random.key(0)), dtype=float)
            found.append(_balance(problem, residuals[name], points))
    return found


def _balance(
    problem: AbstractProblem, condition: Residual, points: Float[np.ndarray, "place axis"]
) -> Balance:
    """The value of every function of which a condition speaks where the others are zero; nothing
    of one that speaks of derivatives, or is not linear."""
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
    found = {}
    for own in np.flatnonzero(np.abs(slopes).max(axis=0)):
        values = np.asarray(-rest / slopes[:, own])
        error = at(nothing.at[:, own].set(values), 0.0, points) / slopes[:, own]
        met = np.isfinite(values).all() and np.all(np.abs(error) <= EXACT * np.abs(values))
        if not met or not np.array_equal(rest, bent):
            return {}
        found[names[int(own)]] = values
    return found
