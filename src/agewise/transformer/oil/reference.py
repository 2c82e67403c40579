"""The reference solution of the oil's heat equation: finite elements in height, SDIRK2 in time."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.between_samples import Hold, interval_load, sample_positions, subdivided
from agewise.transformer.oil.elements import Degree, LineElements
from agewise.transformer.oil.heat_equation import Conductivity, HeatEquation
from agewise.transformer.oil.tank import Tank

LONGEST_STEP = 60.0
"""s; samples further apart are bridged by shorter steps."""

REFERENCE_TEMPERATURE = 30.0
"""°C at which a growing conductivity has the tank's value."""


@dataclass(frozen=True)
class Departure:
    """Physics that the tank's equation does not know: oil rises, and conducts better when hot."""

    velocity: float = 0.0
    """m/s, upwards"""
    growth: float = 0.0
    """1/K, relative growth of the conductivity with temperature"""

    def conductivity(self, base: float) -> Conductivity:
        """W/mK: `base` itself, or growing exponentially from it, so that it stays positive."""
        if self.growth == 0:
            return base
        return lambda celsius: base * np.exp(self.growth * (celsius - REFERENCE_TEMPERATURE))


NO_DEPARTURE = Departure()


@dataclass(frozen=True)
class OilTemperature:
    """Oil temperature [°C] over time [s] and height [m]."""

    seconds: Float[np.ndarray, " time"]
    heights: Float[np.ndarray, " height"]
    temperature: Float[np.ndarray, "*draw time height"]


def oil_temperature(
    tank: Tank,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, "*draw time"],
    bottom: Float[np.ndarray, "*draw time"],
    top: Float[np.ndarray, "*draw time"],
    *,
    heights: Float[np.ndarray, " height"],
    start: Float[np.ndarray, "*draw node"] | None = None,
    elements: int = 100,
    degree: Degree = 1,
    hold: Hold = "backward",
    departure: Departure = NO_DEPARTURE,
    longest_step: float = LONGEST_STEP,
) -> OilTemperature:
    """Solve the tank between measured ends, which are linear between samples; the load is held.

    The ambient that cools the tank is the bottom's temperature. Without `start` the oil begins on
    the straight line between its ends.
    """
    mesh = LineElements.uniform(tank.height, elements, degree)
    equation = HeatEquation(
        mesh,
        tank.heat_capacity,
        departure.conductivity(tank.conductivity),
        tank.heat_transfer,
        departure.velocity,
    )
    if start is None:
        share = mesh.nodes / tank.height
        start = (1 - share) * bottom[..., :1] + share * top[..., :1]
    fine = subdivided(seconds, longest_step)
    at_samples = sample_positions(seconds, longest_step)
    fine_bottom, fine_top = _refined(fine, seconds, bottom), _refined(fine, seconds, top)
    losses = np.repeat(tank.source(interval_load(load, hold)), np.diff(at_samples), axis=-1)
    cooling = tank.heat_transfer * (fine_bottom[..., :-1] + fine_bottom[..., 1:]) / 2
    solution = equation.solution(
        fine,
        fine_bottom,
        fine_top,
        (losses + cooling)[..., None],
        start,
        mesh.interpolation(heights),
    )
    return OilTemperature(seconds, heights, solution[..., at_samples, :])


def _refined(fine: np.ndarray, seconds: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.apply_along_axis(lambda row: np.interp(fine, seconds, row), -1, values)
