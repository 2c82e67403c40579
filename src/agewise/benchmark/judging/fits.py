"""Fits of one problem by several methods, each with what it cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import jax

from agewise.benchmark.judging.cost import Cost, clocks, forget_peak, peak_mib
from agewise.engine.equations.methods.base import posterior_of
from agewise.engine.equations.methods.registry import METHODS
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.statement import refuse_wrong_statement
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import QUIET

SHARING = ("map", "laplace", "vi")
"""Methods that set out from the same most probable functions, so that one fit serves them all."""


@dataclass(frozen=True)
class Fit:
    """What a method made of a problem."""

    posterior: EquationPosterior
    """Posterior that the method gave back."""
    cost: Cost
    """What the fit took; where several methods share one, each bears the whole."""
    peak_mib: float | None
    """Largest memory of the process meanwhile [MiB]; None where the system does not tell."""


def fits(
    problem: AbstractProblem,
    methods: Sequence[str],
    *,
    seed: int,
    settings: EquationSettings | None = None,
) -> Iterator[tuple[str, Fit]]:
    """The fit of every method, one after the other; those that can share one fit.

    Args:
        problem: The problem.
        methods: Names of methods.
        seed: Seed of the fits.
        settings: How functions are represented; the defaults unless given.
    """
    refuse_wrong_statement(problem)
    chosen, key = settings or EquationSettings(), jax.random.key(seed)
    shared, before = None, Cost(0.0, 0.0)
    for name in methods:
        # The peak of each method by itself, not of all before it.
        forget_peak()
        method, start = METHODS[name](chosen), clocks()
        if name not in SHARING:
            posterior = method.fit(problem, key=key, monitor=QUIET)
            yield name, Fit(posterior, clocks() - start, peak_mib())
            continue
        if shared is None:
            shared = method.fitted(problem, key=key, monitor=QUIET)
            # The shared fit's cost is kept apart, to be added to each method that sets out from it.
            before, start = clocks() - start, clocks()
        posterior = posterior_of(method, shared, *method.weights(shared, key=key))
        yield name, Fit(posterior, before + (clocks() - start), peak_mib())
