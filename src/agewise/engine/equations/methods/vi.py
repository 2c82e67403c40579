"""`vi`: every number of a network independent of the others. The Bayesian PINN's family."""

from dataclasses import dataclass
from typing import ClassVar

import jax
import numpy as np
from jaxtyping import Float
from scipy.optimize import brentq

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.unknown import gradients_at
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.posterior.check import Check, spread_remark
from agewise.engine.equations.posterior.weights import GaussianWeights, IndependentWeights
from agewise.types import Key

COMPARED = 400
"""Points of every function at which independent numbers are compared with dependent ones."""
WEIGHTS = (1e-9, 1e9)
"""Range of the weight on the divergence that is searched [1]. Above 1 where rows are so tight that
independent numbers, each held by itself, vary less than dependent ones."""


@dataclass(frozen=True)
class VI(AbstractMethod):
    r"""The best independent Gaussian of functions that are linear about the most probable ones.

    Of a linear network the evidence bound has its highest point where the means are the most
    probable numbers and the precision of each is its own diagonal of $J^T J/\lambda + 1$, so
    nothing is left to train. $\lambda$ is the weight on the divergence: independent numbers cannot
    cancel each other, and untempered their variances add up to far too much. It is chosen for each
    function such that the median variance is that of dependent numbers; no truth is involved.
    """

    name: ClassVar[str] = "vi"
    summary: ClassVar[str] = (
        "The Bayesian PINN: independent weights with the mean of `laplace` and its median doubt; "
        "the check says where independence cannot follow."
    )

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[IndependentWeights, Check]:
        """Means, standard deviations, and the joint covariance of the constants."""
        dependent = fitted.gaussian()
        information = np.sum(dependent.factor**2, axis=1) - 1.0  # the diagonal of L Lᵀ, less one
        points = _points(fitted, key=key)
        std, start, ratios = np.zeros(len(information)), 0, []
        for name, function in fitted.unknown.functions.items():
            own = slice(start, start + function.network.size)
            with jax.enable_x64(True):
                all_gradients = gradients_at(fitted.unknown, fitted.numbers, name, points)
            gradients = np.asarray(all_gradients)
            target = dependent.variance(gradients)
            # Function by function: one weight for all would fit none where doubts differ.
            std[own] = _matched(information[own], gradients[:, own], target)
            ratios.append(np.sqrt(gradients[:, own] ** 2 @ std[own] ** 2 / target))
            start = own.stop
        places = len(fitted.unknown.constants)
        weights = IndependentWeights(fitted.numbers, std, _constants(dependent, places))
        remark = spread_remark(np.concatenate(ratios))
        return weights, fitted.checked(dependent).with_remarks(remark)


def _points(fitted: Fitted, *, key: Key) -> Float[np.ndarray, "point axis"]:
    """Points all over the box."""
    low, high = box_of(fitted.problem)
    rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
    return rng.uniform(low, high, (COMPARED, len(low)))


def _matched(
    information: Float[np.ndarray, " number"],
    gradients: Float[np.ndarray, "point number"],
    target: Float[np.ndarray, " point"],
) -> Float[np.ndarray, " number"]:
    """Standard deviations whose variance over the points is the target's, in the median."""

    def stds(log_weight: float) -> np.ndarray:
        # The mean-field optimum of a Gaussian: each precision is its own diagonal.
        return 1 / np.sqrt(information / np.exp(log_weight) + 1.0)

    def excess(log_weight: float) -> float:
        # The median, since a mean would go by the few places where next to nothing is known.
        return float(np.median(np.log(gradients**2 @ stds(log_weight) ** 2 / target)))

    low, high = np.log(WEIGHTS)
    if excess(high) < 0 or excess(low) > 0:  # no crossing to find
        return stds(high if excess(high) < 0 else low)
    return stds(float(brentq(excess, low, high, xtol=1e-3)))


def _constants(dependent: GaussianWeights, places: int) -> Float[np.ndarray, "constant constant"]:
    """Lower Cholesky factor of the joint covariance of the constants' numbers."""
    if not places:
        return np.zeros((0, 0))
    # Constants stand last; picking a number is a gradient of one there.
    picks = np.eye(len(dependent.centre))[-places:]
    return np.linalg.cholesky(dependent.covariance(picks))
