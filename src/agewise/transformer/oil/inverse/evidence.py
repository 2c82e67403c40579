r"""How likely readings between the ends are, given constants of the equation, in closed form.

Given its constants the oil is linear in its ends and in its first profile, whose errors are
Gaussian, and so are the readings:
$y \sim N(u(\theta), R + B\Sigma_b B^T + T\Sigma_t T^T + S\Sigma_s S^T)$ with the
noise $R$ of the cells and the responses $B$, $T$ and $S$ to both ends and to the start. What the
ends' own sensors say does not depend on the constants.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve, solve_triangular

from agewise.threads import one_thread
from agewise.transformer.oil.heat import UNKNOWN_START_STD
from agewise.transformer.oil.inverse.record import TankRecord
from agewise.transformer.oil.inverse.response import START_MODES, Response, responses
from agewise.transformer.oil.tank import Tank

Departures = Float[np.ndarray, " constant"]
"""Logarithms of the constants over what is believed of them beforehand [1]."""
SLOPE_STEP = 1e-3
"""Step of the differences by which slopes are taken [1]."""


@dataclass(frozen=True, eq=False)
class TankEvidence:
    """The density of constants, given a record: evidence times prior."""

    record: TankRecord
    """The record."""
    prior: Mapping[str, float]
    """Standard deviation of the logarithm of every unknown constant by its field of `Tank`."""

    @cached_property
    def std(self) -> Float[np.ndarray, " cell"]:
        """Standard deviation of the mean of every cell [K]."""
        return self.record.std(self.record.cells, self.record.tank)

    @property
    def prior_std(self) -> Departures:
        """Standard deviations of the departures beforehand."""
        return np.array(list(self.prior.values()))

    def tank(self, departures: Departures) -> Tank:
        """The tank with other constants."""
        before = self.record.tank
        factors = zip(self.prior, np.exp(departures).tolist(), strict=True)
        return replace(before, **{name: factor * getattr(before, name) for name, factor in factors})

    def errors(self, departures: Departures) -> Float[np.ndarray, " cell"]:
        """Mean readings of the cells less the oil between the expected ends [K]."""
        cells, tank = self.record.cells, self.tank(departures)
        return cells.mean - cells.averages @ self.record.oil(tank, cells.heights).ravel()

    def slopes(self, departures: Departures) -> Float[np.ndarray, "cell constant"]:
        """Change of the errors for a change of each departure by one [K]."""
        here, steps = self.errors(departures), SLOPE_STEP * np.eye(len(self.prior))
        columns = [(self.errors(departures + step) - here) / SLOPE_STEP for step in steps]
        return np.stack(columns, axis=1)

    def factor(self, departures: Departures) -> Float[np.ndarray, "cell cell"]:
        """Lower factor of the covariance of the cells' errors [K]."""
        record, own = self.record, self.tank(departures)
        answers = responses(
            own, record.grid, record.cells.heights, bottom_is_air=record.air is None
        )
        bottom, top, start = map(self._at_cells, (answers.bottom, answers.top, answers.start))
        # Higher sines of a smooth profile are smaller.
        start = start * UNKNOWN_START_STD / np.arange(1, START_MODES + 1)
        with one_thread():
            covariance = bottom @ record.bottom_error @ bottom.T + top @ record.top_error @ top.T
            covariance += start @ start.T + np.diag(self.std**2)
            return np.linalg.cholesky(covariance)

    def log_density(self, departures: Departures) -> float:
        """Logarithm of evidence times prior, but for what no constant changes [nats]."""
        factor = self.factor(departures)
        off = solve_triangular(factor, self.errors(departures), lower=True)
        beforehand = departures / self.prior_std
        return -0.5 * float(off @ off + beforehand @ beforehand) - float(
            np.log(np.diag(factor)).sum()
        )

    def mean_square(self, departures: Departures) -> float:
        """Mean squared error of the cells over its variance [1]; about 1 where the equation is
        right."""
        off = solve_triangular(self.factor(departures), self.errors(departures), lower=True)
        return float(off @ off) / off.size

    def gauss_newton(self, departures: Departures) -> tuple[Departures, np.ndarray]:
        """The step to the likeliest constants of errors that are linear in them, and its
        precision."""
        factor, slopes = self.factor(departures), self.slopes(departures)
        weighed = cho_solve((factor, True), slopes)
        precision = slopes.T @ weighed + np.diag(self.prior_std**-2)
        gradient = weighed.T @ self.errors(departures) + departures / self.prior_std**2
        return -np.linalg.solve(precision, gradient), precision

    def _at_cells(self, response: Response) -> Float[np.ndarray, "cell _"]:
        """A response at the sensor and the mean instant of every cell, straight between instants
        of the grid."""
        cells, grid = self.record.cells, self.record.grid
        place = cells.seconds / grid[1]
        before = np.minimum(place.astype(int), grid.size - 2)
        share = (place - before)[:, None]
        early, late = (response[cells.sensor, instant] for instant in (before, before + 1))
        return (1 - share) * early + share * late
