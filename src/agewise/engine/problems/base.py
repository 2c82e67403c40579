"""A problem says what must vanish and where, and what was measured."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.jet import Diffusion
from agewise.engine.problems.constants import AbstractConstant
from agewise.engine.problems.given import plain_array
from agewise.types import Key, Point, Scalar, ScalarField

Residual = Callable[[Any, Point], Scalar]
"""What must vanish at one point, given what is unknown.

That is a function of a point; where a problem has several functions, or constants, they are its
attributes: `u.v(point)`, `u.k` (see `Unknowns`).
"""


class Box(eqx.Module):
    """An axis-parallel piece of the domain; an axis whose ends are equal is pinned there."""

    # Static: a region's shape decides what is compiled, so another box is another program.
    lower: tuple[float, ...] = eqx.field(static=True)
    """Least coordinate along each axis, in the problem's own units."""
    upper: tuple[float, ...] = eqx.field(static=True)
    """Largest coordinate along each axis, in the problem's own units."""

    @property
    def volume(self) -> float:
        """The product of the lengths of the axes that are not pinned."""
        # Pinned axes are left out, or walls and first instants would all measure nothing.
        lengths = np.subtract(self.upper, self.lower)
        # The product of no lengths is one: a corner, pinned on every axis, still weighs.
        return float(np.prod(lengths[lengths > 0]))

    def points(self, count: int, *, key: Key) -> Float[Array, "{count} dim"]:
        """Spread points: a Kronecker sequence, shifted at random, so means over it are unbiased."""
        dimension = len(self.lower)
        # Turns are counted in double precision: in single, many points would fall together.
        turns = np.arange(count)[:, None] * _kronecker_steps(dimension) % 1.0
        # One shift for all points keeps them spread; taken round the torus, each is uniform.
        share = (jax.random.uniform(key, (dimension,)) + turns) % 1.0
        lower, upper = jnp.asarray(self.lower), jnp.asarray(self.upper)
        return lower + share * (upper - lower)


class Region(eqx.Module):
    """One or more boxes, such as the two walls of a rod."""

    boxes: tuple[Box, ...]
    """Pieces of the region, which count as if none overlapped."""

    @property
    def solid(self) -> bool:
        """Whether it fills the domain, unlike walls and first instants."""
        return all(np.all(np.less(box.lower, box.upper)) for box in self.boxes)

    def points(self, count: int, *, key: Key) -> Float[Array, "{count} dim"]:
        """Spread points, shared between the boxes in proportion to their volumes; each axis is
        measured by the longest box along it, so that no choice of units matters."""
        lengths = np.array([np.subtract(box.upper, box.lower) for box in self.boxes])
        # In its own units, a first instant of a metre has no points beside walls of a day in
        # seconds.
        relative = lengths / np.where(lengths.max(axis=0) > 0, lengths.max(axis=0), 1.0)
        # Pinned axes are left out, as they are of a volume.
        sizes = np.where(lengths > 0, relative, 1.0).prod(axis=1)
        bounds = np.concatenate([[0.0], np.cumsum(sizes)])
        # The running total is rounded and not each share, so that the counts add up.
        edges = np.round(count * bounds / bounds[-1]).astype(int)
        # A key for each box, or walls of one length would have the same points.
        keys = jax.random.split(key, len(self.boxes))
        counts = np.diff(edges).tolist()
        parts = [box.points(n, key=k) for box, n, k in zip(self.boxes, counts, keys, strict=True)]
        return jnp.concatenate(parts)


class Observations(eqx.Module):
    """Noisy values of what can be evaluated at a point; a standard deviation where it is known.

    Examples:
        Two readings of the slope of the unknown, with noise that is to be learned:

        >>> import numpy as np
        >>> import agewise
        >>> slope = agewise.Observations(
        ...     points=np.array([[0.0], [1.0]]),
        ...     values=np.array([2.0, 1.0]),
        ...     quantity=lambda u, t: agewise.partial(u, 0)(t),
        ... )
        >>> slope.values.shape
        (2,)
    """

    # Converted: columns of a table of pandas, say, are no arrays that JAX could trace.
    points: Float[Array | np.ndarray, "count dim"] = eqx.field(converter=plain_array)
    """Where it was measured, in the problem's own coordinates."""
    values: Float[Array | np.ndarray, " count"] = eqx.field(converter=plain_array)
    """What was measured, in its own unit, less the lift."""
    std: Float[Array | np.ndarray, " count"] | None = eqx.field(converter=plain_array, default=None)
    """Standard deviation of the noise, in the unit of the values; None where it is to be
    learned."""
    # Static, since a function is no array that JAX could trace.
    quantity: Residual | None = eqx.field(static=True, default=None)
    """What was measured, written at one point like a residual, such as a derivative or a source;
    None for the unknown function itself."""


class AbstractProblem(eqx.Module):
    """An equation with its data.

    Subclasses are final. Residuals, their regions and their scales share their names. A problem
    that says nothing of its coordinates has a function u of (x, t) on the unit square.
    """

    @abstractmethod
    def residuals(self) -> Mapping[str, Residual]:
        """What must vanish, by name, written at one point."""

    def coordinates(self) -> Mapping[str, tuple[float, float]]:
        """The box on which the problem is stated: least and largest value of every coordinate."""
        return {"x": (0.0, 1.0), "t": (0.0, 1.0)}

    def functions(self) -> Mapping[str, tuple[str, ...]]:
        """The unknown functions, each with the names of the coordinates that it depends on."""
        return {"u": tuple(self.coordinates())}

    def constants(self) -> Mapping[str, AbstractConstant]:
        """The unknown constants of the equation, each with what is known of it beforehand."""
        return {}

    def periodic(self) -> tuple[str, ...]:
        """Coordinates whose two ends are the same place, such as the angle around a ring."""
        return ()

    def sizes(self) -> Mapping[str, float]:
        """Typical size of an unknown function, where one is known; else readings tell, or it is
        taken as 1."""
        return {}

    def regions(self) -> Mapping[str, Region]:
        """Where each residual must vanish: over the whole box, unless overridden."""
        ends = self.coordinates().values()
        lower, upper = tuple(low for low, _ in ends), tuple(high for _, high in ends)
        return dict.fromkeys(self.residuals(), Region((Box(lower, upper),)))

    def scales(self) -> Mapping[str, float]:
        """How nearly each residual vanishes: the standard deviation declared for it, in its unit.

        Zero says that the equation is exact; it then counts to a small share of its own terms.
        """
        return dict.fromkeys(self.residuals(), 1.0)

    def pseudo_observations(self) -> Mapping[str, float]:
        """How many observations each region weighs, however many points are taken there.

        A residual is pseudo-data: its log likelihood is the count times the mean over its region.
        """
        return dict.fromkeys(self.residuals(), 100.0)

    def observations(self) -> Mapping[str, Observations]:
        """What was measured, by sensor."""
        return {}

    def lift(self, points: Float[np.ndarray, "point dim"]) -> Float[np.ndarray, " point"]:
        """The part of the solution that is known already; the unknown function is the rest."""
        return np.zeros(len(points))

    def lift_variance(self, points: Float[np.ndarray, "point dim"]) -> Float[np.ndarray, " point"]:
        """The variance of the lift, where it was learned from the readings; zero where it is sure.

        A method that takes the lift out of the readings must count this beside its own variance, or
        noise that the lift has followed would be lost.
        """
        return np.zeros(len(points))

    def without_lift(self) -> "AbstractProblem":
        """The same residuals, rid of what only the lift needs: what is compiled is small."""
        return self

    def diffusion(self) -> Diffusion | None:
        """The factors of $a u_t - b u_{xx}$, where residuals ask for these derivatives in this sum
        alone, by `diffused`: networks then carry it as one. None where they are asked for apart."""
        return None

    def period(self) -> float | None:
        """A natural cycle in time, such as the day, as a share of the window [1]; None without."""
        return None

    def solution(self) -> ScalarField | Any | None:
        """The exact solution, where one is known: a function, or all `Unknowns` by their names."""
        return None


def _kronecker_steps(dimension: int) -> np.ndarray:
    """Powers of the inverse of the generalised golden ratio, the root of $g^{d+1} = g + 1$."""
    # A fixed-point iteration that at least halves the error: 64 rounds reach double precision.
    ratio = 2.0
    for _ in range(64):
        ratio = (1 + ratio) ** (1 / (dimension + 1))
    # Steps g⁻¹, g⁻², ...: in one dimension of the golden ratio, worst approximated by fractions.
    return ratio ** -np.arange(1.0, dimension + 1)
