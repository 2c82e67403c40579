r"""What is believed of a unit: draws of all that is not known, which new readings move.

The posterior after a day is the one before times the density of the day's readings. Where it began,
it was learned from weeks, so one day changes little of it: its logarithm is a parabola over the
draws to good accuracy, $\ell(u) = c + g^\top u - u^\top H u/2$ in coordinates in which the belief
before is a standard normal. The belief after has the precision $1 + H$ and the mean
$(1 + H)^{-1}g$, and every draw is moved there by the same map. Nothing is fitted again, and no draw
is lost, as by weights it would be: 500 draws of a dozen numbers were worth 95 after three days.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import DOUBTS, unknowns
from agewise.plant.nameplate import Nameplate
from agewise.transformer.calibration.names import (
    GRADIENT,
    LASTING,
    LASTING_D,
    NOISE,
    OIL_MINUTES,
    RISE,
    WANDERING,
    WANDERING_H,
    WINDING_MINUTES,
)
from agewise.transformer.prognostics.unknowns import drawn

DRAWS = 500
"""Draws of a belief, as many as learning keeps."""
POSITIVE = (
    *(RISE, OIL_MINUTES, GRADIENT, WINDING_MINUTES),
    *(WANDERING, WANDERING_H, LASTING, LASTING_D, NOISE),
)
"""Parameters that are moved as logarithms."""
FAR, STEPS = 1.0, 6
"""Distance in standard deviations from which on a parabola is fitted again where it led, and most
times that this is done: a day like no other may tell much."""
LONGEST = 2.0
"""Longest way of one such step, in standard deviations of the belief before."""

PerDraw = Float[np.ndarray, " draw"]
"""A number for each draw."""
Density = Callable[["Belief"], PerDraw]
"""Logarithm of the density of a day's readings in every draw of a belief [nats]."""


@dataclass(frozen=True, eq=False)
class Belief:
    """Draws of every number that is not known."""

    draws: Mapping[str, PerDraw]
    """Every unknown by name, in its own unit."""
    learned: tuple[str, ...]
    """Names of those that readings teach."""

    def mean(self, name: str) -> float:
        """Expected value of a number."""
        return float(self.draws[name].mean())

    def std(self, name: str) -> float:
        """Standard deviation of a number."""
        return float(self.draws[name].std())

    def taught(self, first: PerDraw, density: Density) -> "Belief":
        """The belief after a day.

        Args:
            first: Logarithm of the density of the day's readings in every draw of this belief.
            density: The same for another belief, where the day tells much.
        """
        points = self._points()
        centre, root = points.mean(axis=0), np.linalg.cholesky(np.cov(points.T))
        white = np.linalg.solve(root, (points - centre).T).T
        middle, at, values, after = np.zeros(centre.size), white, first, self
        for _ in range(STEPS):
            wanted, spread = _combined(at, values)
            length = float(np.linalg.norm(wanted - middle))
            middle = middle + (wanted - middle) * min(1.0, LONGEST / max(length, 1e-12))
            at = middle + white @ spread.T
            after = self._at(centre + at @ root.T)
            if length < FAR:
                break
            values = density(after)
        return after

    def distance(self, other: "Belief") -> float:
        """Mean distance that draws moved from another belief, in its standard deviations."""
        here, there = self._points(), other._points()
        return float(np.sqrt(np.mean(((here - there) / there.std(axis=0)) ** 2)))

    def _points(self) -> Float[np.ndarray, "draw number"]:
        """The learned numbers, logarithms of those that are positive."""
        columns = (
            np.log(self.draws[name]) if name in POSITIVE else self.draws[name]
            for name in self.learned
        )
        return np.stack(list(columns), axis=1)

    def _at(self, points: Float[np.ndarray, "draw number"]) -> "Belief":
        moved = {
            name: np.exp(column) if name in POSITIVE else column
            for name, column in zip(self.learned, points.T, strict=True)
        }
        return Belief(dict(self.draws) | moved, self.learned)


def first_belief(nameplate: Nameplate, *, seed: int = 0) -> Belief:
    """The belief of a unit whose constants were learned, before any further reading."""
    joint = nameplate.joint_draws
    draws = drawn(unknowns(nameplate, DOUBTS), DRAWS, seed=seed, joint=joint)
    return Belief(dict(draws), tuple(name for name in joint if np.ptp(draws[name]) > 0))


def _combined(
    at: Float[np.ndarray, "draw number"], values: PerDraw
) -> tuple[np.ndarray, np.ndarray]:
    """Mean, and a root of the covariance, of a standard normal times what these values say.

    Args:
        at: Places of the draws, in coordinates of the normal.
        values: Logarithm of the density there [nats].
    """
    count = at.shape[1]
    rows, columns = np.triu_indices(count)
    features = np.column_stack([np.ones(len(at)), at, at[:, rows] * at[:, columns]])
    # Draws far out are of little weight, and there the logarithm is least of a parabola.
    weight = np.exp(-0.5 * np.maximum(values.max() - values - 2 * count, 0.0) / count)[:, None]
    coefficients = np.linalg.lstsq(weight * features, weight[:, 0] * values, rcond=1e-10)[0]
    slope, bend = coefficients[1 : count + 1], np.zeros((count, count))
    bend[rows, columns] = -coefficients[count + 1 :]
    levels, axes = np.linalg.eigh(bend + bend.T)
    # Readings never take away what was known: where the parabola bends up, it tells nothing.
    precision = 1 + np.maximum(levels, 0.0)
    mean = axes @ ((axes.T @ slope) / precision)
    return mean, (axes / np.sqrt(precision)) @ axes.T
