"""`solver`: smoothed ends, pushed through the reference equation. Hard physics."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import (
    AbstractFields,
    AbstractInference,
    AbstractPosterior,
    Points,
    generator,
)
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.ends import Ends, smooth_ends
from agewise.engine.splines.noise import NoiseLaw
from agewise.engine.splines.smoothing import on_axis
from agewise.engine.training import QUIET, Monitor
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.heat_equation import HeatEquation
from agewise.transformer.oil.signal import HeldSignal
from agewise.types import Key

ELEMENTS = 20
"""Number of quadratic elements; what the load alone does is taken out before, and the rest is
smooth in height."""
STEPS_PER_COUNT = 6
"""Time steps for each observation that the interior weighs: ten minutes."""
VARIANCE_DRAWS = 400
"""Drawn solutions behind the epistemic variance, which they give to 7 %."""
BATCH = 50
"""Solutions that are worked on at a time: more do not fit into the cache of a processor."""


@dataclass(frozen=True, eq=False)
class GridFields(AbstractFields):
    """Drawn functions on a grid, under one law of noise."""

    problem: AbstractProblem
    """The problem, whose lift is added to the functions."""
    functions: GridFunction
    """Drawn solutions without the lift, scaled."""
    noise: NoiseLaw
    """Variance of the readings' noise, scaled."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The drawn functions, lift included."""
        return self.functions(points) + self.problem.lift(points)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The noise at each drawn value."""
        return np.stack([self.noise.variance(points, mean) for mean in self.means(points)])


@dataclass(frozen=True, eq=False)
class SolverPosterior(AbstractPosterior):
    """Ends that are known up to a Gaussian, and the equation between them."""

    problem: TransformerHeat
    """The heat problem that was solved."""
    ends: Ends
    """Smoothed bottom and top, and the noise of their sensors."""
    mean: GridFunction
    """Expected solution without the lift, scaled."""
    variance: GridFunction
    """Epistemic variance of the solution, scaled."""

    def draw(self, count: int, *, key: Key) -> GridFields:
        """Solutions between drawn ends."""
        functions = solutions(self.problem, self.ends, count, rng=generator(key))
        return GridFields(self.problem, functions, self.ends.noise)

    def moments(self, points: Points) -> Prediction:
        """The solution between expected ends, and the variance of drawn ones."""
        # Noise may depend on the temperature, so that the lift is added before it is asked for.
        mean = self.mean(points) + self.problem.lift(points)
        return Prediction(mean, self.variance(points), self.ends.noise.variance(points, mean))

    def arrays(self) -> dict[str, np.ndarray]:
        """The ends and both grids."""
        return self.ends.arrays() | {"mean": self.mean.values, "variance": self.variance.values}


@dataclass(frozen=True)
class Solver(AbstractInference):
    """Smooth the ends, draw them, solve between."""

    draws: int = field(default=VARIANCE_DRAWS)
    """Number of drawn solutions behind the variance, rounded up to whole batches."""

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> SolverPosterior:
        """The posterior of the transformer's heat problem."""
        heat_problem = _transformer(problem)
        ends = smooth_ends(heat_problem)
        expected, rng = _expected(heat_problem, ends), generator(key)
        # Squares are summed batch by batch, so that all draws are never in memory at once.
        squares = np.zeros_like(expected.values)
        for _ in range(0, self.draws, BATCH):
            off = solutions(heat_problem, ends, BATCH, rng=rng).values - expected.values
            squares += np.einsum("dtn,dtn->tn", off, off)
        # Rounded up to whole batches, as the loop above goes.
        variance = squares / (BATCH * -(-self.draws // BATCH))
        return SolverPosterior(heat_problem, ends, expected, replace(expected, values=variance))

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> SolverPosterior:
        """The posterior whose `arrays` these are."""
        heat_problem = _transformer(problem)
        mesh, times = LineElements.uniform(1.0, ELEMENTS, 2), time_grid(heat_problem)
        mean, variance = (GridFunction(mesh, times, arrays[name]) for name in ("mean", "variance"))
        return SolverPosterior(heat_problem, Ends.restored(arrays), mean, variance)


def solutions(
    problem: TransformerHeat, ends: Ends, count: int, *, rng: np.random.Generator
) -> GridFunction:
    """Solutions of the equation between drawn ends."""
    times = time_grid(problem)
    bottom, top = (
        series.basis.values(series.draws(count, rng=rng), on_axis(times)).T
        for series in (ends.bottom, ends.top)
    )
    rise = at_middles(problem, problem.rise) + _drawn_doubt(problem, count, rng=rng)
    return solved_between(problem, bottom, top, rise)


def _drawn_doubt(
    problem: TransformerHeat, count: int, *, rng: np.random.Generator
) -> Float[np.ndarray, "draw step"] | float:
    """What a load in doubt adds to the source of each step; nothing where all of it was measured.

    Steps are shorter than the hour whose mean the doubt is about, so each may be off by more.
    """
    if problem.looseness is None:
        return 0.0
    loose = at_middles(problem, problem.looseness)
    # Independent steps average out within the hour, hence the factor under the root.
    std = problem.discrepancy * np.sqrt((loose**2 - 1) * STEPS_PER_COUNT)
    return std * rng.standard_normal((count, std.size))


def _expected(problem: TransformerHeat, ends: Ends) -> GridFunction:
    """The equation is linear: the solution between expected ends is the expected solution."""
    times = time_grid(problem)
    ends_at = ends.bottom.values(times), ends.top.values(times)
    # Middles, since the load jumps at samples and a step may begin on one.
    return solved_between(problem, *ends_at, at_middles(problem, problem.rise))


def solved_between(
    problem: TransformerHeat,
    bottom: Float[np.ndarray, "*draw time"],
    top: Float[np.ndarray, "*draw time"],
    rise: Float[np.ndarray, "*_ step"] | float = 0.0,
    *,
    times: Float[np.ndarray, " time"] | None = None,
    elements: int = ELEMENTS,
    start: Float[np.ndarray, "*draw node"] | None = None,
) -> GridFunction:
    """The solution of the scaled equation between given ends.

    Args:
        problem: The heat problem, whose equation is used.
        bottom: Scaled lower end at the instants of the time grid.
        top: Scaled upper end at these instants.
        rise: Scaled steady rise by the losses in each step.
        times: Instants in units of the window; the problem's time grid if None.
        elements: Number of quadratic elements over the height.
        start: Scaled first profile at the nodes; the straight line between the ends if None.
    """
    times = time_grid(problem) if times is None else times
    mesh = LineElements.uniform(1.0, elements, 2)
    # Divided by the heat transfer, the equation has a transfer of one, and its source is a
    # temperature: the rise by the losses, and that of the bottom where this stands for the air.
    equation = HeatEquation(mesh, problem.relaxation, problem.conduction, 1.0)
    air = (bottom[..., 1:] + bottom[..., :-1]) / 2
    # `0.0 * air` keeps the shape; the air is in the rise where the bottom is not the air.
    source = air + rise if problem.bottom_is_air else 0.0 * air + rise
    if start is None:
        start = (1 - mesh.nodes) * bottom[..., :1] + mesh.nodes * top[..., :1]
    solved = equation.solution(times, bottom, top, source[..., None], start)
    return GridFunction(mesh, times, solved)


def at_middles(problem: TransformerHeat, signal: HeldSignal) -> Float[np.ndarray, " step"]:
    """The signal in the middle of every step of the time grid."""
    times = time_grid(problem)
    return signal.at((times[1:] + times[:-1]) / 2)


def time_grid(problem: TransformerHeat) -> Float[np.ndarray, " time"]:
    """Instants of the unit time between which the equation is solved."""
    # At least eight, for records of an hour or less.
    steps = max(8, round(STEPS_PER_COUNT * problem.pseudo_observations()["interior"]))
    return np.linspace(0.0, 1.0, steps + 1)


def _transformer(problem: AbstractProblem) -> TransformerHeat:
    if not isinstance(problem, TransformerHeat):
        raise ValueError(
            f"`solver` knows the transformer's equation, not {type(problem).__name__}."
        )
    return problem
