"""What was read, sensor by sensor, as a fit sees it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.engine.problems.base import AbstractProblem, Observations, Residual

TELLING = 3.0
"""Spread of readings over their noise [1] from which they tell the size of a function."""
FIRST_SHARE = 0.1
"""Share of a sensor's spread that is first taken for its noise [1]: too much rather than too
little, since a network that was made to follow noise hardly lets go of it."""


@dataclass(frozen=True, eq=False)
class Sensor:
    """The readings of one sensor in double precision."""

    points: Float[np.ndarray, "reading axis"]
    """Where it was read, in the problem's coordinates."""
    values: Float[np.ndarray, " reading"]
    """What the sensor read, in its unit."""
    known: Float[np.ndarray, " reading"] | None
    """Variance of the noise where it is known beforehand; None where it is to be learned."""
    quantity: Residual | None
    """What it reads, written at one point; None for the first function."""
    of: str | None
    """Name of the unknown function that it reads; None where it reads something made of it."""

    def first_variance(self) -> Float[np.ndarray, " reading"]:
        """The variance of every reading to begin with."""
        if self.known is not None:
            return self.known
        # One reading, or equal ones, have no spread: their size, and where that is zero, one.
        spread = float(self.values.std()) or float(np.abs(self.values).max()) or 1.0
        return np.full(len(self.values), (FIRST_SHARE * spread) ** 2)


def sensors_of(problem: AbstractProblem) -> dict[str, Sensor]:
    """Every sensor of a problem by its name."""
    first = next(iter(problem.functions()))
    return {name: _sensor(observed, first) for name, observed in problem.observations().items()}


def _sensor(observed: Observations, first: str) -> Sensor:
    known = None if observed.std is None else np.asarray(observed.std, dtype=float) ** 2
    return Sensor(
        np.asarray(observed.points, dtype=float),
        np.asarray(observed.values, dtype=float),
        known,
        observed.quantity,
        # A sensor without a quantity of its own reads the first function.
        first if observed.quantity is None else None,
    )


def sizes_of(
    problem: AbstractProblem, sensors: Mapping[str, Sensor]
) -> dict[str, tuple[float, float]]:
    """Centre and size of every function: as declared, else by its readings, else 0 and 1."""
    declared = problem.sizes()
    sizes = {}
    for name in problem.functions():
        read = [sensor for sensor in sensors.values() if sensor.of == name]
        values = np.concatenate([sensor.values for sensor in read]) if read else np.zeros(0)
        if name in declared or values.size < 2 or _only_noise(read, values):
            # Centred at zero: a declared size says how far from zero it may go.
            sizes[name] = (0.0, float(declared.get(name, 1.0)))
        else:
            sizes[name] = (float(values.mean()), float(values.std()))
    return sizes


def _only_noise(read: list[Sensor], values: Float[np.ndarray, " reading"]) -> bool:
    """Whether readings differ by no more than their noise, as at a wall that is held: they tell
    nothing of how large the function is elsewhere, and a fit that took it for so small would end
    in the smallest of several solutions."""
    # Noise that is to be learned counts as none here: readings then tell the size.
    variances = [np.zeros(1) if sensor.known is None else sensor.known for sensor in read]
    noise = float(np.sqrt(np.mean(np.concatenate(variances))))
    return float(values.std()) <= TELLING * noise
