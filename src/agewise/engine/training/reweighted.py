"""Adam on sums of squares whose rows are weighted anew in every step, for point estimates alone.

A weight that moves with the residual makes a loss that is no likelihood: nothing about how sure an
answer is may be read from it. Points must stay, since every row has a weight of its own.
"""

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Float

from agewise.engine.training.objective import AbstractObjective, Aux, Params
from agewise.engine.training.optimiser import AbstractOptimiser
from agewise.engine.training.optimisers import Adam
from agewise.types import Key

NUMBERS = "numbers"
"""Name of the trained numbers among the parameters; all others are weights of rows."""
ANCHOR = 100.0
"""Weight of walls, first instants and readings beside equations inside [1] (Anagnostopoulos et al.
2024 for attention, McClenny and Braga-Neto 2023 for adaptive weights)."""
MEMORY, GAIN = 0.999, 0.001
"""Share of the past in a weight by attention, and what is added where a residual is largest [1]
(Anagnostopoulos et al. 2024)."""
TINIEST = 1e-30
"""In place of a largest residual of zero, in its unit."""
ASCENT = 0.005
"""Rate of the Adam that raises adaptive weights (McClenny and Braga-Neto 2023)."""
TRACED = 200
"""Rows of every group over which the trace of its tangent kernel is taken."""


class MeanSquares(AbstractObjective):
    """The plain loss of a physics-informed network: mean squares, one for every group of rows."""

    inner: AbstractObjective
    """Objective whose rows are squared."""
    anchors: tuple[str, ...] = eqx.field(static=True)
    """Names of the groups that pin a solution down: walls, first instants, readings."""

    def terms(self, params, aux, *, key):
        """The mean square of every group, whatever its weights."""
        rows = _values(self, params[NUMBERS], aux, key)
        # Without weights, so that rules are compared, and the best step is chosen, by one loss.
        return {name: jnp.mean(jnp.square(values)) for name, values in rows.items()}

    def rows(self, aux, *, key):
        """The rows themselves."""
        return self.inner.rows(aux, key=key)


class AbstractReweighted(AbstractOptimiser):
    """Adam on weighted mean squares; a rule moves the weights."""

    dtype = np.float32

    def __init__(self, objective: AbstractObjective, steps: int, rate: float):
        assert isinstance(objective, MeanSquares)
        self.objective, self.steps, self.rate = objective, steps, rate

    @staticmethod
    @abstractmethod
    def first(count: int, anchor: bool, rng: np.random.Generator) -> Float[np.ndarray, " row"]:
        """The weights of a group of so many rows to begin with."""

    @staticmethod
    def looked(objective: MeanSquares, params: Params, aux: Aux, key: Key) -> Params:
        """The parameters with weights that are renewed once in many steps; as they are, if none."""
        return params

    @staticmethod
    def moved(weights: Params, rows: Params, state: Any, anchors: tuple[str, ...]):
        """Weights and their state after a step in which the rows came to these values."""
        return weights, state

    def start(self, params: Params) -> Any:
        """No momentum yet, neither of the numbers nor of their weights."""
        weights = {name: array for name, array in params.items() if name != NUMBERS}
        moments = Adam.moments(self.steps, self.rate)
        # Both states, whatever the rule: `moved` of most rules passes its own through.
        return moments.init(params[NUMBERS]), optax.adam(ASCENT).init(weights)

    def advance(self, params, state, aux, first, count, *, key):
        """A look at the weights as a whole, and a scan of steps."""
        params = type(self).looked(self.objective, params, aux, key)
        carry, terms = _scan(
            type(self).moved, self.objective, (self.steps, self.rate), (params, state), aux, count
        )
        return *carry, {name: np.asarray(values) for name, values in terms.items()}


@eqx.filter_jit
def _scan(moved, objective, plan, carry, aux, count):
    moments, key = Adam.moments(*plan), jax.random.key(0)  # rows draw nothing: the points stay

    def step(carry, _):
        params, (momentum, own) = carry
        weights = {name: array for name, array in params.items() if name != NUMBERS}

        def loss(numbers):
            rows = _values(objective, numbers, aux, key)
            # Weights stand inside the square: a loss weight of w is a row weight of its root.
            parts = [jnp.mean(jnp.square(weights[name] * rows[name])) for name in rows]
            return sum(parts), rows

        gradient, rows = jax.grad(loss, has_aux=True)(params[NUMBERS])
        update, momentum = moments.update(gradient, momentum, params[NUMBERS])
        # After the gradient: weights of this step answer to residuals of this step.
        weights, own = moved(weights, rows, own, objective.anchors)
        params = weights | {NUMBERS: optax.apply_updates(params[NUMBERS], update)}
        return (params, (momentum, own)), {n: jnp.mean(jnp.square(r)) for n, r in rows.items()}

    return jax.lax.scan(step, carry, None, length=count)


def _values(objective, numbers, aux, key):
    """Every row by its group."""
    groups = objective.rows(aux, key=key)
    return {name: jax.vmap(row, (None, 0))(numbers, items) for name, (row, items) in groups.items()}


class Equal(AbstractReweighted):
    """Every mean square as it is: the plain network."""

    @staticmethod
    def first(count, anchor, rng):
        """One."""
        return np.ones(count)


class Attention(AbstractReweighted):
    """Residual-based attention: rows whose residual was large of late weigh more."""

    @staticmethod
    def first(count, anchor, rng):
        """Nothing inside, so that what pins a solution down comes first."""
        # Squared in the loss, hence the root.
        return np.full(count, np.sqrt(ANCHOR) if anchor else 0.0)

    @staticmethod
    def moved(weights, rows, state, anchors):
        """A running mean of residuals over the largest of their group."""

        def new(name):
            size = jnp.abs(rows[name])
            # Residuals that all vanish to the last bit add nothing.
            return MEMORY * weights[name] + GAIN * size / jnp.maximum(jnp.max(size), TINIEST)

        return {n: w if n in anchors else new(n) for n, w in weights.items()}, state


class Adaptive(AbstractReweighted):
    """Self-adaptive weights: they rise by gradient as the numbers fall."""

    @staticmethod
    def first(count, anchor, rng):
        """At random, and far larger for what pins a solution down."""
        return (ANCHOR if anchor else 1.0) * rng.uniform(size=count)

    @staticmethod
    def moved(weights, rows, state, anchors):
        """One step up the loss by the weights' own Adam."""
        # Minus the gradient of mean((w r)²) by w, since Adam goes down and weights must rise.
        down = {n: -2 * w * jnp.square(rows[n]) / len(w) for n, w in weights.items()}
        update, state = optax.adam(ASCENT).update(down, state)
        return optax.apply_updates(weights, update), state


class Kernel(AbstractReweighted):
    """Weights by the neural tangent kernel: groups of rows that learn slowly weigh more."""

    @staticmethod
    def first(count, anchor, rng):
        """One, until the first look."""
        return np.ones(count)

    @staticmethod
    def looked(objective, params, aux, key):
        """The trace of the whole kernel over that of each group, as means over rows."""
        traces = {n: float(t) for n, t in _traces(objective, params[NUMBERS], aux, key).items()}
        total = sum(traces.values())
        return params | {
            # Squared in the loss, the root makes the weight total/trace; a group that does not
            # depend on the numbers has no trace, and nothing to learn by any weight.
            n: np.full(len(params[n]), np.sqrt(total / trace) if trace else 1.0, dtype=np.float32)
            for n, trace in traces.items()
        }


@eqx.filter_jit
def _traces(objective, numbers, aux, key):
    def trace(row, items):
        count = len(jax.tree.leaves(items)[0])
        # Evenly over the rows, whose order may be that of their places.
        some = jax.tree.map(lambda a: a[:: max(1, count // TRACED)], items)
        gradients = jax.vmap(jax.grad(row), (None, 0))(numbers, some)
        # A mean and not a sum, or groups with many rows would seem to learn fast.
        return jnp.mean(jnp.sum(jnp.square(gradients), axis=1))

    return {name: trace(*group) for name, group in objective.rows(aux, key=key).items()}


REWEIGHTED: dict[str, type[AbstractReweighted]] = {
    "equal": Equal,
    "attention": Attention,
    "adaptive": Adaptive,
    "kernel": Kernel,
}
"""Every rule that weighs rows anew, by its name."""
