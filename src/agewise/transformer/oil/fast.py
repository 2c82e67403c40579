"""Fast changes of the ends: taken out of what a network has to learn, and added to its answer.

A network sees a few harmonics a day. What is faster (gusts, clouds, a front) would pass for the
noise of the sensor, and the equation would be fitted to a bottom that never was. So the ends are
smoothed minute by minute, what is faster than hours is carried into the oil by the heat equation,
and the network learns the rest. How far the smoothed ends may be off is part of every answer.
"""

from dataclasses import dataclass, replace

import jax
import numpy as np

from agewise.engine.posterior import AbstractAround, AbstractPosterior, Points, generator
from agewise.engine.problems.base import Observations
from agewise.engine.splines.rough_ends import rough_ends
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.driven import LIFT_ELEMENTS
from agewise.transformer.oil.fast_changes import FastChanges
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.holes import WidenedFields
from agewise.transformer.oil.solver import solved_between, time_grid
from agewise.types import Key
from agewise.units import SECONDS_PER_HOUR

SLOWEST_H = 8.0
"""Period up to which a change counts as fast [h]: twice the shortest that a network sees as it is.
With that shortest alone, its top oil in a week of a hot substation is off by 0.14 K where its z is
1.9; with this by 0.11 K at 1.2, and three times as long changes little (tuning twins)."""
DRAWS, BATCH = 200, 50
"""Drawn functions behind the variance of the fast part, and how many are worked on at a time."""


def without_fast_changes(problem: TransformerHeat) -> TransformerHeat:
    """The same problem, whose known part also has what changes fast at the ends."""
    if problem.known is None:
        return problem
    ends = rough_ends(problem)
    # A share of the window, which is the unit of time of the ends.
    period = SLOWEST_H * SECONDS_PER_HOUR / problem.units.window
    fast = FastChanges(ends.bottom, ends.top, period)
    # On the known part's own instants, so that both can be added value by value.
    times, spread = problem.known.times, problem.units.spread
    bottom, top = fast.expected(times)
    # Without a source: load and air are in the known part already, and the equation is linear.
    added = solved_between(problem, bottom, top, times=times, elements=LIFT_ELEMENTS)
    # The known part is in kelvin, the ends are scaled.
    known = replace(problem.known, values=problem.known.values + spread * added.values)
    rest = {name: _less(sensor, added) for name, sensor in problem.sensors.items()}
    # After `added`, which needs the expected part alone.
    fast = replace(fast, variance=_variance(problem, fast))
    return replace(problem, known=known, sensors=rest, fast=fast)


def with_fast_changes(posterior: AbstractPosterior, problem: TransformerHeat) -> AbstractPosterior:
    """A network's posterior with the doubt about what was taken out of its problem.

    A network that knows one function only stays with that one.
    """
    if posterior.certain or problem.fast is None:
        return posterior
    return FastPosterior(posterior, problem)


@dataclass(frozen=True, eq=False)
class FastPosterior(AbstractAround):
    """A network's posterior of the slow part, with the doubt about the fast one.

    The two are told apart by frequency, and so are the noises that they were learned in: their
    errors are independent. The lift of the network within has the expected fast part.
    """

    problem: TransformerHeat
    """The heat problem that it was fitted to."""

    def draw(self, count: int, *, key: Key) -> WidenedFields:
        """Functions that are independent of each other."""
        # Each of the two has a key of its own, so that their errors are independent.
        network_key, fast_key = jax.random.split(key)
        added = _drawn(self.problem, _fast(self.problem), count, rng=generator(fast_key))
        return WidenedFields(self.within.draw(count, key=network_key), added)

    def moments(self, points: Points) -> Prediction:
        """The network's, widened."""
        moments = self.within.moments(points)
        epistemic = moments.epistemic + self.problem.lift_variance(points)
        return Prediction(moments.mean, epistemic, moments.aleatoric)


def _less(sensor: Observations, added: GridFunction) -> Observations:
    """The readings less a part that was added to the lift."""
    points = np.asarray(sensor.points, dtype=float)
    return Observations(sensor.points, np.asarray(sensor.values) - added(points), sensor.std)


def _variance(problem: TransformerHeat, fast: FastChanges) -> GridFunction:
    """The variance of the fast part on the time grid, by drawn ends."""
    # A fixed seed: nothing of this is stored, so a problem that is made again finds the same.
    rng = np.random.default_rng(list(b"fast"))
    batches = [_drawn(problem, fast, BATCH, rng=rng) for _ in range(0, DRAWS, BATCH)]
    # Errors are about zero by construction, so that the mean of squares is the variance.
    squares = [np.mean(batch.values**2, axis=0) for batch in batches]
    return replace(batches[0], values=np.mean(squares, axis=0))


def _drawn(
    problem: TransformerHeat, fast: FastChanges, count: int, *, rng: np.random.Generator
) -> GridFunction:
    """Drawn errors of the fast part, carried inside by the equation: functions about zero."""
    bottom, top = fast.errors(time_grid(problem), count, rng=rng)
    return solved_between(problem, bottom, top)


def _fast(problem: TransformerHeat) -> FastChanges:
    assert problem.fast is not None  # `with_fast_changes` has seen to it
    return problem.fast
