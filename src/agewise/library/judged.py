"""Methods on one known problem, judged by its truth: cells of the table of methods."""

import resource
import time
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jaxtyping import Float
from scipy.stats import norm
from scoringrules import crps_normal

from agewise.engine.equations.methods import METHODS
from agewise.engine.equations.methods.base import posterior_of
from agewise.engine.equations.posterior import EquationPosterior
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.statement import refuse_wrong_statement
from agewise.engine.training import QUIET
from agewise.library.known import AbstractKnownProblem

GRID = {1: 401, 2: 61, 3: 21}
"""Points along each coordinate at which functions are judged, by the number of coordinates."""
LEVELS = (0.5, 0.9, 0.95)
"""Levels of the central intervals whose coverage is counted."""
MANY = 1000
"""Draws behind the intervals of constants."""


SHARING = ("map", "laplace", "vi")
"""Methods that set out from the same most probable functions, so that one fit serves them all."""


def judged(
    problem: AbstractKnownProblem,
    methods: Sequence[str],
    *,
    seed: int,
    settings: EquationSettings | None = None,
) -> dict[str, dict[str, Any]]:
    """Errors, coverage and cost of methods on one problem, as plain numbers, by method.

    Args:
        problem: A problem whose truth is known.
        methods: Names of methods; those that share their most probable functions share one fit.
        seed: Seed of the fits.
        settings: How functions are represented; the defaults unless given.
    """
    refuse_wrong_statement(problem)
    chosen, key = settings or EquationSettings(), jax.random.key(seed)
    cells, shared, before = {}, None, (0.0, 0.0)
    for name in methods:
        method, start = METHODS[name](chosen), (time.perf_counter(), time.process_time())
        if name in SHARING:
            if shared is None:
                shared = method.fitted(problem, key=key, monitor=QUIET)
                before = time.perf_counter() - start[0], time.process_time() - start[1]
                start = (time.perf_counter(), time.process_time())
            posterior = posterior_of(method, shared, *method.weights(shared, key=key))
            spent = [time.perf_counter() - start[0], time.process_time() - start[1]]
            spent = [own + common for own, common in zip(spent, before, strict=True)]
        else:
            posterior = method.fit(problem, key=key, monitor=QUIET)
            spent = [time.perf_counter() - start[0], time.process_time() - start[1]]
        cells[name] = _cell(problem, posterior) | {
            "seed": seed,
            "seconds": spent[0],
            "processor_seconds": spent[1],
        }
    return cells


def _cell(problem: AbstractKnownProblem, posterior: EquationPosterior) -> dict[str, Any]:
    check = posterior.check
    return {
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "functions": _functions(problem, posterior),
        "constants": _constants(problem, posterior),
        "noise": _noise(problem, posterior),
        "attempts": check.attempts,
        "converged": check.converged,
        "findings": list(check.findings),
        "remarks": list(check.remarks),
    }


def grid(problem: AbstractKnownProblem) -> Float[np.ndarray, "point axis"]:
    """Points all over the box of a problem, walls included."""
    ends = problem.coordinates().values()
    count = GRID.get(len(ends), 8)
    axes = [np.linspace(low, high, count) for low, high in ends]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(ends))


def _functions(
    problem: AbstractKnownProblem, posterior: EquationPosterior
) -> dict[str, dict[str, float]]:
    points = grid(problem)
    truth = problem.reference(points)
    return {name: _scores(posterior, points, name, truth[name]) for name in problem.functions()}


def _scores(
    posterior: EquationPosterior, points: np.ndarray, name: str, truth: np.ndarray
) -> dict[str, float]:
    found = posterior.predict(points, name)
    error, std = found.mean - truth, np.sqrt(found.epistemic)
    size = float(np.linalg.norm(truth)) or 1.0
    scores = {
        "relative_l2": float(np.linalg.norm(error)) / size,
        "rms": float(np.sqrt(np.mean(error**2))),
    }
    if posterior.weights.certain:
        return scores
    safe = np.maximum(std, 1e-300)
    for level in LEVELS:
        reach = norm.ppf((1 + level) / 2)
        scores[f"coverage_{level:g}"] = float(np.mean(np.abs(error) <= reach * std))
    scores["z"] = float(np.sqrt(np.mean((error / safe) ** 2)))
    scores["std"] = float(np.sqrt(np.mean(std**2)))
    scores["crps"] = float(np.mean(crps_normal(truth, found.mean, safe)))
    return scores


def _constants(
    problem: AbstractKnownProblem, posterior: EquationPosterior
) -> dict[str, dict[str, Any]]:
    if not problem.constants():
        return {}
    drawn = posterior.draw(posterior.available(MANY)).constants
    cells: dict[str, dict[str, Any]] = {}
    for name, truth in problem.true_constants().items():
        values = drawn[name]
        cell: dict[str, Any] = {
            "truth": truth,
            "mean": float(values.mean()),
            "std": float(values.std()),
        }
        for level in LEVELS:
            low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
            cell[f"holds_{level:g}"] = bool(low <= truth <= high)
        cells[name] = cell
    return cells


def _noise(
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
        loud = true > np.median(true) * 1.5
        cells[name] = {"ratio": float(np.median(ratio))}
        if loud.any():
            cells[name] |= {
                "ratio_loud": float(np.median(ratio[loud])),
                "ratio_quiet": float(np.median(ratio[~loud])),
            }
    return cells
