"""Oil with unknown constants as a problem for networks: what no constants explain.

The solution with the believed constants between the expected ends is taken out, and with it what
other constants change of it, to first order. What is left is errors of the ends and what the
equation gets wrong, which a small network learns in seconds; the whole oil follows every cloud.
"""

from collections.abc import Mapping
from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from agewise.engine.problems import LogNormal, Observations, T, X, partial, second_partial
from agewise.engine.problems.base import AbstractProblem, Box, Region
from agewise.transformer.between_samples import interval_load
from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.heat import DISCREPANCY
from agewise.transformer.oil.inverse.cells import Cells
from agewise.transformer.oil.inverse.record import TankRecord
from agewise.transformer.oil.inverse.response import ELEMENTS
from agewise.transformer.oil.tank import Tank
from agewise.types import Point, Scalar
from agewise.units import SECONDS_PER_HOUR

SMOOTHED_H = 0.5
"""Time over which what drives the rest is averaged [h]: the rest itself averages over hours."""
CELL_H = 0.5
"""Time whose readings are gathered into one [h]."""
SLOPE_STEP = 1e-3
"""Step of the differences by which changes are taken, relative to the constant [1]."""
HEIGHTS = 41
"""Heights at which what drives the rest is kept."""


class Table(eqx.Module):
    """Values on even heights and instants, straight between them."""

    values: Float[Array | np.ndarray, "height time"]
    """Values on the grid."""
    ends: tuple[float, float] = eqx.field(static=True)
    """Largest height [m] and instant [h]."""

    def __call__(self, point: Point) -> Scalar:
        """The value at one point."""
        values, sizes = jnp.asarray(self.values), self.values.shape
        places = [point[axis] / self.ends[axis] * (sizes[axis] - 1) for axis in (X, T)]
        (x, t) = (
            jnp.clip(jnp.floor(place).astype(int), 0, size - 2)
            for place, size in zip(places, sizes, strict=True)
        )
        right, later = places[X] - x, places[T] - t
        below = (1 - later) * values[x, t] + later * values[x, t + 1]
        above = (1 - later) * values[x + 1, t] + later * values[x + 1, t + 1]
        return (1 - right) * below + right * above


class OilRest(AbstractProblem):
    r"""$\rho c_p w_t = k w_{xx} - h (w - w_a) + (k - k_0) m_{xx} - (h - h_0) m +
    q\,(V_0/V + V/V_0 - 2)$ for the rest $w$ of the oil $\kappa + m + w$.

    The known part $\kappa$ obeys the equation with $k_0$, $h_0$ and $V_0$. What other constants
    $\theta$ change of it is, to first order,
    $m = \sum_i (\theta_i - \theta_{0i})\,\partial\kappa/\partial\theta_i$, so that only products of
    departures drive the rest. Were $m$ left to a network, all that it cannot follow would pull the
    constants back to those of the known part. Height is in metres, time in hours; the unknown
    constants have the names of the fields of `Tank`.
    """

    tank: Tank = eqx.field(static=True)
    """The tank of the known part."""
    priors: dict[str, LogNormal]
    """What is known of every unknown constant."""
    changes: dict[str, Table]
    """Change of the known part for a relative departure of every unknown constant by one [K]."""
    bends: dict[str, Table]
    """Second derivatives of these over the height [K/m²]."""
    losses: Table
    """Losses by volume [W/m³], the same at all heights."""
    sensors: dict[str, Observations]
    """Readings [K] without the known part, by the height of their sensor; inside, of $m + w$."""
    known: GridFunction
    """The known part [°C] over height [m] and time [h]."""
    hours: float = eqx.field(static=True)
    """Length of the record [h]."""
    bottom_is_air: bool = eqx.field(static=True)
    """Whether the lower end has the temperature of the air."""
    since: float = eqx.field(static=True)
    """Instant from which on the rest is sought [h]: before, the known part forgets the straight
    line that it begins with."""

    def residuals(self):
        """The heat equation of the rest, in kelvin an hour."""
        tank, per_hour = self.tank, SECONDS_PER_HOUR / self.tank.heat_capacity

        def interior(u, xt):
            k, h = self._constant(u, "conductivity"), self._constant(u, "heat_transfer")
            volume = self._constant(u, "volume")
            own = u(xt) - u(xt.at[X].set(0.0)) if self.bottom_is_air else u(xt)
            heating = k * second_partial(u, X)(xt) - h * own
            # What first order leaves over of other constants.
            heating += (k - tank.conductivity) * _summed(u, tank, self.bends, xt)
            heating -= (h - tank.heat_transfer) * _summed(u, tank, self.changes, xt)
            heating += (tank.volume / volume + volume / tank.volume - 2) * self.losses(xt)
            return partial(u, T)(xt) - per_hour * heating

        return {"interior": interior}

    def _constant(self, u, name: str):
        return getattr(u, name) if name in self.priors else getattr(self.tank, name)

    def coordinates(self):
        """Height in metres and time in hours."""
        return {"x": (0.0, self.tank.height), "t": (self.since, self.hours)}

    def regions(self):
        """The whole record over the whole height."""
        return {"interior": Region((Box((0.0, self.since), (self.tank.height, self.hours)),))}

    def scales(self):
        """The error of the equation that `assess` declares [K/h]."""
        return {"interior": DISCREPANCY}

    def pseudo_observations(self):
        """One observation for each hour, as in `assess`."""
        return {"interior": self.hours - self.since}

    def constants(self):
        """The unknown constants."""
        return self.priors

    def observations(self):
        """The sensors by their height."""
        return self.sensors

    def lift(self, points):
        """The known part [°C]."""
        return self.known(np.asarray(points, dtype=float))

    def moved(
        self,
        constants: Mapping[str, Float[np.ndarray, " draw"]],
        points: ArrayLike,
    ) -> Float[np.ndarray, "draw point"]:
        """What drawn constants change of the known part at points [K], for draws of the oil."""
        departures = [constants[name] / getattr(self.tank, name) - 1 for name in self.changes]
        at = jnp.asarray(points, dtype=float)
        columns = [np.asarray(jax.vmap(change)(at)) for change in self.changes.values()]
        return np.stack(departures, axis=1) @ np.stack(columns)


def _summed(u, tank: Tank, tables: Mapping[str, Table], xt: Point) -> Scalar:
    """Changes or their bends at one point, each times the relative departure of its constant."""
    departures = [getattr(u, name) / getattr(tank, name) - 1 for name in tables]
    parts = [own * table(xt) for own, table in zip(departures, tables.values(), strict=True)]
    return jnp.sum(jnp.stack(parts))


def oil_rest(
    record: TankRecord, tank: Tank, prior: Mapping[str, float], *, since: float = 0.0
) -> OilRest:
    """The rest of a record's oil beside the solution for a tank.

    Args:
        record: The record.
        tank: A tank near the likeliest, which leaves a small rest.
        prior: Standard deviation of the logarithm of every unknown constant.
        since: Instant from which on the rest is sought [h].
    """
    height, hours = tank.height, float(record.seconds[-1]) / SECONDS_PER_HOUR
    mesh = LineElements.uniform(height, ELEMENTS, 2)
    held = np.asarray(tank.source(interval_load(record.load, record.hold)))
    heights, ends = np.linspace(0.0, height, HEIGHTS), (height, hours)
    profiles = {
        name: CubicSpline(mesh.nodes, _smoothed(record.seconds, _change(record, tank, name, mesh)))
        for name in prior
    }
    losses = np.tile(_smoothed(record.seconds, np.append(held, held[-1])[None]), (2, 1))
    changes = {name: Table(profile(heights), ends) for name, profile in profiles.items()}
    return OilRest(
        tank,
        {name: LogNormal(float(getattr(record.tank, name)), std) for name, std in prior.items()},
        changes,
        {name: Table(profile(heights, 2), ends) for name, profile in profiles.items()},
        Table(losses, ends),
        _sensors(record, tank, changes, since),
        GridFunction(
            mesh, record.seconds / SECONDS_PER_HOUR, record.oil(tank, mesh.nodes / height).T
        ),
        hours,
        record.air is None,
        since,
    )


def _change(
    record: TankRecord, tank: Tank, name: str, mesh: LineElements
) -> Float[np.ndarray, "node time"]:
    """Change of the oil for a relative departure of a constant by one [K]."""
    less, more = (
        record.oil(replace(tank, **{name: factor * getattr(tank, name)}), mesh.nodes / tank.height)
        for factor in (1 - SLOPE_STEP, 1 + SLOPE_STEP)
    )
    return (more - less) / (2 * SLOPE_STEP)


def _smoothed(
    seconds: Float[np.ndarray, " time"], values: Float[np.ndarray, "row time"]
) -> Float[np.ndarray, "row instant"]:
    """Means about even instants, over half a step to either side of each."""
    instants = np.linspace(0.0, seconds[-1], _instants(seconds))
    half = float(instants[1]) / 2
    early, late = (np.clip(instants + off, 0.0, seconds[-1]) for off in (-half, half))
    # The integral up to every row, so that a mean may begin and end between rows.
    steps = np.diff(seconds) * (values[:, 1:] + values[:, :-1]) / 2
    totals = np.pad(np.cumsum(steps, axis=1), ((0, 0), (1, 0)))
    sums = [np.interp(late, seconds, row) - np.interp(early, seconds, row) for row in totals]
    return np.stack(sums) / (late - early)


def _instants(seconds: Float[np.ndarray, " time"]) -> int:
    return max(2, round(float(seconds[-1]) / SECONDS_PER_HOUR / SMOOTHED_H) + 1)


def _sensors(
    record: TankRecord, tank: Tank, changes: Mapping[str, Table], since: float
) -> dict[str, Observations]:
    """Half-hourly means of all sensors less the known part."""
    cells = Cells.of(record.sensors, record.seconds, CELL_H * SECONDS_PER_HOUR)
    known = record.oil(tank, cells.heights).ravel()
    off, std = cells.mean - cells.averages @ known, record.std(cells, tank)

    def with_change(u, xt):
        return u(xt) + _summed(u, tank, changes, xt)

    sensors = {}
    for number, x in enumerate(cells.heights.tolist()):
        own = (cells.sensor == number) & (cells.seconds >= since * SECONDS_PER_HOUR)
        seconds = cells.seconds[own]
        points = [np.full_like(seconds, x * tank.height), seconds / SECONDS_PER_HOUR]
        # No constant changes the ends.
        quantity = None if x in (0.0, 1.0) else with_change
        sensors[f"x={x:g}"] = Observations(np.stack(points, axis=1), off[own], std[own], quantity)
    return sensors
