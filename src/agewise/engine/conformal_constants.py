"""Intervals of unknown constants that hold as often as they say, whatever method fitted them.

Nobody reads a constant, so that no reading can be kept back to judge it by. Instead the fit is
tried on itself: its most probable functions and constants are taken for the truth, readings are
made of them with the noise that was stated or learned, and the same method fits these. How far it
then is from the constant that it should have found, in units of its own doubt, scales its interval.
"""

from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.methods.registry import METHODS
from agewise.engine.equations.objective.sensors import sensors_of
from agewise.engine.equations.posterior.conformal import conformal_quantile
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.problems.base import Observations
from agewise.engine.problems.read_again import ReadAgain
from agewise.engine.training import QUIET, Monitor
from agewise.errors import InputError
from agewise.threads import side_by_side

REPEATS = 39
"""Fits of made readings: twice as many as a level of 95 % can do with."""
MADE = 39_000
"""Beside a seed, what tells made noise from that of readings which somebody made with this seed."""


@dataclass(frozen=True, eq=False)
class ConformalConstants:
    """Constants of a fit, and how far the same method was off where it had to find them again."""

    found: dict[str, tuple[float, float]]
    """Mean and standard deviation that the fit states of every constant, in its unit."""
    scores: dict[str, Float[np.ndarray, " repeat"]]
    """Distance of every constant found again from what it was, in standard deviations that were
    stated [1]; below 1.6 in nine of ten where the stated doubt is right."""

    def interval(self, name: str, level: float) -> tuple[float, float]:
        """Ends of the interval that holds a constant with a chance of `level`, in its unit."""
        if name not in self.found:
            raise InputError(
                f"There is no constant {name!r}.", hint=f"choose from {', '.join(self.found)}."
            )
        mean, std = self.found[name]
        reach = conformal_quantile(self.scores[name], level) * std
        return mean - reach, mean + reach


def conformal_constants(
    posterior: EquationPosterior,
    *,
    repeats: int = REPEATS,
    seed: int = 0,
    jobs: int = 1,
    progress: bool = False,
) -> ConformalConstants:
    """Intervals of the constants by fits of made readings, which are as many fits more.

    Args:
        posterior: What was fitted, by any method that states a doubt.
        repeats: Number of made records; an interval of 90 % needs 9, one of 95 % 19.
        seed: Seed of the made noise.
        jobs: Processes at a time.
        progress: Whether to show a bar with the time left.

    Returns:
        Intervals for any constant and level, as `interval("k", 0.9)`. Stopped by Ctrl-C, they rest
        on the fits that have ended; for a level that needs more of them they have no ends.

    Examples:
        A body that cools at an unknown rate, read ten times:

        >>> import numpy as np
        >>> import agewise
        >>> times = np.linspace(0.0, 2.0, 10)[:, None]
        >>> values = np.exp(-times[:, 0]) + np.random.default_rng(0).normal(0, 0.02, 10)
        >>> cooling = agewise.Problem(
        ...     equations={"law": lambda u, t: agewise.partial(u, 0)(t) + u.rate * u(t)},
        ...     coordinates={"t": (0.0, 2.0)},
        ...     constants={"rate": agewise.LogNormal(1.0, 0.5)},
        ...     readings={"gauge": agewise.Observations(times, values, np.full(10, 0.02))},
        ... )
        >>> small = agewise.EquationSettings(hidden=(8,), single_start=True)
        >>> posterior = agewise.fit(cooling, method="laplace", settings=small)
        >>> low, high = agewise.conformal_constants(posterior, repeats=1).interval("rate", 0.5)
        >>> bool(low < posterior.constants["rate"][0] < high)
        True
    """
    found = posterior.constants
    if not found:
        raise InputError(
            "The problem has no unknown constants.",
            hint="`conformal` makes bands of the function that is read.",
        )
    # An ensemble may have come to a single member, whose constants do not differ either.
    if not all(std for _, std in found.values()):
        raise InputError(
            "The posterior states no doubt of its constants, so nothing can be scaled.",
            hint="fit with a method that has bands, such as `laplace`.",
        )
    truth = _central(posterior)
    records = (
        (posterior, readings, number)
        for number, readings in enumerate(_made(posterior, repeats, seed))
    )
    again = []
    with Monitor(terminal=progress).bar("made readings") as bar:
        try:
            for fit in side_by_side(_found_again, records, jobs=jobs):
                again.append(fit)
                bar(len(again), repeats, "")
        except KeyboardInterrupt:
            # A few fits are an answer for lower levels; none is no answer.
            if not again:
                raise
    scores = {name: np.array([_score(fit[name], truth[name]) for fit in again]) for name in found}
    return ConformalConstants(found, scores)


def _score(found: tuple[float, float], truth: float) -> float:
    """Distance of a mean from the truth in the standard deviations that are stated with it;
    infinite where none is."""
    mean, std = found
    return abs(mean - truth) / std if std else np.inf


def _central(posterior: EquationPosterior) -> dict[str, float]:
    """The constants that are taken for true: those of the most probable numbers."""
    with jax.enable_x64(True):
        drawn = posterior.unknown.drawn_constants(posterior.weights.centre[None])
    return {name: float(values[0]) for name, values in drawn.items()}


def _made(posterior: EquationPosterior, repeats: int, seed: int) -> list[dict[str, Observations]]:
    """Readings of the most probable functions with the noise of each sensor, so many times."""
    # By the seed alone the first record would have the very noise that the readings have.
    rng = np.random.default_rng((MADE, seed))
    truth = {name: _read(posterior, name) for name in sensors_of(posterior.problem)}
    records = []
    for _ in range(repeats):
        readings = {}
        for name, observed in posterior.problem.observations().items():
            values, noise = truth[name]
            made = values + noise * rng.standard_normal(len(values))
            readings[name] = Observations(observed.points, made, observed.std, observed.quantity)
        records.append(readings)
    return records


def _read(posterior: EquationPosterior, name: str) -> tuple[np.ndarray, np.ndarray]:
    """What a sensor would read of the most probable functions, and the std of its noise."""
    observed = posterior.problem.observations()[name]
    points = np.asarray(observed.points, dtype=float)
    with jax.enable_x64(True):
        values = np.asarray(
            _quantities(posterior.unknown, posterior.weights.centre, observed.quantity, points)
        )
    if observed.std is not None:
        return values, np.asarray(observed.std, dtype=float)
    return values, np.sqrt(posterior.noises[name].variance(points, values))


@eqx.filter_jit
def _quantities(unknown, numbers, quantity, points):
    unknowns = unknown.unknowns(jnp.asarray(numbers))
    # A sensor without a quantity of its own reads the first function.
    return jax.vmap(unknowns if quantity is None else lambda at: quantity(unknowns, at))(points)


def _found_again(
    posterior: EquationPosterior, readings: dict[str, Observations], number: int
) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of every constant, found in made readings by the same method."""
    method = METHODS[posterior.method](posterior.settings)
    problem = ReadAgain(posterior.problem, readings)
    fitted = method.fit(problem, key=jax.random.key(number), monitor=QUIET)
    if fitted.record["interrupted"]:
        # A method ends at Ctrl-C with what there is: no fit to be judged, and no others are wanted.
        raise KeyboardInterrupt
    return fitted.constants
