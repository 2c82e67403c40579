"""The reference solution of the oil's heat equation: finite elements in height, SDIRK2 in time."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.between_samples import Hold, interval_load, sample_positions, subdivided
from agewise.transformer.oil.elements import Degree, LineElements
from agewise.transformer.oil.heat_equation import Conductivity, HeatEquation
from agewise.transformer.oil.tank import Tank

LONGEST_STEP = 60.0
"""Longest step in time [s]; samples further apart are bridged by several steps."""

REFERENCE_TEMPERATURE = 30.0
"""Temperature at which a conductivity that grows with it has the tank's value [°C]."""


@dataclass(frozen=True)
class Departure:
    """Physics that the tank's equation leaves out: oil rises, and conducts better when hot."""

    velocity: float = 0.0
    """Velocity of the oil, upwards [m/s]."""
    growth: float = 0.0
    """Relative growth of the conductivity with temperature [1/K]."""

    def conductivity(self, base: float) -> Conductivity:
        """Conductivity that grows with temperature [W/mK]; exponentially, so that it stays
        positive."""
        # A plain number, since steps under a constant conductivity are prepared once and reused.
        if self.growth == 0:
            return base
        return lambda celsius: base * np.exp(self.growth * (celsius - REFERENCE_TEMPERATURE))


NO_DEPARTURE = Departure()


@dataclass(frozen=True)
class OilTemperature:
    """Oil temperature over time and height."""

    seconds: Float[np.ndarray, " time"]
    """Instants, as they were given [s]."""
    heights: Float[np.ndarray, " height"]
    """Heights above the bottom [m]."""
    temperature: Float[np.ndarray, "*draw time height"]
    """Temperature of the oil [°C]."""


def oil_temperature(
    tank: Tank,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, "*draw time"],
    bottom: Float[np.ndarray, "*draw time"],
    top: Float[np.ndarray, "*draw time"],
    *,
    heights: Float[np.ndarray, " height"],
    air: Float[np.ndarray, "*draw time"] | None = None,
    start: Float[np.ndarray, "*draw node"] | None = None,
    elements: int = 100,
    degree: Degree = 1,
    hold: Hold = "backward",
    departure: Departure = NO_DEPARTURE,
    longest_step: float = LONGEST_STEP,
) -> OilTemperature:
    """Solve the tank's equation between measured ends.

    The ends are linear between samples, and so is the air that cools the tank.

    Args:
        tank: Parameters of the equation.
        seconds: Instants of the samples [s], increasing.
        load: Load at these instants [p.u.].
        bottom: Temperature of the lower end at these instants [°C].
        top: Temperature of the upper end at these instants [°C].
        heights: Heights at which the solution is given [m].
        air: Temperature of the air that cools the tank at these instants [°C]; that of the lower
            end if None.
        start: Temperature of the nodes at the first instant [°C]; the straight line between the
            ends if None.
        elements: Number of elements over the height.
        degree: Degree of their polynomials.
        hold: Interval that a sample of the load stands for.
        departure: Physics beyond the tank's equation.
        longest_step: Longest step in time [s].

    Returns:
        The temperature at every instant and height.
    """
    mesh = LineElements.uniform(tank.height, elements, degree)
    if start is None:
        share = mesh.nodes / tank.height
        # The first instant keeps its axis, over which the nodes broadcast.
        start = (1 - share) * bottom[..., :1] + share * top[..., :1]
    fine = subdivided(seconds, longest_step)
    at_samples = sample_positions(seconds, longest_step)
    fine_bottom, fine_top = _refined(fine, seconds, bottom), _refined(fine, seconds, top)
    fine_air = fine_bottom if air is None else _refined(fine, seconds, air)
    # Every part of an interval has the load of the whole interval: load jumps at samples alone.
    losses = np.repeat(tank.source(interval_load(load, hold)), np.diff(at_samples), axis=-1)
    solution = _equation(tank, mesh, departure).solution(
        fine,
        fine_bottom,
        fine_top,
        _step_sources(tank, losses, fine_air),
        start,
        mesh.interpolation(heights),
    )
    return OilTemperature(seconds, heights, solution[..., at_samples, :])


def _equation(tank: Tank, mesh: LineElements, departure: Departure) -> HeatEquation:
    """The tank's equation, with what departs from it."""
    return HeatEquation(
        mesh,
        tank.heat_capacity,
        departure.conductivity(tank.conductivity),
        tank.heat_transfer,
        departure.velocity,
    )


def _step_sources(tank: Tank, losses: np.ndarray, air: np.ndarray) -> np.ndarray:
    """The source of every step [W/m³], which is constant: the losses of its interval, and what the
    mean of the air over the step gives."""
    # In h (T - T_a) the air is a source; its mean over a step is of second order.
    cooling = tank.heat_transfer * (air[..., :-1] + air[..., 1:]) / 2
    return (losses + cooling)[..., None]


def _refined(fine: np.ndarray, seconds: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at `seconds`, linear between them, at the finer instants; along the last axis."""
    return np.apply_along_axis(lambda row: np.interp(fine, seconds, row), -1, values)
