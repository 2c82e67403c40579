"""A posterior that doubts its equation: constants that may be others, and an error of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import (
    AbstractAround,
    AbstractFields,
    AbstractPosterior,
    Points,
)
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.doubt.departures import Departures
from agewise.transformer.oil.doubt.order import ordered
from agewise.transformer.oil.doubt.profile_doubt import Amplitudes, prior_amplitudes
from agewise.transformer.oil.doubt.sensitivity import EquationOil, step_means
from agewise.transformer.oil.doubt.teaching import Sensors, taught_departures
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.solver import at_middles, solved_between, time_grid
from agewise.types import Key

TRIES = 1
"""Times that an error of the equation is drawn, each with its opposite, until no oil stands hotter
below than above for long."""


@dataclass(frozen=True, eq=False)
class Doubts:
    """What is in doubt about the oil of a window, in the units of the plant."""

    constants: Float[np.ndarray, "draw constant"]
    """Draws of the departures of `CONSTANTS` from what the equation was solved with."""
    rise: Float[np.ndarray, " interval"]
    """Steady rise by the losses between the rows of the profile [K]."""
    air: Float[np.ndarray, " time"] | None
    """Air at the rows [°C]; None where the bottom is the air."""
    seconds: Float[np.ndarray, " time"]
    """Instants of these rows from the start of the window [s]."""
    inside: Mapping[float, Float[np.ndarray, " time"]]
    """Readings of sensors between the ends [°C] by height, NaN where there is none."""
    bottom_share: float
    """Rise of the bottom over the air as a share of the top's where it was assumed, 0 where it is
    the air, 1 where it is measured."""


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
    """Number of drawn functions."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The functions with their departures."""
        # The same place is the same draw of the constants, here and in the winding and the life.
        # Places go round where more functions are asked for than constants were drawn.
        draws = np.arange(self.count) % len(self.departures.constants)
        return self.functions.means(points) + self.departures.at(points, draws) / self.spread

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The noise of the readings, about which the equation says nothing."""
        return self.functions.variances(points)


@dataclass(frozen=True, eq=False)
class DoubtedPosterior(AbstractAround):
    """A posterior of the oil, widened by what is not known of its equation.

    For the posterior within, the equation is right.
    """

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
        functions = self.within.draw(count, key=key)
        return DoubtedFields(functions, self.departures, self.problem.units.spread, count)

    def moments(self, points: Points) -> Prediction:
        """Those of the posterior, shifted and widened."""
        moments = self.within.moments(points)
        return Prediction(
            moments.mean + self.shift(points),
            # Between its nodes a quadratic element may dip below zero next to a measured end.
            moments.epistemic + np.maximum(self.variance(points), 0.0),
            moments.aleatoric,
        )


def doubted(
    posterior: AbstractPosterior, problem: TransformerHeat, doubts: Doubts
) -> DoubtedPosterior:
    """The posterior of a window, with the doubt about its equation.

    A fixed seed: nothing of this is stored, so a posterior that is read back finds the same.
    """
    # A seed of bytes that spell its purpose: no other stream begins with the same numbers.
    units, times, rng = problem.units, time_grid(problem), np.random.default_rng(list(b"doubt"))
    oil = _expected(posterior, problem)
    equation = _equation(problem, doubts, oil)
    # Zero departure: the constants that the window was fitted with.
    level = np.zeros(doubts.constants.shape[1])
    tries = prior_amplitudes(units.window, len(doubts.constants), TRIES, rng=rng)
    departures = Departures(
        equation.function(np.zeros_like(oil)),
        equation.sensitivity(level),
        doubts.constants,
        tries[0],
        times,
        oil[:, -1] - oil[:, 0],
    )
    size = None
    # Order is asked of prior draws alone: what sensors inside have shown is believed as it is.
    if doubts.inside:
        sensors = Sensors(doubts.seconds, doubts.inside)
        departures, size = taught_departures(posterior, equation, sensors, departures, rng=rng)
    else:
        departures = replace(departures, amplitudes=_in_order(problem, departures, tries, oil))
    shift, variance = departures.moments()
    return DoubtedPosterior(
        posterior,
        problem,
        departures,
        equation.function(shift / units.spread),
        equation.function(variance / units.spread**2),
        size,
    )


def _expected(
    posterior: AbstractPosterior, problem: TransformerHeat
) -> Float[np.ndarray, "time node"]:
    """Oil on the time grid and at the nodes [°C]: the equation between the posterior's ends."""
    times = time_grid(problem)
    ends = [np.stack([np.full_like(times, height), times], axis=1) for height in (0.0, 1.0)]
    # The equation is solved for what is left without the lift, which is added back below.
    bottom, top = (posterior.predict(points).mean - problem.lift(points) for points in ends)
    solved = solved_between(problem, bottom, top, at_middles(problem, problem.rise))
    x, t = np.meshgrid(solved.elements.nodes, times)
    lift = problem.lift(np.stack([x.ravel(), t.ravel()], axis=1)).reshape(x.shape)
    return problem.units.celsius(solved.values + lift)


def _equation(
    problem: TransformerHeat, doubts: Doubts, oil: Float[np.ndarray, "time node"]
) -> EquationOil:
    """The equation between the expected ends, to be solved with other constants."""
    instants = time_grid(problem) * problem.units.window
    # Where the bottom is the air, the expected bottom is the better thermometer of it.
    air = oil[:, 0] if doubts.air is None else np.interp(instants, doubts.seconds, doubts.air)
    rise = step_means(doubts.seconds, doubts.rise, instants)
    return EquationOil(problem, oil[:, 0], oil[:, -1], rise, air, doubts.bottom_share)


def _in_order(
    problem: TransformerHeat,
    departures: Departures,
    tries: list[Amplitudes],
    oil: Float[np.ndarray, "time node"],
) -> Amplitudes:
    """Coefficients under which oil does not stand hotter below than above for long."""
    hours = problem.relaxation * problem.units.window / 3600.0
    return ordered(
        tries,
        departures.constants,
        departures.sensitivity,
        departures.times * problem.units.window / 3600.0,
        oil,
        departures.span,
        hours,
    )
