"""A problem made ready for a network: its readings, its objective and its most probable weights."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.mlp import AbstractNetwork, Weights
from agewise.engine.objective.architecture import network_of, prior_of
from agewise.engine.objective.discrepancy import likeliest_looseness
from agewise.engine.objective.families import AbstractFamily, Point
from agewise.engine.objective.linearised import Linearised, polished
from agewise.engine.objective.objective import NetworkObjective
from agewise.engine.objective.readings import KINDS, Readings
from agewise.engine.objective.settings import NetworkSettings
from agewise.engine.objective.trained import NetworkPosterior, recorded
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.noise import NoiseLaw
from agewise.engine.training import Monitor, Stage, Stages, Trained, compiled_meanwhile
from agewise.engine.training.objective import Aux
from agewise.types import Key, X

FEWEST_READINGS = 2.0
"""Readings of a place for each number of a course over time [1] below which a network's errors and
noise cannot be told apart. On tuning twins with 1.2 of them the errors were 2.4 to 3.7 times the
doubt without that, and 1.1 to 1.6 times with it; with 5.9 of them, 1.3 times."""


LAST_STEPS = 1
"""Steps of Gauss-Newton on as many points as the linearised posterior has. On six tuning twins the
error of `vi` was 0.0281 K (epistemic z 0.85) after one of them and 0.0282 K (0.84) after two, each
of which takes half a second of a processor."""
MOST_STEPS = 10
"""Most such steps, which go on while half the squares of readings and equations are more than there
are observations: twice what chance explains."""
LAST_DAMPING = 30.0
"""Damping of the first trial of each [1]; with 1 two more trials fail, with 1000 the step is short
(0.0350 K after two)."""


@eqx.filter_jit
def network_values(
    network: AbstractNetwork, weights: Weights, points: Float[Array | np.ndarray, "point dim"]
) -> Float[Array, "point output"]:
    """All outputs of one network at points."""
    return network.values(weights, jnp.asarray(points))


@dataclass(frozen=True, eq=False)
class Setup:
    """All that a fit needs: `started` finds the most probable weights, `run` goes on from them."""

    problem: AbstractProblem
    """Problem that is fitted."""
    settings: NetworkSettings
    """How the network is built, weighed and trained."""
    readings: Readings
    """Readings of the problem, averaged within cells of time."""
    stages: Stages
    """Stages that have been run, with the key of the fit."""

    @classmethod
    def of(
        cls, problem: AbstractProblem, settings: NetworkSettings, *, key: Key, monitor: Monitor
    ) -> "Setup":
        """A problem made ready, with as many of its readings as the settings ask for."""
        readings = Readings.of(problem).thinned(settings.likelihood.readings, key=key)
        return cls(problem, settings, readings, Stages(key, monitor))

    @property
    def network(self) -> AbstractNetwork:
        """The function that is trained."""
        return network_of(self.settings.network, self.problem)

    def objective(self, family: AbstractFamily, *, kl_weight: float = 1.0) -> NetworkObjective:
        """The loss of a family of distributions, with this weight on its divergence [1]."""
        return NetworkObjective(
            # Without the lift, which no residual needs and which would be compiled along.
            problem=self.problem.without_lift(),
            network=self.network,
            family=family,
            prior=prior_of(self.settings.network),
            physics=self.settings.likelihood.physics,
            kl_weight=kl_weight,
            points=self.readings.cell_points,
            values=self.readings.cell_values,
            batch=self.settings.likelihood.batch,
            row_count=self.settings.training.rows,
        )

    def linearised(self, weights: Weights, aux: Aux) -> Linearised:
        """The posterior of the network made linear at these weights, given noise and
        discrepancy."""
        objective = self.objective(Point(prior_of(self.settings.network)))
        # More points than a step of training has, since this is worked out once.
        lots, key = self.settings.training.posterior_lots, self.stages.key
        return Linearised.of(objective, np.asarray(weights), aux, key=key, lots=lots)

    def first_aux(self) -> Aux:
        """The noise of the readings to begin with."""
        return {"variance": self.readings.cell_variance(self.readings.first_variance())}

    def compiled_meanwhile(
        self, family: AbstractFamily, params: Any
    ) -> AbstractContextManager[None]:
        """While the block runs, the method's own stage is compiled for parameters of these shapes.

        Of a `vi` fit of four days that is 4 s of a processor, or 1 s where it was compiled before.
        """
        stage = self.settings.training.own
        if stage is None or stage.steps == 0:
            return nullcontext()
        aux = self.first_aux() | ({"looseness": np.ones(())} if self.learns_discrepancy else {})
        return compiled_meanwhile(stage, self.objective(family), params, aux)

    def started(self) -> tuple[Weights, Aux]:
        """The most probable weights, and the noise (and discrepancy) learned on the way."""
        stage, chosen = self.settings.training.start, self.settings.likelihood
        weights, aux = self.network.initial(key=self.stages.key_of("weights")), self.first_aux()
        objective = self.objective(Point(prior_of(self.settings.network)))
        if self.learns_discrepancy:
            # Noise waits: errors of too stiff an equation would pass for it.
            # Shorter, since it only has to show where readings pull away from the equation.
            tight = replace(stage, steps=stage.steps // 3, renew=(), settle=0)
            weights = self.run("tight", tight, objective, weights, aux).params
            aux = aux | self._loosened(objective, weights, aux)
        # Sharpened readings must become noisy again: only where the stage renews the noise.
        elif chosen.lead and chosen.physics and stage.renewed:
            aux = {"variance": self.readings.leading_variance(aux["variance"], chosen.lead)}
        end = self.run("start", stage, objective, weights, aux)
        if end.interrupted:
            # Stopped before its time, the noise may still be the first guess.
            return end.params, self.renewed(objective, end.params, end.aux)
        return self.polished(objective, end.params, end.aux), end.aux

    def polished(self, objective: NetworkObjective, weights: Weights, aux: Aux) -> Weights:
        """The weights after last steps on as many points as the linearised posterior has."""
        stage, lots = self.settings.training.start, self.settings.training.posterior_lots
        # Without an equation, or with a single lot, there are no more points than it has seen.
        by_rows = stage.optimiser == "gauss-newton" and stage.steps > 0
        if not by_rows or not self.settings.likelihood.physics or lots == 1:
            return weights
        for step in range(MOST_STEPS):
            key = self.stages.key_of(f"polish {step}")
            weights, left = polished(
                objective, weights, aux, key=key, lots=lots, damping=LAST_DAMPING
            )
            if step + 1 >= LAST_STEPS and left < self.observed:
                break
        return weights

    @property
    def observed(self) -> float:
        """Number of observations [1]: readings, averaged, and those that equations weigh."""
        return self.readings.cell_values.size + sum(self.problem.pseudo_observations().values())

    @property
    def learns_discrepancy(self) -> bool:
        """Whether there are sensors inside, which show how wrong the equation is; ends do not."""
        # Exact comparison: 0 and 1 are the same in every precision.
        inside = not bool(np.isin(self.readings.points[:, X], (0.0, 1.0)).all())
        return inside and self.settings.likelihood.physics

    def _loosened(self, objective: NetworkObjective, weights: Weights, aux: Aux) -> Aux:
        """The likeliest factor on the declared discrepancy [1], as `aux` holds it."""
        # One key at every renewal: the same points, so that the factor does not jitter with them.
        key = self.stages.key_of("looseness")
        looseness = likeliest_looseness(objective, weights, aux, key=key)
        return {"looseness": np.asarray(looseness)}

    def unresolved_variance(self, aux: Aux) -> float:
        """What passes for noise and may as well be a function that changes between readings.

        Its variance, scaled as the readings are: that of the noise where readings of a place are
        few for the numbers that make a course over time, and zero elsewhere. Between so few
        readings a network passes smoothly; by how much that is wrong shows as noise alone.
        """
        _, counts = np.unique(self.readings.points[:, X], return_counts=True)
        # Of the features one is the place; a mean, sines and cosines over time are the others.
        numbers = network_of(self.settings.network, self.problem).features.count - 1
        few = counts.size > 0 and counts.min() < FEWEST_READINGS * numbers
        return float(np.median(aux["variance"])) if few else 0.0

    def run(
        self, name: str, stage: Stage, objective: NetworkObjective, params: Any, aux: Aux
    ) -> Trained:
        """One stage, in which the noise is renewed where the stage says so."""

        def renewal(params: Any, aux: Aux) -> Aux:
            return self.renewed(objective, params, aux)

        return self.stages.run(name, stage, objective, params, aux, renewal=renewal)

    def renewed(self, objective: NetworkObjective, params: Any, aux: Aux) -> Aux:
        """The noise of the readings, by what the function of these weights leaves over; and, where
        sensors inside can tell, the discrepancy of the equation."""
        weights = objective.family.centre(params)
        law = self.law(weights)
        value = self.expected(weights) + self.problem.lift(self.readings.points)
        variance = self.readings.variance(law.variance(self.readings.points, value))
        fresh = aux | {"variance": self.readings.cell_variance(variance)}
        # After the noise, since how wrong the equation seems depends on how noisy readings are.
        if "looseness" in aux:
            fresh |= self._loosened(objective, weights, fresh)
        return fresh

    def expected(self, weights: Weights) -> Float[np.ndarray, " reading"]:
        """The function of these weights at every reading, lift left out."""
        values = network_values(self.network, np.asarray(weights), self.readings.points)
        # In double precision from here on: squares of small errors are summed over all readings.
        return np.asarray(values[:, 0], dtype=float)

    def law(
        self, weights: Weights, *, shift: Float[np.ndarray, " reading"] | float = 0.0
    ) -> NoiseLaw:
        """The law of the noise about the function of these weights, taken as certain but for the
        lift; the function may lie above it by a shift at every reading."""
        kinds = KINDS[self.settings.likelihood.aleatoric]
        # The lift has followed some of the noise; what it took is counted back as its variance.
        own = self.problem.lift_variance(self.readings.points)
        return self.readings.law(self.expected(weights) + shift, own, kinds=kinds)

    def posterior(self, family: AbstractFamily, params: Any) -> NetworkPosterior:
        """What a fit has come to: the member of a family with these parameters."""
        return NetworkPosterior(
            self.problem,
            self.network,
            family,
            params,
            self.law(family.centre(params)),
            self.settings.draws,
            recorded(self.stages),
        )
