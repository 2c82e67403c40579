"""`dropout`: hidden units left out at random, in training and ever after. The d-PINN."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from agewise.engine.inference.offered import (
    MLP,
    AbstractFamily,
    AbstractFamilyMethod,
    AbstractPrior,
    AbstractProblem,
    Key,
    Scalar,
    Setup,
    Weights,
    network_of,
    prior_of,
)


class Dropout(AbstractFamily):
    """Weights of which whole units are struck out; one pattern is one function."""

    network: MLP
    """Tells which weights belong to which unit."""
    rate: float
    """Chance that a hidden unit is struck [1]."""
    prior: AbstractPrior
    """Prior of every weight."""

    def chance(self, params: Any, *, key: Key) -> list[Bool[Array, "unit 1"]]:
        """Which hidden units survive, layer by layer."""
        units = self.network.hidden
        # One draw a unit and not a weight: a row of the matrix is all that leaves a unit.
        return [
            jax.random.bernoulli(layer_key, 1 - self.rate, (count, 1))
            for count, layer_key in zip(units, jax.random.split(key, len(units)), strict=True)
        ]

    def drawn(self, params: Any, chance: Any) -> Weights:
        """Weights that leave a hidden unit, at random zero or scaled up to keep their mean."""
        # Rows of a layer's weights belong to the units before it. The first layer follows the
        # features, of which none is struck.
        first, *hidden = self.network.layers(params)
        parts = [first]
        for (weight, bias), survives in zip(hidden, chance, strict=True):
            # Over the chance to survive, so that the expected weight is the trained one.
            parts.append((weight * survives / (1 - self.rate), bias))
        return jnp.concatenate([jnp.ravel(array) for pair in parts for array in pair])

    def divergence(self, params: Any) -> Scalar:
        """Minus the log density of the prior [nats]."""
        return self.prior.penalty(params)

    def centre(self, params: Any) -> Weights:
        """Every unit at its expected strength."""
        return params


@dataclass(frozen=True)
class DropoutNetwork(AbstractFamilyMethod):
    """Adam under dropout, from the most probable weights."""

    def family(self, problem: AbstractProblem) -> Dropout:
        """Networks with struck units."""
        chosen = self.settings
        network, prior = network_of(chosen.network, problem), prior_of(chosen.network)
        return Dropout(network, chosen.dropout, prior)

    def fitted(self, setup: Setup, family: AbstractFamily) -> Weights:
        """The weights of which units are struck."""
        with setup.compiled_meanwhile(family, np.zeros(setup.network.size)):
            weights, aux = setup.started()
        stage = self.settings.training.own
        if stage is None:
            return weights
        objective = setup.objective(family, kl_weight=self.settings.prior_weight)
        return setup.run("own", stage, objective, weights, aux).params
