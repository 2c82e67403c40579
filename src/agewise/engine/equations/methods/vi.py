"""`vi`: every number of a network independent of the others. The Bayesian PINN's family."""

from dataclasses import dataclass
from typing import ClassVar

import jax
import numpy as np
from jaxtyping import Float
from scipy.optimize import brentq

from agewise.engine.equations.check import Check, spread_finding
from agewise.engine.equations.fitting import Fitted, box_of
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.unknown import gradients_at
from agewise.engine.equations.weights import GaussianWeights, IndependentWeights
from agewise.types import Key

COMPARED = 400
"""Points of every function at which independent numbers are compared with dependent ones."""
WEIGHTS = (1e-9, 1.0)
"""Range of the weight on the divergence that is searched [1]: never above the untempered."""


@dataclass(frozen=True)
class VI(AbstractMethod):
    r"""The best independent Gaussian of functions that are linear about the most probable ones.

    Of a linear network the evidence bound has its highest point where the means are the most
    probable numbers and the precision of each is its own diagonal of $J^T J/\lambda + 1$, so
    nothing is left to train. $\lambda$ is the weight on the divergence: independent numbers cannot
    cancel each other, and untempered their variances add up to far too much. It is chosen such that
    the mean variance is that of dependent numbers; no truth is involved.
    """

    name: ClassVar[str] = "vi"
    summary: ClassVar[str] = (
        "The Bayesian PINN: independent weights with the mean of `laplace` and its average doubt; "
        "the check says where independence cannot follow."
    )

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[IndependentWeights, Check]:
        """Means, standard deviations, and the joint covariance of the constants."""
        dependent = fitted.gaussian()
        precision = np.sum(dependent.factor**2, axis=1)  # the diagonal of L Lᵀ
        gradients = _gradients(fitted, key=key)
        target = dependent.variance(gradients)
        places = len(fitted.unknown.constants)
        information = precision - 1.0
        std = _matched(information, gradients, target, places)
        weights = IndependentWeights(fitted.numbers, std, _constants(dependent, places))
        finding = spread_finding(np.sqrt(weights.variance(gradients)), np.sqrt(target))
        return weights, fitted.check.with_remarks(*([finding] if finding else []))


def _gradients(fitted: Fitted, *, key: Key) -> Float[np.ndarray, "point number"]:
    """How every function depends on the numbers, at points all over the box."""
    low, high = box_of(fitted.problem)
    rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
    points = rng.uniform(low, high, (COMPARED, len(low)))
    with jax.enable_x64(True):
        parts = [
            np.asarray(gradients_at(fitted.unknown, fitted.numbers, name, points))
            / float(function.size)
            for name, function in fitted.unknown.functions.items()
        ]
    return np.concatenate(parts)


def _matched(
    information: Float[np.ndarray, " number"],
    gradients: Float[np.ndarray, "point number"],
    target: Float[np.ndarray, " point"],
    places: int,
) -> Float[np.ndarray, " number"]:
    """Standard deviations whose mean variance over the points is the target's."""

    def stds(log_weight: float) -> np.ndarray:
        std = 1 / np.sqrt(information / np.exp(log_weight) + 1.0)
        std[len(std) - places :] = 0.0  # constants are drawn jointly, beside the functions
        return std

    def excess(log_weight: float) -> float:
        return float(np.log(np.mean(gradients**2 @ stds(log_weight) ** 2) / np.mean(target)))

    low, high = np.log(WEIGHTS)
    if excess(high) < 0 or excess(low) > 0:  # no crossing to find
        return stds(high if excess(high) < 0 else low)
    return stds(float(brentq(excess, low, high, xtol=1e-3)))


def _constants(dependent: GaussianWeights, places: int) -> Float[np.ndarray, "constant constant"]:
    """Lower Cholesky factor of the joint covariance of the constants' numbers."""
    if not places:
        return np.zeros((0, 0))
    picks = np.eye(len(dependent.centre))[-places:]
    return np.linalg.cholesky(dependent.covariance(picks))
