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

MATCHED, COMPARED = 1000, 400
"""Points of every function at which the doubt of independent numbers is made that of dependent
ones, and other points at which the two are compared afterwards."""
WEIGHTS = (1e-9, 1e9)
"""Range of the weight on the divergence that is searched [1]. Above 1 where rows are so tight that
independent numbers, each held by itself, vary less than dependent ones."""
ROUNDS = 300
"""Rounds in which variances are matched: between a hundred and a thousand, which on most functions
of one coordinate bring nine tenths of the box within a third of the doubt. Of two coordinates
independent weights come within a factor of two, however many rounds."""


@dataclass(frozen=True)
class VI(AbstractMethod):
    r"""The independent Gaussian whose functions are as unsure as those of dependent numbers.

    Of a linear network the evidence bound has its highest point where the means are the most
    probable numbers and the precision of each is its own diagonal of $J^T J/\lambda + 1$, with a
    weight $\lambda$ on the divergence: independent numbers cannot cancel each other, and untempered
    their variances add up to far too much. From there on the divergence is taken where functions
    are read and not over the numbers: the sum over points of that between the functions' normal
    distributions is made small, so that doubt is right place by place. No truth is involved.
    """

    name: ClassVar[str] = "vi"
    summary: ClassVar[str] = (
        "The Bayesian PINN: independent weights with the mean of `laplace` and, place by place, "
        "its doubt; the check says where independence cannot follow."
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
            target, squares = dependent.variance(gradients), gradients[:, own] ** 2
            # Function by function: one weight for all would fit none where doubts differ.
            first = _tempered(information[own], squares[:MATCHED], target[:MATCHED])
            variances = matched(first, squares[:MATCHED], target[:MATCHED])
            std[own] = np.sqrt(variances)
            # At the other points, since those that were matched flatter.
            ratios.append(np.sqrt(squares[MATCHED:] @ variances / target[MATCHED:]))
            start = own.stop
        places = len(fitted.unknown.constants)
        weights = IndependentWeights(fitted.numbers, std, _constants(dependent, places))
        remark = spread_remark(np.concatenate(ratios))
        return weights, fitted.checked(dependent).with_remarks(remark)


def _points(fitted: Fitted, *, key: Key) -> Float[np.ndarray, "point axis"]:
    """Points all over the box: those that are matched, then those that are compared."""
    low, high = box_of(fitted.problem)
    rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
    return rng.uniform(low, high, (MATCHED + COMPARED, len(low)))


def _tempered(
    information: Float[np.ndarray, " number"],
    squares: Float[np.ndarray, "point number"],
    target: Float[np.ndarray, " point"],
) -> Float[np.ndarray, " number"]:
    """Variances of the evidence bound, tempered to the target's median over the points."""

    def variances(log_weight: float) -> np.ndarray:
        # The mean-field optimum of a Gaussian: each precision is its own diagonal.
        return 1 / (information / np.exp(log_weight) + 1.0)

    def excess(log_weight: float) -> float:
        # The median, since a mean would go by the few places where next to nothing is known.
        return float(np.median(np.log(squares @ variances(log_weight) / target)))

    low, high = np.log(WEIGHTS)
    if excess(high) < 0 or excess(low) > 0:  # no crossing to find
        return variances(high if excess(high) < 0 else low)
    return variances(float(brentq(excess, low, high, xtol=1e-3)))


def matched(
    variances: Float[np.ndarray, " number"],
    squares: Float[np.ndarray, "point number"],
    target: Float[np.ndarray, " point"],
) -> Float[np.ndarray, " number"]:
    r"""Variances of numbers, from these on, that make those at points the target's.

    Each round lowers $\sum_i (t_i/v_i - \log(t_i/v_i) - 1)/2$, the divergence of normal
    distributions of variances $t_i$ (target) from those of $v = G^2 s$, by a factor on every $s$:
    none turns negative, and what the readings do not tell apart keeps the bound's proportions.

    Args:
        variances: Variance of every number to begin with.
        squares: Squared gradient of every point by every number, $G^2$.
        target: Variance that every point should have.
    """
    for _ in range(ROUNDS):
        there = squares @ variances
        # Where the bound is majorised the best factor is the root of this ratio (Févotte 2011).
        pull, push = squares.T @ (target / there**2), squares.T @ (1 / there)
        # A number that moves nothing at these points keeps its variance.
        ratio = np.divide(pull, push, out=np.ones_like(push), where=push > 0)
        variances = variances * np.sqrt(ratio)
    return variances


def _constants(dependent: GaussianWeights, places: int) -> Float[np.ndarray, "constant constant"]:
    """Lower Cholesky factor of the joint covariance of the constants' numbers."""
    if not places:
        return np.zeros((0, 0))
    # Constants stand last; picking a number is a gradient of one there.
    picks = np.eye(len(dependent.centre))[-places:]
    return np.linalg.cholesky(dependent.covariance(picks))
