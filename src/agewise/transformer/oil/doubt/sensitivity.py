r"""How the oil between its ends moves when a constant of the equation is another one.

With shares $\rho$ of the rise and $\lambda$ of the time constant, $\kappa$ for the logarithm of the
conductivity, $\beta$ for the share of the bottom in the top's rise over the air, and $\alpha$ for
the error of the air,

$(1+\lambda)(\tau u_t - e^\kappa \ell^2 u_{xx}) + u - T_a - \alpha = (1+\rho)\Delta$

between a top that is read and a bottom that moves by $\beta (T_{top} - T_a)$ and with the air. It
is solved for any constants, and anew where a sensor inside says that they are others: twice the
conductivity moves the oil by far less than twice what a little more does.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.heat_equation import HeatEquation
from agewise.transformer.oil.solver import ELEMENTS, time_grid

RISE, LAG, CONDUCTIVITY, BOTTOM, AIR = "rise", "lag", "conductivity", "bottom", "air"
CONSTANTS = (RISE, LAG, CONDUCTIVITY, BOTTOM, AIR)
"""Constants whose doubt is carried: rise and lag as shares of themselves, the logarithm of the
conductivity, the share of the bottom in the top's rise, and the error of the air [K]."""
STEP = 0.01
"""Change of a constant by which its effect is measured; the air's is in kelvin."""

Constants = Float[np.ndarray, " constant"]
"""Departures of the constants, in the order of `CONSTANTS`."""


@dataclass(frozen=True, eq=False)
class EquationOil:
    """The oil between the ends of a window, whatever the constants of its equation."""

    problem: TransformerHeat
    """The heat problem, whose equation and time grid are used."""
    bottom: Float[np.ndarray, " time"]
    """Lower end at the instants of the time grid [°C]."""
    top: Float[np.ndarray, " time"]
    """Upper end at these instants [°C]."""
    rise: Float[np.ndarray, " step"]
    """Mean of the steady rise by the losses in every step of the grid [K]."""
    air: Float[np.ndarray, " time"]
    """Temperature of the air at the instants [°C]."""
    bottom_share: float
    """Rise of the bottom over the air as a share of the top's, 0 where the bottom is the air; 1
    where it is measured, since then no error of the air moves it."""

    def solved(self, constants: Constants) -> Float[np.ndarray, "time node"]:
        """The oil with departures of the constants [°C]."""
        rise, lag, conductivity, bottom, air = constants
        mesh, times = LineElements.uniform(1.0, ELEMENTS, 2), time_grid(self.problem)
        # The lag scales storage and conduction alike: both are divided by the heat transfer.
        slower = 1 + lag
        conduction = self.problem.conduction * slower * np.exp(conductivity)
        equation = HeatEquation(mesh, self.problem.relaxation * slower, conduction, 1.0)
        # An assumed bottom moves with the air by what it does not have from the top.
        lower = self.bottom + bottom * (self.top - self.air) + (1 - self.bottom_share) * air
        source = (self.air[1:] + self.air[:-1]) / 2 + air + (1 + rise) * self.rise
        start = (1 - mesh.nodes) * lower[0] + mesh.nodes * self.top[0]
        return equation.solution(times, lower, self.top, source[:, None], start)

    def sensitivity(self, at: Constants) -> GridFunction:
        """Change of the oil [K] for a change of each constant by one, near some constants."""
        here = self.solved(at)
        # One-sided differences: the oil is nearly linear in a hundredth of each constant.
        changes = [(self.solved(at + step) - here) / STEP for step in STEP * np.eye(at.size)]
        return self.function(np.stack(changes))

    def function(self, values: Float[np.ndarray, "*draw time node"]) -> GridFunction:
        """Values on the grid as a function of height and time."""
        return GridFunction(LineElements.uniform(1.0, ELEMENTS, 2), time_grid(self.problem), values)


def step_means(
    seconds: Float[np.ndarray, " sample"],
    held: Float[np.ndarray, " interval"],
    instants: Float[np.ndarray, " time"],
) -> Float[np.ndarray, " step"]:
    """Mean over each step between instants of what is held from one sample to the next.

    A passing cloud lasts minutes and a step ten: single samples would not do.
    """
    # The integral up to each sample, so that steps may begin and end between samples.
    total = np.append(0.0, np.cumsum(held * np.diff(seconds)))
    return np.diff(np.interp(instants, seconds, total)) / np.diff(instants)
