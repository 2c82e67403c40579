"""What load and air alone make of the oil: the part that is taken out of the unknown."""

import numpy as np
from jaxtyping import Float

from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.reference import oil_temperature
from agewise.transformer.oil.tank import Tank

LIFT_ELEMENTS = 30
"""Number of quadratic elements of the part that is taken out; the rest needs fewer."""


def driven_part(
    tank: Tank,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    ends: tuple[Float[np.ndarray, " time"], Float[np.ndarray, " time"]],
    air: Float[np.ndarray, " time"] | None,
    hold: Hold,
) -> GridFunction:
    """The solution [°C] between the given ends, bottom and top, on the unit square."""
    # The unit height, since points of the problem are scaled.
    mesh = LineElements.uniform(1.0, LIFT_ELEMENTS, 2)
    solved = oil_temperature(
        tank,
        seconds,
        load,
        *ends,
        air=air,
        heights=mesh.nodes * tank.height,
        elements=LIFT_ELEMENTS,
        degree=2,
        hold=hold,
    )
    return GridFunction(mesh, seconds / seconds[-1], solved.temperature)
