"""What moves parameters, a few steps at a time."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from jaxtyping import Float

from agewise.engine.training.objective import AbstractObjective, Aux, Params
from agewise.types import Key

History = dict[str, Float[np.ndarray, " step"]]
"""Every term of the objective at every step, by name."""


class AbstractOptimiser(ABC):
    """Moves parameters a few steps at a time; the key of a step depends on its number alone."""

    dtype: type
    """Precision in which parameters and everything else are held."""

    @abstractmethod
    def __init__(self, objective: AbstractObjective, steps: int, rate: float):
        """Prepare for an objective, the number of steps of the stage, and its rate."""

    @abstractmethod
    def start(self, params: Params) -> Any:
        """The optimiser's own state, a pytree of arrays."""

    @abstractmethod
    def advance(
        self, params: Params, state: Any, aux: Aux, first: int, count: int, *, key: Key
    ) -> tuple[Params, Any, History]:
        """Parameters and state after `count` steps from number `first`, and every term."""
