"""The most probable functions and constants of a problem, tried again where a fit falls short."""

from dataclasses import replace
from itertools import islice

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.fitting.another import with_other_solution
from agewise.engine.equations.fitting.determined import determined_by_equations, with_wide_gains
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.rest import rest
from agewise.engine.equations.fitting.sizes import Sizes, with_found_sizes
from agewise.engine.equations.fitting.stated import Stated, on_network
from agewise.engine.equations.objective.sensors import sensors_of, unsized
from agewise.engine.equations.posterior.check import unsized_remark
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stage, Stages
from agewise.types import Key

LEADING_PRIOR = 1e-3
"""Weight of the prior in the first steps [1]."""
LEAD_TOLERANCE = 0.05
"""Share [1] by which a look at the first steps must lower the loss for them to go on."""
FOLLOWED, SAME = 0.1, 0.05
"""Share of the variance of readings [1] below which mean squared errors are those of a fit that
follows them, and share of each other within which those of two fits count as the same."""
FROM_MEDIANS = 2
"""Starts of an attempt whose constants begin at the middle of their priors; those of others at a
draw from them. The middle may be the one place from which nothing leads on, as k = 1/2 of a rate
k (1 - k)."""
LEADING = (1e-3, 1e-2, 0.1, 1.0)
"""Factors on the residuals inside in the first steps, one after the other, where there are readings
to lead [1]."""


def most_probable(
    problem: AbstractProblem, settings: EquationSettings, *, key: Key, monitor: Monitor
) -> Fitted:
    """The best of a few fits; another is tried only where the one before does not pass its check.

    Each has a richer network than the last, and starts from other numbers.
    """
    best = None
    stages = Stages(key, monitor)
    guessed = unsized(problem, sensors_of(problem))
    for number, richer in enumerate(
        islice(settings.richer(len(problem.coordinates())), settings.attempts), start=1
    ):

        def begun(sizes: Sizes, which: str, number=number, richer=richer) -> Fitted:
            return _fitted(problem, richer, stages, f"attempt {number}{which}", number, sizes)

        fitted = with_found_sizes(begun, guessed)
        same = best is not None and _same_errors(best, fitted)
        if best is None or _rank(fitted) < _rank(best):
            best = fitted
        if best.check.sound or stages.stopped or same:
            break
    assert best is not None
    # Members of an ensemble have other starts to find other solutions by.
    alone = not (settings.single_start or stages.stopped)
    if best.check.sound:
        return with_other_solution(best) if alone else best
    taken = {name: float(best.unknown.functions[name].size) for name in guessed}
    return replace(best, check=best.check.with_remarks(unsized_remark(taken)))


def _rank(fitted: Fitted) -> tuple[bool, float]:
    """Smaller is better: sound ones first, then by how far equations and readings are off."""
    check = fitted.check
    # Readings are kept as mean squares, residuals as roots of theirs.
    off = [*check.residuals.values(), *np.sqrt(list(check.readings.values()))]
    # What is below its declared size counts as met, however far below.
    return not check.sound, float(np.sum(np.log(np.maximum(off, 1.0))))


def _same_errors(first: Fitted, second: Fitted) -> bool:
    """Whether two networks solve the equations, follow the readings and leave the same errors of
    them: then these are the equations', and no richer network will leave less."""
    if (
        not first.sensors
        or max(first.check.discrepancy_factor, second.check.discrepancy_factor) > 1
    ):
        return False
    for name, sensor in first.sensors.items():
        one, other = (fitted.mean_square(name) for fitted in (first, second))
        followed = max(one, other) < FOLLOWED * sensor.values.var()
        if not followed or abs(one - other) > SAME * max(one, other):
            return False
    return True


def _fitted(
    problem: AbstractProblem,
    settings: EquationSettings,
    stages: Stages,
    name: str,
    attempt: int,
    sizes: Sizes,
) -> Fitted:
    """One fit: Gauss-Newton to rest from the best of a few starts."""
    best, sensors = None, sensors_of(problem)
    starts = settings.starts(len(problem.coordinates()), read=bool(sensors))
    for start, chosen in enumerate(starts):
        begun = f"{name}, start {start + 1}"
        stated = on_network(problem, chosen, sensors, stages, sizes)
        # By its name: every start has numbers of its own, the same in every run.
        rng = np.random.default_rng(np.asarray(jax.random.key_data(stages.key_of(begun))))
        first = chosen.first_size * stated.unknown.initial(rng)
        # Members of an ensemble too, or all would come to the same constants.
        elsewhere = settings.single_start or start >= FROM_MEDIANS
        if elsewhere and problem.constants():
            first[-len(problem.constants()) :] = rng.standard_normal(len(problem.constants()))
        numbers, loss = led(stated, first, stages, begun)
        if best is None or loss < best[0]:
            best = loss, stated, numbers
        if loss < stated.rows * chosen.enough(len(problem.coordinates()), read=bool(sensors)):
            break
    assert best is not None
    _, stated, numbers = best
    if determined_by_equations(problem, read=bool(sensors)):
        stated, numbers = with_wide_gains(stated, numbers)
    return rest(stated, stages, numbers, name=name, attempt=attempt)


def led(
    stated: Stated, numbers: np.ndarray, stages: Stages, name: str
) -> tuple[Float[np.ndarray, " number"], float]:
    """Numbers after first steps in which readings count for more than equations and prior, and what
    the loss came to [nats].

    From random numbers, a fit on which prior or equation weigh more than the readings first finds a
    function that nothing drives, such as zero, and then hardly moves.
    """
    objective, settings, variances = stated.objective(), stated.settings, stated.first_variances()
    regions, loss = stated.problem.regions(), np.inf
    for place, share in enumerate(LEADING if stated.sensors else LEADING[-1:]):
        lead = Stage(
            "gauss-newton",
            settings.lead_steps,
            # Strong damping from random numbers; later shares go on from numbers near the answer.
            rate=settings.rate if place == 0 else 1.0,
            look=settings.look,
            tolerance=LEAD_TOLERANCE,
        )
        # Walls and first instants count in full from the first step: they lead too.
        weights = {
            n: w * (share if regions[n].solid else 1.0) for n, w in objective.weights.items()
        }
        leading = replace(objective, weights=weights, prior_weight=LEADING_PRIOR)
        end = stages.run(f"{name}, led {share:g}", lead, leading, numbers, variances)
        numbers, totals = np.asarray(end.params), end.history.get("total", np.full(1, np.inf))
        loss = float(totals[-1])
    return numbers, loss
