"""Oil with unknown constants as a problem for networks: what constants believed before leave over.

The solution with the believed constants between the expected ends is taken out. What is left is
small and as slow as the day, which a small network learns in seconds; the whole oil follows every
cloud.
"""

from collections.abc import Mapping
from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
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
AWAY = 1.3
"""Factor of the conductivity of the known part on that of the tank [1]. With none, and a tank that
is right, the rest would be zero: a network that learns a zero has no functions left to doubt it
with, and constants come out seven times too sure."""
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
    r"""$\rho c_p w_t = k w_{xx} - h (w - w_a) + (k - k_0) \kappa_{xx} - (h - h_0)(\kappa - T_a) +
    q\,(V_0/V - 1)$ for the rest $w$ of the oil beside its known part $\kappa$.

    The known part obeys the equation with $k_0$, $h_0$ and $V_0$. Height is in metres, time in
    hours; the unknown constants have the names of the fields of `Tank`.
    """

    tank: Tank = eqx.field(static=True)
    """The tank of the known part."""
    priors: dict[str, LogNormal]
    """What is known of every unknown constant."""
    curvature: Table
    """Second derivative of the known part over the height [K/m²]."""
    excess: Table
    """Known part less the air [K]."""
    losses: Table
    """Losses by volume [W/m³], the same at all heights."""
    sensors: dict[str, Observations]
    """Readings [K] without the known part, by the height of their sensor."""
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
            # What other constants than those of the known part would do to it.
            heating += (k - tank.conductivity) * self.curvature(xt)
            heating -= (h - tank.heat_transfer) * self.excess(xt)
            heating += (tank.volume / volume - 1) * self.losses(xt)
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


def oil_rest(
    record: TankRecord, tank: Tank, prior: Mapping[str, float], *, since: float = 0.0
) -> OilRest:
    """The rest of a record's oil beside the solution for a tank of another conductivity.

    Args:
        record: The record.
        tank: A tank near the likeliest, which leaves a small rest.
        prior: Standard deviation of the logarithm of every unknown constant.
        since: Instant from which on the rest is sought [h].
    """
    tank = replace(tank, conductivity=AWAY * tank.conductivity)
    height, hours = tank.height, float(record.seconds[-1]) / SECONDS_PER_HOUR
    mesh = LineElements.uniform(height, ELEMENTS, 2)
    known = record.oil(tank, mesh.nodes / height)
    air = known[0] if record.air is None else record.air
    held = np.asarray(tank.source(interval_load(record.load, record.hold)))
    profile = CubicSpline(mesh.nodes, _smoothed(record.seconds, known))
    heights, ends = np.linspace(0.0, height, HEIGHTS), (height, hours)
    losses = np.tile(_smoothed(record.seconds, np.append(held, held[-1])[None]), (2, 1))
    return OilRest(
        tank,
        {name: LogNormal(float(getattr(record.tank, name)), std) for name, std in prior.items()},
        Table(profile(heights, 2), ends),
        Table(profile(heights) - _smoothed(record.seconds, air[None]), ends),
        Table(losses, ends),
        _sensors(record, tank, since),
        GridFunction(mesh, record.seconds / SECONDS_PER_HOUR, known.T),
        hours,
        record.air is None,
        since,
    )


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


def _sensors(record: TankRecord, tank: Tank, since: float) -> dict[str, Observations]:
    """Hourly means of all sensors less the known part."""
    cells = Cells.of(record.sensors, record.seconds, CELL_H * SECONDS_PER_HOUR)
    known = record.oil(tank, cells.heights).ravel()
    off, std = cells.mean - cells.averages @ known, record.std(cells, tank)
    sensors = {}
    for number, height in enumerate(cells.heights.tolist()):
        own = (cells.sensor == number) & (cells.seconds >= since * SECONDS_PER_HOUR)
        at = height * tank.height
        sensors[f"x={height:g}"] = _read(at, cells.seconds[own], off[own], std[own])
    return sensors


def _read(height: float, seconds: np.ndarray, off: np.ndarray, std: np.ndarray) -> Observations:
    points = np.stack([np.full_like(seconds, height), seconds / SECONDS_PER_HOUR], axis=1)
    return Observations(points, off, std)
