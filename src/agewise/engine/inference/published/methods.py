"""The three published networks: Bayesian, with dropout, and vanilla."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from agewise.engine.inference.dropout import Dropout
from agewise.engine.inference.offered import (
    MLP,
    QUIET,
    AbstractFamily,
    AbstractInference,
    AbstractProblem,
    Key,
    Monitor,
    NetworkPosterior,
    NoiseLaw,
    Point,
    Weights,
    network_of,
    prior_of,
)
from agewise.engine.inference.published.objective import FIXED_STD, Noise, PublishedObjective
from agewise.engine.inference.published.settings import PublishedSettings
from agewise.engine.inference.vi import MeanField
from agewise.engine.objective.readings import KINDS, Readings
from agewise.engine.objective.setup import network_values
from agewise.engine.objective.trained import recorded
from agewise.engine.training import Stages

FIRST_STD = 0.03
"""Standard deviation of every weight of the Bayesian network when its training starts [1]."""


@dataclass(frozen=True)
class AbstractPublished(AbstractInference):
    """Adam from random weights on fixed points; L-BFGS after it where the settings say so."""

    settings: PublishedSettings
    """Numbers of the recipe."""

    @property
    def lifted(self) -> bool:
        """Never: the unknown is the solution as it is."""
        return False

    @abstractmethod
    def family(self, problem: AbstractProblem) -> AbstractFamily:
        """Which distributions over weights are allowed."""

    def first(self, weights: Weights) -> Any:
        """The parameters of the family at random weights: those weights, where it has no other."""
        return weights

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> NetworkPosterior:
        """The published network of a problem."""
        stages, training = Stages(key, monitor), self.settings.training
        readings, network = self.readings(problem, key=key), self.network(problem)
        family = self.family(problem)
        params = self.first(network.initial(key=stages.key_of("weights")))
        objective = self.objective(problem, readings, stages)
        params = stages.run("own", training.own, objective, params, {}).params
        if training.polish is not None:
            # A line search needs a loss that stays as it is, so all points count in every step.
            objective = self.objective(problem, readings, stages, full=True)
            params = stages.run("polish", training.polish, objective, params, {}).params
        noise = self._law(network, readings, family.centre(params))
        record, draws = recorded(stages), self.settings.draws
        return NetworkPosterior(problem, network, family, params, noise, draws, record)

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> NetworkPosterior:
        """The posterior whose `arrays` these are."""
        network, family = self.network(problem), self.family(problem)
        return NetworkPosterior.restored(problem, network, family, self.settings.draws, arrays)

    def network(self, problem: AbstractProblem) -> MLP:
        """The function that is trained: a mean, and a second output where that gives the noise."""
        outputs = 2 if self.noise == "head" else 1
        return network_of(self.settings.network, problem, outputs=outputs)

    def readings(self, problem: AbstractProblem, *, key: Key) -> Readings:
        """As many readings as the settings say, picked at random and not averaged."""
        # Not averaged: the paper's mini-batches are of single readings.
        return Readings.of(problem, averaged=False).thinned(self.settings.readings, key=key)

    @property
    def noise(self) -> Noise:
        """Where the noise comes from."""
        if self.settings.mean_squares:
            return "none"
        return "head" if self.settings.aleatoric == "heteroscedastic" else "fixed"

    def objective(
        self, problem: AbstractProblem, readings: Readings, stages: Stages, *, full: bool = False
    ) -> PublishedObjective:
        """The loss, on mini-batches unless `full`."""
        chosen, fixed = self.settings, {}
        # Without physics there are no fixed points, and a residual without points does not count.
        for name, region in problem.regions().items() if chosen.physics else ():
            count = chosen.points if region.solid else chosen.starts
            # The key follows from the name, so that both stages see the same points.
            fixed[name] = np.asarray(region.points(count, key=stages.key_of(name)))
        # As large as the largest kind, so that `batch_of` takes all points of every kind.
        largest = max(readings.values.size, chosen.points, chosen.starts)
        return PublishedObjective(
            problem=problem.without_lift(),
            network=self.network(problem),
            family=self.family(problem),
            noise=self.noise,
            interior_weight=chosen.interior_weight,
            kl_weight=chosen.kl_weight,
            # Without averaging every reading is a cell of its own.
            points=readings.cell_points,
            values=readings.cell_values,
            fixed=fixed,
            batch=largest if full else chosen.batch,
            own_noise=chosen.residual_noise == "own",
            residual_factor=chosen.residual_factor,
            means=chosen.means,
        )

    def _law(self, network: MLP, readings: Readings, weights: Weights) -> NoiseLaw | None:
        """The noise about the function of these weights; None where the second output gives it."""
        if self.noise == "head":
            return None
        if self.noise == "fixed":
            # A law of the constant kind has one weight: the logarithm of its variance.
            return NoiseLaw("constant", np.log([FIXED_STD**2]), None)
        values = network_values(network, np.asarray(weights), readings.points)
        expected = np.asarray(values[:, 0], dtype=float)
        # The function is taken as certain: the vanilla network knows no doubt of its own.
        return readings.law(expected, 0.0, kinds=KINDS[self.settings.aleatoric])


@dataclass(frozen=True)
class BayesianPINN(AbstractPublished):
    """Independent normal weights (B-PINN)."""

    def family(self, problem: AbstractProblem) -> MeanField:
        """Independent normal weights."""
        return MeanField(prior_of(self.settings.network))

    def first(self, weights: Weights) -> dict[str, np.ndarray]:
        """Every weight with the same standard deviation about its random value."""
        # Small beside random weights of order 0.1 to 1: training starts from nearly one function.
        log_std = np.full(weights.size, np.log(FIRST_STD))
        return {"mean": np.asarray(weights), "log_std": log_std}


@dataclass(frozen=True)
class DropoutPINN(AbstractPublished):
    """Hidden units left out at random (d-PINN)."""

    def family(self, problem: AbstractProblem) -> Dropout:
        """Networks with struck units."""
        prior = prior_of(self.settings.network)
        return Dropout(self.network(problem), self.settings.dropout, prior)


@dataclass(frozen=True)
class VanillaPINN(AbstractPublished):
    """One network."""

    def family(self, problem: AbstractProblem) -> Point:
        """One function."""
        return Point(prior_of(self.settings.network))


PUBLISHED: dict[str, Callable[[PublishedSettings], AbstractPublished]] = {
    "vi": BayesianPINN,
    "dropout": DropoutPINN,
    "map": VanillaPINN,
    "plain": BayesianPINN,
}
"""The published network behind each method; methods that are not here are not in the paper."""
