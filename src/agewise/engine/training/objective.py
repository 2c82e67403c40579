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
Renewal = Callable[[Params, Aux], Aux]
"""What was held fixed, in the light of what was learned."""


class Rows(NamedTuple):
    """Items and what each contributes: half of the square of `row(params, item)`."""

    row: Callable[[Params, Any], Scalar]
    items: Any


class AbstractObjective(eqx.Module):
    """A sum of named terms. Numbers that are not arrays become arrays when it is compiled."""

    @property
    def ridge(self) -> float:
        """Of the sums of squares: half of this times the squared parameters is added."""
        return 0.0

    @abstractmethod
    def terms(self, params: Params, aux: Aux, *, key: Key) -> dict[str, Scalar]:
        """The terms on a mini-batch: each an unbiased estimate of its full sum."""

    def rows(self, aux: Aux, *, key: Key) -> Mapping[str, Rows]:
        """The terms as sums of squares, for Gauss-Newton."""
        raise NotImplementedError(f"{type(self).__name__} is no sum of squares.")
