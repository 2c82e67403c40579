"""`laplace`: the network made linear at its most probable weights, all dependencies kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.inference.offered import (
    QUIET,
    AbstractFields,
    AbstractNetworkMethod,
    AbstractPosterior,
    AbstractProblem,
    Key,
    Linearised,
    Monitor,
    NoiseLaw,
    Points,
    Prediction,
    decomposition,
    generator,
    network_of,
)
from agewise.engine.networks.mlp import AbstractNetwork
from agewise.engine.objective.trained import PREDICTION_SEED, RECORDED, recorded


@dataclass(frozen=True, eq=False)
class LinearFields(AbstractFields):
    """The most probable function plus departures that are linear in drawn weights."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    network: AbstractNetwork
    """Function that is made linear."""
    weights: Float[np.ndarray, " weight"]
    """Weights that training came to, at which the network is made linear."""
    departures: Float[np.ndarray, "draw weight"]
    """Drawn weights less those at which the network is made linear."""
    noise: NoiseLaw
    """Law of the noise of a reading."""

    def means(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The drawn functions, lift included."""
        values = _tangents(self.network, self.weights, self.departures, np.asarray(points))
        return np.asarray(values, dtype=float) + self.problem.lift(points)

    def variances(self, points: Points) -> Float[np.ndarray, "draw point"]:
        """The noise at each drawn value."""
        return np.stack([self.noise.variance(points, mean) for mean in self.means(points)])


@eqx.filter_jit
def _tangents(network, weights, departures, points):
    """The linear network at points, for each departure from its weights."""

    def function(weights):
        return network.values(weights, points)[:, 0]

    # Made linear once, then one draw after the other: side by side, all draws at all points would
    # be held at every layer.
    value, push = jax.linearize(function, jnp.asarray(weights))
    return value + jax.lax.map(push, jnp.asarray(departures))


@dataclass(frozen=True, eq=False)
class LaplacePosterior(AbstractPosterior):
    """Weights, their departures by a closed form, and the law of the noise."""

    problem: AbstractProblem
    """Problem whose lift is added."""
    linear: Linearised
    """Most probable weights, and the Gaussian near them."""
    noise: NoiseLaw
    """Law of the noise of a reading."""
    drawn: int
    """Functions behind a prediction."""
    record: dict[str, np.ndarray]
    """How it was trained: losses by stage, snapshots, whether somebody stopped it."""

    def draw(self, count: int, *, key: Key) -> LinearFields:
        """Functions of the linear network."""
        linear, rng = self.linear, generator(key)
        # About the expected function of the linear network, which is not quite the trained one.
        # Single precision is enough from here: differences of large numbers are behind us.
        departures = (linear.shift + linear.draws(count, rng=rng)).astype(np.float32)
        weights = linear.weights.astype(np.float32)
        return LinearFields(self.problem, linear.network, weights, departures, self.noise)

    @cached_property
    def predictive(self) -> LinearFields:
        """The functions behind a prediction."""
        return self.draw(self.drawn, key=jax.random.key(PREDICTION_SEED))

    def moments(self, points: Points) -> Prediction:
        """Mean and variances over the drawn functions."""
        # Not by `variances`, which would evaluate the functions a second time.
        means = self.predictive.means(points)
        noise = np.stack([self.noise.variance(points, mean) for mean in means])
        return decomposition(means, noise)

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights and how all depends on them, noise and record."""
        fitted = {
            "weights": self.linear.weights,
            # Half the bytes; nothing is lost, since `fit` has rounded it to this already.
            "jacobian": self.linear.jacobian.astype(np.float32),
            "precision": np.array(self.linear.precision),
            "rows": self.linear.rows,
        }
        return fitted | self.noise.arrays() | self.record


@dataclass(frozen=True)
class LaplaceNetwork(AbstractNetworkMethod):
    """Gauss-Newton to the most probable weights, and the Gaussian around them."""

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> LaplacePosterior:
        """The linearised posterior."""
        setup = self.setup(problem, key=key, monitor=monitor)
        weights, aux = setup.started()
        # Rounded as it is stored, so that what is restored later draws the same functions.
        linear = setup.linearised(weights, aux).rounded()
        record, draws = recorded(setup.stages), self.settings.draws
        # About the function that is predicted, which lies off the trained one by the correction.
        noise = setup.law(weights, shift=linear.correction(setup.readings.points))
        return LaplacePosterior(problem, linear, noise, draws, record)

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> LaplacePosterior:
        """The posterior whose `arrays` these are."""
        linear = Linearised(
            network_of(self.settings.network, problem),
            arrays["weights"],
            arrays["jacobian"].astype(float),
            float(arrays["precision"]),
            arrays["rows"],
        )
        record = {n: a for n, a in arrays.items() if n.startswith(RECORDED)}
        noise = NoiseLaw.restored(arrays)
        return LaplacePosterior(problem, linear, noise, self.settings.draws, record)
