"""The most probable functions and constants of a problem, tried again where a fit falls short."""

from dataclasses import replace
from itertools import islice

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.collocation import Collocation, box_of, collocation
from agewise.engine.equations.fitted import Fitted, gaussian
from agewise.engine.equations.gains import learned_gains
from agewise.engine.equations.noise import Noise, learned_noise
from agewise.engine.equations.quantity import quantity_and_gradient, quantity_at
from agewise.engine.equations.rows import EquationObjective
from agewise.engine.equations.sensors import Sensor, sensors_of, sizes_of
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.equations.unexplained import unexplained
from agewise.engine.equations.unknown import Unknown, perceptrons
from agewise.engine.equations.weights import GaussianWeights
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stage, Stages
from agewise.types import Key

LEADING_PRIOR = 1e-3
"""Weight of the prior in the first steps [1]."""
LEAD_TOLERANCE = 0.05
"""Share [1] by which a look at the first steps must lower the loss for them to go on."""
LEADING = (1e-3, 1e-2, 0.1, 1.0)
"""Factors on the residuals inside in the first steps, one after the other, where there are readings
to lead [1]."""
CLOSER = 0.1
"""Factor on the tolerance where there are readings [1]: constants that bend the equation move along
narrow valleys, slowly. Kraichnan and Orszag's a is 0.77 ± 0.06 without it and 0.92 ± 0.07 with it,
on readings from which a solver of that equation learns 1.01 ± 0.07."""
UNSEEN = 2.0
"""Residual at unseen points over that at the points of the fit [1] from which points are picked
anew, denser where the residual is large."""


def most_probable(
    problem: AbstractProblem, settings: EquationSettings, *, key: Key, monitor: Monitor
) -> Fitted:
    """The best of a few fits; another is tried only where the one before does not pass its check.

    Each has a richer network than the last, and starts from other numbers.
    """
    best = None
    stages = Stages(key, monitor)
    for number, richer in enumerate(
        islice(settings.richer(len(problem.coordinates())), settings.attempts)
    ):
        fitted = _fitted(problem, richer, stages, f"attempt {number + 1}", number + 1)
        if best is None or _rank(fitted) < _rank(best):
            best = fitted
        if best.check.sound or stages.stopped:
            break
    assert best is not None
    return best


def _rank(fitted: Fitted) -> tuple[bool, float]:
    """Smaller is better: sound ones first, then by how far equations and readings are off."""
    check = fitted.check
    off = [*check.residuals.values(), *np.sqrt(list(check.readings.values()))]
    return not check.sound, float(np.sum(np.log(np.maximum(off, 1.0))))


def _fitted(
    problem: AbstractProblem, settings: EquationSettings, stages: Stages, name: str, attempt: int
) -> Fitted:
    """One fit: Gauss-Newton to rest from the best of a few starts."""
    sensors = sensors_of(problem)
    sizes = sizes_of(problem, sensors)
    best = None
    starts = settings.starts(len(problem.coordinates()), read=bool(sensors))
    for start, chosen in enumerate(starts):
        begun = f"{name}, start {start + 1}"
        unknown = perceptrons(problem, chosen.hidden, chosen.stretch, sizes)
        taken = collocation(problem, unknown, key=stages.key_of("points"))
        rng = np.random.default_rng(np.asarray(jax.random.key_data(stages.key_of(begun))))
        objective = EquationObjective.of(problem, unknown, taken, sensors)
        first = chosen.first_size * unknown.initial(rng)
        numbers, loss = led(objective, first, chosen, sensors, stages, begun)
        if best is None or loss < best[0]:
            best = loss, chosen, unknown, taken, numbers
        # Errors about as large as declared: no other start can be much better.
        if loss < sum(len(p) for p in (*objective.points.values(), *objective.values.values())):
            break
    assert best is not None
    _, chosen, unknown, taken, numbers = best
    return rest(
        problem, unknown, taken, sensors, chosen, stages, numbers, name=name, attempt=attempt
    )


def rest(
    problem: AbstractProblem,
    unknown: Unknown,
    taken: Collocation,
    sensors: dict[str, Sensor],
    settings: EquationSettings,
    stages: Stages,
    numbers: Float[np.ndarray, " number"],
    *,
    name: str,
    attempt: int = 1,
) -> Fitted:
    """The most probable numbers from these on, noise and numbers in turn."""
    variances = {sensor: of.first_variance() for sensor, of in sensors.items()}
    noises: dict[str, Noise] = {}
    learns = any(sensor.known is None for sensor in sensors.values())
    end, check = None, None
    for turn in range(settings.turns):
        objective = EquationObjective.of(problem, unknown, taken, sensors)
        stage = Stage(
            "gauss-newton",
            settings.steps,
            rate=1.0,
            look=settings.look,
            tolerance=settings.tolerance * (CLOSER if sensors else 1.0),
        )
        end = stages.run(f"{name}, {turn + 1}", stage, objective, numbers, variances)
        numbers = np.asarray(end.params)
        settled = True
        doubt = gaussian(objective, numbers, variances, stages.key) if sensors else None
        noises = {s: _noise(problem, objective, numbers, s, of, doubt) for s, of in sensors.items()}
        for sensor, of in sensors.items():
            if of.known is None:
                there = quantity_at(objective, numbers, sensor)
                variances[sensor] = noises[sensor].variance(of.points, there)
        check = unexplained(problem, unknown, taken, sensors, objective, numbers, variances, stages)
        check = replace(check, converged=stage.converged(end.history), attempts=attempt)
        # Stopped by hand, the numbers are not at rest, and gains learned from them mean nothing.
        if end.interrupted:
            break
        uneven = max(check.unseen.values(), default=1.0) > UNSEEN
        if doubt is not None and turn < settings.turns - 1:
            unknown, numbers, settled = learned_gains(unknown, doubt)
        if settled and not (learns or uneven):
            break
        if uneven and turn < settings.turns - 1:
            key = stages.key_of(f"{name}, points {turn + 1}")
            taken = taken.refined(problem, unknown, numbers, key=key)
    if end is None or check is None:
        raise ValueError("A fit needs one turn or more.")
    return Fitted(
        problem, settings, unknown, numbers, taken, sensors, variances, noises, check, stages
    )


def led(
    objective: EquationObjective,
    numbers: np.ndarray,
    settings: EquationSettings,
    sensors: dict[str, Sensor],
    stages: Stages,
    name: str,
) -> tuple[Float[np.ndarray, " number"], float]:
    """Numbers after first steps in which readings count for more than equations and prior, and what
    the loss came to [nats].

    From random numbers, a fit on which prior or equation weigh more than the readings first finds a
    function that nothing drives, such as zero, and then hardly moves.
    """
    variances = {sensor: of.first_variance() for sensor, of in sensors.items()}
    regions, loss = objective.problem.regions(), np.inf
    for place, share in enumerate(LEADING if sensors else LEADING[-1:]):
        lead = Stage(
            "gauss-newton",
            settings.lead_steps,
            rate=settings.rate if place == 0 else 1.0,
            look=settings.look,
            tolerance=LEAD_TOLERANCE,
        )
        weights = {
            n: w * (share if regions[n].solid else 1.0) for n, w in objective.weights.items()
        }
        led = replace(objective, weights=weights, prior_weight=LEADING_PRIOR)
        end = stages.run(f"{name}, led {share:g}", lead, led, numbers, variances)
        numbers, totals = np.asarray(end.params), end.history.get("total", np.full(1, np.inf))
        loss = float(totals[-1])
    return numbers, loss


def _noise(
    problem: AbstractProblem,
    objective: EquationObjective,
    numbers: np.ndarray,
    name: str,
    sensor: Sensor,
    doubt: GaussianWeights | None,
) -> Noise:
    """The law of a sensor's noise: of its errors and the doubt of the fit, or as it is known."""
    there, gradients = quantity_and_gradient(objective, numbers, name)
    if sensor.known is not None:
        return learned_noise(sensor.points, there, sensor.known, box_of(problem))
    assert doubt is not None
    squares = (sensor.values - there) ** 2 + doubt.variance(gradients)
    return learned_noise(sensor.points, there, squares, box_of(problem))
