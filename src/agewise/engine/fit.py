"""The front door of the engine: `fit` makes a posterior of any problem, `load` brings one back."""

from pathlib import Path

import jax

from agewise.engine.equations.methods import METHODS
from agewise.engine.equations.posterior import EquationPosterior, restored_posterior
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.statement import refuse_wrong_statement
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor
from agewise.errors import InputError


def fit(
    problem: AbstractProblem,
    *,
    method: str = "laplace",
    key: int = 0,
    settings: EquationSettings | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: bool = False,
) -> EquationPosterior:
    """The posterior of any problem: its functions and constants, with both uncertainties.

    Args:
        problem: Equations, coordinates, unknowns and readings, in their own units.
        method: Name of the method; `agewise methods` lists them.
        key: Seed of all that is random; one seed gives one answer.
        settings: How functions are represented and fitted; the defaults serve any problem.
        folder: Folder of checkpoints; none are written without it.
        resume: Whether to go on from the checkpoints there.
        progress: Whether to show a bar with the time left.

    Returns:
        A posterior with `predict`, `draw`, `constants`, `check`, `plot` and `save`.
    """
    if method not in METHODS:
        raise InputError(
            f"There is no method {method!r}.", hint=f"choose from {', '.join(METHODS)}."
        )
    refuse_wrong_statement(problem)
    chosen = METHODS[method](settings or EquationSettings())
    monitor = Monitor(None if folder is None else Path(folder), resume, progress)
    return chosen.fit(problem, key=jax.random.key(key), monitor=monitor)


def load(path: str | Path, problem: AbstractProblem) -> EquationPosterior:
    """The posterior that `save` wrote, of the same problem."""
    refuse_wrong_statement(problem)
    made = {name: method.unknown for name, method in METHODS.items()}
    return restored_posterior(path, problem, made)
