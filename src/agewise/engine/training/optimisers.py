"""Adam for noisy gradients, L-BFGS in double precision for exact ones; every optimiser by name."""

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
import numpy as np
import optax

from agewise.engine.training.gauss_newton import AcceleratedGaussNewton, GaussNewton
from agewise.engine.training.objective import AbstractObjective, Params
from agewise.engine.training.optimiser import AbstractOptimiser

WARM_UP = 0.05
"""Share of the steps over which Adam's rate rises."""
FINAL_RATE = 1e-3
"""Adam's last rate over its highest."""
FORGETTING = 0.99
"""Share of the past in Adam's mean square: a memory of a hundred steps, since the scale of the
gradients falls fast."""


class AbstractAdam(AbstractOptimiser):
    """Steps by a running mean of the gradients over that of their squares, compiled as one scan."""

    dtype = np.float32

    def __init__(self, objective: AbstractObjective, steps: int, rate: float):
        self.objective, self.steps, self.rate = objective, steps, rate

    @staticmethod
    @abstractmethod
    def moments(steps: int, rate: float) -> optax.GradientTransformation:
        """How gradients become steps."""

    def start(self, params: Params) -> Any:
        """No momentum yet."""
        return self.moments(self.steps, self.rate).init(params)

    def advance(self, params, state, aux, first, count, *, key):
        """A scan over the numbers of the steps."""
        # As an array and not as static integers, or every look would be compiled anew.
        numbers = np.arange(first, first + count, dtype=np.int32)
        (params, state), terms = _adam_scan(
            self.moments, self.objective, self.steps, self.rate, (params, state), aux, numbers, key
        )
        return params, state, {name: np.asarray(values) for name, values in terms.items()}


class Adam(AbstractAdam):
    """Adam with a rate that rises and falls as a cosine."""

    @staticmethod
    def moments(steps: int, rate: float) -> optax.GradientTransformation:
        """A warm-up, then a cosine."""
        warm = max(1, int(WARM_UP * steps))
        # The cosine needs a step of its own after the warm-up, however short the stage.
        end = max(steps, warm + 1)
        # From a tenth of the highest rate, over the warm-up to it, along a cosine to the last.
        schedule = optax.warmup_cosine_decay_schedule(
            0.1 * rate, rate, warm, end, FINAL_RATE * rate
        )
        return optax.adam(schedule, b2=FORGETTING)


class ConstantAdam(AbstractAdam):
    """Adam as it was first published: one rate throughout, and a memory of a thousand steps."""

    @staticmethod
    def moments(steps: int, rate: float) -> optax.GradientTransformation:
        """The textbook's steps."""
        return optax.adam(rate)


# What is compiled takes the objective as an argument: another one of the same shape, such as the
# next twin's, is not compiled again.
@eqx.filter_jit
def _adam_scan(moments, objective, steps, rate, carry, aux, numbers, key):
    optimiser = moments(steps, rate)

    def chance(number):
        # The key follows from the number, so a resumed training draws the same mini-batches.
        return objective.chance(carry[0], aux, key=jax.random.fold_in(key, number))

    def step(carry, chance):
        params, state = carry

        def loss(params):
            terms = objective.terms_by(params, aux, chance)
            return sum(terms.values()), terms

        # The terms come along as a by-product, so that history costs no second pass.
        gradient, terms = jax.grad(loss, has_aux=True)(params)
        update, state = optimiser.update(gradient, state, params)
        return (optax.apply_updates(params, update), state), terms

    # All steps' chance at once: within a step, what is drawn would be worked out again wherever it
    # is used, which takes a third of the time of a Bayesian one.
    return jax.lax.scan(step, carry, jax.vmap(chance)(numbers))


class LBFGS(AbstractOptimiser):
    """Limited-memory BFGS with a line search, on one batch that stays as it is."""

    dtype = np.float64

    def __init__(self, objective: AbstractObjective, steps: int, rate: float):
        self.objective = objective

    def start(self, params: Params) -> Any:
        """An empty memory."""
        return optax.lbfgs().init(params)

    def advance(self, params, state, aux, first, count, *, key):
        """A scan of line searches; its number does not matter to a step, since the batch stays."""
        (params, state), terms = _lbfgs_scan(self.objective, (params, state), aux, count, key)
        return params, state, {name: np.asarray(values) for name, values in terms.items()}


@eqx.filter_jit
def _lbfgs_scan(objective, carry, aux, count, key):
    optimiser = optax.lbfgs()

    def loss(params):
        # One key for all steps: the line search needs a loss that stays as it is.
        return sum(objective.terms(params, aux, key=key).values())

    def step(carry, _):
        params, state = carry
        # The line search of the step before ended with this value and gradient: they are reused.
        value, gradient = optax.value_and_grad_from_state(loss)(params, state=state)
        update, state = optimiser.update(
            gradient, state, params, value=value, grad=gradient, value_fn=loss
        )
        params = optax.apply_updates(params, update)
        # Terms after the step, unlike Adam's, since nothing is noisy and the last is the answer.
        return (params, state), objective.terms(params, aux, key=key)

    return jax.lax.scan(step, carry, None, length=count)


OPTIMISERS: dict[str, type[AbstractOptimiser]] = {
    "adam": Adam,
    "constant-adam": ConstantAdam,
    "lbfgs": LBFGS,
    "gauss-newton": GaussNewton,
    "accelerated-gauss-newton": AcceleratedGaussNewton,
}
"""Every optimiser by the name that a stage gives it."""
