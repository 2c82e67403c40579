"""The posterior that a trained network leaves, whatever the family of its weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.networks.mlp import AbstractNetwork
from agewise.engine.objective.chosen import network_of
from agewise.engine.objective.objective import AbstractFamily, head_variance
from agewise.engine.objective.settings import NetworkSettings
from agewise.engine.objective.setup import Setup
from agewise.engine.posterior import AbstractFields, AbstractPosterior, Points
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.noise import NoiseLaw
from agewise.engine.training import Trained
from agewise.engine.uncertainty.decomposition import Prediction, decomposition
from agewise.types import Key

RECORDED = ("history_", "snapshots_", "interrupted", "discrepancy_factor")
"""How names of arrays begin that tell of the training."""
PREDICTION_SEED = 0
"""of the functions behind a prediction, which is the same whenever it is asked for"""


@dataclass(frozen=True, eq=False)
class NetworkFields(AbstractFields):
    """Networks with drawn weights, each with its noise."""

    problem: AbstractProblem
    network: AbstractNetwork
    weights: Float[np.ndarray, "draw weight"]
    noise: NoiseLaw | None

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The first output, lift included."""
        return self.both(points)[0]

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The law at each drawn value, or the second output."""
        return self.both(points)[1]

    def both(
        self, points: Points
    ) -> tuple[Float[np.ndarray, "draw point"], Float[np.ndarray, "draw point"]]:
        """Means and variances, the network evaluated once."""
        outputs = _outputs(self.network, self.weights, np.asarray(points))
        means = np.asarray(outputs[0], dtype=float) + self.problem.lift(points)
        if self.noise is None:
            return means, np.asarray(outputs[1], dtype=float)
        return means, np.stack([self.noise.variance(points, mean) for mean in means])


@eqx.filter_jit
def _outputs(network, weights, points):
    """Mean and head's variance of one function after the other."""

    def of(one):
        outputs = network.values(one, points)
        head = head_variance(outputs) if outputs.shape[1] > 1 else outputs[:, 0]
        return outputs[:, 0], head

    return jax.lax.map(of, jnp.asarray(weights))


@dataclass(frozen=True, eq=False)
class NetworkPosterior(AbstractPosterior):
    """A distribution over the weights of a network."""

    problem: AbstractProblem
    network: AbstractNetwork
    family: AbstractFamily
    params: Any
    noise: NoiseLaw | None
    draws: int
    """Functions behind a prediction."""
    record: dict[str, np.ndarray]
    """How it was trained: losses by stage, snapshots, whether somebody stopped it."""

    def draw(self, count: int, *, key: Key) -> NetworkFields:
        """Networks of the posterior."""
        weights = _sampled(self.family, self.params, jax.random.split(key, count))
        return NetworkFields(self.problem, self.network, np.asarray(weights), self.noise)

    @cached_property
    def predictive(self) -> NetworkFields:
        """The functions behind a prediction."""
        count = 1 if self.family.certain else self.draws
        return self.draw(count, key=jax.random.key(PREDICTION_SEED))

    def moments(self, points: Points) -> Prediction:
        """Mean and variances over the drawn functions."""
        return decomposition(*self.predictive.both(points))

    def arrays(self) -> dict[str, np.ndarray]:
        """Parameters, noise and record."""
        noise = {} if self.noise is None else self.noise.arrays()
        return _named(self.params) | noise | self.record

    @classmethod
    def of(cls, setup: Setup, family: AbstractFamily, params: Any) -> "NetworkPosterior":
        """What a fit has come to."""
        return cls(
            setup.problem,
            setup.network,
            family,
            params,
            setup.law(family.centre(params)),
            setup.settings.draws,
            recorded(setup.trained),
        )

    @classmethod
    def restored(
        cls,
        problem: AbstractProblem,
        settings: NetworkSettings,
        family: AbstractFamily,
        arrays: Mapping[str, np.ndarray],
    ) -> "NetworkPosterior":
        """The posterior whose `arrays` these are."""
        record = {n: a for n, a in arrays.items() if n.startswith(RECORDED)}
        params = {n: a for n, a in arrays.items() if not n.startswith((*RECORDED, "noise_"))}
        return cls(
            problem,
            network_of(settings, problem),
            family,
            params.get("weights", params),
            NoiseLaw.restored(arrays) if "noise_kind" in arrays else None,
            settings.draws,
            record,
        )


def _named(params: Any) -> dict[str, np.ndarray]:
    """Parameters by name; a plain vector is that of the weights."""
    named = params if isinstance(params, dict) else {"weights": params}
    return {name: np.asarray(array) for name, array in named.items()}


@eqx.filter_jit
def _sampled(family, params, keys):
    return jax.vmap(lambda key: family.sample(params, key=key))(keys)


def recorded(trained: Mapping[str, Trained]) -> dict[str, np.ndarray]:
    """Losses and snapshots of every stage by name, and whether one was stopped by hand."""
    losses = {
        f"history_{stage}_{term}": values
        for stage, end in trained.items()
        for term, values in end.history.items()
    }
    snapshots = {
        f"snapshots_{stage}_{name}": np.stack([_named(one)[name] for one in end.snapshots])
        for stage, end in trained.items()
        if end.snapshots
        for name in _named(end.snapshots[0])
    }
    learned = [end.aux["looseness"] for end in trained.values() if "looseness" in end.aux]
    return (
        losses
        | snapshots
        | {
            "interrupted": np.array(any(end.interrupted for end in trained.values())),
            "discrepancy_factor": np.array(learned[-1] if learned else 1.0, dtype=float),
        }
    )
