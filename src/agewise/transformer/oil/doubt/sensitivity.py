r"""How the oil between its ends moves when a constant of the equation is another one.

The equation is linear in the temperature, so the difference that a small change of a constant makes
obeys the same equation with a source of its own, between ends that do not move. With
$q = u - T_a - \Delta$, what storage and conduction make up for:

- the rise grows by a share: source $\Delta$;
- the time constant grows by a share, and with it $\ell^2 = k\tau/\rho c_p$: source $q$;
- the conductivity grows by a share: source $\tau u_t + q$;
- the bottom is warmer by a share of the top's rise over the air: no source, another lower end;
- the air is warmer by a kelvin than its thermometer reads: source 1, and the bottom with it.
"""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.heat_equation import HeatEquation
from agewise.transformer.oil.solver import ELEMENTS, time_grid

RISE, LAG, CONDUCTIVITY, BOTTOM, AIR = "rise", "lag", "conductivity", "bottom", "air"
CONSTANTS = (RISE, LAG, CONDUCTIVITY, BOTTOM, AIR)
"""Constants whose doubt is carried: three as shares of themselves, the share of the bottom in the
top's rise, and the error of the air [K]."""


def sensitivities(
    problem: TransformerHeat,
    oil: Float[np.ndarray, "time node"],
    rise: Float[np.ndarray, " time"],
    air: Float[np.ndarray, " time"],
    bottom_share: float,
) -> Mapping[str, GridFunction]:
    """Change of the oil [K] for a change of each constant by one.

    Args:
        problem: The heat problem, whose equation and time grid are used.
        oil: Expected oil on the time grid and at the nodes of the elements [°C].
        rise: Steady rise by the losses at the instants of the time grid [K].
        air: Temperature of the air at these instants [°C].
        bottom_share: Rise of the bottom over the air as a share of the top's; 0 where the bottom
            is measured or is the air.
    """
    times = time_grid(problem)
    storage = problem.relaxation * np.gradient(oil, times, axis=0)
    made_up = oil - (air + rise)[:, None]
    still, level = np.zeros(times.size), np.ones(times.size)
    over_air = oil[:, -1] - air
    uniform = np.ones_like(oil)

    def moved(bottom: np.ndarray, source: np.ndarray) -> GridFunction:
        return _solved(problem, bottom, (source[1:] + source[:-1]) / 2)

    return {
        RISE: moved(still, rise[:, None] * uniform),
        LAG: moved(still, made_up),
        CONDUCTIVITY: moved(still, storage + made_up),
        BOTTOM: moved(over_air, 0.0 * uniform),
        AIR: moved((1 - bottom_share) * level, uniform),
    }


def _solved(
    problem: TransformerHeat,
    bottom: Float[np.ndarray, " time"],
    source: Float[np.ndarray, "step node"],
) -> GridFunction:
    """What a source and a moved bottom do to the oil, the top held, from a straight start."""
    mesh, times = LineElements.uniform(1.0, ELEMENTS, 2), time_grid(problem)
    equation = HeatEquation(mesh, problem.relaxation, problem.conduction, 1.0)
    start = (1 - mesh.nodes) * bottom[0]
    solved = equation.solution(times, bottom, np.zeros_like(bottom), source, start)
    return GridFunction(mesh, times, solved)
