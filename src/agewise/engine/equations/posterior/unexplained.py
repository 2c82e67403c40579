"""What a fit leaves of its readings, and of its equations at points that it has not seen."""

from dataclasses import replace

import jax
import numpy as np

from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.objective.collocation import Collocation, box_of, residuals_at
from agewise.engine.equations.objective.quantity import quantity_and_gradient, quantity_at
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.objective.sensors import Sensor
from agewise.engine.equations.posterior.between import (
    between,
    beyond_finding,
    told_by_readings,
)
from agewise.engine.equations.posterior.check import Check, residual_finding
from agewise.engine.equations.posterior.followed import Followed
from agewise.engine.equations.posterior.reading_errors import readings_finding
from agewise.engine.equations.posterior.weights import GaussianWeights
from agewise.engine.problems.base import AbstractProblem, Region
from agewise.engine.training import Stages
from agewise.engine.training.objective import Aux
from agewise.types import Key

UNSEEN_POINTS = 5000
"""Unseen points of a solid region."""
FRESH = "fresh points"
"""Name under which the key of points that a fit has not seen is drawn."""


def unexplained(
    problem: AbstractProblem,
    unknown: Unknown,
    taken: Collocation,
    sensors: dict[str, Sensor],
    objective: EquationObjective,
    numbers: np.ndarray,
    variances: Aux,
    stages: Stages,
    doubt: GaussianWeights | None = None,
) -> Check:
    """What the fit leaves of its readings, and of its residuals at points it has not seen.

    Without the doubt of the numbers, errors count as if the fit followed none of the noise.
    """
    # Points that were trained on flatter a fit: between them it may be anything.
    fresh = fresh_points(problem, taken, key=stages.key_of(FRESH))
    unseen, seen = (residuals_at(problem, unknown, numbers, p) for p in (fresh, taken.points))
    size = {name: float(np.sqrt(np.mean(r**2))) for name, r in unseen.items()}
    # Points may be denser in places, so what was seen is weighed by what each stands for.
    before = {name: float(np.sqrt(np.sum(taken.shares[name] * r**2))) for name, r in seen.items()}
    residuals = {name: size[name] / taken.scales[name] for name in size}
    read = bool(sensors)
    findings = [residual_finding(name, value, read=read) for name, value in residuals.items()]
    readings, box = {}, box_of(problem)
    for name, sensor in sensors.items():
        there, gradients = quantity_and_gradient(objective, numbers, name)
        std = np.sqrt(variances[name])
        errors = (sensor.values - there) / std
        readings[name] = float(np.mean(errors**2))
        spread = float(sensor.values.std())
        # Readings that are all equal have no spread to explain.
        share = float(np.sqrt(np.mean(variances[name]))) / spread if spread else 0.0
        shares = (sensor.points - box[0]) / (box[1] - box[0])
        learned = share if sensor.known is None else None
        followed = Followed.of(gradients, std, doubt) if doubt else None
        findings.append(readings_finding(name, shares, errors, learned, followed))
    findings += _beyond(problem, unknown, taken, sensors, numbers)
    return Check(
        readings,
        residuals,
        {name: size[name] / (before[name] or 1.0) for name in size},
        # Whoever trained knows better, and replaces both.
        converged=True,
        attempts=1,
        findings=tuple(finding for finding in findings if finding),
    )


def _beyond(
    problem: AbstractProblem,
    unknown: Unknown,
    taken: Collocation,
    sensors: dict[str, Sensor],
    numbers: np.ndarray,
) -> list[str | None]:
    """What is wrong where readings alone tell a quantity, and it leaves them between places."""
    if not told_by_readings(problem):
        return []
    box, found = box_of(problem), []
    for name, sensor in sensors.items():
        points = between(sensor.points, box)
        if not len(points):
            continue
        # A reading of zero at each place: its error is what would be read there.
        there = replace(sensor, points=points, values=np.zeros(len(points)), known=None)
        objective = EquationObjective.of(problem, unknown, taken, {name: there})
        found.append(
            beyond_finding(name, points, quantity_at(objective, numbers, name), sensor.values)
        )
    return found


def fresh_points(
    problem: AbstractProblem, taken: Collocation, *, key: Key
) -> dict[str, np.ndarray]:
    """As many other points of every region."""
    regions = problem.regions()
    keys = jax.random.split(key, len(regions))
    with jax.enable_x64(True):
        return {
            name: np.asarray(
                region.points(_count(region, taken, name), key=region_key), dtype=float
            )
            for (name, region), region_key in zip(regions.items(), keys, strict=True)
        }


def _count(region: Region, taken: Collocation, name: str) -> int:
    """Points at which a residual is looked at: more than a fit has, where the region is solid."""
    return UNSEEN_POINTS if region.solid else len(taken.points[name])
