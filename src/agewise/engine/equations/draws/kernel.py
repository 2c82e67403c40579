"""How a chain moves, and how its steps are set before it counts; the samplers are BlackJAX's."""

from abc import ABC, abstractmethod
from typing import Any

from agewise.engine.equations.draws.density import Density
from agewise.types import Key

FIRST_STEP = 0.1
"""Length of the first step, from which the warm-up goes on [1]."""


class AbstractKernel(ABC):
    """How a chain moves: a method of BlackJAX with its own settings."""

    @abstractmethod
    def warm_up(self, density: Density) -> Any:
        """BlackJAX's adaptation of step and scales to a density, as `stan_windows` makes it."""

    @abstractmethod
    def move(self, density: Density, key: Key, state: Any, step: Any, scales: Any) -> Any:
        """The state after one move, and what is told of it."""


def stan_windows(algorithm: Any, density: Density, **bounds: Any) -> Any:
    """Stan's windows, in which the length of a step and the scales are adapted.

    Args:
        algorithm: Method of BlackJAX, such as `blackjax.nuts`.
        density: What chains are drawn from.
        bounds: How long a path may be, as that method calls it.
    """
    # Imported here, since most fits draw no chain.
    import blackjax

    return blackjax.window_adaptation(
        algorithm,
        density,
        initial_step_size=FIRST_STEP,
        # Nothing is kept of the warm-up: its states would fill the memory and are thrown away.
        adaptation_info_fn=lambda state, info, adapted: None,
        **bounds,
    )
