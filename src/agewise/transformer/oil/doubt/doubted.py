"""A posterior that doubts its equation: constants that may be others, and an error of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import AbstractFields, AbstractPosterior, Points
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.doubt.inside import inside_readings, taught
from agewise.transformer.oil.doubt.order import ordered
from agewise.transformer.oil.doubt.profile_doubt import Amplitudes, prior_amplitudes, shapes
from agewise.transformer.oil.doubt.sensitivity import CONSTANTS, sensitivities
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.solver import at_middles, solved_between, time_grid
from agewise.types import Key

CELL_S = 1800.0
"""Time whose readings inside are gathered into one [s]."""
AT_ONCE = 100
"""Draws that are worked on at a time."""


@dataclass(frozen=True, eq=False)
class Doubts:
    """What is in doubt about the oil of a window, in the units of the plant."""

    constants: Float[np.ndarray, "draw constant"]
    """Draws of the departures of `CONSTANTS` from what the equation was solved with."""
    rise: Float[np.ndarray, " time"]
    """Steady rise by the losses at the rows of the profile [K]."""
    air: Float[np.ndarray, " time"] | None
    """Air at these rows [°C]; None where the bottom is the air."""
    seconds: Float[np.ndarray, " time"]
    """Instants of these rows from the start of the window [s]."""
    inside: Mapping[float, Float[np.ndarray, " time"]]
    """Readings of sensors between the ends [°C] by height, NaN where there is none."""
    bottom_share: float
    """Rise of the bottom over the air as a share of the top's, where it was assumed; else 0."""


@dataclass(frozen=True, eq=False)
class Departures:
    """Drawn departures of the oil from what the equation says, as functions."""

    sensitivity: GridFunction
    """Change of the oil for a change of each constant by one [K]."""
    constants: Float[np.ndarray, "draw constant"]
    """Departures of the constants."""
    amplitudes: Amplitudes
    """Coefficients of the equation's own error."""
    times: Float[np.ndarray, " time"]
    """Time grid, in units of the window."""
    span: Float[np.ndarray, " time"]
    """Top minus bottom oil on it [K]."""

    def at(self, points: Points, draws: np.ndarray) -> Float[np.ndarray, "draw point"]:
        """The departures of some draws at points [K]; exactly zero at the top, which is read."""
        total = np.zeros((draws.size, len(points)))
        below = np.flatnonzero(points[:, 0] < 1.0)
        if below.size:
            total[:, below] = self._below(points[below], draws)
        return total

    def _below(self, points: Points, draws: np.ndarray) -> Float[np.ndarray, "draw point"]:
        x, t = points.T
        total = self.constants[draws] @ self.sensitivity(points)
        # Many points share an instant, at which coefficients are worked out once.
        instants, place = np.unique(t, return_inverse=True)
        modes = np.interp(t, self.times, self.span) * shapes(x)
        for first in range(0, draws.size, AT_ONCE):
            rows = slice(first, first + AT_ONCE)
            part = Amplitudes(self.amplitudes.knots, self.amplitudes.values[draws[rows]])
            for coefficient, mode in zip(np.moveaxis(part.at(instants), 1, 0), modes, strict=True):
                total[rows] += coefficient[:, place] * mode
        return total

    def moments(self) -> tuple[Float[np.ndarray, "time node"], Float[np.ndarray, "time node"]]:
        """Mean [K] and variance [K²] over the draws, on the grid."""
        nodes = self.sensitivity.elements.nodes
        over_time = self.amplitudes.at(self.times)
        fixed = np.broadcast_to(
            self.constants[:, :, None], (*self.constants.shape, self.times.size)
        )
        # Draw by coefficient at every instant; the field is linear in these.
        coefficients = np.concatenate([fixed, over_time], axis=1)
        mean = coefficients.mean(axis=0)
        off = coefficients - mean
        covariance = np.einsum("nat,nbt->tab", off, off, optimize=True) / len(off)
        modes = self.span[:, None, None] * shapes(nodes).T
        fields = np.concatenate([np.moveaxis(self.sensitivity.values, 0, -1), modes], axis=-1)
        expected = np.einsum("txa,at->tx", fields, mean)
        variance = np.einsum("txa,tab,txb->tx", fields, covariance, fields, optimize=True)
        return expected, np.maximum(variance, 0.0)


@dataclass(frozen=True, eq=False)
class DoubtedFields(AbstractFields):
    """Drawn functions, each with constants of its own and its own error of the equation."""

    functions: AbstractFields
    """Functions drawn from the posterior that trusts the equation."""
    departures: Departures
    """What may be added to them [K]."""
    spread: float
    """Temperature difference that is 1 in scaled units [K]."""
    count: int
    """Number of functions."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The functions with their departures."""
        # The same place is the same draw of the constants, here and in the winding and the life.
        draws = np.arange(self.count) % len(self.departures.constants)
        return self.functions.means(points) + self.departures.at(points, draws) / self.spread

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The noise of the readings, about which the equation says nothing."""
        return self.functions.variances(points)


@dataclass(frozen=True, eq=False)
class DoubtedPosterior(AbstractPosterior):
    """A posterior of the oil, widened by what is not known of its equation."""

    trusting: AbstractPosterior
    """The posterior as its method made it, for which the equation is right."""
    problem: TransformerHeat
    """The heat problem that it was fitted to."""
    departures: Departures
    """What may be added to it."""
    shift: GridFunction
    """Mean of the departures, scaled."""
    variance: GridFunction
    """Variance of the departures, scaled."""
    size: float | None
    """Size of the equation's own error that sensors inside taught [1]; None without them."""

    def draw(self, count: int, *, key: Key) -> DoubtedFields:
        """Functions that are independent of each other, up to the number of drawn constants."""
        functions = self.trusting.draw(count, key=key)
        return DoubtedFields(functions, self.departures, self.problem.units.spread, count)

    def moments(self, points: Points) -> Prediction:
        """Those of the posterior, shifted and widened."""
        moments = self.trusting.moments(points)
        return Prediction(
            moments.mean + self.shift(points),
            # Between its nodes a quadratic element may dip below zero next to a measured end.
            moments.epistemic + np.maximum(self.variance(points), 0.0),
            moments.aleatoric,
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """Those of the posterior: the rest follows from the problem and the nameplate."""
        return self.trusting.arrays()


def doubted(
    posterior: AbstractPosterior, problem: TransformerHeat, doubts: Doubts
) -> DoubtedPosterior:
    """The posterior of a window, with the doubt about its equation.

    A fixed seed: nothing of this is stored, so a posterior that is read back finds the same.
    """
    units, times, rng = problem.units, time_grid(problem), np.random.default_rng(list(b"doubt"))
    oil = _expected(posterior, problem)
    instants = times * units.window
    rise = np.interp(instants, doubts.seconds, doubts.rise)
    air = oil[:, 0] if doubts.air is None else np.interp(instants, doubts.seconds, doubts.air)
    fields = sensitivities(problem, oil, rise, air, doubts.bottom_share)
    stacked = replace(
        fields[CONSTANTS[0]], values=np.stack([fields[name].values for name in CONSTANTS])
    )
    span = oil[:, -1] - oil[:, 0]
    departures = Departures(
        stacked,
        doubts.constants,
        prior_amplitudes(units.window, len(doubts.constants), rng=rng),
        times,
        span,
    )
    size = None
    if doubts.inside:
        departures, size = _taught(posterior, problem, doubts, departures, rng)
    else:
        departures = replace(departures, amplitudes=_in_order(problem, departures, oil))
    shift, variance = departures.moments()
    return DoubtedPosterior(
        posterior,
        problem,
        departures,
        replace(stacked, values=shift / units.spread),
        replace(stacked, values=variance / units.spread**2),
        size,
    )


def _expected(
    posterior: AbstractPosterior, problem: TransformerHeat
) -> Float[np.ndarray, "time node"]:
    """Oil on the time grid and at the nodes [°C]: the equation between the posterior's ends."""
    times = time_grid(problem)
    ends = [np.stack([np.full_like(times, height), times], axis=1) for height in (0.0, 1.0)]
    bottom, top = (posterior.predict(points).mean - problem.lift(points) for points in ends)
    solved = solved_between(problem, bottom, top, at_middles(problem, problem.rise))
    x, t = np.meshgrid(solved.elements.nodes, times)
    lift = problem.lift(np.stack([x.ravel(), t.ravel()], axis=1)).reshape(x.shape)
    return problem.units.celsius(solved.values + lift)


def _taught(
    posterior: AbstractPosterior,
    problem: TransformerHeat,
    doubts: Doubts,
    departures: Departures,
    rng: np.random.Generator,
) -> tuple[Departures, float | None]:
    """Departures that agree with the sensors between the ends."""
    window, rows = problem.units.window, doubts.seconds / problem.units.window
    expected = {
        height: problem.units.celsius(
            posterior.predict(np.stack([np.full_like(rows, height), rows], axis=1)).mean
        )
        for height in doubts.inside
    }
    readings = inside_readings(doubts.inside, rows, expected, window, CELL_S)
    if readings is None:
        return departures, None
    known = taught(
        readings,
        np.interp(readings.points[:, 1], departures.times, departures.span),
        departures.sensitivity(readings.points).T,
        departures.constants,
        window,
        rng=rng,
    )
    learned = replace(departures, constants=known.constants, amplitudes=known.amplitudes)
    return learned, known.size


def _in_order(
    problem: TransformerHeat, departures: Departures, oil: Float[np.ndarray, "time node"]
) -> Amplitudes:
    """Coefficients under which oil does not stand hotter below than above for long."""
    hours = problem.relaxation * problem.units.window / 3600.0
    return ordered(
        departures.amplitudes,
        departures.constants,
        departures.sensitivity,
        departures.times * problem.units.window / 3600.0,
        oil,
        departures.span,
        hours,
    )
