"""`vi`: every weight is a normal distribution of its own. The Bayesian PINN."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.optimize import brentq

from agewise.engine.inference.offered import (
    AbstractFamily,
    AbstractFamilyMethod,
    AbstractPrior,
    AbstractProblem,
    Key,
    Linearised,
    Scalar,
    Setup,
    Weights,
    prior_of,
)
from agewise.types import T

COMPARED = 500
"""Points at which two posteriors are compared."""
COUNTED = 0.95
"""Share of these points that count [1], those of the least variance."""
KL_WEIGHTS = (1e-6, 1.0)
"""Range of the weight on the divergence that is searched [1]: never above the untempered."""


class MeanField(AbstractFamily):
    """Independent normal weights, each with a mean and a standard deviation of its own."""

    prior: AbstractPrior
    """Prior of every weight."""

    def chance(self, params: Any, *, key: Key) -> Weights:
        """White noise, a number for each weight."""
        mean = params["mean"]
        return jax.random.normal(key, mean.shape, mean.dtype)

    def drawn(self, params: Any, chance: Any) -> Weights:
        """Mean plus standard deviation times white noise: the gradient passes through."""
        # The exponential keeps deviations positive, and lets Adam change them by factors.
        return params["mean"] + jnp.exp(params["log_std"]) * chance

    def divergence(self, params: Any) -> Scalar:
        """Kullback-Leibler divergence from the prior [nats]."""
        return self.prior.divergence(params["mean"], params["log_std"])

    def centre(self, params: Any) -> Weights:
        """The means."""
        return params["mean"]


@dataclass(frozen=True)
class VI(AbstractFamilyMethod):
    """Adam on the evidence bound, from the most probable weights."""

    def family(self, problem: AbstractProblem) -> MeanField:
        """Independent normal weights."""
        return MeanField(prior_of(self.settings.network))

    def fitted(self, setup: Setup, family: AbstractFamily) -> dict[str, np.ndarray]:
        """Mean and logarithm of the standard deviation of every weight."""
        kl_weight, instants = self.settings.kl_weight, setup.readings.instants
        any_weights = np.zeros(setup.network.size)
        with setup.compiled_meanwhile(family, {"mean": any_weights, "log_std": any_weights}):
            weights, aux = setup.started()
            linear, key = setup.linearised(weights, aux), setup.stages.key
            if kl_weight == "matched":
                kl_weight = matched_weight(linear, instants, key=key)
            # Adam starts from the best deviations of the linear network, not from a guess.
            log_std = np.log(mean_field_std(linear, kl_weight))
        params = {"mean": np.asarray(weights), "log_std": log_std}
        stage = self.settings.training.own
        if stage is None:
            return params
        objective = setup.objective(family, kl_weight=float(kl_weight))
        params = setup.run("own", stage, objective, params, aux).params
        # Where even that was too narrow, the weight could not match the dependent variance.
        # Exactly the end of the range: `matched_weight` gives it back where there is no crossing.
        short = self.settings.kl_weight == "matched" and kl_weight == KL_WEIGHTS[1]
        unresolved = setup.unresolved_variance(aux)
        if not (short or unresolved):
            return params
        return widened(params, linear, instants, unresolved=unresolved, key=key)


def mean_field_std(linear: Linearised, kl_weight: float) -> Float[np.ndarray, " weight"]:
    r"""The best independent weights of a linear network.

    The precision of each is its own diagonal of $J^T J/\lambda + p$, whatever the others do.
    """
    # A weight λ on the divergence counts every row as 1/λ of them.
    return 1 / np.sqrt(linear.information / kl_weight + linear.precision)


def matched_weight(
    linear: Linearised, instants: Float[np.ndarray, " instant"], *, key: Key
) -> float:
    """The weight on the divergence that gives independent weights the variance of dependent ones.

    Independent weights cannot cancel each other, so each of thousands adds its own variance to the
    function, and the untempered posterior overstates it. The mean variance at `instants` is made
    equal to that of the linearised network with all dependencies kept. No truth is involved.

    Args:
        linear: The network made linear at its most probable weights.
        instants: Times of readings as shares of the window [1]; times without readings are left
            out, since the large variance of a gap must not be spread over the whole window.
        key: Key of the points at which the two are compared.

    Returns:
        A weight within `KL_WEIGHTS` [1].
    """
    points = _compared(instants, key)
    # Of independent weights the variance of the function is Σ g² s²: no cross terms.
    squares, target = linear.gradients(points) ** 2, linear.variance(points)
    # Independent weights are about as doubtful everywhere: what is large in one corner, such as the
    # first hours of a profile that nobody measured, would be spread over the whole window.
    kept = target <= np.quantile(target, COUNTED)
    # The mean over points comes first, since it does not depend on the weight that is sought.
    mean_squares, wanted = np.mean(squares[kept], axis=0), np.mean(target[kept])

    def excess(log_weight: float) -> float:
        variance = mean_squares @ mean_field_std(linear, np.exp(log_weight)) ** 2
        # Zero where both agree, and on a logarithmic scale nearly straight for the root finder.
        return float(np.log(variance / wanted))

    # On a logarithmic scale, since the weight may lie anywhere within six decades.
    low, high = np.log(KL_WEIGHTS)
    # Even untempered, independent weights vary too little: there is no crossing to find.
    if excess(high) < 0:
        return KL_WEIGHTS[1]
    # However tempered, they vary too much: neither is there.
    if excess(low) > 0:
        return KL_WEIGHTS[0]
    return float(np.exp(brentq(excess, low, high, xtol=1e-3)))


def widened(
    params: dict[str, np.ndarray],
    linear: Linearised,
    instants: Float[np.ndarray, " instant"],
    *,
    unresolved: float = 0.0,
    key: Key,
) -> dict[str, np.ndarray]:
    r"""Deviations wider by one factor, to cover what independent weights leave out.

    Readings with hardly any noise hold every weight so tightly that all of them together vary less
    than dependent ones would, and training ends farther from the lowest point than they vary. Both
    are known from the linear network: its variance $v$, and the way $d$ from the trained function
    to its expected one. The mean variance at `instants` becomes that of $v + d^2$ and of what is
    `unresolved` between readings, never less.
    """
    points = _compared(instants, key)
    target, variance = (
        linear.variance(points),
        linear.gradients(points) ** 2 @ np.exp(2 * np.asarray(params["log_std"], dtype=float)),
    )
    kept = target <= np.quantile(target, COUNTED)
    wanted = np.mean(target[kept]) + np.mean(linear.correction(points[kept]) ** 2) + unresolved
    # Never narrower: training may have had reasons for what is wider than the linear network.
    factor = max(1.0, float(np.sqrt(wanted / np.mean(variance[kept]))))
    return params | {"log_std": params["log_std"] + np.float32(np.log(factor))}


def _compared(instants: Float[np.ndarray, " instant"], key: Key) -> Float[np.ndarray, "point 2"]:
    """Points at which two posteriors are compared."""
    points = np.asarray(jax.random.uniform(key, (COMPARED, 2)), dtype=float)
    if instants.size:
        # Uniform shares become quantiles, so that times are spread as the readings are.
        points[:, T] = np.quantile(instants, points[:, T])
    return points
