"""The transformer's oil: a heat equation between two measured ends."""

from collections.abc import Mapping

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.physics.sampling import Hold
from agewise.physics.signal import HeldSignal
from agewise.physics.tank import Tank
from agewise.problems.base import AbstractProblem, Box, Observations, Region
from agewise.problems.operators import partial, second_partial
from agewise.types import T, X
from agewise.units import SECONDS_PER_HOUR

DISCREPANCY = 0.03
"""K/h by which the equation itself may be wrong, unless a user declares another."""

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
    sensors: Mapping[str, Observations]
    discrepancy: float
    """Declared standard deviation of the interior residual, scaled."""
    line_start: bool = eqx.field(static=True)
    """Whether the first profile is taken to be the straight line between its ends."""

    def residuals(self):
        """The equation inside; at the first instant, the straight line unless it was measured."""

        def interior(u, xt):
            storage = self.relaxation * partial(u, T)(xt)
            conduction = self.conduction * second_partial(u, X)(xt)
            excess = u(xt) - u(xt.at[X].set(0.0))
            return storage - conduction + excess - self.rise(xt[T])

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

    def observations(self):
        """The sensors by their height: `x=0`, `x=1`, and any between."""
        return self.sensors


def transformer_heat(
    tank: Tank,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    sensors: Mapping[float, Float[np.ndarray, " time"]],
    *,
    hold: Hold = "backward",
    discrepancy: float = DISCREPANCY,
) -> TransformerHeat:
    """The problem of a tank and its measurements [°C], sensors by height as a fraction (0 to 1).

    `discrepancy` is in K/h. The residual is in kelvin of rise, so it is multiplied by the time
    constant.
    """
    pooled = np.concatenate(list(sensors.values()))
    units = Scales(tank.height, float(seconds[-1]), float(pooled.mean()), float(pooled.std()))
    rise = tank.source(load) / tank.heat_transfer / units.spread
    times = jnp.asarray(seconds / units.window)
    observed = {
        f"x={height:g}": Observations(
            units.point(height * tank.height, seconds), jnp.asarray(units.scaled(values))
        )
        for height, values in sensors.items()
    }
    return TransformerHeat(
        relaxation=tank.time_constant / units.window,
        conduction=(tank.diffusion_length / tank.height) ** 2,
        rise=HeldSignal(times, jnp.asarray(rise), hold),
        units=units,
        sensors=observed,
        discrepancy=discrepancy * tank.time_constant / SECONDS_PER_HOUR / units.spread,
        line_start=all(height in (0.0, 1.0) for height in sensors),
    )
