"""Networks where a sensor at an end was silent: corrected and widened by a smooth series.

What the series says of the silent end is carried into the oil by the heat equation.
"""

from dataclasses import dataclass, replace

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import (
    AbstractAround,
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
"""Time from the nearest reading up to which a network is believed, and from which it is not [h]."""
DRAWS = 200
"""Drawn functions behind the variance that is added."""


@dataclass(frozen=True, eq=False)
class WidenedFields(AbstractFields):
    """A network's functions, each with a drawn correction for the silent ends."""

    network: AbstractFields
    """Functions drawn from the network."""
    added: GridFunction
    """Correction of each function, scaled."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The network's functions with their corrections."""
        return self.network.means(points) + self.added(points)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The network's noise, which a silent sensor does not change."""
        return self.network.variances(points)


@dataclass(frozen=True, eq=False)
class WidenedPosterior(AbstractAround):
    """A network's posterior, corrected and widened where an end was silent.

    A network fills a hole by what its weights like, and is far too sure of it (z 7 in holes of
    12 h); a spline knows how far a series may wander. The equation is linear, so the difference at
    the silent ends, solved between them, is added to the network's functions.
    """

    problem: TransformerHeat
    """The heat problem that it was fitted to."""
    ends: Ends
    """Smooth series of bottom and top."""
    silent: tuple[Float[np.ndarray, " time"], Float[np.ndarray, " time"]]
    """Weights of the splines over the time grid, at the bottom and at the top."""
    shift: GridFunction
    """Correction of the network's mean, scaled."""
    variance: GridFunction
    """Variance that is added to the network's epistemic one, scaled."""

    def draw(self, count: int, *, key: Key) -> WidenedFields:
        """Functions that are independent of each other."""
        # Each of the two has a key of its own, so that their errors are independent.
        network_key, ends_key = jax.random.split(key)
        off = _drawn(self.problem, self.ends, self.silent, count, rng=generator(ends_key))
        added = replace(off, values=off.values + self.shift.values)
        return WidenedFields(self.within.draw(count, key=network_key), added)

    def moments(self, points: Points) -> Prediction:
        """The network's, shifted and widened."""
        moments = self.within.moments(points)
        return Prediction(
            moments.mean + self.shift(points),
            moments.epistemic + self.variance(points),
            moments.aleatoric,
        )


def widened(posterior: AbstractPosterior, problem: TransformerHeat) -> AbstractPosterior:
    """A network's posterior, widened where an end was silent; itself where both were read
    throughout."""
    times = time_grid(problem)
    silent = _silence(problem, 0.0, times), _silence(problem, 1.0, times)
    if not any(weight.any() for weight in silent):
        return posterior
    ends = smooth_ends(problem)
    wanted = [series.values(times) for series in (ends.bottom, ends.top)]
    trained = [_network(posterior, problem, height, times) for height in (0.0, 1.0)]
    off = [weight * (w - t) for weight, w, t in zip(silent, wanted, trained, strict=True)]
    # Of linear equations, the difference of two solutions solves the one without a source.
    shift = solved_between(problem, off[0], off[1])
    # A fixed seed: the variance is not stored, so a posterior that is read back must find the same.
    drawn = _drawn(problem, ends, silent, DRAWS, rng=np.random.default_rng(0))
    # Deviations are about zero by construction, so that the mean of squares is the variance.
    variance = replace(shift, values=np.mean(drawn.values**2, axis=0))
    return WidenedPosterior(posterior, problem, ends, silent, shift, variance)


def _silence(
    problem: TransformerHeat, height: float, times: Float[np.ndarray, " time"]
) -> Float[np.ndarray, " time"]:
    """Weight over time: 0 near a reading of the end at that height, 1 far from any."""
    measured = Measured.of(problem)
    # Guesses stand in for a silent sensor with a noise that is known; that of readings is learned.
    read = np.sort(measured.points[(measured.points[:, 0] == height) & measured.learned, 1])
    # An end that was never read is silent throughout.
    if not read.size:
        return np.ones_like(times)
    after = np.searchsorted(read, times)
    # The readings before and after each instant; at an end of the record, the same one twice.
    beside = read[np.clip([after - 1, after], 0, read.size - 1)]
    away = np.abs(times - beside).min(axis=0)
    hours = away * problem.units.window / SECONDS_PER_HOUR
    return np.clip((hours - NEAR_H) / (FAR_H - NEAR_H), 0.0, 1.0)


def _network(
    posterior: AbstractPosterior, problem: TransformerHeat, height: float, times: np.ndarray
) -> Float[np.ndarray, " time"]:
    """The network's mean at an end, without the lift, as the smooth series are."""
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
    """Drawn deviations of the silent ends, carried inside by the equation: functions about zero."""
    times = time_grid(problem)
    off = []
    for series, weight in zip((ends.bottom, ends.top), silent, strict=True):
        drawn = series.basis.values(series.draws(count, rng=rng), on_axis(times)).T
        # Less the expected series: its difference to the network is in the shift already.
        off.append(weight * (drawn - series.values(times)))
    return solved_between(problem, off[0], off[1])
