"""Departures of the oil that agree with the sensors between its ends."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import AbstractPosterior
from agewise.transformer.oil.doubt.departures import Departures
from agewise.transformer.oil.doubt.hypotheses import taught
from agewise.transformer.oil.doubt.inside import InsideReadings, inside_readings
from agewise.transformer.oil.doubt.sensitivity import EquationOil
from agewise.transformer.oil.heat import TransformerHeat

CELL_S = 1800.0
"""Time whose readings inside are gathered into one [s]."""
ROUNDS = 3
"""Times that the equation is solved with the constants that sensors inside find likeliest."""
FARTHEST = 2.0
"""Largest departure of a constant with which the equation is solved anew, in standard deviations of
what was known of it."""
END_DRAWS = 100
"""Drawn functions that say how the trusting posterior may be wrong at the sensors inside."""


@dataclass(frozen=True, eq=False)
class Sensors:
    """Sensors between the ends."""

    seconds: Float[np.ndarray, " time"]
    """Instants of the rows from the start of the window [s]."""
    readings: Mapping[float, Float[np.ndarray, " time"]]
    """Temperatures [°C] by height (fraction), NaN where there is none."""


def taught_departures(
    posterior: AbstractPosterior,
    equation: EquationOil,
    sensors: Sensors,
    departures: Departures,
    *,
    rng: np.random.Generator,
) -> tuple[Departures, float | None]:
    """Departures that agree with the sensors between the ends.

    The equation is not linear in its constants: it is solved anew with those that the sensors find
    likeliest, and asked again.

    Args:
        posterior: The posterior that trusts the equation, of the ends alone.
        equation: The equation between its ends.
        sensors: What was read between them.
        departures: Departures before these readings.
        rng: Source of the random numbers.

    Returns:
        The departures, and the root mean square of the coefficients of the equation's error; as
        they were and None where no sensor shows anything.
    """
    readings = _readings(posterior, equation.problem, sensors)
    if readings is None:
        return departures, None
    window = equation.problem.units.window
    # The error of the equation is in shares of this, at the instant of each cell.
    span = np.interp(readings.points[:, 1], departures.times, departures.span)
    new_departures, size, before = departures, None, departures.constants
    at = np.zeros(before.shape[1])
    as_given = equation.solved(at)
    for _ in range(ROUNDS):
        settled = equation.function(equation.solved(at) - as_given)
        sensitivity = equation.sensitivity(at)
        slopes = sensitivity(readings.points).T
        # As if the equation were linear with today's slopes all the way from the constants as
        # given.
        rest = replace(readings, error=readings.error - settled(readings.points) + slopes @ at)
        lesson = taught(rest, span, slopes, before, window, rng=rng)
        new_departures, size = (
            replace(
                departures,
                settled=settled,
                sensitivity=sensitivity,
                # Of the departures only what `settled` does not already hold.
                constants=lesson.constants - at,
                amplitudes=lesson.amplitudes,
            ),
            lesson.size,
        )
        # No farther than is believable: an equation that is wrong bends its constants as it can.
        far = FARTHEST * before.std(axis=0)
        at = np.clip(lesson.constants.mean(axis=0), -far, far)
    return new_departures, size


def _readings(
    posterior: AbstractPosterior, problem: TransformerHeat, sensors: Sensors
) -> InsideReadings | None:
    """The readings between the ends, less what the posterior expects there."""
    units, rows = problem.units, sensors.seconds / problem.units.window
    expected = {
        height: units.celsius(
            posterior.predict(np.stack([np.full_like(rows, height), rows], axis=1)).mean
        )
        for height in sensors.readings
    }
    readings = inside_readings(sensors.readings, rows, expected, units.window, CELL_S)
    if readings is None:
        return None
    # A fixed key, since a posterior that is read back must be taught the same.
    drawn = posterior.draw(END_DRAWS, key=jax.random.key(0)).means(readings.points)
    # Divided so that the columns times their transpose are the covariance of the draws.
    ends = units.spread * (drawn - drawn.mean(axis=0)).T / np.sqrt(END_DRAWS)
    return replace(readings, ends=ends)
