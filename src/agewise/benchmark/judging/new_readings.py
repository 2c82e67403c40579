"""Readings that nobody has fitted: how often the bands of a reading hold them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import norm
from scoringrules import crps_normal

from agewise.benchmark.judging.branches import Points, Values, relative_error
from agewise.benchmark.judging.scores import LEVELS, TINIEST, coverage, grid, is_loud
from agewise.engine.equations.objective.sensors import sensors_of
from agewise.engine.equations.posterior.conformal import conformal
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.problems.base import Observations
from agewise.errors import InputError
from agewise.library.known import AbstractKnownProblem, AbstractMeasuredProblem

SEED = 20_000
"""Seed of the new readings, far from all seeds of problems."""
HELD_BACK = 0.5
"""Share of the readings that a conformal band keeps from the fit [1]."""
FEWEST = 19
"""Readings that must be kept back for a band of 95 %: with fewer it would be infinite."""


@dataclass(frozen=True)
class NewReadings:
    """Readings of one function all over the box."""

    function: str
    """Name of the function that is read."""
    points: Points
    """Where the function is read, in the problem's coordinates."""
    truth: Values
    """True values of the function at the points."""
    values: Values
    """What a sensor shows at the points: truth and noise."""
    noise: Values
    """True standard deviation of the noise at the points."""

    def shares(self, inside: np.ndarray) -> dict[str, float]:
        """The share that a band of 95 % holds, where noise is loud and elsewhere, if it differs."""
        loud = is_loud(self.noise)
        if not loud.any():
            return {}
        return {
            "coverage_0.95_loud": float(np.mean(inside[loud])),
            "coverage_0.95_quiet": float(np.mean(inside[~loud])),
        }


def new_readings(problem: AbstractKnownProblem) -> NewReadings | None:
    """New readings of the first function that a sensor reads directly; None where none does."""
    direct = {sensor.of: name for name, sensor in sensors_of(problem).items() if sensor.of}
    points = grid(problem)
    for function in problem.functions():
        noise = problem.true_noise(direct[function], points) if function in direct else None
        if noise is not None:
            truth = problem.reference(points)[function]
            # One noise for all methods and draws, so that scores differ by the fit alone.
            values = truth + noise * np.random.default_rng(SEED).standard_normal(len(points))
            return NewReadings(function, points, truth, values, noise)
    return None


def reading_scores(problem: AbstractKnownProblem, posterior: EquationPosterior) -> dict[str, Any]:
    """How the total of both uncertainties holds new readings; empty where nothing is read."""
    new = new_readings(problem)
    if new is None:
        return {}
    prediction = posterior.predict(new.points, new.function)
    error, std = new.values - prediction.mean, np.sqrt(np.maximum(prediction.total, TINIEST))
    inside = np.abs(error) <= norm.ppf(0.975) * std
    return {
        "function": new.function,
        **coverage(error, std),
        **new.shares(inside),
        "crps": float(np.mean(crps_normal(new.values, prediction.mean, std))),
    }


def held_back(
    problem: AbstractKnownProblem, seed: int
) -> tuple[AbstractMeasuredProblem, str, Observations]:
    """The problem with half of the readings of its function, the function, and the other half."""
    new = new_readings(problem)
    direct = {sensor.of: name for name, sensor in sensors_of(problem).items() if sensor.of}
    if new is None or not isinstance(problem, AbstractMeasuredProblem):
        raise InputError(
            "Conformal bands need readings of the function itself, and here are none.",
            hint="choose a problem whose function is read.",
        )
    name = direct[new.function]
    observed = problem.observations()[name]
    count = len(observed.values)
    # At random and not in blocks: the noise of made readings is independent.
    kept = np.random.default_rng(seed).permutation(count)[: round(HELD_BACK * count)]
    if len(kept) < FEWEST:
        raise InputError(
            f"Conformal bands of 95 % need {FEWEST} readings kept from the fit, and of "
            f"{new.function} there are {count} in all.",
            hint="choose a problem with more readings.",
        )
    # Sorted again, since the order of readings in time is part of a problem.
    fitted = np.setdiff1d(np.arange(count), kept)
    sensors = {**problem.sensors, name: _part(observed, fitted)}
    return replace(problem, sensors=sensors), new.function, _part(observed, np.sort(kept))


def conformal_scores(
    posterior: EquationPosterior, function: str, unseen: Observations, *, local: bool
) -> dict[str, Any]:
    """The scores of bands by unseen readings: they have neither draws nor constants."""
    problem = posterior.problem
    assert isinstance(problem, AbstractKnownProblem)
    new = new_readings(problem)
    assert new is not None
    bands = conformal(posterior, unseen, of=function, local=local)
    readings: dict[str, Any] = {"function": function}
    inside = np.zeros(len(new.points), dtype=bool)
    for level in LEVELS:
        low, high = bands.interval(new.points, level)
        inside = (low <= new.values) & (new.values <= high)
        readings[f"coverage_{level:g}"] = float(np.mean(inside))
    readings |= new.shares(inside)  # of the last level, 95 %
    mean = posterior.predict(new.points, function).mean
    return {
        "functions": {function: relative_error(mean - new.truth, new.truth)},
        "readings": readings,
    }


def _part(observed: Observations, rows: np.ndarray) -> Observations:
    std = None if observed.std is None else np.asarray(observed.std)[rows]
    points, values = np.asarray(observed.points)[rows], np.asarray(observed.values)[rows]
    return Observations(points, values, std, observed.quantity)
