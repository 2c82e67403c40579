"""What a record tells of a tank: smoothed ends with their doubt, and readings between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from agewise.engine.splines.ends import Ends, smooth_ends
from agewise.engine.splines.smoothing import SmoothSeries, on_axis
from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.heat import TransformerHeat
from agewise.transformer.oil.inverse.cells import Cells
from agewise.transformer.oil.inverse.response import ELEMENTS
from agewise.transformer.oil.reference import oil_temperature
from agewise.transformer.oil.tank import Tank

STEP_S = 600.0
"""Length of a step of the grid on which the ends' errors are followed [s]."""
MOST_STEPS = 2100
"""Steps of that grid at the most, two weeks of them: its matrices grow with the square."""
CELL_S = 1800.0
"""Time whose readings inside are gathered into one [s]."""

Series = Float[np.ndarray, " time"]
"""A number for each row."""
Covariance = Float[np.ndarray, "instant instant"]
"""Covariance of an end's error between the instants of the grid [K²]."""


@dataclass(frozen=True, eq=False)
class TankRecord:
    """Rows of a record, its ends as they are expected, and cells of readings between them."""

    tank: Tank
    """The tank as it is believed beforehand."""
    seconds: Series
    """Instants of the rows from the first on [s]."""
    load: Series
    """Load that heats the oil [p.u.]."""
    hold: Hold
    """Interval that a sample of the load stands for."""
    sensors: Mapping[float, Series]
    """Readings [°C] of the ends and between them by height as a fraction, NaN where there is
    none."""
    air: Series | None
    """Air that cools the tank [°C]; None where the lower end is the air."""
    problem: TransformerHeat
    """The heat problem of both ends, without sensors between them."""
    bottom_doubt: Series | float = 0.0
    """By what an assumed lower end may be off at every row, always the same way [K]."""

    @cached_property
    def ends(self) -> Ends:
        """Both ends as smooth functions, and the noise of their sensors; scaled."""
        return smooth_ends(self.problem)

    @cached_property
    def bottom(self) -> Series:
        """Expected lower end [°C]."""
        return self._expected(self.ends.bottom, 0.0)

    @cached_property
    def top(self) -> Series:
        """Expected upper end [°C]."""
        return self._expected(self.ends.top, 1.0)

    @cached_property
    def grid(self) -> Float[np.ndarray, " instant"]:
        """Even instants on which errors of the ends are followed [s]."""
        steps = min(max(2, round(self.seconds[-1] / STEP_S)), MOST_STEPS)
        return np.linspace(0.0, float(self.seconds[-1]), steps + 1)

    @cached_property
    def bottom_error(self) -> Covariance:
        """Covariance of the error of the lower end."""
        doubt = np.broadcast_to(self.bottom_doubt, self.seconds.shape)
        lasting = np.interp(self.grid, self.seconds, doubt)
        return self._error(self.ends.bottom) + np.outer(lasting, lasting)

    @cached_property
    def top_error(self) -> Covariance:
        """Covariance of the error of the upper end."""
        return self._error(self.ends.top)

    @cached_property
    def cells(self) -> Cells:
        """Readings between the ends, gathered."""
        inside = {x: values for x, values in self.sensors.items() if x not in (0.0, 1.0)}
        # A cell is never shorter than a few steps of the grid.
        return Cells.of(inside, self.seconds, max(CELL_S, 3 * float(self.grid[1])))

    def oil(
        self, tank: Tank, heights: Float[np.ndarray, " height"]
    ) -> Float[np.ndarray, "height time"]:
        """Oil between the expected ends at heights that are fractions, at every row [°C]."""
        solved = oil_temperature(
            tank,
            self.seconds,
            self.load,
            self.bottom,
            self.top,
            heights=heights * tank.height,
            air=self.air,
            elements=ELEMENTS,
            degree=2,
            hold=self.hold,
        )
        return solved.temperature.T

    def std(self, cells: Cells, tank: Tank) -> Float[np.ndarray, " cell"]:
        """Standard deviation of the means of cells about a tank's oil [K]."""
        units = self.problem.units
        expected = self.oil(tank, cells.heights)
        points = [self._points(height) for height in cells.heights]
        scaled = [
            self.ends.noise.variance(own, np.asarray(units.scaled(row)))
            for own, row in zip(points, expected, strict=True)
        ]
        return cells.std(expected.ravel(), units.spread**2 * np.concatenate(scaled))

    def _points(self, x: float) -> Float[np.ndarray, "time 2"]:
        shares = self.seconds / self.seconds[-1]
        return np.stack([np.full_like(shares, x), shares], axis=1)

    def _expected(self, series: SmoothSeries, x: float) -> Series:
        points = self._points(x)
        scaled = series.values(points[:, 1]) + self.problem.lift(points)
        return np.asarray(self.problem.units.celsius(scaled))

    def _error(self, series: SmoothSeries) -> Covariance:
        # Precision P = L Lᵀ: the columns of L⁻ᵀ are a root of the coefficients' covariance.
        root = series.factor.solve_transposed(np.eye(series.basis.size))
        on_grid = series.basis.values(root, on_axis(self.grid / self.grid[-1]))
        return self.problem.units.spread**2 * (on_grid @ on_grid.T)
