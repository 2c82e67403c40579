"""The transformer's oil: a heat equation between two measured ends."""

from collections.abc import Mapping
from dataclasses import replace

import equinox as eqx
import numpy as np
from jaxtyping import Float

from agewise.engine.problems.base import AbstractProblem, Box, Observations, Region
from agewise.engine.problems.operators import Diffusion, diffused
from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.driven import driven_part
from agewise.transformer.oil.fast_changes import FastChanges
from agewise.transformer.oil.grid import GridFunction
from agewise.transformer.oil.guesses import Guesses
from agewise.transformer.oil.observed import observations, without_known
from agewise.transformer.oil.scales import Scales, as_jax_has_it
from agewise.transformer.oil.signal import HeldLoad, HeldSignal, interval_means
from agewise.transformer.oil.tank import Tank
from agewise.types import T, X
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

DISCREPANCY = 0.005
"""Standard deviation by which the equation itself may be wrong, unless a user declares another
[K/h]. Between measured ends the noise leaves 0.03 K of doubt; a discrepancy of 0.03 K/h would
already double it."""

INITIAL_STD = 0.1
"""Standard deviation of the first profile from the straight line between its ends [K]."""
UNKNOWN_START_STD = 10.0
"""The same where a stretch continues a record [K]: oil between the ends of a loaded unit lies about
so far from the line. Where another stretch leads up to this one it is long forgotten when the
answer counts; behind a silence nothing else keeps the first hours from any temperature at all."""


class TransformerHeat(AbstractProblem):
    r"""Oil between two measured ends, in kelvin of oil rise.

    $\tau u_t - \ell^2 u_{xx} + u - T_a = \Delta(t)$ with $\tau = \rho c_p/h$, $\ell^2 = k/h$ and
    $\Delta = (P_0 + \mu K^2)/(Vh)$, the rise that the losses of the moment would hold. Where the
    bottom is said to have the air's temperature, $T_a$ is the function's own bottom, so that the
    noise of its sensor does not pass for physics; else the air is part of the source.
    """

    relaxation: float
    """Time constant of the oil, tau, as a share of the window [1]."""
    conduction: float
    """Squared diffusion length over squared height [1]."""
    rise: HeldSignal
    """Scaled steady rise by the losses over scaled time [1]; with the air, unless the bottom is
    the air."""
    units: Scales
    """Scales between °C and the values that posteriors give, lift included."""
    sensors: Mapping[str, Observations]
    """Scaled readings by the height of their sensor, such as `x=0`, without the lift."""
    discrepancy: float
    """Declared standard deviation of the interior residual, scaled [1]."""
    initial_std: float | None
    """Standard deviation of the first profile from the straight line between its ends, scaled [1];
    None where sensors inside tell how it began."""
    known: GridFunction | None
    """What the load alone would do [K], and fast changes of the ends, where these are taken out of
    the unknown; else None."""
    looseness: HeldSignal | None = None
    """Factor on the declared discrepancy where the load itself is in doubt [1]; else None."""
    fast: FastChanges | None = None
    """What changes fast at the ends, where that is part of what is known; else None."""
    bottom_is_air: bool = eqx.field(static=True, default=True)
    """Whether the lower end has the temperature of the air, which cools all of the oil."""

    def residuals(self):
        """The equation inside; at the first instant, the straight line unless it was measured."""

        def interior(u, xt):
            # What is stored, less what is conducted.
            kept = diffused(u, self.diffusion())(xt)
            # The function's own bottom is the air, at the same instant as the point.
            excess = u(xt) - u(xt.at[X].set(0.0)) if self.bottom_is_air else u(xt)
            residual = kept + excess - self.rise(xt[T])
            # Divided where the load is in doubt, so that one declared scale holds everywhere.
            return residual if self.looseness is None else residual / self.looseness(xt[T])

        def initial(u, xt):
            bottom, top = u(xt.at[X].set(0.0)), u(xt.at[X].set(1.0))
            return u(xt) - ((1 - xt[X]) * bottom + xt[X] * top)

        return {"interior": interior} | ({} if self.initial_std is None else {"initial": initial})

    def diffusion(self):
        """Storage and conduction, the only derivatives of the equation."""
        return Diffusion(self.relaxation, self.conduction)

    def regions(self):
        """The whole window over the whole height, and its first instant."""
        inside = {"interior": Region((Box((0.0, 0.0), (1.0, 1.0)),))}
        start = {"initial": Region((Box((0.0, 0.0), (1.0, 0.0)),))}
        return inside | ({} if self.initial_std is None else start)

    def scales(self):
        """The declared discrepancy of the equation, and that of the first profile."""
        start = {} if self.initial_std is None else {"initial": self.initial_std}
        return {"interior": self.discrepancy} | start

    def pseudo_observations(self):
        """One observation for each hour over the whole height; one for the first profile."""
        hours = self.units.window / SECONDS_PER_HOUR
        return {"interior": hours} | ({} if self.initial_std is None else {"initial": 1.0})

    def observations(self):
        """The sensors by their height: `x=0`, `x=1`, and any between."""
        return self.sensors

    def lift(self, points):
        """What was taken out of the unknown, scaled; zero where nothing was."""
        if self.known is None:
            return np.zeros(len(points))
        return self.known(points) / self.units.spread

    def lift_variance(self, points):
        """The variance of fast changes, scaled; what the load alone does is taken as sure."""
        if self.fast is None or self.fast.variance is None:
            return np.zeros(len(points))
        return self.fast.variance(points)

    def without_lift(self):
        """The same problem without the known part, which the residuals do not use."""
        return replace(self, known=None, fast=None)

    def period(self):
        """A day, as a share of the window."""
        return SECONDS_PER_DAY / self.units.window


def transformer_heat(
    tank: Tank,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    sensors: Mapping[float, Float[np.ndarray, " time"]],
    *,
    hold: Hold = "backward",
    discrepancy: float = DISCREPANCY,
    driven: tuple[Float[np.ndarray, " time"], Float[np.ndarray, " time"]] | None = None,
    continued: bool = False,
    source_doubt: Float[np.ndarray, " time"] | None = None,
    guesses: Mapping[float, Guesses] | None = None,
    air: Float[np.ndarray, " time"] | None = None,
) -> TransformerHeat:
    """The heat problem of a tank and its measurements.

    Args:
        tank: Parameters of the equation.
        seconds: Instants of the samples [s], increasing.
        load: Load at these instants [p.u.].
        sensors: Temperatures [°C], NaN where there is none, by height as a fraction (0 to 1).
        hold: Interval that a sample of the load stands for.
        discrepancy: Standard deviation by which the equation itself may be wrong [K/h].
        driven: What a model says load and air make of bottom and top [°C], over air of zero where
            the bottom is the air. With it, the solution between these ends is taken out: the
            equation is linear, so the rest obeys it without a source, and is smooth where a passing
            cloud or the noise of a thermometer is not.
        continued: Whether the stretch continues a record, so that little is known of its first
            profile; else it is taken to be straight, unless sensors inside tell.
        source_doubt: Error of an hour's mean rise due to the load [K], sample by sample.
        guesses: What stands in where a sensor was silent, by height.
        air: Temperature of the air [°C], without holes; None where the bottom is the air.
    """
    if any(not 0 <= height <= 1 for height in sensors):
        raise ValueError(f"Sensor heights {list(sensors)} are not fractions between 0 and 1.")
    seconds = seconds - seconds[0]
    known = None if driven is None else driven_part(tank, seconds, load, driven, air, hold)
    # Scales are those of the rest: the network learns that and not the readings.
    rest = without_known(sensors, known)
    units = _scales(tank, seconds, rest)
    held = HeldLoad.of(load, source_doubt, hold)
    rise = _steady_rise(tank, units, held, air, taken_out=known is not None)
    times = as_jax_has_it(seconds / units.window)
    # The residual is in kelvin of steady rise: a rate of temperature times the time constant.
    declared = discrepancy * tank.time_constant / SECONDS_PER_HOUR
    return TransformerHeat(
        relaxation=tank.time_constant / units.window,
        conduction=(tank.diffusion_length / tank.height) ** 2,
        rise=HeldSignal(times, as_jax_has_it(rise), held.hold),
        units=units,
        sensors=observations(units, seconds, rest, guesses or {}, known),
        discrepancy=declared / units.spread,
        initial_std=_initial_std(sensors, units, continued=continued),
        known=known,
        looseness=held.looseness(times, declared),
        bottom_is_air=air is None,
    )


def _initial_std(
    sensors: Mapping[float, np.ndarray], units: Scales, *, continued: bool
) -> float | None:
    if continued:
        return UNKNOWN_START_STD / units.spread
    # A sensor inside says better than a line how the oil began.
    inside = any(height not in (0.0, 1.0) for height in sensors)
    return None if inside else INITIAL_STD / units.spread


def _scales(tank: Tank, seconds: np.ndarray, rest: Mapping[float, np.ndarray]) -> Scales:
    """Height and window become 1; mean and spread of all that is unknown of the readings, 0 and
    1."""
    pooled = np.concatenate([values[np.isfinite(values)] for values in rest.values()])
    spread = float(pooled.std()) or 1.0  # readings that are all equal have no spread to scale by
    return Scales(tank.height, float(seconds[-1]), float(pooled.mean()), spread)


def _steady_rise(
    tank: Tank, units: Scales, held: HeldLoad, air: np.ndarray | None, *, taken_out: bool
) -> Float[np.ndarray, " time"]:
    """The scaled rise that the losses of the moment would hold, with the air where it is given."""
    # Losses by volume over heat transfer by volume and kelvin are kelvin.
    rise = np.asarray(tank.source(held.load)) / tank.heat_transfer / units.spread
    # The part that was taken out carries load and air; zeros keep the shape of the signals.
    share = 0.0 if taken_out else 1.0
    rise = share * rise
    if air is not None:
        # The air is a level, so that air of zero is not zero when it is scaled.
        rise = rise + units.scaled(share * interval_means(air, held.hold))
    return rise
