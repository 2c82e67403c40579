"""Whether a problem is linear in its unknown function: tried on functions, not declared."""

from collections.abc import Mapping

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.problems.base import AbstractProblem, Region
from agewise.engine.problems.unknowns import Unknowns
from agewise.errors import InputError
from agewise.types import Point, Scalar

WAVES = 4
"""Waves in each of the two trial functions."""
SIZES = (0.1, 1.0, 30.0)
"""Sizes of trial functions [1]: some laws change at a threshold that others never meet."""
POINTS = 64
"""Points of each region at which every size is tried."""
TINIEST = 1e-300
"""In place of a residual that vanishes everywhere."""
ROUNDING = 1e-8
"""Share of the largest residual that rounding may leave, in double precision."""


def nonlinear_residuals(problem: AbstractProblem) -> list[str]:
    r"""The names of all residuals that are not affine in the unknown function.

    For an affine residual, $r(2u - v) = 2 r(u) - r(v)$ whatever the functions $u$ and $v$. It is
    tried on sums of random waves of several sizes, at points all over the region, so that a
    product of derivatives, a power or a threshold shows.
    """
    # Double precision, or the tolerance for rounding would have to let weak nonlinearity pass.
    with jax.enable_x64(True):
        # Numbers as arrays: what is compiled for one problem serves others of its kind.
        traced = jax.tree.map(
            lambda leaf: np.array(leaf) if isinstance(leaf, float) else leaf, problem.without_lift()
        )
        points = {name: _scattered(region) for name, region in problem.regions().items()}
        shares = _departures(traced, points, _trial_waves(points))
    # Written such that a share which is no number counts as nonlinear.
    return [name for name in points if not float(shares[name]) <= ROUNDING]


def refuse_nonlinear(problem: AbstractProblem) -> None:
    """Raise an error in a sentence if any residual is not affine in the unknown function."""
    names = nonlinear_residuals(problem)
    if names:
        listed = ", ".join(repr(name) for name in names)
        raise InputError(
            f"{type(problem).__name__} is not linear in its unknown (residual {listed}), and this "
            "method has a closed form for linear equations alone.",
            hint='choose a method that trains a network, such as `method="laplace"`.',
        )


def _scattered(region: Region) -> Float[np.ndarray, "point axis"]:
    """Random points all over a region, the boxes in turn; by NumPy, which compiles nothing."""
    # One seed for all: the verdict on a problem must not change from run to run.
    rng = np.random.default_rng(0)
    ends = np.array([(box.lower, box.upper) for box in region.boxes])
    # Boxes in turn, however thin: a wall is tried at as many points as the inside.
    lower, upper = ends[np.arange(POINTS) % len(ends)].swapaxes(0, 1)
    return rng.uniform(lower, upper)


def _trial_waves(points: Mapping[str, np.ndarray]) -> Float[np.ndarray, "wave number"]:
    """Waves of two functions, one after the other: size, phase and speed along every axis."""
    dimension = next(iter(points.values())).shape[1]
    # Speeds of a few radians a unit, so that derivatives are of the size of the function.
    return np.random.default_rng(0).normal(scale=2.0, size=(2 * WAVES, 2 + dimension))


@eqx.filter_jit
def _departures(problem, points, waves) -> dict[str, Scalar]:
    """How far every residual is from affine, as a share of its own size."""
    height, phase, speeds = waves[:, 0], waves[:, 1], waves[:, 2:]
    # Each function has its own half of the waves, so u and v differ in shape and not only in size.
    first = jnp.arange(2 * WAVES) < WAVES
    u, v = jnp.where(first, height, 0.0), jnp.where(first, 0.0, height)
    # One residual over three sets of heights: it is traced and compiled once instead of thrice.
    trials = jnp.stack([u, v, 2 * u - v])

    def departure(residual, size, point) -> tuple[Scalar, Scalar]:
        def of(heights: Float[Array, " wave"]) -> Scalar:
            def function(xt: Point) -> Scalar:
                return size * jnp.sum(heights * jnp.sin(speeds @ xt + phase))

            # By its name too: an equation may say `u.v(point)`.
            return residual(Unknowns(dict.fromkeys(problem.functions(), function), {}), point)

        at_u, at_v, at_both = values = jax.vmap(of)(trials)
        # The departure beside the largest of the three values, whose rounding it cannot undercut.
        return jnp.abs(2 * at_u - at_v - at_both), jnp.max(jnp.abs(values))

    def share(name: str) -> Scalar:
        def at(size, point):
            return departure(problem.residuals()[name], size, point)

        over_points = jax.vmap(at, (None, 0))
        # Sizes along the first axis, points along the second.
        off, largest = jax.vmap(over_points, (0, None))(jnp.array(SIZES), points[name])
        # Every size of function by its own scale, or small ones would drown beside large ones.
        scale = jnp.maximum(jnp.max(largest, axis=1, keepdims=True), TINIEST)
        return jnp.max(off / scale)

    return {name: share(name) for name in points}
