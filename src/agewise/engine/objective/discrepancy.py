"""By how much the equation itself is wrong, learned where there are sensors inside."""

import jax
import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize_scalar

from agewise.engine.networks.mlp import Weights
from agewise.engine.objective.objective import NetworkObjective
from agewise.engine.training.gauss_newton import linearised
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.objective import Aux
from agewise.threads import one_thread
from agewise.types import Key

SEARCH = (0.0, 6.0)
"""Natural logarithm of the factor on the declared discrepancy: never tighter than declared."""
TOLERANCE = 0.05
"""Error that is allowed in the natural logarithm of the factor [1]."""


def likeliest_looseness(
    objective: NetworkObjective, weights: Weights, aux: Aux, *, key: Key
) -> float:
    r"""The factor on the declared discrepancy that makes the readings most likely.

    The network is taken to be linear in its weights near the given ones. The equation, with its
    residual rows $J_r w - c$ over a factor $f$, is then part of a Gaussian prior, under which the
    readings $J_y w - d$ have a Gaussian density: all in the space of the rows.

    Args:
        objective: Gives the rows of readings and residuals.
        weights: Where the network is made linear.
        aux: Noise of the readings, at least; a looseness in it is left out of account.
        key: Key of the points at which the residuals are taken.
    """
    # Rows as declared, since the factor is put on them below.
    tight = aux | {"looseness": np.asarray(1.0)}
    # The evidence is a difference of large log determinants: single precision would lose it.
    with jax.enable_x64(True):
        double = {name: np.asarray(value, dtype=float) for name, value in tight.items()}
        point = np.asarray(weights, dtype=float)
        rows, jacobian = linearised(with_arrays(objective), point, double, key)
        groups = objective.rows(double, key=key)
    loose = np.concatenate(
        [
            # One flag for every row, in the order in which `linearised` stacks the groups.
            np.full(len(jax.tree.leaves(items)[0]), objective.loosens(name))
            for name, (_, items) in groups.items()
        ]
    )
    # A linear row is J w - target, and at these weights it is the row itself.
    target = jacobian @ point - rows
    evidence = _Evidence(jacobian[loose], target[loose], jacobian[~loose], target[~loose])

    def loss(log_factor: float) -> float:
        # The factor is a scale, so it is searched by its logarithm.
        return evidence.loss(float(np.exp(log_factor)), objective.ridge)

    likeliest = minimize_scalar(loss, bounds=SEARCH, method="bounded", options={"xatol": TOLERANCE})
    return float(np.exp(likeliest.x))


class _Evidence:
    """Products of the rows of the equation and of the readings, made once for every factor."""

    def __init__(
        self,
        equation: Float[np.ndarray, "point weight"],
        equation_target: Float[np.ndarray, " point"],
        readings: Float[np.ndarray, "reading weight"],
        readings_target: Float[np.ndarray, " reading"],
    ):
        # J Jᵀ and not JᵀJ: there are fewer rows than weights, and the factor enters K alone.
        self.equation, self.equation_target = equation @ equation.T, equation_target
        self.readings, self.readings_target = readings @ readings.T, readings_target
        self.between = readings @ equation.T

    def loss(self, factor: float, ridge: float) -> float:
        r"""Minus the log density: $d \sim N(B K^{-1} c,\ 1 + (C - B K^{-1} B^T)/p)$ with
        $K = J_r J_r^T + p f^2$, $B = J_y J_r^T$ and $C = J_y J_y^T$."""
        with one_thread():
            # K of the docstring, p f² on its diagonal: the looser the equation, the less it binds.
            inner = self.equation + ridge * factor**2 * np.eye(len(self.equation))
            # Both right-hand sides at once, c and Bᵀ, so that K is factored and swept once.
            solved = cho_solve(
                cho_factor(inner), np.column_stack([self.equation_target, self.between.T])
            )
            error = self.readings_target - self.between @ solved[:, 0]
            covariance = (self.readings - self.between @ solved[:, 1:]) / ridge
            # Readings are over their standard deviation, so their own noise is one.
            covariance.flat[:: len(covariance) + 1] += 1.0
            # Beside its triangle `cho_factor` leaves what was there; the diagonal is the factor's.
            upper, lower = cho_factor(covariance, overwrite_a=True)
            quadratic = error @ cho_solve((upper, lower), error)
        # Half a log determinant is the sum of the logarithms on the factor's diagonal.
        return float(0.5 * quadratic + np.sum(np.log(np.diag(upper))))
