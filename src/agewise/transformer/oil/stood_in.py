"""Oil of a time in which nobody read its ends: typical days stand in, with an error that lasts."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.engine.posterior import AbstractFields, AbstractPosterior, Points, generator
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.solver import at_middles, solved_between, time_grid
from agewise.types import Key
from agewise.units import SECONDS_PER_HOUR

LASTS_H = 36.0
"""Time over which what stands in is wrong the same way [h]: a change of the weather lasts for one
or two days."""
DRAWS = 200
"""Drawn functions behind the variance."""

Series = Float[np.ndarray, " time"]
"""A number for each instant."""


@dataclass(frozen=True, eq=False)
class StoodInFields(AbstractFields):
    """Drawn solutions between drawn ends."""

    functions: GridFunction
    """Drawn solutions of the equation, scaled."""
    noise: float
    """Variance of a reading, scaled."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The drawn functions."""
        return self.functions(points)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The same noise everywhere."""
        return np.full((len(self.functions.values), len(points)), self.noise)


@dataclass(frozen=True, eq=False)
class StoodInPosterior(AbstractPosterior):
    """The equation between ends that nobody read."""

    problem: TransformerHeat
    """The heat problem, without anything taken out of it."""
    std: tuple[Series, Series]
    """Standard deviations of bottom and top on the time grid, scaled."""
    mean: GridFunction
    """Expected solution, scaled."""
    variance: GridFunction
    """Epistemic variance of the solution, scaled."""
    noise: float
    """Variance of a reading, scaled."""

    def draw(self, count: int, *, key: Key) -> StoodInFields:
        """Solutions between ends whose errors last for days."""
        off = _deviations(self.problem, self.std, count, rng=generator(key))
        return StoodInFields(replace(off, values=off.values + self.mean.values), self.noise)

    def moments(self, points: Points) -> Prediction:
        """The solution between the expected ends, and the variance of drawn ones."""
        # Between its nodes a quadratic element may dip below zero where an end was read.
        epistemic = np.maximum(self.variance(points), 0.0)
        return Prediction(self.mean(points), epistemic, np.full(len(points), self.noise))

    def arrays(self) -> dict[str, np.ndarray]:
        """A mark alone: all of this follows from the profile and the nameplate."""
        return {"silent": np.array(True)}


def stood_in(
    problem: TransformerHeat,
    seconds: Series,
    bottom: tuple[Series, Series],
    top: tuple[Series, Series],
    *,
    noise: float,
) -> StoodInPosterior:
    """The posterior between ends that are known from typical days alone.

    Args:
        problem: The heat problem of the time.
        seconds: Instants of the rows from its beginning [s].
        bottom: Temperature of the lower end at these rows [°C], and its standard deviation [K],
            0 where it was read.
        top: The same of the upper end.
        noise: Standard deviation of a thermometer's noise [K].
    """
    units, instants = problem.units, time_grid(problem) * problem.units.window

    def expected(end: tuple[Series, Series]) -> Float[np.ndarray, " instant"]:
        return np.asarray(units.scaled(np.interp(instants, seconds, end[0])))

    def doubt(end: tuple[Series, Series]) -> Float[np.ndarray, " instant"]:
        # What stands in meets the readings, so that it is tapered before instants are interpolated.
        stands_in = np.interp(instants, seconds, _tapered(seconds, end[1]))
        # Where there are readings they are taken one by one, each as sure as its thermometer.
        return np.hypot(stands_in, noise) / units.spread

    std = doubt(bottom), doubt(top)
    rise = at_middles(problem, problem.rise)
    mean = solved_between(problem, expected(bottom), expected(top), rise)
    # A fixed seed: nothing of this is stored, so a posterior that is read back finds the same.
    off = _deviations(problem, std, DRAWS, rng=np.random.default_rng(list(b"silent")))
    # Deviations are about zero by construction, so that the mean of squares is the variance.
    variance = replace(mean, values=np.mean(off.values**2, axis=0))
    return StoodInPosterior(problem, std, mean, variance, (noise / units.spread) ** 2)


def _tapered(seconds: Series, std: Series) -> Series:
    """The doubt, less near a reading: what stands in meets the readings beside it."""
    # A doubt of exactly zero is the mark of a row that was read.
    read = seconds[std == 0]
    if not read.size:
        return std
    after = np.searchsorted(read, seconds)
    beside = read[np.clip([after - 1, after], 0, read.size - 1)]
    hours = np.abs(seconds - beside).min(axis=0) / SECONDS_PER_HOUR
    # What an error that fades as exp(-t/T) has forgotten since the reading: 1 less its square.
    return std * np.sqrt(1 - np.exp(-2 * hours / LASTS_H))


def _deviations(
    problem: TransformerHeat,
    std: tuple[Series, Series],
    count: int,
    *,
    rng: np.random.Generator,
) -> GridFunction:
    """Drawn errors of both ends, carried inside by the equation: functions about zero, scaled."""
    times = time_grid(problem)
    hours = float(times[1] - times[0]) * problem.units.window / SECONDS_PER_HOUR
    bottom, top = (doubt * _lasting(count, times.size, hours, rng=rng) for doubt in std)
    return solved_between(problem, bottom, top)


def _lasting(
    count: int, steps: int, hours: float, *, rng: np.random.Generator
) -> Float[np.ndarray, "draw time"]:
    """Draws of a process of variance one that forgets within `LASTS_H`, `hours` apart."""
    keep = np.exp(-hours / LASTS_H)
    series = rng.standard_normal((count, steps))
    for step in range(1, steps):
        # The root keeps the variance at one whatever the step; in place, from the first on.
        series[:, step] = keep * series[:, step - 1] + np.sqrt(1 - keep**2) * series[:, step]
    return series
