"""Methods on one known problem, judged by its truth: the content of cells."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agewise.benchmark.judging.branches import solution_scores
from agewise.benchmark.judging.cost import clocks
from agewise.benchmark.judging.fits import Fit, fits
from agewise.benchmark.judging.new_readings import conformal_scores, held_back, reading_scores
from agewise.benchmark.judging.scores import (
    constant_scores,
    function_scores,
    grid,
    noise_scores,
    profiles,
    simulated_constants,
)
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.settings import EquationSettings
from agewise.library.known import AbstractKnownProblem

WRAPS = {"conformal": False, "local": True}
"""What may stand behind a method and a plus, and whether its bands go by the nearest readings."""
SIMULATED = "simulated"
"""The same, for intervals of constants that go by fits of readings which the first fit has made."""


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
        methods: Names of methods, also as `vi+conformal` or `vi+local`, whose bands go by readings
            that are kept from the fit, as `vi+simulated`, whose intervals of constants go by fits
            of made readings, or with a rule by which losses are weighted, as `map+attention`; those
            that share their most probable functions share a fit.
        seed: Seed of the fits.
        settings: How functions are represented; the defaults unless given.
    """
    chosen = settings or EquationSettings()
    plain = [name for name in methods if "+" not in name]
    fits_by_method = dict(fits(problem, plain, seed=seed, settings=chosen)) if plain else {}
    added = [name.split("+") for name in methods if "+" in name]
    for base, rule in added:
        if rule not in (*WRAPS, SIMULATED):
            weighted = replace(chosen, loss_weights=rule)
            # A loss of its own is a fit of its own, which shares nothing.
            ((_, fit),) = fits(problem, [base], seed=seed, settings=weighted)
            fits_by_method[f"{base}+{rule}"] = fit
    cells = {
        name: _scores(problem, fit.posterior) | _fit(fit) for name, fit in fits_by_method.items()
    }
    for base in (base for base, rule in added if rule == SIMULATED):
        ((_, fit),) = fits(problem, [base], seed=seed, settings=chosen)
        begin = clocks()
        constants = simulated_constants(problem, fit.posterior, seed=seed)
        whole = replace(fit, cost=fit.cost + (clocks() - begin))
        cells[f"{base}+{SIMULATED}"] = {"constants": constants} | _fit(whole)
    wrapped = [(base, wrap) for base, wrap in added if wrap in WRAPS]
    if wrapped:
        # Held back by the seed, so that all wraps of a draw see the same halves.
        fewer, function, unseen = held_back(problem, seed)
        bases = list(dict.fromkeys(base for base, _ in wrapped))
        fits_by_method = dict(fits(fewer, bases, seed=seed, settings=settings))
        for base, wrap in wrapped:
            fit = fits_by_method[base]
            scores = conformal_scores(fit.posterior, function, unseen, local=WRAPS[wrap])
            cells[f"{base}+{wrap}"] = scores | _fit(fit)
    return cells


def _scores(problem: AbstractKnownProblem, posterior: EquationPosterior) -> dict[str, Any]:
    return {
        "functions": function_scores(problem, posterior),
        "constants": constant_scores(problem, posterior),
        "noise": noise_scores(problem, posterior),
        "readings": reading_scores(problem, posterior),
        "solutions": solution_scores(problem, posterior, grid(problem)),
        "profiles": profiles(problem, posterior),
    }


def _fit(fit: Fit) -> dict[str, Any]:
    check = fit.posterior.check
    return {
        "seconds": fit.cost.seconds,
        "processor_seconds": fit.cost.processor_seconds,
        "peak_mib": fit.peak_mib,
        "attempts": check.attempts,
        "converged": check.converged,
        "findings": list(check.findings),
        "remarks": list(check.remarks),
    }
