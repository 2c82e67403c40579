"""The transformer's oil: a heat equation between two measured ends."""

from collections.abc import Mapping
from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.problems.base import AbstractProblem, Box, Observations, Region
from agewise.engine.problems.operators import partial, second_partial
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.oil.elements import LineElements
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.guesses import Guesses
from agewise.transformer.oil.reference import oil_temperature
from agewise.transformer.oil.signal import HeldSignal
from agewise.transformer.oil.tank import Tank
from agewise.types import T, X
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

DISCREPANCY = 0.005
"""K/h by which the equation itself may be wrong, unless a user declares another. Between measured
ends the noise leaves 0.03 K of doubt; a discrepancy of 0.03 K/h would already double it."""

LIFT_ELEMENTS = 30
"""Quadratic elements of the part that is taken out: finer than the rest needs."""

INITIAL_STD = 0.1
"""K by which the first profile may leave the straight line between its ends."""


class Scales(eqx.Module):
    """Between plant units and the unit square: m, s and °C on one side, order one on the other."""

    height: float
    """m"""
    window: float
    """s"""
    mean: float
    """°C"""
    spread: float
    """K"""

    def point(self, heights, seconds) -> Float[Array, "*points dim"]:
        """Points (x, t) of the unit square."""
        scaled = jnp.broadcast_arrays(
            jnp.asarray(heights) / self.height, jnp.asarray(seconds) / self.window
        )
        return jnp.stack(scaled, axis=-1)

    def scaled(self, temperature):
        """°C to order one."""
        return (temperature - self.mean) / self.spread

    def celsius(self, u):
        """Order one to °C."""
        return self.mean + self.spread * u


class TransformerHeat(AbstractProblem):
    r"""Oil between ambient air below and top oil above, in kelvin of oil rise.

    $\tau u_t - \ell^2 u_{xx} + u - u(0,t) = \Delta(t)$ with $\tau = \rho c_p/h$, $\ell^2 = k/h$ and
    $\Delta = (P_0 + \mu K^2)/(Vh)$, the rise that the losses of the moment would hold. The ambient
    is the function's own bottom, so that the noise of its sensor does not pass for physics.
    """

    relaxation: float
    """Time constant of the oil over the window."""
    conduction: float
    """Squared diffusion length over squared height."""
    rise: HeldSignal
    """Scaled steady rise over scaled time."""
    units: Scales
    """Between °C and the values that posteriors give, lift included."""
    sensors: Mapping[str, Observations]
    discrepancy: float
    """Declared standard deviation of the interior residual, scaled."""
    line_start: bool = eqx.field(static=True)
    """Whether the first profile is taken to be the straight line between its ends."""
    known: GridFunction | None
    """K: what the load alone would do, when that is taken out of the unknown."""
    looseness: HeldSignal | None = None
    """By how much the declared discrepancy is too small where the load itself is in doubt."""

    def residuals(self):
        """The equation inside; at the first instant, the straight line unless it was measured."""

        def interior(u, xt):
            storage = self.relaxation * partial(u, T)(xt)
            conduction = self.conduction * second_partial(u, X)(xt)
            excess = u(xt) - u(xt.at[X].set(0.0))
            residual = storage - conduction + excess - self.rise(xt[T])
            return residual if self.looseness is None else residual / self.looseness(xt[T])

        def initial(u, xt):
            bottom, top = u(xt.at[X].set(0.0)), u(xt.at[X].set(1.0))
            return u(xt) - ((1 - xt[X]) * bottom + xt[X] * top)

        return {"interior": interior} | ({"initial": initial} if self.line_start else {})

    def regions(self):
        """The whole window over the whole height, and its first instant."""
        inside = {"interior": Region((Box((0.0, 0.0), (1.0, 1.0)),))}
        start = {"initial": Region((Box((0.0, 0.0), (1.0, 0.0)),))}
        return inside | (start if self.line_start else {})

    def scales(self):
        """The declared discrepancy of the equation, and that of the first profile."""
        start = {"initial": INITIAL_STD / self.units.spread} if self.line_start else {}
        return {"interior": self.discrepancy} | start

    def pseudo_observations(self):
        """One observation for each hour over the whole height; one for the first profile."""
        hours = self.units.window / SECONDS_PER_HOUR
        return {"interior": hours} | ({"initial": 1.0} if self.line_start else {})

    def observations(self):
        """The sensors by their height: `x=0`, `x=1`, and any between."""
        return self.sensors

    def lift(self, points):
        """What the load alone does, scaled; zero unless it was taken out."""
        if self.known is None:
            return np.zeros(len(points))
        return self.known(points) / self.units.spread

    def without_lift(self):
        """The same without the known part, of which the residuals know nothing."""
        return replace(self, known=None)

    def period(self):
        """The day."""
        return SECONDS_PER_DAY / self.units.window


def transformer_heat(
    tank: Tank,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    sensors: Mapping[float, Float[np.ndarray, " time"]],
    *,
    hold: Hold = "backward",
    discrepancy: float = DISCREPANCY,
    driven_top: Float[np.ndarray, " time"] | None = None,
    line_start: bool = True,
    source_doubt: Float[np.ndarray, " time"] | None = None,
    guesses: Mapping[float, Guesses] | None = None,
) -> TransformerHeat:
    """The problem of a tank and its measurements [°C], sensors by height as a fraction (0 to 1).

    `discrepancy` is in K/h; the residual is in kelvin of rise, so it is multiplied by the time
    constant. `driven_top` [K] is what a model says the load does to the top oil. With it, the
    solution that this end and the losses alone would make is taken out: the equation is linear, so
    the rest obeys it without a source, and is smooth where a passing cloud is not. Unless sensors
    inside say better, `line_start` takes the first profile to be straight. `source_doubt` is by how
    much the mean rise of an hour may be wrong because the load is [K], sample by sample. `guesses`
    stand in by height where a sensor was silent.
    """
    if any(not 0 <= height <= 1 for height in sensors):
        raise ValueError(f"Sensor heights {list(sensors)} are not fractions between 0 and 1.")
    seconds = seconds - seconds[0]
    known = None if driven_top is None else _driven(tank, seconds, load, driven_top, hold)
    rest = {
        height: values - (0.0 if known is None else known(_points(height, known.times)))
        for height, values in sensors.items()
    }
    pooled = np.concatenate([values[np.isfinite(values)] for values in rest.values()])
    spread = float(pooled.std()) or 1.0
    units = Scales(tank.height, float(seconds[-1]), float(pooled.mean()), spread)
    if hold == "linear":  # intervals of their own means, and of the doubt of either end
        load, hold = np.append(load[:1], interval_load(load, hold)), "backward"
        if source_doubt is not None:
            either = np.maximum(source_doubt[1:], source_doubt[:-1])
            source_doubt = np.append(source_doubt[:1], either)
    rise = np.asarray(tank.source(load)) / tank.heat_transfer / units.spread
    times = jnp.asarray(seconds / units.window)
    declared = discrepancy * tank.time_constant / SECONDS_PER_HOUR
    observed = {
        f"x={height:g}": _observed(units, height, seconds, values)
        for height, values in rest.items()
    }
    for height, guess in (guesses or {}).items():
        observed[f"x={height:g}, guessed"] = _guessed(units, known, height, guess)
    return TransformerHeat(
        relaxation=tank.time_constant / units.window,
        conduction=(tank.diffusion_length / tank.height) ** 2,
        rise=HeldSignal(times, jnp.asarray(rise if known is None else 0.0 * rise), hold),
        units=units,
        sensors=observed,
        discrepancy=declared / units.spread,
        line_start=line_start and all(height in (0.0, 1.0) for height in sensors),
        known=known,
        looseness=None
        if source_doubt is None
        else HeldSignal(times, jnp.asarray(np.hypot(1.0, source_doubt / declared)), hold),
    )


def _driven(
    tank: Tank, seconds: np.ndarray, load: np.ndarray, driven_top: np.ndarray, hold: Hold
) -> GridFunction:
    """The solution over air of zero, under the given top, on the unit square."""
    mesh = LineElements.uniform(1.0, LIFT_ELEMENTS, 2)
    solved = oil_temperature(
        tank,
        seconds,
        load,
        np.zeros_like(driven_top),
        driven_top,
        heights=mesh.nodes * tank.height,
        elements=LIFT_ELEMENTS,
        degree=2,
        hold=hold,
    )
    return GridFunction(mesh, seconds / seconds[-1], solved.temperature)


def _observed(
    units: Scales, height: float, seconds: np.ndarray, values: np.ndarray
) -> Observations:
    """The readings of one sensor; instants without a reading are no observations."""
    there = np.isfinite(values)
    points = units.point(height * units.height, seconds[there])
    return Observations(points, jnp.asarray(units.scaled(values[there])))


def _guessed(
    units: Scales, known: GridFunction | None, height: float, guess: Guesses
) -> Observations:
    """Guesses as readings of known noise, freed of the known part."""
    points = units.point(height * units.height, guess.seconds)
    rest = guess.values if known is None else guess.values - known(np.asarray(points, dtype=float))
    return Observations(points, units.scaled(rest), guess.std / units.spread)


def _points(height: float, times: np.ndarray) -> Float[np.ndarray, "point 2"]:
    return np.stack([np.full_like(times, height), times], axis=1)
