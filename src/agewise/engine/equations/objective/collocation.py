"""Where residuals are taken, and how tight each of them is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.problems.base import AbstractProblem, Box, Region
from agewise.types import Key

POINTS, MOST_POINTS = {1: 200, 2: 2000, 3: 4000}, 6000
"""Points of a solid region by the number of its coordinates, and of one of more."""
ON_WALLS, MOST_ON_WALLS = {0: 1, 1: 200, 2: 1000, 3: 2000}, 3000
"""The same of walls and first instants, by the coordinates that are free in them. With 100 points
along walls of one they were left up to 13 times larger between the points than there, and
Helmholtz' and Burgers' equations 0.025 instead of 0.017 and 0.016 % off (tuning key 100)."""
TIGHT = 1e-3
"""Standard deviation of an exact equation over the size of its own terms [1]. Errors of the
solution come out of this order or below; what is tighter takes longer to train."""
CANDIDATES = 20_000
"""Points of a region among which denser ones are picked."""
BY_RESIDUAL = 0.5
"""Share of the points that go by the size of the residual [1]; the others are spread evenly."""
TRIED = 16
"""Functions of the prior over which the size of a residual's terms is taken."""


@dataclass(frozen=True, eq=False)
class Collocation:
    """Points of every residual and the standard deviation that is declared for it."""

    points: dict[str, Float[np.ndarray, "point axis"]]
    """Points by the name of the residual."""
    scales: dict[str, float]
    """Declared standard deviation of every residual, in its unit; never zero."""
    counts: dict[str, float]
    """How many observations each region weighs, however many points it has."""
    shares: dict[str, Float[np.ndarray, " point"]]
    """Share of its region that every point stands for [1]; about 1 in all."""

    def weights(self, name: str) -> Float[np.ndarray, " point"]:
        """What a residual at each point is multiplied with, so that half the squares sum to the
        region's part of the loss."""
        # Half of Σ n s_i r_i²/c²: shares sum to one, so the region weighs n observations.
        return np.sqrt(self.counts[name] * self.shares[name]) / self.scales[name]

    def refined(
        self, problem: AbstractProblem, unknown: Unknown, numbers: np.ndarray, *, key: Key
    ) -> "Collocation":
        """As many points of each solid region, denser where the residual of these numbers is large.

        Half the points are spread evenly and half go by the size of the residual. Each stands for
        as much of its region as its neighbours leave it, so the loss is still the same integral.
        """
        regions, points, shares = problem.regions(), dict(self.points), dict(self.shares)
        solid = [name for name in points if regions[name].solid]
        keys = dict(zip(solid, jax.random.split(key, len(solid)), strict=True)) if solid else {}
        with jax.enable_x64(True):
            tried = {n: np.asarray(regions[n].points(CANDIDATES, key=keys[n])) for n in solid}
        # Walls keep their points, which are few and all needed.
        sizes = residuals_at(problem, unknown, numbers, points | tried)
        for name in solid:
            count = len(points[name])
            size = np.abs(sizes[name])
            # Mean one over the candidates, so that a chance is also a density over the region;
            # residuals that all vanish prefer no place.
            mean = float(size.mean())
            relative = size / mean if mean else np.ones(len(size))
            chance = (1 - BY_RESIDUAL) + BY_RESIDUAL * relative
            picked = _systematic(chance, count, key=keys[name])
            # Importance weights: where points are denser, each stands for less of the region.
            points[name], shares[name] = tried[name][picked], 1 / (chance[picked] * count)
        return replace(self, points=points, shares=shares)


def collocation(
    problem: AbstractProblem, unknown: Unknown, *, key: Key, guessed: bool = False
) -> Collocation:
    """Spread points for every residual; exact equations get a small share of their own size.

    Args:
        problem: What must vanish, and where.
        unknown: Functions and constants for every vector of numbers.
        key: Key of the points.
        guessed: Whether the sizes of all functions are a guess, so that the terms of an equation
            are as large as what drives it, such as a load, if that is less.
    """
    regions, declared = problem.regions(), problem.scales()
    keys = dict(zip(regions, jax.random.split(key, len(regions)), strict=True))
    points = {name: _points(region, key=keys[name]) for name, region in regions.items()}
    sizes = residual_sizes(problem, unknown, points) if 0.0 in declared.values() else {}
    if guessed:
        drives = driving_sizes(problem, unknown, points)
        sizes = {name: min(size, drives[name] or size) for name, size in sizes.items()}
    # Zero says exact: then a small share of what the terms are for functions of the prior.
    scales = {name: float(scale) or TIGHT * sizes[name] for name, scale in declared.items()}
    shares = {name: np.full(len(points[name]), 1 / len(points[name])) for name in points}
    return Collocation(points, scales, dict(problem.pseudo_observations()), shares)


def _systematic(chance: Float[np.ndarray, " candidate"], count: int, *, key: Key) -> np.ndarray:
    """Numbers of `count` candidates, each as often as its chance: at even steps of their sum."""
    # Even steps through the running sum: fewer repeats than independent draws, no bias.
    edges = np.cumsum(chance) / chance.sum() * count
    first = np.random.default_rng(np.asarray(jax.random.key_data(key))).uniform()
    return np.minimum(np.searchsorted(edges, first + np.arange(count)), len(chance) - 1)


def box_of(problem: AbstractProblem) -> Float[np.ndarray, "end axis"]:
    """Least and largest coordinates of a problem."""
    # One row of least and one of largest values.
    return np.array(list(problem.coordinates().values()), dtype=float).T


def residual_sizes(
    problem: AbstractProblem, unknown: Unknown, points: Mapping[str, np.ndarray]
) -> dict[str, float]:
    """The root mean square of every residual over functions of the prior."""
    rng = np.random.default_rng(0)  # one seed for all: a scale must not change from fit to fit
    with jax.enable_x64(True):
        trials = np.stack([unknown.initial(rng) for _ in range(TRIED)])
        if not trials.any():  # functions that start at zero show nothing of their sizes
            trials = rng.standard_normal(trials.shape)
        values = _residuals(problem, unknown, trials, dict(points))
    return {
        # The median over functions, since one wild draw would loosen the equation for all.
        name: float(np.sqrt(np.median(np.mean(np.square(value), axis=1)))) or 1.0
        for name, value in values.items()
    }


def driving_sizes(
    problem: AbstractProblem, unknown: Unknown, points: Mapping[str, np.ndarray]
) -> dict[str, float]:
    """The root mean square of every residual where all functions are zero."""
    zero = {
        name: replace(function, centre=np.zeros(()), size=np.zeros(()))
        for name, function in unknown.functions.items()
    }
    nothing = Unknown.of(zero, unknown.constants)
    values = residuals_at(problem, nothing, np.zeros(nothing.size), points)
    sizes = {name: float(np.sqrt(np.mean(value**2))) for name, value in values.items()}
    # An equation that has no value at zero, such as one with a logarithm, says nothing.
    return {name: size if np.isfinite(size) else 0.0 for name, size in sizes.items()}


@eqx.filter_jit
def _residuals(problem, unknown, trials, points):
    def of(numbers):
        unknowns = unknown.unknowns(numbers)
        return {
            name: jax.vmap(lambda point, r=residual: r(unknowns, point))(points[name])
            for name, residual in problem.residuals().items()
        }

    # One function after the other, so that memory holds the derivatives of one.
    return jax.lax.map(of, jnp.asarray(trials))


def residuals_at(
    problem: AbstractProblem, unknown: Unknown, numbers: np.ndarray, points: Mapping
) -> dict[str, np.ndarray]:
    """Every residual at its points, for one vector of numbers."""
    with jax.enable_x64(True):
        residuals = _residuals(problem, unknown, np.asarray(numbers)[None], dict(points))
    return {name: np.asarray(value)[0] for name, value in residuals.items()}


def _points(region: Region, *, key: Key) -> Float[np.ndarray, "point axis"]:
    free = [sum(np.less(box.lower, box.upper)) for box in region.boxes]
    counts, most = (POINTS, MOST_POINTS) if region.solid else (ON_WALLS, MOST_ON_WALLS)
    # At least one for each box, or an instant of the first time would have none.
    count = max(len(free), counts.get(max(free), most))
    with jax.enable_x64(True):
        spread = np.asarray(region.points(count, key=key), dtype=float)
    # Solid regions reach their edges by sheer number; a wall's last point may be far from its end.
    # Of walls of more coordinates ends would be most of the points: 10,240 beside 3000 in a box of
    # ten, where no point is near another.
    ended = not region.solid and max(free) in ON_WALLS
    return np.concatenate([spread, *map(_corners, region.boxes)]) if ended else spread


def _corners(box: Box) -> Float[np.ndarray, "corner axis"]:
    """Where a wall ends: past its last point a function is extrapolated, and goes astray first. A
    single point has no ends."""
    ends = [sorted({low, high}) for low, high in zip(box.lower, box.upper, strict=True)]
    corners = np.array(list(product(*ends)), dtype=float)
    return corners[:0] if len(corners) == 1 else corners
