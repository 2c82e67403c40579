"""Numbers at rest: the most probable ones and the noise of the readings, learned in turn."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.engine.equations.fitting.fitted import Fitted, gaussian
from agewise.engine.equations.fitting.gains import learned_gains
from agewise.engine.equations.fitting.stated import Stated
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.objective.noise import Noise, learned_noise
from agewise.engine.equations.objective.quantity import quantity_and_gradient, quantity_at
from agewise.engine.equations.objective.rows import EquationObjective
from agewise.engine.equations.objective.sensors import Sensor
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.unexplained import unexplained
from agewise.engine.equations.posterior.weights import GaussianWeights
from agewise.engine.training import Stage, Stages
from agewise.engine.training.objective import Aux

CLOSER = 0.1
"""Factor on the tolerance where constants are sought [1]: those that bend the equation move along
narrow valleys, slowly. A diffusivity that is a function gains nothing (4.5 and 4.2 % off)."""
UNSEEN = 2.0
"""Residual at unseen points over that at the points of the fit [1] from which points are picked
anew, denser where the residual is large."""


@dataclass(frozen=True, eq=False)
class Turn:
    """What one turn of a fit came to."""

    numbers: Float[np.ndarray, " number"]
    """Numbers at rest under the noise of the turn before."""
    doubt: GaussianWeights | None
    """The Gaussian about them; None where nothing was read."""
    noises: dict[str, Noise]
    """Law of the noise of every sensor, by the errors that these numbers leave."""
    variances: Aux
    """Variance of every reading by that law, or as it is known."""
    check: Check
    """Whether the fit can be trusted."""
    interrupted: bool
    """Whether it was stopped by hand, so that the numbers are not at rest."""

    @property
    def uneven(self) -> bool:
        """Whether a residual is too large, and larger between the points of the fit than there."""
        unseen, left = self.check.unseen, self.check.residuals
        # What is within its scale everywhere needs no other points, however it is spread.
        return any(unseen[name] > UNSEEN and left[name] > 1.0 for name in unseen)


def rest(
    stated: Stated,
    stages: Stages,
    numbers: Float[np.ndarray, " number"],
    *,
    name: str,
    attempt: int = 1,
) -> Fitted:
    """The most probable numbers from these on, noise and numbers in turn."""
    turns, variances, last = stated.settings.turns, stated.first_variances(), None
    learns = any(sensor.known is None for sensor in stated.sensors.values())
    for turn in range(1, turns + 1):
        last = _turn(stated, stages, numbers, variances, f"{name}, {turn}")
        numbers, variances, settled = last.numbers, last.variances, True
        # Stopped by hand, the numbers are not at rest, and gains learned from them mean nothing.
        if last.interrupted or turn == turns:
            break
        if last.doubt is not None and not stated.determined:
            unknown, numbers, settled = learned_gains(stated.unknown, last.doubt)
            stated = replace(stated, unknown=unknown)
        # While noise is learned there is another turn, since it has changed with the numbers.
        if settled and not (learns or last.uneven):
            break
        if last.uneven:
            stated = _refined(stated, numbers, stages, f"{name}, points {turn}")
    assert last is not None  # settings have one turn or more
    check = replace(last.check, attempts=attempt)
    return stated.fitted(numbers, variances, last.noises, check, stages)


def _turn(stated: Stated, stages: Stages, numbers: np.ndarray, variances: Aux, name: str) -> Turn:
    """Numbers brought to rest under these variances, and the noise that they leave."""
    objective, sensors, stage = stated.objective(), stated.sensors, _stage(stated)
    end = stages.run(name, stage, objective, numbers, variances)
    numbers = np.asarray(end.params)
    # Under the variances of this turn, at which the numbers are at rest.
    doubt = gaussian(objective, numbers, variances, stages.key) if sensors else None
    noises = {s: _noise(objective, numbers, s, of, doubt) for s, of in sensors.items()}
    learned = {
        sensor: noises[sensor].variance(of.points, quantity_at(objective, numbers, sensor))
        for sensor, of in sensors.items()
        if of.known is None
    }
    # What is known beforehand stays as it is.
    variances = {**variances, **learned}
    check = unexplained(
        stated.problem,
        stated.unknown,
        stated.taken,
        sensors,
        objective,
        numbers,
        variances,
        stages,
        doubt,
    )
    check = replace(check, converged=stage.converged(end.history))
    return Turn(numbers, doubt, noises, variances, check, end.interrupted)


def _stage(stated: Stated) -> Stage:
    """Steps of Gauss-Newton until they gain hardly anything."""
    settings = stated.settings
    return Stage(
        "accelerated-gauss-newton",
        settings.steps,
        rate=1.0,
        look=settings.look,
        tolerance=settings.tolerance * (CLOSER if stated.unknown.constants else 1.0),
    )


def _noise(
    objective: EquationObjective,
    numbers: np.ndarray,
    name: str,
    sensor: Sensor,
    doubt: GaussianWeights | None,
) -> Noise:
    """The law of a sensor's noise: of its errors and the doubt of the fit, or as it is known."""
    there, gradients = quantity_and_gradient(objective, numbers, name)
    box = box_of(objective.problem)
    if sensor.known is not None:
        # A law also of known noise, for points at which nothing was read.
        return learned_noise(sensor.points, there, sensor.known, box)
    assert doubt is not None
    # E(y - q)² = error² + Var q: else noise that the fit has followed is lost.
    squares = (sensor.values - there) ** 2 + doubt.variance(gradients)
    return learned_noise(sensor.points, there, squares, box)


def _refined(stated: Stated, numbers: np.ndarray, stages: Stages, name: str) -> Stated:
    """The same with points picked anew, denser where the residual of these numbers is large."""
    key = stages.key_of(name)
    return replace(
        stated, taken=stated.taken.refined(stated.problem, stated.unknown, numbers, key=key)
    )
