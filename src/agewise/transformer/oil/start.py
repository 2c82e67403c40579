"""The first hours of a network: where it begins otherwise than was declared, that is doubt.

Nobody measures the first profile; it is declared to be straight, but for a stated error. The oil
leaves it within the hour, which a network that sees a few harmonics a day follows badly: it begins
elsewhere, by more than was declared, and is as sure of that as of any other hour. By how much is
known without a truth, and the equation says how fast it is forgotten.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import AbstractAround, AbstractPosterior, Points, generator
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.holes import WidenedFields
from agewise.transformer.oil.solver import ELEMENTS, solved_between, time_grid
from agewise.types import Key

BELIEVED = 2.0
"""Standard deviations of the declared error and of the network's own doubt [1] within which a
departure is no more than these say."""


def with_start(posterior: AbstractPosterior, problem: TransformerHeat) -> AbstractPosterior:
    """A network's posterior with the doubt about its first hours.

    A network that knows one function only stays with that one, and where sensors inside tell how
    the oil began, nothing was declared.
    """
    if posterior.certain or problem.initial_std is None:
        return posterior
    return StartPosterior(posterior, problem)


@dataclass(frozen=True, eq=False)
class StartPosterior(AbstractAround):
    """A network's posterior that may be wrong by its departure from the declared first profile."""

    problem: TransformerHeat
    """The heat problem that it was fitted to."""

    def draw(self, count: int, *, key: Key) -> WidenedFields:
        """Functions that are independent of each other."""
        # Each of the two has a key of its own, so that their errors are independent.
        network_key, start_key = jax.random.split(key)
        sizes = generator(start_key).standard_normal((count, 1, 1))
        added = replace(self.departure, values=sizes * self.departure.values)
        return WidenedFields(self.within.draw(count, key=network_key), added)

    def moments(self, points: Points) -> Prediction:
        """The network's, widened."""
        moments = self.within.moments(points)
        epistemic = moments.epistemic + self.departure(points) ** 2
        return Prediction(moments.mean, epistemic, moments.aleatoric)

    @cached_property
    def departure(self) -> GridFunction:
        """The doubtful departure, one standard deviation of it, carried on by the equation."""
        ends = np.zeros_like(time_grid(self.problem))
        start = self._first(LineElements.uniform(1.0, ELEMENTS, 2).nodes)
        # Of a linear equation, the difference of two solutions solves the one without a source.
        return solved_between(self.problem, ends, ends, start=start)

    def _first(self, heights: Float[np.ndarray, " height"]) -> Float[np.ndarray, " height"]:
        """What of the departure at the first instant is not accounted for, scaled."""
        points = np.stack([heights, np.zeros_like(heights)], axis=1)
        first = self.within.predict(points)
        # The lift is straight at first, so what is added to it must be.
        value = first.mean - self.problem.lift(points)
        off = value - ((1 - heights) * value[0] + heights * value[-1])
        assert self.problem.initial_std is not None  # `with_start` has seen to it
        known = BELIEVED**2 * (self.problem.initial_std**2 + first.epistemic)
        return np.sign(off) * np.sqrt(np.maximum(off**2 - known, 0.0))
