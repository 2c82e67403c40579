"""`line`: a straight line between smoothed ends. The answer to beat."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.engine.inference.offered import (
    QUIET,
    AbstractFields,
    AbstractInference,
    AbstractPosterior,
    AbstractProblem,
    Ends,
    Key,
    Monitor,
    Points,
    Prediction,
    generator,
    smooth_ends,
)
from agewise.engine.splines.smoothing import on_axis


@dataclass(frozen=True, eq=False)
class LineFields(AbstractFields):
    """Straight lines between drawn ends."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    ends: Ends
    """Both ends, for their basis and their noise."""
    bottom: Float[np.ndarray, "coefficient draw"]
    """Coefficients of the drawn functions at the bottom."""
    top: Float[np.ndarray, "coefficient draw"]
    """Coefficients of the drawn functions at the top."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The straight lines, lift included."""
        axis = on_axis(points[:, 1])
        bottom = self.ends.bottom.basis.values(self.bottom, axis).T
        top = self.ends.top.basis.values(self.top, axis).T
        return _straight(self.problem, points, bottom, top)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The noise at each drawn value."""
        noise = self.ends.noise
        return np.stack([noise.variance(points, mean) for mean in self.means(points)])


@dataclass(frozen=True, eq=False)
class LinePosterior(AbstractPosterior):
    """Ends that are known up to a Gaussian, and nothing between."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    ends: Ends
    """Both ends, each with its uncertainty."""

    def draw(self, count: int, *, key: Key) -> LineFields:
        """Lines between drawn ends."""
        rng = generator(key)
        series = (self.ends.bottom, self.ends.top)
        # One generator for both in turn, or the noise of one end would be that of the other.
        bottom, top = (end.draws(count, rng=rng) for end in series)
        return LineFields(self.problem, self.ends, bottom, top)

    def moments(self, points: Points) -> Prediction:
        """The line between expected ends; the ends are independent of each other."""
        x, t = points.T
        mean = _straight(self.problem, points, self.ends.bottom.values(t), self.ends.top.values(t))
        # Independent ends: variances add with the squares of their shares.
        epistemic = (1 - x) ** 2 * self.ends.bottom.variance(t) + x**2 * self.ends.top.variance(t)
        return Prediction(mean, epistemic, self.ends.noise.variance(points, mean))

    def arrays(self) -> dict[str, np.ndarray]:
        """Both ends and the law of the noise."""
        return self.ends.arrays()


@dataclass(frozen=True)
class Line(AbstractInference):
    """Smooth the ends, and draw a line."""

    def fit(self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET) -> LinePosterior:
        """The smoothed ends of a problem; without randomness, so the key is not used."""
        return LinePosterior(problem, smooth_ends(problem))

    def restored(self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]) -> LinePosterior:
        """The posterior whose `arrays` these are."""
        return LinePosterior(problem, Ends.restored(arrays))


def _straight(
    problem: AbstractProblem,
    points: Points,
    bottom: Float[np.ndarray, "*draw point"],
    top: Float[np.ndarray, "*draw point"],
) -> Float[np.ndarray, "*draw point"]:
    """Straight in the quantity itself, so the lift is added at the ends."""
    x, t = points.T
    # Not the lift at the point itself, which bends over the height as the equation has it.
    low, high = (problem.lift(np.stack([np.full_like(t, end), t], axis=1)) for end in (0.0, 1.0))
    return (1 - x) * (bottom + low) + x * (top + high)
