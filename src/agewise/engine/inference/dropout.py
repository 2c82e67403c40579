"""`dropout`: hidden units left out at random, in training and ever after. The d-PINN."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from agewise.engine.inference.trained import NetworkPosterior
from agewise.engine.networks.mlp import MLP, Weights
from agewise.engine.objective.chosen import network_of, prior_of
from agewise.engine.objective.objective import AbstractFamily
from agewise.engine.objective.priors import AbstractPrior
from agewise.engine.objective.setup import AbstractNetworkMethod, Setup
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import QUIET, Monitor
from agewise.types import Key, Scalar


class Dropout(AbstractFamily):
    """Weights of which whole units are struck out; one pattern is one function."""

    network: MLP
    rate: float
    prior: AbstractPrior

    def sample(self, params: Any, *, key: Key) -> Weights:
        """The weights that leave a hidden unit, kept and scaled up, or zero."""
        first, *hidden = self.network.layers(params)
        parts = [first]
        for (weight, bias), one in zip(hidden, jax.random.split(key, len(hidden)), strict=True):
            kept = jax.random.bernoulli(one, 1 - self.rate, (weight.shape[0], 1))
            parts.append((weight * kept / (1 - self.rate), bias))
        return jnp.concatenate([jnp.ravel(array) for pair in parts for array in pair])

    def divergence(self, params: Any) -> Scalar:
        """Minus the log density of the prior."""
        return self.prior.penalty(params)

    def centre(self, params: Any) -> Weights:
        """Every unit at its expected strength."""
        return params


@dataclass(frozen=True)
class DropoutNetwork(AbstractNetworkMethod):
    """Adam under dropout, from the most probable weights where the settings ask for them."""

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> NetworkPosterior:
        """Networks with struck units."""
        setup = Setup.of(problem, self.settings, key=key, monitor=monitor)
        params, aux = setup.started()
        if self.settings.training.own is not None:
            weight = self.settings.prior_weight
            objective = setup.objective(self._family(problem), kl_weight=weight)
            params = setup.run("own", self.settings.training.own, objective, params, aux).params
        return NetworkPosterior.of(setup, self._family(problem), params)

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> NetworkPosterior:
        """The posterior whose `arrays` these are."""
        return NetworkPosterior.restored(problem, self.settings, self._family(problem), arrays)

    def _family(self, problem: AbstractProblem) -> Dropout:
        network = network_of(self.settings, problem)
        return Dropout(network, self.settings.dropout, prior_of(self.settings))
