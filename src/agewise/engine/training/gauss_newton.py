"""Gauss-Newton in double precision: few steps, each of which sees every row of the objective."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.blas import dsyrk, ssyrk

from agewise.engine.training.objective import AbstractObjective, Aux, Params
from agewise.engine.training.optimiser import AbstractOptimiser
from agewise.threads import one_thread
from agewise.types import Key

STRONGEST = 1e12
"""Strongest damping of Gauss-Newton, at which it practically stands still."""
TRIALS = 8
"""Damped steps that Gauss-Newton tries before it gives one up."""
PROBE = 0.1
"""Share of a step after which it is looked how far rows have bent away from it [1]."""
MOST_BENT = 0.375
"""Longest bend of a step over its length [1]; a step that bends more is damped instead. Both as
Transtrum and Sethna have them."""

SINGLE = 1e-6
"""Least damping over the largest squared row [1] at which products of rows are taken in single
precision. The step is then off by a share of 1e-7 over that ratio, 12 % of it at the most, which a
step whose length is a matter of trial can bear: on tuning twins the objective falls as it does in
double precision."""
MANY = 1_000_000
"""Numbers of a Jacobian from which on half the time of these products is worth having."""

Terms = dict[str, float]
"""Terms of an objective by name [nats]."""


class GaussNewton(AbstractOptimiser):
    """Levenberg-Marquardt on the rows of the objective, in the smaller of two spaces: that of the
    rows or that of the weights.

    For a flat vector of weights. A network of 5000 weights with 800 rows takes an eighth of a
    second a step, and a score of steps does what Adam does not in ten thousand.
    """

    dtype = np.float64

    accelerated: ClassVar[bool] = False
    """Whether steps bend along with the rows."""

    def __init__(self, objective: AbstractObjective, steps: int, rate: float):
        self.objective, self.damping, self.ridge = objective, 1 / rate, float(objective.ridge)
        self.compiled = False

    def start(self, params: Params) -> Any:
        """Strong damping: the first steps are short."""
        return np.asarray(self.damping)

    def advance(self, params, state, aux, first, count, *, key):
        """One damped step after another."""
        damping, records = float(state), []
        for number in range(first, first + count):
            step_key = jax.random.fold_in(key, number)
            params, damping, record = self._step(np.asarray(params), damping, aux, step_key)
            records.append(record)
        history = {name: np.array([record[name] for record in records]) for name in records[0]}
        return params, np.asarray(damping), history

    def _linearised(self, params, aux, key):
        """Rows and Jacobian; the first time, another thread compiles what trials need meanwhile."""
        if self.compiled:
            return _rows_and_jacobian(self.objective, params, aux, key)

        def tried():
            # Precision is set for a thread and not the process.
            with jax.enable_x64(True):
                _half_squares(self.objective, params, aux, key)

        with ThreadPoolExecutor(1) as pool:
            # Nobody asks how it ended: what fails here fails again in the first trial.
            pool.submit(tried)
            self.compiled = True
            return _rows_and_jacobian(self.objective, params, aux, key)

    def _step(self, params, damping, aux, key):
        # One key for all of a step: trials are compared on the same points.
        halves, rows, jacobian = self._linearised(params, aux, key)
        before = self._with_prior(halves, params)
        if not np.isfinite(sum(before.values())):
            return params, damping, before  # the loop says which term is no number

        def after(trial):
            return self._with_prior(_half_squares(self.objective, trial, aux, key), trial)

        def rows_at(trial):
            return np.asarray(_rows(self.objective, trial, aux, key))

        start = Start(params, np.asarray(rows), np.asarray(jacobian), self.ridge, before)
        return lowered(start, damping, after, rows_at if self.accelerated else None)

    def _with_prior(self, halves, params) -> dict[str, float]:
        prior = {"prior": 0.5 * self.ridge * float(params @ params)}
        return {name: float(half) for name, half in halves.items()} | prior


class AcceleratedGaussNewton(GaussNewton):
    """The same with steps that bend along with the rows (Transtrum and Sethna 2012).

    Where an exact equation bends with its unknowns, as products of them do, what solves it is a
    narrow bent valley, in which straight steps must be short. For a second solution with the same
    factor and an evaluation of the rows a step, Kraichnan and Orszag's constants take a tenth of
    the steps.
    """

    accelerated = True


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
    if not np.isfinite(second).all():
        return None
    bend = -0.5 * solve(start.jacobian.T @ second)
    # Written such that a bend that is no number fails it too.
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


def linearised(
    objective: AbstractObjective, params: Params, aux: Aux, key: Key
) -> tuple[Float[np.ndarray, " row"], Float[np.ndarray, "row weight"]]:
    """Every row of an objective, and how it depends on a flat vector of parameters."""
    _, rows, jacobian = _rows_and_jacobian(objective, params, aux, key)
    return np.asarray(rows), np.asarray(jacobian)


def half_squares(objective: AbstractObjective, params: Params, aux: Aux, key: Key) -> Terms:
    """Half the sum of the squares of every group of rows [nats]."""
    return {name: float(v) for name, v in _half_squares(objective, params, aux, key).items()}


@eqx.filter_jit
def _rows_and_jacobian(objective, params, aux, key):
    parts = {
        # Row by row: a gradient is one backward pass, and a row depends on all weights.
        name: jax.vmap(jax.value_and_grad(row), (None, 0))(params, items)
        for name, (row, items) in objective.rows(aux, key=key).items()
    }
    halves = {name: 0.5 * jnp.sum(rows**2) for name, (rows, _) in parts.items()}
    rows, jacobians = zip(*parts.values(), strict=True)
    return halves, jnp.concatenate(rows), jnp.concatenate(jacobians)


@eqx.filter_jit
def _half_squares(objective, params, aux, key):
    return {
        name: 0.5 * jnp.sum(jax.vmap(row, (None, 0))(params, items) ** 2)
        for name, (row, items) in objective.rows(aux, key=key).items()
    }


@eqx.filter_jit
def _rows(objective, params, aux, key):
    groups = objective.rows(aux, key=key).values()
    return jnp.concatenate([jax.vmap(row, (None, 0))(params, items) for row, items in groups])
