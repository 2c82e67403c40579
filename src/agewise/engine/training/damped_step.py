"""One damped step of least squares: solved in the smaller of two spaces, tried, bent or damped."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.blas import dsyrk, ssyrk

from agewise.threads import one_thread

STRONGEST = 1e12
"""Strongest damping of Gauss-Newton, at which it practically stands still."""
TRIALS = 8
"""Damped steps that Gauss-Newton tries before it gives one up."""
PROBE = 0.1
"""Share of a step after which it is looked how far rows have bent away from it [1]."""
MOST_BENT = 0.375
"""Longest bend of a step over its length [1]; a step that bends more is damped instead. Both as
Transtrum and Sethna have them."""

TOO_LARGE = 1e100
"""Second derivative of a row along a step [1] from which nothing is made of it: its products with
the Jacobian would overflow."""
SINGLE = 1e-6
"""Least damping over the largest squared row [1] at which products of rows are taken in single
precision. The step is then off by a share of 1e-7 over that ratio, 12 % of it at the most, which a
step whose length is a matter of trial can bear: on tuning twins the objective falls as it does in
double precision."""
MANY = 1_000_000
"""Numbers of a Jacobian from which on half the time of these products is worth having."""

Terms = dict[str, float]
"""Terms of an objective by name [nats]."""


class Start(NamedTuple):
    """Where a damped step sets out from."""

    params: Float[np.ndarray, " weight"]
    """Parameters as they are."""
    rows: Float[np.ndarray, " row"]
    """Rows of the objective at them."""
    jacobian: Float[np.ndarray, "row weight"]
    """How the rows depend on them."""
    ridge: float
    """Precision of the prior of every parameter."""
    terms: Terms
    """Terms of the objective at them."""


# On two quiet cores four days of oil take 7.0 s with one thread of BLAS and 8.2 with two, Burgers'
# equation 22 and 32: threads wait for each other, and for those that compile.
@one_thread()
def lowered(
    start: Start,
    damping: float,
    after: Callable[[np.ndarray], Terms],
    rows_at: Callable[[np.ndarray], np.ndarray] | None = None,
) -> tuple[np.ndarray, float, Terms]:
    """One damped step that lowers the objective, or none where no trial does.

    Args:
        start: Where it sets out from.
        damping: Damping of the first trial.
        after: The terms of the objective at other parameters.
        rows_at: The rows there, along which the step is to bend; None for a straight one.

    Returns:
        Parameters, the damping to go on with, and the terms at those parameters.
    """
    params, rows, jacobian, ridge, before = start
    # Of half the squares of all rows and half the ridge times the squared parameters.
    gradient = jacobian.T @ rows + ridge * params
    # One matrix of n² has to be factored, so n is the smaller of rows and parameters.
    few_rows, least = len(rows) < len(params), ridge + damping
    factored = _row_space(jacobian, least) if few_rows else _normal(jacobian)
    # What does not depend on the damping is made by now, once for all trials.
    for _ in range(TRIALS):
        try:
            solve = factored(ridge + damping)
            step = -solve(gradient)
        except np.linalg.LinAlgError:  # rows so steep that rounding drowns the damping
            damping = min(4 * damping, STRONGEST)
            continue
        if rows_at is not None:
            step = _bent(start, step, solve, rows_at)
        if step is not None:
            terms = after(params + step)
            if sum(terms.values()) < sum(before.values()):
                # Less damping after a step that helped, more (below) after one that did not.
                return params + step, max(damping / 3, 1e-3), terms
        damping = min(4 * damping, STRONGEST)
    return params, damping, before


Solve = Callable[[np.ndarray], np.ndarray]
"""Makes $(J^T J + d)^{-1} g$ of a gradient $g$."""


def _bent(
    start: Start, step: np.ndarray, solve: Solve, rows_at: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray | None:
    """The step with the bend that keeps rows to second order where it takes them to first; None
    where it would bend too much to be trusted."""
    there = rows_at(start.params + PROBE * step)
    # Second derivative along the step, by what a straight line misses. The prior is straight.
    second = 2 / PROBE * ((there - start.rows) / PROBE - start.jacobian @ step)
    # Written such that what is no number fails it too.
    if not np.abs(second).max() < TOO_LARGE:
        return None
    bend = -0.5 * solve(start.jacobian.T @ second)
    # Likewise.
    return step + bend if np.linalg.norm(bend) <= MOST_BENT * np.linalg.norm(step) else None


def _row_space(jacobian: np.ndarray, least: float) -> Callable[[float], Solve]:
    """Damped solutions, for every damping from the least on, where there are fewer rows than
    weights."""
    gram = _products(jacobian, least)

    def factored(total: float) -> Solve:
        # Copied, since the factor overwrites it and another trial may follow; by columns, as LAPACK
        # has it, or it would be turned over once more.
        damped = gram.copy(order="F")
        damped.flat[:: len(gram) + 1] += total
        factor = cho_factor(damped, overwrite_a=True)

        def solve(gradient: np.ndarray) -> np.ndarray:
            # (JᵀJ + d)⁻¹ g = (g - Jᵀ (J Jᵀ + d)⁻¹ J g) / d (Woodbury).
            inner = cho_solve(factor, jacobian @ gradient)
            return (gradient - jacobian.T @ inner) / total

        return solve

    return factored


def _products(jacobian: np.ndarray, damping: float) -> np.ndarray:
    """J Jᵀ by its upper triangle alone, the one that `cho_factor` reads, as exact as its damping
    needs it."""
    largest = np.einsum("ij,ij->i", jacobian, jacobian).max()
    # Gradient and trials stay in double: a step may be a little worse, and where it ends may not.
    if jacobian.size >= MANY and damping >= SINGLE * largest:
        return ssyrk(1.0, jacobian.T.astype(np.float32), trans=1).astype(float)
    return dsyrk(1.0, jacobian.T, trans=1)


def _normal(jacobian: np.ndarray) -> Callable[[float], Solve]:
    """Damped solutions where there are no more weights than rows: the normal equations."""
    # JᵀJ, its upper triangle alone: half the work of a plain product. Jᵀ stands by columns already,
    # as BLAS has it; J itself would be copied.
    normal = dsyrk(1.0, jacobian.T)

    def factored(total: float) -> Solve:
        damped = normal.copy(order="F")
        damped.flat[:: len(normal) + 1] += total
        factor = cho_factor(damped, overwrite_a=True)

        def solve(gradient: np.ndarray) -> np.ndarray:
            return cho_solve(factor, gradient)

        return solve

    return factored
