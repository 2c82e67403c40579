"""Sums of squares averaged over what is random in a function, such as an index or struck units."""

from abc import abstractmethod
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.objective.rows import EquationObjective, half_squares
from agewise.engine.training import AbstractObjective, Rows
from agewise.engine.training.objective import Params
from agewise.types import Key

ROWS = 5000
"""Rows of a step, about: so many that a step does not follow what is random in it."""


class AbstractAveraged(AbstractObjective):
    """An objective whose every row sees a random function of its own, another one in each step.

    For a Gauss-Newton step this stands for the average over all of them.
    """

    inner: EquationObjective
    """Objective that gives the rows for the numbers of one function."""

    @property
    def ridge(self) -> float:
        """What is trained is standard normal beforehand."""
        return 1.0

    @abstractmethod
    def chances(self, count: int, *, key: Key) -> Any:
        """What is random in so many functions: arrays, one item each."""

    @abstractmethod
    def numbers(self, params: Params, chance: Any) -> Any:
        """The numbers of one function."""

    def moved(self, name: str, count: int) -> Float[np.ndarray, "row index"] | None:
        """By how much the rows of a group are moved, for each number of a chance; None if not."""
        return None

    def terms(self, params, aux, *, key):
        """Every sum of squares, and the prior's."""
        terms = half_squares(self.rows(aux, key=key), params)
        return terms | {"prior": 0.5 * self.ridge * jnp.sum(params**2)}

    def rows(self, aux, *, key):
        """Rows of random functions, each row as often as all of them come to so many."""
        groups = self.inner.rows(aux, key=key)
        counts = [len(jax.tree.leaves(items)[0]) for _, items in groups.values()]
        copies = max(1, round(ROWS / sum(counts)))
        rows_by_name = {}
        for place, (count, (name, (row, items))) in enumerate(
            zip(counts, groups.items(), strict=True)
        ):
            # A key for each group by its place, or all of them would see the same random functions.
            chances = self.chances(count * copies, key=jax.random.fold_in(key, place))
            repeated = jax.tree.map(lambda array: jnp.repeat(array, copies, axis=0), items)
            moved = self.moved(name, count)
            shifts = jnp.zeros(count * copies)
            if moved is not None:
                # Noise along with the chance: the row's direction times its random numbers.
                shifts = jnp.sum(jnp.repeat(moved, copies, axis=0) * chances, axis=1)

            def averaged_row(params, item, row=row):
                inner, chance, shift = item
                there = row(self.numbers(params, chance), inner)
                # Squares of all copies then add up to their mean, not to so many times the loss.
                return (there + shift) / np.sqrt(copies)

            rows_by_name[name] = Rows(averaged_row, (repeated, chances, shifts))
        return rows_by_name


def parts_of(unknown: Unknown) -> list[slice]:
    """Where the numbers of every function stand among those of all."""
    # Functions come first, one after the other; constants behind them are left out.
    ends = np.cumsum([0, *(f.network.size for f in unknown.functions.values())])
    return [slice(int(a), int(b)) for a, b in pairwise(ends)]
