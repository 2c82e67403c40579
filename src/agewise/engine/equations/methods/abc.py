"""`abc`: functions of the prior whose error is small enough, found level by level."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from agewise.engine.equations.draws.search import Search, tolerance_search
from agewise.engine.equations.draws.subsets import Level
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.unknown import perceptrons
from agewise.engine.equations.methods.base import AbstractMethod, posterior_of
from agewise.engine.equations.objective.collocation import box_of, collocation
from agewise.engine.equations.objective.noise import Noise, learned_noise
from agewise.engine.equations.objective.quantity import drawn_quantities
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.objective.sensors import Sensor, sensors_of, sizes_of
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.unexplained import unexplained
from agewise.engine.equations.posterior.weights import AbstractWeights, DrawnWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stages
from agewise.types import Key

HIDDEN = (8,)
"""Hidden layers unless the settings name some: few weights, since chance must hit all of them."""
LOOSE = 1.5
"""Tolerance over declared errors from which the answer is not sound [1]."""
BEHIND_NOISE = 500
"""Samples of whose errors the noise is learned."""


@dataclass(frozen=True)
class ABC(AbstractMethod):
    """Approximate Bayesian computation by subset simulation (Fernández et al. 2022)."""

    name: ClassVar[str] = "abc"
    summary: ClassVar[str] = (
        "No likelihood: keeps functions of the prior within a tolerance, which sets the bands; for "
        "networks of a few dozen weights, and it says where it stalls."
    )

    def fit(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> EquationPosterior:
        """The samples of the last level."""
        fitted, search = _searched(problem, self.settings, key, monitor)
        weights = DrawnWeights(fitted.numbers, search.level.numbers)
        posterior = posterior_of(self, fitted, weights, fitted.check)
        stopped = {"interrupted": np.array(search.interrupted)}
        return replace(posterior, record=posterior.record | stopped)

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The function of the smallest error."""
        return _searched(problem, self.settings, key, monitor)[0]

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[AbstractWeights, Check]:
        """That function alone."""
        return DrawnWeights(fitted.numbers, fitted.numbers[None]), fitted.check


def _searched(
    problem: AbstractProblem, settings: EquationSettings, key: Key, monitor: Monitor
) -> tuple[Fitted, Search]:
    """The best function of the last level with what that leaves unexplained, and the search."""
    chosen = replace(settings, hidden=settings.hidden or HIDDEN)
    sensors, stages = sensors_of(problem), Stages(key, monitor)
    unknown = perceptrons(problem, chosen.hidden, chosen.stretch, sizes_of(problem, sensors))
    taken = collocation(problem, unknown, key=stages.key_of("points"))
    objective = EquationObjective.of(problem, unknown, taken, sensors)
    variances = {name: sensor.first_variance() for name, sensor in sensors.items()}
    # What all rows weigh together: a region counts by its observations, not by its points.
    weight = sum(len(s.values) for s in sensors.values()) + sum(taken.counts.values())
    search = tolerance_search(objective, variances, weight, chosen, stages)
    level = search.level
    noises = {n: _noise(objective, level, n, sensor) for n, sensor in sensors.items()}
    for name, sensor in sensors.items():
        if sensor.known is None:
            # After the search, whose tolerance stood on the first guess of the noise.
            variances[name] = noises[name].variance(sensor.points, sensor.values)
    best = level.numbers[np.argmin(level.errors)]
    check = unexplained(problem, unknown, taken, sensors, objective, best, variances, stages)
    noise_known = all(sensor.known is not None for sensor in sensors.values())
    check = replace(_judged(check, search, unknown.size, noise_known), converged=search.reached)
    fitted = Fitted(
        problem, chosen, unknown, best, taken, sensors, variances, noises, check, stages
    )
    return fitted, search


def _noise(objective: EquationObjective, level: Level, name: str, sensor: Sensor) -> Noise:
    """The law of a sensor's noise: as it is known, or of the errors of the mean of all samples."""
    # Evenly over the level, whose parts are the same chains move after move.
    picked = level.numbers[:: max(1, len(level.numbers) // BEHIND_NOISE)]
    drawn = drawn_quantities(objective, picked, name)
    # Of the mean: a single sample is off by the tolerance, which is no noise.
    squares = (sensor.values - drawn.mean(axis=0)) ** 2
    known = squares if sensor.known is None else sensor.known
    return learned_noise(sensor.points, drawn.mean(axis=0), known, box_of(objective.problem))


def _judged(check: Check, search: Search, size: int, noise_known: bool) -> Check:
    """The check, with a word on the tolerance, which sets the bands."""
    level = search.level
    if search.interrupted:
        check = check.with_remarks("Stopped by hand: the tolerance would have fallen further.")
    remark = (
        f"The bands are those of a tolerance of {level.tolerance:.2g} declared errors, not of "
        f"noise; {level.distinct} of {len(level.errors)} samples differ."
    )
    if noise_known and level.tolerance > LOOSE:
        # Where somebody stopped it, nothing is known of the size that it takes.
        why = "was stopped" if search.interrupted else "has stalled"
        return check.with_findings(
            f"The search {why} at {level.tolerance:.2g} times the declared errors, with "
            f"{size} numbers to hit: take a smaller network, more samples, or another method."
        )
    return check.with_remarks(remark)
