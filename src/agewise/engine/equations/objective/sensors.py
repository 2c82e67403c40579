"""What was read, sensor by sensor, as a fit sees it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float

from agewise.engine.equations.objective.outright import (
    balanced_values,
    function_read,
    stated_values,
)
from agewise.engine.problems.base import AbstractProblem, Observations, Residual

TELLING = 3.0
"""Spread of readings over their noise [1] from which they tell the size of a function."""
FIRST_SHARE = 0.1
"""Share of a sensor's spread that is first taken for its noise [1]: too much rather than too
little, since a network that was made to follow noise hardly lets go of it."""
ABOUT_ONE = 3.0
"""Factor from one within which a function counts as of size one [1]: nearer its conditions are no
better a guess of what it does between them."""


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
    return {name: _sensor(seen, problem) for name, seen in problem.observations().items()}


def _sensor(observed: Observations, problem: AbstractProblem) -> Sensor:
    known = None if observed.std is None else np.asarray(observed.std, dtype=float) ** 2
    quantity = observed.quantity
    # A sensor without a quantity of its own reads the first function.
    first = next(iter(problem.functions()))
    return Sensor(
        np.asarray(observed.points, dtype=float),
        np.asarray(observed.values, dtype=float),
        known,
        quantity,
        first if quantity is None else function_read(quantity, problem),
    )


def sizes_of(
    problem: AbstractProblem, sensors: Mapping[str, Sensor]
) -> dict[str, tuple[float, float]]:
    """Centre and size of every function: as declared, else by its readings, else by what walls and
    first instants give it, else by what it shares a condition with, else 0 and 1."""
    declared, stated, sizes = problem.sizes(), _stated_of(problem), {}
    for name in problem.functions():
        read = [sensor for sensor in sensors.values() if sensor.of == name]
        values = np.concatenate([sensor.values for sensor in read]) if read else np.zeros(0)
        if name in declared:
            # Centred at zero: a declared size says how far from zero it may go.
            sizes[name] = (0.0, float(declared[name]))
        elif values.size < 2 or _only_noise(read, values):
            sizes[name] = (0.0, _order(values, read, stated(name)))
        else:
            sizes[name] = (float(values.mean()), float(values.std()))
    return sizes


def unsized(problem: AbstractProblem, sensors: Mapping[str, Sensor]) -> list[str]:
    """The functions that are taken to be about as large as one, since nothing tells."""
    read, told = {sensor.of for sensor in sensors.values()}, {*problem.sizes()}
    rest = [name for name in problem.functions() if name not in read | told]
    stated = _stated_of(problem)
    return [name for name in rest if not _size(stated(name))]


def _stated_of(problem: AbstractProblem) -> Callable[[str], Float[np.ndarray, " place"]]:
    """Values that conditions give a function outright, else where it shares them with others."""
    # Each is compiled once for all functions, and only if one of them needs it.
    outright = cache(lambda: stated_values(problem))
    balanced = cache(lambda: balanced_values(problem))

    def stated(name: str) -> Float[np.ndarray, " place"]:
        alone = outright().get(name, np.zeros(0))
        return alone if _size(alone) else balanced().get(name, np.zeros(0))

    return stated


def _order(
    values: Float[np.ndarray, " reading"],
    read: list[Sensor],
    stated: Float[np.ndarray, " place"],
) -> float:
    """How far from zero a function is taken to go that no readings show at work."""
    # Readings within their noise of zero, as at a wall that is held, tell nothing.
    told = values if values.size and _size(values) > TELLING * _noise(read) else np.zeros(0)
    size = _size(np.concatenate([told, stated]))
    return size if size > 0 and not 1 / ABOUT_ONE < size < ABOUT_ONE else 1.0


def _size(values: Float[np.ndarray, " value"]) -> float:
    """The root mean square; zero of nothing."""
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else 0.0


def _noise(read: list[Sensor]) -> float:
    """The root mean square of the noise of readings."""
    # Noise that is to be learned counts as none here: readings then tell the size.
    variances = [np.zeros(1) if sensor.known is None else sensor.known for sensor in read]
    return float(np.sqrt(np.mean(np.concatenate(variances))))


def _only_noise(read: list[Sensor], values: Float[np.ndarray, " reading"]) -> bool:
    """Whether readings differ by no more than their noise, as at a wall that is held: they tell
    nothing of how large the function is elsewhere, and a fit that took it for so small would end
    in the smallest of several solutions."""
    return float(values.std()) <= TELLING * _noise(read)
