"""The front door of the engine: `fit` makes a posterior of any problem, `load` brings one back."""

import warnings
from numbers import Integral
from pathlib import Path
from typing import Any

import jax

from agewise.engine.equations.methods.registry import METHODS
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.restored import restored_posterior
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.statement import refuse_wrong_statement
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor
from agewise.errors import InputError


class UnsoundFit(UserWarning):
    """A fit that leaves readings or equations unexplained: its answer cannot be trusted.

    Examples:
        A script that ends at such a fit, instead of going on with a warning:

        >>> import warnings
        >>> import agewise
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", agewise.UnsoundFit)
        ...     # posterior = agewise.fit(problem)
    """


def fit(
    problem: AbstractProblem,
    *,
    method: str = "vi",
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
        A posterior with `predict`, `draw`, `constants`, `check`, `plot` and `save`. Where its check
        finds something wrong, an `UnsoundFit` warning says so.

    Examples:
        A body that cools to zero, $u' = -u$ from $u(0) = 1$:

        >>> import agewise
        >>> cooling = agewise.Problem(
        ...     equations={
        ...         "law": lambda u, t: agewise.partial(u, 0)(t) + u(t),
        ...         "start": lambda u, t: u(t) - 1.0,
        ...     },
        ...     coordinates={"t": (0.0, 2.0)},
        ...     places={"start": [{"t": 0.0}]},
        ... )
        >>> posterior = agewise.fit(cooling, method="laplace", key=0)
        >>> print(f"{posterior.predict([1.0]).mean[0]:.2f}")
        0.37
        >>> posterior.check.sound
        True
    """
    if method not in METHODS:
        raise InputError(
            f"There is no method {method!r}.", hint=f"choose from {', '.join(METHODS)}."
        )
    refuse_wrong_arguments(key, settings)
    # Before any training: a mistake in the statement is told in a second, not after minutes.
    refuse_wrong_statement(problem)
    chosen = METHODS[method](settings or EquationSettings())
    monitor = Monitor(None if folder is None else Path(folder), resume, progress)
    posterior = chosen.fit(problem, key=jax.random.key(key), monitor=monitor)
    if not posterior.check.sound:
        # Level 2: the warning points at the caller's line.
        warnings.warn(str(posterior.check), UnsoundFit, stacklevel=2)
    return posterior


def load(path: str | Path, problem: AbstractProblem) -> EquationPosterior:
    """The posterior that `save` wrote, of the same problem.

    Args:
        path: The file.
        problem: The problem that was fitted; a file holds neither equations nor readings.

    Returns:
        The same posterior: it predicts and draws the same.

    Examples:
        >>> import agewise
        >>> agewise.load("nowhere.npz", agewise.Problem(equations={}, coordinates={"t": (0, 1)}))
        Traceback (most recent call last):
        ...
        agewise.errors.InputError: ...
    """
    refuse_wrong_statement(problem)
    # Only the part of a method that says what is unknown; nothing is fitted again.
    builders = {name: method.unknown for name, method in METHODS.items()}
    return restored_posterior(path, problem, builders)


def refuse_wrong_arguments(key: Any, settings: Any) -> None:
    """Raise an `InputError` where a seed or settings are something else."""
    # Any, since what was promised is what is looked at.
    if isinstance(key, bool) or not isinstance(key, Integral):
        raise InputError(
            f"The key is {key!r}, and no whole number.", hint="give a seed, such as `key=0`."
        )
    if settings is not None and not isinstance(settings, EquationSettings):
        raise InputError(
            f"The settings are of the type {type(settings).__name__}.",
            hint="give `agewise.EquationSettings(...)`, or leave them out.",
        )
