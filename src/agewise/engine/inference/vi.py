"""`vi`: every weight is a normal distribution of its own. The Bayesian PINN."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.optimize import brentq

from agewise.engine.inference.trained import NetworkPosterior
from agewise.engine.networks.mlp import Weights
from agewise.engine.objective.chosen import Point, prior_of
from agewise.engine.objective.linearised import Linearised
from agewise.engine.objective.objective import AbstractFamily
from agewise.engine.objective.priors import AbstractPrior
from agewise.engine.objective.setup import AbstractNetworkMethod, Setup
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import QUIET, Monitor
from agewise.types import Key, Scalar, T

FIRST_STD = 0.03
"""of every weight, where training starts from random ones"""
COMPARED = 500
"""Points at which two posteriors are compared."""
KL_WEIGHTS = (1e-6, 1.0)
"""Between which the weight on the divergence is sought: never more doubt than untempered."""


class MeanField(AbstractFamily):
    """Independent normal weights."""

    prior: AbstractPrior

    def sample(self, params: Any, *, key: Key) -> Weights:
        """Mean plus standard deviation times white noise: the gradient passes through."""
        mean = params["mean"]
        return mean + jnp.exp(params["log_std"]) * jax.random.normal(key, mean.shape, mean.dtype)

    def divergence(self, params: Any) -> Scalar:
        """From the prior."""
        return self.prior.divergence(params["mean"], params["log_std"])

    def centre(self, params: Any) -> Weights:
        """The means."""
        return params["mean"]


@dataclass(frozen=True)
class VI(AbstractNetworkMethod):
    """Adam on the evidence bound, from the most probable weights where the settings say so."""

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> NetworkPosterior:
        """The mean-field posterior."""
        setup = Setup.of(problem, self.settings, key=key, monitor=monitor)
        family, prior = MeanField(prior_of(self.settings)), prior_of(self.settings)
        weights, aux = setup.started()
        kl_weight, log_std = self.settings.kl_weight, np.full(weights.size, np.log(FIRST_STD))
        if self.settings.training.start is not None:
            linear = Linearised.of(setup.objective(Point(prior)), np.asarray(weights), aux, key=key)
            if kl_weight == "matched":
                kl_weight = matched_weight(linear, setup.readings.instants, key=key)
            log_std = np.log(mean_field_std(linear, kl_weight))
        params = {"mean": np.asarray(weights), "log_std": log_std}
        if self.settings.training.own is not None:
            objective = setup.objective(family, kl_weight=float(kl_weight))
            params = setup.run("own", self.settings.training.own, objective, params, aux).params
        return NetworkPosterior.of(setup, family, params)

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> NetworkPosterior:
        """The posterior whose `arrays` these are."""
        family = MeanField(prior_of(self.settings))
        return NetworkPosterior.restored(problem, self.settings, family, arrays)


def mean_field_std(linear: Linearised, kl_weight: float) -> Float[np.ndarray, " weight"]:
    r"""The best independent weights of a linear network.

    The precision of each is its own diagonal of $J^T J/\lambda + p$, whatever the others do.
    """
    return 1 / np.sqrt(linear.information / kl_weight + linear.precision)


def matched_weight(
    linear: Linearised, instants: Float[np.ndarray, " instant"], *, key: Key
) -> float:
    """The weight on the divergence at which independent weights doubt as much as dependent ones.

    Independent weights cannot cancel each other, so each of thousands adds its own doubt to the
    function, and the untempered posterior overstates it. The mean variance at `instants` is made
    equal to that of the linearised network with all dependencies kept. No truth is involved.
    Instants of readings, for doubt that belongs to a hole must not be spread over the window.
    """
    points = np.asarray(jax.random.uniform(key, (COMPARED, 2)), dtype=float)
    if instants.size:
        points[:, T] = np.quantile(instants, points[:, T])
    squares, target = linear.gradients(points) ** 2, np.mean(linear.variance(points))

    def excess(log_weight: float) -> float:
        variance = squares @ mean_field_std(linear, np.exp(log_weight)) ** 2
        return float(np.log(np.mean(variance) / target))

    low, high = np.log(KL_WEIGHTS)
    if excess(high) < 0:
        return KL_WEIGHTS[1]
    return float(np.exp(brentq(excess, low, high, xtol=1e-3)))
