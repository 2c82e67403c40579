"""Problems with several solutions: draws are told apart by them, and never averaged over both."""

import numpy as np
from jaxtyping import Float

from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.library.known import AbstractKnownProblem, values_at

Points = Float[np.ndarray, "point axis"]
"""Points in a problem's own coordinates."""
Values = Float[np.ndarray, " point"]
"""A function at points, in its own unit."""
Draws = Float[np.ndarray, "draw point"]
"""Drawn functions at points."""


def relative_error(error: Values, truth: Values) -> dict[str, float]:
    """How far a function is off: over its own size, in its unit, and that size."""
    size = float(np.sqrt(np.mean(truth**2))) or 1.0
    rms = float(np.sqrt(np.mean(error**2)))
    return {"relative_l2": rms / size, "rms": rms, "size": size}


def nearest_draws(
    problem: AbstractKnownProblem, posterior: EquationPosterior, points: Points
) -> dict[str, Draws]:
    """Draws of every function, by its name.

    Of a problem with several solutions those that are nearest to the one that is meant, or all
    where none is.
    """
    drawn = posterior.draw(posterior.available(posterior.settings.draws))
    values = {name: drawn.values(points, name) for name in problem.functions()}
    if not problem.solutions():
        return values
    first = next(iter(values))
    others = [values_at(solution, points) for solution in problem.solutions().values()]
    nearest = np.min([_distance(values[first], other) for other in others], axis=0)
    # Equal at the nearest: the reference is one of the solutions.
    own = _distance(values[first], problem.reference(points)[first]) <= nearest
    return {name: of[own] if own.any() else of for name, of in values.items()}


def solution_scores(
    problem: AbstractKnownProblem, posterior: EquationPosterior, points: Points
) -> dict[str, dict[str, float]]:
    """Of a problem with several solutions, the share of draws nearest to each, and how near."""
    truths = {name: values_at(solution, points) for name, solution in problem.solutions().items()}
    if not truths:
        return {}
    drawn = posterior.draw(posterior.available(posterior.settings.draws)).values(points)
    nearest = np.argmin([_distance(drawn, truth) for truth in truths.values()], axis=0)
    cells = {}
    for number, (name, truth) in enumerate(truths.items()):
        own = drawn[nearest == number]
        cells[name] = {"share": len(own) / len(drawn), "true_maximum": float(truth.max())}
        if len(own):
            # Over the draws of one solution alone: a mean over both would be no solution.
            mean = own.mean(axis=0)
            cells[name] |= {"maximum": float(mean.max())} | relative_error(mean - truth, truth)
    return cells


def _distance(drawn: Draws, truth: Values) -> Float[np.ndarray, " draw"]:
    return np.sqrt(np.mean((drawn - truth) ** 2, axis=1))
