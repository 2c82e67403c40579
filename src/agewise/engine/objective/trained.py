"""The posterior that a trained network leaves, whatever the family of its weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.networks.mlp import AbstractNetwork
from agewise.engine.objective.families import AbstractFamily
from agewise.engine.posterior import AbstractFields, AbstractPosterior, Points
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.splines.noise import NoiseLaw
from agewise.engine.training import Stages
from agewise.engine.training.stages import named
from agewise.engine.uncertainty.decomposition import Prediction, decomposition
from agewise.types import Key

SMALLEST = 1e-6
"""Least variance that a second output can give, in scaled units squared."""
RECORDED = ("history_", "snapshots_", "interrupted", "discrepancy_factor")
"""Beginnings of the names of arrays that describe the training and not the posterior."""
PREDICTION_SEED = 0
"""Seed of the functions behind a prediction, which is thus the same whenever it is asked for."""


@dataclass(frozen=True, eq=False)
class NetworkFields(AbstractFields):
    """Networks with drawn weights, each with its noise."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    network: AbstractNetwork
    """Function that the weights belong to."""
    weights: Float[np.ndarray, "draw weight"]
    """Weights of every drawn network."""
    noise: NoiseLaw | None
    """Law of the noise; None where the network's second output gives it."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The first output, lift included."""
        return self._means(points, self._outputs(points))

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The law at each drawn value, or the second output."""
        return self.both(points)[1]

    def both(
        self, points: Points
    ) -> tuple[Float[np.ndarray, "draw point"], Float[np.ndarray, "draw point"]]:
        """Means and variances, the network evaluated once."""
        outputs = self._outputs(points)
        means = self._means(points, outputs)
        if self.noise is None:
            return means, np.asarray(outputs[1], dtype=float)
        # At each draw's own value, since a law by value makes hot draws noisier than cool ones.
        return means, np.stack([self.noise.variance(points, mean) for mean in means])

    def _outputs(self, points: Points) -> tuple[Array, Array]:
        return _outputs(self.network, self.weights, np.asarray(points))

    def _means(self, points: Points, outputs: tuple[Array, Array]) -> np.ndarray:
        return np.asarray(outputs[0], dtype=float) + self.problem.lift(points)


@eqx.filter_jit
def _outputs(network, weights, points):
    """Mean and head's variance of one function after the other."""

    def of(drawn):
        outputs = network.values(drawn, points)
        # Where there is no second output, a law gives the noise and nobody looks at this.
        head = head_variance(outputs) if outputs.shape[1] > 1 else outputs[:, 0]
        return outputs[:, 0], head

    # One after the other, so that the hidden layers of one network at a time are held in memory.
    return jax.lax.map(of, jnp.asarray(weights))


@dataclass(frozen=True, eq=False)
class NetworkPosterior(AbstractPosterior):
    """A distribution over the weights of a network."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    network: AbstractNetwork
    """Function that the weights belong to."""
    family: AbstractFamily
    """Distributions over weights, of which the posterior is one."""
    params: Any
    """Parameters of the family's member, by name or as one vector of weights."""
    noise: NoiseLaw | None
    """Law of the noise; None where the network's second output gives it."""
    draws: int
    """Functions behind a prediction."""
    record: dict[str, np.ndarray]
    """How it was trained: losses by stage, snapshots, whether somebody stopped it."""

    @property
    def certain(self) -> bool:
        """Whether its family knows single functions only."""
        return self.family.certain

    def draw(self, count: int, *, key: Key) -> NetworkFields:
        """Networks of the posterior."""
        # A key for each draw, or all functions would be one.
        weights = _sampled(self.family, self.params, jax.random.split(key, count))
        return NetworkFields(self.problem, self.network, np.asarray(weights), self.noise)

    @cached_property
    def predictive(self) -> NetworkFields:
        """The functions behind a prediction."""
        # The draws of a certain family are all alike, so one is enough.
        count = 1 if self.certain else self.draws
        return self.draw(count, key=jax.random.key(PREDICTION_SEED))

    def moments(self, points: Points) -> Prediction:
        """Mean and variances over the drawn functions."""
        return decomposition(*self.predictive.both(points))

    def arrays(self) -> dict[str, np.ndarray]:
        """Parameters, noise and record."""
        noise = {} if self.noise is None else self.noise.arrays()
        return {**named(self.params)} | noise | self.record

    @classmethod
    def restored(
        cls,
        problem: AbstractProblem,
        network: AbstractNetwork,
        family: AbstractFamily,
        draws: int,
        arrays: Mapping[str, np.ndarray],
    ) -> "NetworkPosterior":
        """The posterior whose `arrays` these are."""
        # A record is told by how its names begin; what is neither record nor noise is a parameter.
        record = {n: a for n, a in arrays.items() if n.startswith(RECORDED)}
        params = {n: a for n, a in arrays.items() if not n.startswith((*RECORDED, "noise_"))}
        return cls(
            problem,
            network,
            family,
            # A plain vector is stored under this name (see `named`), a member with more by its own.
            params.get("weights", params),
            NoiseLaw.restored(arrays) if "noise_kind" in arrays else None,
            draws,
            record,
        )


@eqx.filter_jit
def _sampled(family, params, keys):
    return jax.vmap(lambda key: family.sample(params, key=key))(keys)


def head_variance(outputs: Float[Array, "point output"]) -> Float[Array, " point"]:
    """The second output as a variance."""
    # Softplus: positive, and linear where it is large, so that one wild output does not explode.
    return jax.nn.softplus(outputs[:, 1]) + SMALLEST


def recorded(stages: Stages) -> dict[str, np.ndarray]:
    """The record of a training, and the factor on the equation's declared discrepancy [1]."""
    ends = stages.trained.values()
    # Every stage carries the factor on, so the last one has it as last learned.
    learned = [end.aux["looseness"] for end in ends if "looseness" in end.aux]
    factor = np.array(learned[-1] if learned else 1.0, dtype=float)
    return stages.record() | {"discrepancy_factor": factor}
