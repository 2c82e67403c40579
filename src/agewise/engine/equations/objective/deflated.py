"""Residuals that grow without bound towards a solution that is known: what is left are others."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.objective.rows import EquationObjective, half_squares
from agewise.engine.training import AbstractObjective, Rows
from agewise.types import Scalar


class DeflatedObjective(AbstractObjective):
    r"""Every row times $1 + 1/d^2$, with the distance $d$ to a solution over its expected size.

    Rows vanish with the first power of $d$, so that near the known solution they grow, and any
    other solution stays one (Farrell, Birkisson and Funke 2015).
    """

    inner: EquationObjective
    """Objective that the known solution makes small."""
    places: Float[np.ndarray, "point axis"]
    """Points at which functions are compared."""
    known: Float[np.ndarray, " point"]
    """The known solution there, in its unit."""

    @property
    def ridge(self) -> float:
        """As `inner` has it."""
        return self.inner.ridge

    def terms(self, params, aux, *, key):
        """Every sum of squares, and the prior's."""
        terms = half_squares(self.rows(aux, key=key), params)
        return terms | {"prior": 0.5 * self.inner.prior_weight * jnp.sum(params**2)}

    def rows(self, aux, *, key):
        """The rows of `inner`, each with the factor that keeps away from the known solution."""
        groups = {}
        for name, (row, items) in self.inner.rows(aux, key=key).items():
            # Defaults bind what the loop would change before the row is called.
            def deflated(params, item, row=row):
                return self._factor(params) * row(params, item)

            groups[name] = Rows(deflated, items)
        return groups

    def _factor(self, params) -> Scalar:
        size = next(iter(self.inner.unknown.functions.values())).size
        there = jax.vmap(self.inner.unknown.unknowns(params))(jnp.asarray(self.places))
        return 1 + 1 / jnp.mean(((there - self.known) / size) ** 2)
