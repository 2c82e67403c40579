"""Readings of the oil as observations of its heat problem: scaled, without what is known."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from agewise.engine.problems.base import Observations
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.guesses import Guesses
from agewise.transformer.oil.scales import Scales, as_jax_has_it


def without_known(
    sensors: Mapping[float, Float[np.ndarray, " time"]], known: GridFunction | None
) -> dict[float, Float[np.ndarray, " time"]]:
    """What is left of the readings [°C] at each height when the known part is subtracted.

    The known part is on the instants of the samples already, so time needs no interpolation.
    """
    return {
        height: values - (0.0 if known is None else known(_points(height, known.times)))
        for height, values in sensors.items()
    }


def observations(
    units: Scales,
    seconds: Float[np.ndarray, " time"],
    rest: Mapping[float, Float[np.ndarray, " time"]],
    guesses: Mapping[float, Guesses],
    known: GridFunction | None,
) -> dict[str, Observations]:
    """Every sensor and every row of guesses by its height, such as `x=0`.

    Args:
        units: Scales of the problem.
        seconds: Instants of the readings, from the first on [s].
        rest: Readings by height [°C], without the known part.
        guesses: What stands in for readings by height, from which it is still to be subtracted.
        known: The part that is taken out; None where nothing is.
    """
    read = {f"x={height:g}": _read(units, height, seconds, rest[height]) for height in rest}
    stood_in = {
        f"x={height:g}, guessed": _guessed(units, known, height, guess)
        for height, guess in guesses.items()
    }
    return read | stood_in


def _read(units: Scales, height: float, seconds: np.ndarray, values: np.ndarray) -> Observations:
    """The readings of one sensor; instants without a reading are no observations."""
    there = np.isfinite(values)
    points = units.point(height * units.height, seconds[there])
    # Without a standard deviation, by which the noise of a reading is learned.
    return Observations(points, as_jax_has_it(units.scaled(values[there])))


def _guessed(
    units: Scales, known: GridFunction | None, height: float, guess: Guesses
) -> Observations:
    """Guesses as readings of known noise, from which the known part is subtracted."""
    points = units.point(height * units.height, guess.seconds)
    rest = guess.values if known is None else guess.values - known(np.asarray(points, dtype=float))
    # With its standard deviation, by which a stand-in is told from a reading.
    return Observations(points, units.scaled(rest), guess.std / units.spread)


def _points(height: float, times: np.ndarray) -> Float[np.ndarray, "point 2"]:
    return np.stack([np.full_like(times, height), times], axis=1)
