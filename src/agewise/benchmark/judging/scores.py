"""How near a posterior comes to the truth of its problem, as plain numbers."""

from typing import Any

import numpy as np
from jaxtyping import Float
from scipy.stats import norm
from scoringrules import crps_ensemble, crps_normal

from agewise.benchmark.judging.branches import Draws, Points, Values, nearest_draws, relative_error
from agewise.engine.conformal_constants import conformal_constants
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.library.known import AbstractKnownProblem

GRID = {1: 401, 2: 61, 3: 21}
"""Points along each coordinate at which functions are judged, by the number of coordinates."""
GRID_ELSE = 8
"""Points along each coordinate at which functions of four coordinates or more are judged."""
LEVELS = (0.5, 0.9, 0.95)
"""Levels of the central intervals whose coverage is counted."""
MANY = 1000
"""Draws behind the intervals of constants."""
LOUD = 1.5
"""Standard deviation of the noise over its median from which a place counts as loud [1]."""
TINIEST = 1e-300
"""In place of a standard deviation of zero."""
PROFILE = 41
"""Points of a line at which its functions are kept for pictures."""


def grid(problem: AbstractKnownProblem) -> Points:
    """Points all over the box of a problem, walls included."""
    ends = problem.coordinates().values()
    count = GRID.get(len(ends), GRID_ELSE)
    axes = [np.linspace(low, high, count) for low, high in ends]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(ends))


def closed(posterior: EquationPosterior) -> bool:
    """Whether a posterior has moments in closed form, and no draws are needed for them."""
    return posterior.weights.certain or posterior.weights.linear


def function_scores(
    problem: AbstractKnownProblem, posterior: EquationPosterior
) -> dict[str, dict[str, Any]]:
    """Errors and coverage of every function, by its name."""
    points = grid(problem)
    truth = problem.reference(points)
    # In closed form where there is one: no noise of drawing in its scores.
    drawn = {} if closed(posterior) else nearest_draws(problem, posterior, points)
    return {
        name: _scores(posterior, points, name, truth[name], drawn.get(name))
        for name in problem.functions()
    }


def _scores(
    posterior: EquationPosterior, points: Points, name: str, truth: Values, drawn: Draws | None
) -> dict[str, Any]:
    if drawn is None:
        prediction = posterior.predict(points, name)
        mean, std = prediction.mean, np.sqrt(prediction.epistemic)
    else:
        mean, std = drawn.mean(axis=0), drawn.std(axis=0)
    error = mean - truth
    scores: dict[str, Any] = dict(relative_error(error, truth))
    if posterior.weights.certain:
        # The CRPS of one function without doubt is its mean absolute error.
        return scores | {"crps": float(np.mean(np.abs(error))), "crps_of": "point"}
    # Zero where all draws agree to the bit, as those of an ensemble of one member do.
    safe = np.maximum(std, TINIEST)
    scores |= coverage(error, std)
    scores["z"] = float(np.sqrt(np.mean((error / safe) ** 2)))
    scores["std"] = float(np.sqrt(np.mean(std**2)))
    # Draws as they are: of several solutions a normal would be a poor likeness.
    crps = crps_normal(truth, mean, safe) if drawn is None else crps_ensemble(truth, drawn.T)
    scores["crps"] = float(np.mean(np.asarray(crps)))
    scores["crps_of"] = "normal" if drawn is None else "draws"
    return scores


def coverage(error: Values, std: Values) -> dict[str, float]:
    """The share of points at which the band of every level holds what is sought."""
    reaches = {level: norm.ppf((1 + level) / 2) for level in LEVELS}
    return {
        f"coverage_{level:g}": float(np.mean(np.abs(error) <= reach * std))
        for level, reach in reaches.items()
    }


def constant_scores(
    problem: AbstractKnownProblem, posterior: EquationPosterior
) -> dict[str, dict[str, Any]]:
    """Mean, spread and intervals of every constant beside its truth, by its name."""
    if not problem.constants():
        return {}
    drawn = posterior.draw(posterior.available(MANY)).constants
    cells: dict[str, dict[str, Any]] = {}
    for name, truth in problem.true_constants().items():
        values = drawn[name]
        cells[name] = {
            "truth": truth,
            "mean": float(values.mean()),
            "std": float(values.std()),
        }
        if posterior.weights.certain:
            continue
        for level in LEVELS:
            # Quantiles of draws, since constants that are positive are skewed.
            low, high = interval(values, level)
            cells[name][f"holds_{level:g}"] = bool(low <= truth <= high)
    return cells


def interval(drawn: Float[np.ndarray, " draw"], level: float) -> tuple[float, float]:
    """Ends between which one more draw lies with a chance of `level`, or with the largest chance
    that so few leave: 9 in 11 between the least and the most of ten."""
    # Weibull's: the i-th of n draws has i/(n + 1) of all below it, not (i - 1)/(n - 1).
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], method="weibull")
    return float(low), float(high)


def simulated_constants(
    problem: AbstractKnownProblem, posterior: EquationPosterior, *, seed: int
) -> dict[str, dict[str, Any]]:
    """Intervals of every constant by fits of made readings, beside its truth, by its name."""
    bands = conformal_constants(posterior, seed=seed)
    cells: dict[str, dict[str, Any]] = {}
    for name, truth in problem.true_constants().items():
        mean, std = bands.found[name]
        cells[name] = {"truth": truth, "mean": mean, "std": std}
        for level in LEVELS:
            low, high = bands.interval(name, level)
            cells[name][f"holds_{level:g}"] = bool(low <= truth <= high)
            cells[name][f"reach_{level:g}"] = high - mean
    return cells


def noise_scores(
    problem: AbstractKnownProblem, posterior: EquationPosterior
) -> dict[str, dict[str, float]]:
    """Stated over true variance of every sensor whose noise was learned."""
    cells = {}
    for name, observed in problem.observations().items():
        points = np.asarray(observed.points, dtype=float)
        true = problem.true_noise(name, points)
        if observed.std is not None or true is None:
            continue
        # What the sensor reads is the value that its law was learned for, but for its noise.
        stated = posterior.noises[name].variance(points, np.asarray(observed.values, dtype=float))
        ratio = stated / true**2
        loud = is_loud(true)
        # A median, since ratios of variances have long tails.
        cells[name] = {"ratio": float(np.median(ratio))}
        if loud.any():
            cells[name] |= {
                "ratio_loud": float(np.median(ratio[loud])),
                "ratio_quiet": float(np.median(ratio[~loud])),
            }
    return cells


def is_loud(noise: Values) -> np.ndarray:
    """Where the noise is larger than mostly."""
    return noise > np.median(noise) * LOUD


def profiles(problem: AbstractKnownProblem, posterior: EquationPosterior) -> dict[str, Any]:
    """The functions of a line beside their truth at a few points, for pictures; empty elsewhere."""
    ends = list(problem.coordinates().values())
    if len(ends) > 1:
        return {}
    points = np.linspace(*ends[0], PROFILE)[:, None]
    truth = problem.reference(points)
    curves: dict[str, Any] = {"points": points[:, 0].tolist()}
    for name in problem.functions():
        prediction = posterior.predict(points, name)
        curves[name] = {
            "truth": truth[name].tolist(),
            "mean": prediction.mean.tolist(),
            "std": np.sqrt(prediction.epistemic).tolist(),
        }
    return curves
