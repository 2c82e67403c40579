"""What training makes small."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import equinox as eqx
import numpy as np

from agewise.types import Key, Scalar

Params = Any
"""A pytree of arrays: what is trained."""
Aux = dict[str, np.ndarray]
"""What is held fixed for a while and renewed between steps, such as the noise of readings."""
Chance = Any
"""A pytree of arrays: all that chance decides in one step."""
Renewal = Callable[[Params, Aux], Aux]
"""Makes anew what is held fixed, from the parameters as they are and its old values."""


class Rows(NamedTuple):
    """Items and what each contributes: half of the square of `row(params, item)`."""

    row: Callable[[Params, Any], Scalar]
    """An error over its standard deviation, of the parameters and one item."""
    items: Any
    """A pytree of arrays whose first axis numbers the items."""


class AbstractObjective(eqx.Module):
    """A sum of named terms. Numbers that are not arrays become arrays when it is compiled."""

    @property
    def ridge(self) -> float:
        """Precision of a Gaussian prior on every parameter, for objectives of sums of squares.

        Half of it times the squared parameters is added to those sums.
        """
        return 0.0

    @abstractmethod
    def terms(self, params: Params, aux: Aux, *, key: Key) -> dict[str, Scalar]:
        """The terms on a mini-batch: each an unbiased estimate of its full sum."""

    def chance(self, params: Params, aux: Any, *, key: Key) -> Chance:
        """All that chance decides in one step, whatever the values of the parameters.

        Drawn for many steps at once it takes a fraction of the time. An objective that has no more
        to say leaves it at the key.
        """
        return key

    def terms_by(self, params: Params, aux: Any, chance: Chance) -> dict[str, Scalar]:
        """The terms of a step whose `chance` has been drawn."""
        return self.terms(params, aux, key=chance)

    def rows(self, aux: Aux, *, key: Key) -> Mapping[str, Rows]:
        """The terms as sums of squares, for Gauss-Newton."""
        raise NotImplementedError(f"{type(self).__name__} is no sum of squares.")
