"""Networks where an end was silent: what a smooth series says of it, carried inside by the heat."""

from dataclasses import dataclass, replace

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import (
    AbstractFields,
    AbstractPosterior,
    Measured,
    Points,
    generator,
)
from agewise.engine.splines.ends import Ends, smooth_ends
from agewise.engine.splines.smoothing import on_axis
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.solver import solved_between, time_grid
from agewise.types import Key
from agewise.units import SECONDS_PER_HOUR

NEAR_H, FAR_H = 0.5, 1.0
"""h from the nearest reading up to which a network is believed, and from which it is not"""
DRAWS = 200
"""behind the variance; each is also a function to be drawn"""


@dataclass(frozen=True, eq=False)
class WidenedFields(AbstractFields):
    """A network's functions, each with what a silent end may have done."""

    network: AbstractFields
    added: GridFunction

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """Both together."""
        return self.network.means(points) + self.added(points)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """Noise is the network's."""
        return self.network.variances(points)


@dataclass(frozen=True, eq=False)
class WidenedPosterior(AbstractPosterior):
    """A network's posterior, corrected and widened where an end was silent.

    A network fills a hole by what its weights like, and is far too sure of it (z 7 in holes of
    12 h); a spline knows how far a series may wander. The equation is linear, so the difference at
    the silent ends, solved between them, is added to the network's functions.
    """

    network: AbstractPosterior
    problem: TransformerHeat
    ends: Ends
    silent: tuple[Float[np.ndarray, " time"], Float[np.ndarray, " time"]]
    """Weights of the splines over the time grid, at the bottom and at the top."""
    shift: GridFunction
    variance: GridFunction

    def draw(self, count: int, *, key: Key) -> WidenedFields:
        """Independent of each other."""
        own, more = jax.random.split(key)
        off = _drawn(self.problem, self.ends, self.silent, count, rng=generator(more))
        added = replace(off, values=off.values + self.shift.values)
        return WidenedFields(self.network.draw(count, key=own), added)

    def moments(self, points: Points) -> Prediction:
        """The network's, shifted and widened."""
        moments = self.network.moments(points)
        return Prediction(
            moments.mean + self.shift(points),
            moments.epistemic + self.variance(points),
            moments.aleatoric,
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """The network's: the rest follows from the problem."""
        return self.network.arrays()


def widened(posterior: AbstractPosterior, problem: TransformerHeat) -> AbstractPosterior:
    """The posterior itself where both ends were read throughout."""
    times = time_grid(problem)
    silent = _silence(problem, 0.0, times), _silence(problem, 1.0, times)
    if not any(weight.any() for weight in silent):
        return posterior
    ends = smooth_ends(problem)
    wanted = [one.values(times) for one in (ends.bottom, ends.top)]
    trained = [_network(posterior, problem, height, times) for height in (0.0, 1.0)]
    off = [weight * (w - t) for weight, w, t in zip(silent, wanted, trained, strict=True)]
    shift = solved_between(problem, off[0], off[1])
    drawn = _drawn(problem, ends, silent, DRAWS, rng=np.random.default_rng(0))
    variance = replace(shift, values=np.mean(drawn.values**2, axis=0))
    return WidenedPosterior(posterior, problem, ends, silent, shift, variance)


def _silence(
    problem: TransformerHeat, height: float, times: Float[np.ndarray, " time"]
) -> Float[np.ndarray, " time"]:
    """0 near a reading of that end, 1 far from any."""
    measured = Measured.of(problem)
    read = np.sort(measured.points[(measured.points[:, 0] == height) & measured.learned, 1])
    if not read.size:
        return np.ones_like(times)
    after = np.searchsorted(read, times)
    beside = read[np.clip([after - 1, after], 0, read.size - 1)]
    away = np.abs(times - beside).min(axis=0)
    hours = away * problem.units.window / SECONDS_PER_HOUR
    return np.clip((hours - NEAR_H) / (FAR_H - NEAR_H), 0.0, 1.0)


def _network(
    posterior: AbstractPosterior, problem: TransformerHeat, height: float, times: np.ndarray
) -> Float[np.ndarray, " time"]:
    """What the network says of an end, lift left out."""
    points = np.stack([np.full_like(times, height), times], axis=1)
    return posterior.predict(points).mean - problem.lift(points)


def _drawn(
    problem: TransformerHeat,
    ends: Ends,
    silent: tuple[np.ndarray, np.ndarray],
    count: int,
    *,
    rng: np.random.Generator,
) -> GridFunction:
    """What silent ends may be off, solved between them: functions about zero."""
    times = time_grid(problem)
    off = []
    for one, weight in zip((ends.bottom, ends.top), silent, strict=True):
        drawn = one.basis.values(one.draws(count, rng=rng), on_axis(times)).T
        off.append(weight * (drawn - one.values(times)))
    return solved_between(problem, off[0], off[1])
