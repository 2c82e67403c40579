"""A problem made ready for a network: its readings, points, prior and stages of training."""

from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.mlp import AbstractNetwork, Weights
from agewise.engine.objective.chosen import Point, network_of, prior_of
from agewise.engine.objective.discrepancy import likeliest_looseness
from agewise.engine.objective.objective import (
    FIXED_STD,
    AbstractFamily,
    NetworkObjective,
)
from agewise.engine.objective.readings import KINDS, Readings
from agewise.engine.objective.settings import NetworkSettings
from agewise.engine.posterior import AbstractInference
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.noise import NoiseLaw
from agewise.engine.training import Monitor, Stage, Trained, train
from agewise.engine.training.objective import Aux
from agewise.types import Key, X

SILENT = 1e-12
"""Variance of readings where nothing is read: as good as none."""


@eqx.filter_jit
def network_values(
    network: AbstractNetwork, weights: Weights, points: Float[Array | np.ndarray, "point dim"]
) -> Float[Array, "point output"]:
    """All outputs of one network at points."""
    return network.values(weights, jnp.asarray(points))


@dataclass(frozen=True)
class AbstractNetworkMethod(AbstractInference):
    """A method that trains a network."""

    settings: NetworkSettings

    @property
    def lifted(self) -> bool:
        """As the settings say."""
        return self.settings.likelihood.lifted


@dataclass(frozen=True, eq=False)
class Setup:
    """All that a fit needs; `trained` collects the stages as they end."""

    problem: AbstractProblem
    settings: NetworkSettings
    readings: Readings
    key: Key
    monitor: Monitor
    trained: dict[str, Trained] = field(default_factory=dict)

    @classmethod
    def of(
        cls, problem: AbstractProblem, settings: NetworkSettings, *, key: Key, monitor: Monitor
    ) -> "Setup":
        """Readings are thinned, or averaged within cells, as the settings say."""
        chosen = settings.likelihood
        readings = Readings.of(problem, averaged=chosen.averaged)
        if 0 < chosen.readings < readings.values.size:
            count = readings.values.size
            rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
            readings = readings.some(np.sort(rng.choice(count, chosen.readings, replace=False)))
        return cls(problem, settings, readings, key, monitor)

    @property
    def network(self) -> AbstractNetwork:
        """The function that is trained."""
        return network_of(self.settings, self.problem)

    def objective(
        self, family: AbstractFamily, *, kl_weight: float = 1.0, full: bool = False
    ) -> NetworkObjective:
        """The loss of a family of distributions, on mini-batches unless `full`."""
        chosen, regions = self.settings.likelihood, self.problem.regions()
        if full:
            chosen = replace(
                chosen, batch=max(self.readings.values.size, chosen.points, chosen.starts)
            )
        fixed = {}
        if chosen.points:
            for name, region in regions.items():
                count = chosen.points if region.solid else chosen.starts
                fixed[name] = np.asarray(region.points(count, key=self._key(name)))
        return NetworkObjective(
            problem=self.problem.without_lift(),
            network=self.network,
            family=family,
            prior=prior_of(self.settings),
            # Numbers are arguments of what is compiled, so another weight is not compiled anew.
            likelihood=replace(
                chosen, readings=0, points=0, starts=0, interior_weight=1.0, lead=0.0
            ),
            interior_weight=chosen.interior_weight,
            kl_weight=kl_weight,
            points=self.readings.cell_points,
            values=self.readings.cell_values,
            fixed=fixed,
            row_count=self.settings.training.rows,
        )

    def first_aux(self) -> Aux:
        """The noise of the readings to begin with."""
        variance = self.readings.cell_variance(self.readings.first_variance())
        if self.settings.likelihood.noise == "fixed":
            variance = np.full_like(variance, FIXED_STD**2)
        return {"variance": variance}

    def started(self) -> tuple[Weights, Aux]:
        """The most probable weights; random ones where there is no such stage."""
        weights, stage = (
            self.network.initial(key=self._key("weights")),
            self.settings.training.start,
        )
        aux = self.first_aux()
        if stage is None:
            return weights, aux
        chosen = self.settings.likelihood
        objective = self.objective(Point(prior_of(self.settings)))
        if self.learns_discrepancy:
            # Noise waits: errors of too stiff an equation would pass for it.
            tight = replace(stage, steps=stage.steps // 3, renew=(), settle=0)
            weights = self.run("tight", tight, objective, weights, aux).params
            aux = aux | self._loosened(objective, weights, aux)
        elif chosen.lead and chosen.physics and chosen.noise == "law" and stage.renewed:
            aux = {"variance": self.readings.leading_variance(aux["variance"], chosen.lead)}
        end = self.run("start", stage, objective, weights, aux)
        if end.interrupted:
            return end.params, self.renewed(objective, end.params, end.aux)
        return end.params, end.aux

    @property
    def learns_discrepancy(self) -> bool:
        """Whether sensors inside can tell how wrong the equation is; at the ends they cannot."""
        chosen = self.settings.likelihood
        inside = not bool(np.isin(self.readings.points[:, X], (0.0, 1.0)).all())
        return inside and chosen.physics and chosen.residual == "own"

    def _loosened(self, objective: NetworkObjective, weights: Weights, aux: Aux) -> Aux:
        key = self._key("looseness")
        looseness = likeliest_looseness(objective, weights, aux, key=key)
        return {"looseness": np.asarray(looseness)}

    def run(
        self, name: str, stage: Stage, objective: NetworkObjective, params: Any, aux: Aux
    ) -> Trained:
        """One stage; after one that was stopped by hand, the others make no steps."""
        stopped = any(end.interrupted for end in self.trained.values())
        end = train(
            objective,
            params,
            aux,
            replace(stage, steps=0) if stopped else stage,
            name=name,
            key=self._key(name),
            renewal=lambda params, aux: self.renewed(objective, params, aux),
            monitor=self.monitor,
        )
        self.trained[name] = end
        return end

    def renewed(self, objective: NetworkObjective, params: Any, aux: Aux) -> Aux:
        """The noise of the readings, by what the function of these weights leaves over; and, where
        sensors inside can tell, the discrepancy of the equation."""
        weights = objective.family.centre(params)
        law = self.law(weights)
        if law is None:
            return aux
        value = self.expected(weights) + self.problem.lift(self.readings.points)
        variance = self.readings.variance(law.variance(self.readings.points, value))
        fresh = aux | {"variance": self.readings.cell_variance(variance)}
        if "looseness" in aux:
            fresh |= self._loosened(objective, weights, fresh)
        return fresh

    def expected(self, weights: Weights) -> Float[np.ndarray, " reading"]:
        """The function of these weights at every reading, lift left out."""
        values = network_values(self.network, np.asarray(weights), self.readings.points)
        return np.asarray(values[:, 0], dtype=float)

    def law(self, weights: Weights) -> NoiseLaw | None:
        """The noise about the function of these weights; none where the network itself tells it."""
        chosen = self.settings.likelihood
        if chosen.noise == "head":
            return None
        if chosen.noise == "fixed" or not self.readings.values.size:
            variance = FIXED_STD**2 if self.readings.values.size else SILENT
            return NoiseLaw("constant", np.log([variance]), None)
        return self.readings.law(self.expected(weights), 0.0, kinds=KINDS[chosen.aleatoric])

    def _key(self, name: str) -> Key:
        return jax.random.fold_in(self.key, crc32(name.encode()))
