"""The functions of a plain network under a reweighted loss, by Adam: a point estimate alone."""

from dataclasses import replace

import jax
import numpy as np

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.stated import on_network
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.objective.noise import Noise, learned_noise
from agewise.engine.equations.objective.quantity import quantity_at
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.objective.sensors import sensors_of
from agewise.engine.equations.posterior.unexplained import unexplained
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stage, Stages
from agewise.engine.training.reweighted import NUMBERS, REWEIGHTED, MeanSquares
from agewise.types import Key

LOOK = 100
"""Steps between looks, at which losses are recorded and kernels taken."""
SNAPSHOTS = 10
"""Snapshots of the weights that a record holds, about."""


def reweighted(
    problem: AbstractProblem, settings: EquationSettings, *, key: Key, monitor: Monitor
) -> Fitted:
    """Functions that Adam finds at points that stay; how the weights of rows moved is recorded.

    Residuals count in their own units and readings in theirs, as a plain network has them: neither
    declared scales nor noise have a say.
    """
    stages, sensors = Stages(key, monitor), sensors_of(problem)
    # The first attempt's network alone: rules are compared on one.
    chosen = next(settings.richer(len(problem.coordinates())))
    stated = on_network(problem, chosen, sensors, stages)
    own = stated.objective()
    objective = _mean_squares(own)
    rng = np.random.default_rng(np.asarray(jax.random.key_data(stages.key_of("start"))))
    params = {NUMBERS: chosen.first_size * stated.unknown.initial(rng)}
    # A noise of one: readings count in their own unit.
    unit = {name: np.ones(len(sensor.values)) for name, sensor in sensors.items()}
    params |= _first_weights(objective, settings.loss_weights, unit, rng)
    end = stages.run(settings.loss_weights, _stage(settings), objective, params, unit)
    # In double precision again, for a check that looks at small residuals.
    numbers = np.asarray(end.params[NUMBERS], dtype=float)
    noises = {name: _noise(problem, own, numbers, name, of) for name, of in sensors.items()}
    variances = {
        name: noises[name].variance(of.points, quantity_at(own, numbers, name))
        for name, of in sensors.items()
    }
    check = unexplained(
        problem, stated.unknown, stated.taken, sensors, own, numbers, variances, stages
    )
    check = replace(check, converged=not end.interrupted)
    return stated.fitted(numbers, variances, noises, check, stages)


def _stage(settings: EquationSettings) -> Stage:
    """Steps of Adam under the rule by which losses are weighted, with a few snapshots."""
    looks = -(-settings.adam_steps // LOOK)
    return Stage(
        f"{settings.loss_weights}-adam",  # type: ignore[arg-type]
        settings.adam_steps,
        settings.adam_rate,
        look=LOOK,
        snapshots=max(1, looks // SNAPSHOTS),
    )


def _mean_squares(own: EquationObjective) -> MeanSquares:
    """Mean squares of residuals and readings in their own units."""
    regions = own.problem.regions()
    # Declared scales are put to one: the rule alone weighs.
    ones = {name: np.ones(len(points)) for name, points in own.points.items()}
    walls = [name for name in own.points if not regions[name].solid]
    anchors = (*walls, *(f"readings of {name}" for name in own.values))
    return MeanSquares(replace(own, weights=ones), anchors)


def _first_weights(
    objective: MeanSquares, rule: str, unit: dict[str, np.ndarray], rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """The weights of every group of rows to begin with."""
    groups = objective.rows(unit, key=jax.random.key(0))
    counts = {name: len(jax.tree.leaves(items)[0]) for name, (_, items) in groups.items()}
    first = REWEIGHTED[rule].first
    return {name: first(count, name in objective.anchors, rng) for name, count in counts.items()}


def _noise(
    problem: AbstractProblem, own: EquationObjective, numbers: np.ndarray, name: str, sensor
) -> Noise:
    """The law of a sensor's noise: as it is known, or by the errors that are left."""
    there = quantity_at(own, numbers, name)
    squares = (sensor.values - there) ** 2 if sensor.known is None else sensor.known
    return learned_noise(sensor.points, there, squares, box_of(problem))
