"""`dropout`: hidden units struck at random, in training and ever after."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

from agewise.engine.equations.draws.drawn import draws_checked
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.functions.networks import Perceptron
from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.objective.averaged import AbstractAveraged
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.weights import DrawnWeights
from agewise.engine.training import Stage
from agewise.engine.training.loop import with_arrays
from agewise.types import Key

SAME = 0.5
"""Share of draws that are one function [1] from which its intervals are a point and not a doubt: on
Yang's inverse problem two thirds are, and 50 % intervals of the constant hold it in none of 20."""
CONSTANT_STEPS = 8
"""Gauss-Newton steps to the constants of a drawn function; they are near those of the fit."""


class DropoutObjective(AbstractAveraged):
    """Readings and residuals of networks of which each row sees other units struck."""

    units: Int[np.ndarray, " number"]
    """The hidden unit that every number leaves; the last stands for none."""
    count: int = eqx.field(static=True)
    """Hidden units of all functions together."""
    rate: float
    """Chance that a unit is struck [1]."""

    def chances(self, count: int, *, key: Key):
        """Every unit, at random zero or scaled up to keep its mean; what is no unit is one."""
        # Over the chance to survive, so that the expected unit is the trained one.
        alive = jax.random.bernoulli(key, 1 - self.rate, (count, self.count)) / (1 - self.rate)
        return jnp.concatenate([alive, jnp.ones((count, 1))], axis=1)

    def numbers(self, params, chance):
        """Numbers of which those that leave struck units are zero."""
        # Fancy indexing: every number meets the chance of the unit that it leaves.
        return params * chance[self.units]


@dataclass(frozen=True)
class Dropout(AbstractMethod):
    """Units struck at random about the most probable functions; a draw is a pattern of them.

    Constants leave no unit, so a drawn function has those that suit it best.
    """

    name: ClassVar[str] = "dropout"
    summary: ClassVar[str] = (
        "Units struck at random, seconds more than `map`: the rate sets the spread, not the "
        "readings. On Yang's inverse problem bands are too wide, and 90 % intervals of the "
        "constant hold it in 6 of 20; where equations are exact, its draws are no solutions."
    )

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[DrawnWeights, Check]:
        """The numbers trained on under striking, and draws of them."""
        units, count = units_of(fitted.unknown)
        objective = DropoutObjective(fitted.objective, units, count, self.settings.dropout)
        stage = Stage("gauss-newton", self.settings.dropout_steps, rate=1.0, look=10)
        end = fitted.stages.run("dropout", stage, objective, fitted.numbers, fitted.variances)
        centre = np.asarray(end.params)
        with jax.enable_x64(True):
            chances = objective.chances(self.settings.draws, key=fitted.stages.key_of("struck"))
            # Drawn once and kept, so that each pattern keeps the constants that suit it.
            members = centre * np.asarray(chances)[:, units]
            members = _with_constants(fitted, members)
        weights = DrawnWeights(centre, members)
        # The last column is what is no unit, which is never struck.
        whole = int(np.sum(np.all(np.asarray(chances)[:, :-1] > 0, axis=1)))
        check = draws_checked(fitted, weights)
        return weights, check.with_findings(same_finding(whole, len(members)))


def units_of(unknown: Unknown) -> tuple[Int[np.ndarray, " number"], int]:
    """The hidden unit that every number leaves, and how many units there are; that many is none."""
    parts, count = [], 0
    for function in unknown.functions.values():
        network = function.network
        assert isinstance(network, Perceptron)
        for layer, (ins, outs) in enumerate(pairwise(network.widths)):
            # Inputs of the first layer are features, which are not struck.
            leaving = count + np.arange(ins) if layer else np.full(ins, -1)
            # A row of weights leaves one unit; biases leave none.
            parts += [np.repeat(leaving, outs), np.full(outs, -1)]
            count += ins if layer else 0
    units = np.concatenate([*parts, np.full(len(unknown.constants), -1)])
    # The place behind the last unit, where `chances` has its one.
    return np.where(units < 0, count, units), count


def same_finding(same: int, draws: int) -> str | None:
    """What is wrong where so many of all draws strike nothing, and are one function; None where
    they are few."""
    if same < SAME * draws:
        return None
    return (
        f"{same} of {draws} draws strike no unit and are one and the same function: half of what "
        "is drawn is a point, and no interval means what it says. Raise `dropout`, or take "
        "`laplace`."
    )


def _with_constants(
    fitted: Fitted, members: Float[np.ndarray, "draw number"]
) -> Float[np.ndarray, "draw number"]:
    """The same draws, each with the constants that are most probable for its functions."""
    places = len(fitted.unknown.constants)
    if not places:
        return members
    objective = with_arrays(fitted.objective)
    return np.asarray(_profiled(objective, members, fitted.variances, places))


@eqx.filter_jit
def _profiled(objective, members, aux, places):
    def of(numbers):
        functions = numbers[: len(numbers) - places]

        def rows(constants):
            groups = objective.rows(aux, key=jax.random.key(0)).values()
            full = jnp.concatenate([functions, constants])
            return jnp.concatenate([jax.vmap(row, (None, 0))(full, items) for row, items in groups])

        def step(_, constants):
            slopes = jax.jacfwd(rows)(constants)
            # Constants are standard normal beforehand, hence their own values and the unit matrix.
            gradient = slopes.T @ rows(constants) + constants
            # Undamped: a few constants, begun next to the answer.
            return constants - jnp.linalg.solve(slopes.T @ slopes + jnp.eye(places), gradient)

        best_constants = jax.lax.fori_loop(
            0, CONSTANT_STEPS, step, numbers[len(numbers) - places :]
        )
        return jnp.concatenate([functions, best_constants])

    return jax.lax.map(of, jnp.asarray(members))
