"""Known problems, one a file; a new one is registered here."""

from collections.abc import Callable

import numpy as np

from agewise.engine.problems.base import AbstractProblem
from agewise.library.heat_rod import HeatRod
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.transformer.oil.tank import Tank


def _quiet_transformer() -> TransformerHeat:
    """A small tank through one mild day, for whoever needs an example of the problem."""
    # Losses, rise and time constant of the bundled twin `floating-pv`.
    tank = Tank.closed(
        no_load_losses=842.0, load_losses=9800.0, oil_time_constant=16008.0, top_oil_rise=45.0
    )
    seconds = np.linspace(0.0, 86400.0, 97)
    day = np.sin(2 * np.pi * seconds / 86400.0)
    return transformer_heat(
        tank, seconds, 0.5 - 0.4 * day, {0.0: 20.0 - 5.0 * day, 1.0: 35.0 - 9.0 * day}
    )


PROBLEMS: dict[str, Callable[[], AbstractProblem]] = {
    "heat-rod": HeatRod,
    "transformer-heat": _quiet_transformer,
}
"""Every problem by name, each ready to be made without arguments."""
