"""Whether functions that were drawn are solutions: what they leave of equations and readings."""

import numpy as np

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.objective.collocation import residuals_at
from agewise.engine.equations.objective.quantity import quantity_at
from agewise.engine.equations.posterior.check import Check, drawn_finding
from agewise.engine.equations.posterior.unexplained import FRESH, fresh_points
from agewise.engine.equations.posterior.weights import AbstractWeights

TRIED = 20
"""Drawn functions of which it is asked whether they are solutions, where there are so many."""


def draws_checked(fitted: Fitted, weights: AbstractWeights) -> Check:
    """The check of a fit, with what functions that were drawn leave of equations and readings.

    Functions of a right posterior leave about as much of both as was declared: 1.
    """
    # One seed: a check must not come out otherwise when it is asked again.
    drawn = weights.draw(weights.available(TRIED), rng=np.random.default_rng(0))
    equations, readings = _equations(fitted, drawn), _readings(fitted, drawn)
    findings = [drawn_finding(f"the equation {n!r}", size) for n, size in equations.items()]
    findings += [drawn_finding(f"readings of {n!r}", size) for n, size in readings.items()]
    # One after the other, since a sensor may have the name of an equation.
    left = [*equations.items(), *readings.items()]
    sizes = ", ".join(f"{name!r} {size:.2g}" for name, size in left)
    remark = f"Drawn functions leave, over scales of equations and noise of readings: {sizes}."
    return fitted.check.with_findings(*findings).with_remarks(remark)


def _equations(fitted: Fitted, drawn: np.ndarray) -> dict[str, float]:
    """The root mean square of every residual over its scale, at points that no fit has seen."""
    fresh = fresh_points(fitted.problem, fitted.taken, key=fitted.stages.key_of(FRESH))
    left = [residuals_at(fitted.problem, fitted.unknown, numbers, fresh) for numbers in drawn]
    # At the declared scales of `taken`, not at loosened ones, or nothing would ever be found.
    return {
        name: float(np.sqrt(np.mean([np.mean(residuals[name] ** 2) for residuals in left]))) / scale
        for name, scale in fitted.taken.scales.items()
    }


def _readings(fitted: Fitted, drawn: np.ndarray) -> dict[str, float]:
    """The root mean square error of every sensor over its noise."""
    objective, ratios = fitted.objective, {}
    for name, sensor in fitted.sensors.items():
        errors = [quantity_at(objective, numbers, name) - sensor.values for numbers in drawn]
        ratios[name] = float(np.sqrt(np.mean(np.square(errors) / fitted.variances[name])))
    return ratios
