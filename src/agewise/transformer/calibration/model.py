"""The guide's models of top oil and winding, with constants that are to be learned."""

from abc import abstractmethod
from collections.abc import Mapping

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from agewise.transformer.calibration.disturbance import (
    Disturbance,
    Fading,
    Filtered,
    Series,
    filtered,
    lagged,
)
from agewise.transformer.calibration.names import (
    AFTERNOON,
    AIR_BIAS,
    EXPONENT,
    GRADIENT,
    LASTING,
    LASTING_D,
    NEARBY,
    NOISE,
    OIL_MINUTES,
    RISE,
    SUN,
    WANDERING,
    WANDERING_H,
    WINDING_MINUTES,
)
from agewise.transformer.calibration.parameters import AbstractParameter, Location, Number, Scale
from agewise.transformer.calibration.record import ThermalRecord
from agewise.transformer.calibration.staged_rise import staged_rise, switching_error
from agewise.transformer.stage_ratios import StageRatios
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

Values = Mapping[str, Number]
"""A number for each parameter by its name, in its own unit."""

UNEXPLAINED: tuple[AbstractParameter, ...] = (
    Scale(WANDERING, 1.0, 1.0),
    Scale(WANDERING_H, 6.0, 1.0),
    Scale(LASTING, 0.7, 0.7),
    Scale(LASTING_D, 5.0, 0.7),
    Scale(NOISE, 0.3, 1.0),
)
"""Priors of what a model leaves unexplained: the guide's top oil is good to 1 or 2 K, and wind,
rain and a drifting thermometer last for hours and days."""
AIR_BIAS_K, SUN_K, AFTERNOON_K, NEARBY_K = 1.0, 3.0, 1.5, 3.0
"""Prior standard deviations of a thermometer's bias, and of what sun and load do to it [K]. A sun
that is an hour and a half late by the clock adds a third of its noon in the afternoon."""


class AbstractThermalModel(eqx.Module):
    """A model of a measured temperature: parameters with priors, and what they say."""

    parameters: eqx.AbstractVar[tuple[AbstractParameter, ...]]
    """Parameters that are learned, each with its prior, in the order of the coordinates."""

    @abstractmethod
    def modelled(self, values: Values, record: ThermalRecord) -> tuple[Series, Number | Fading]:
        """The temperature of every cell [°C], and the lag with which a wrong start fades [s], or
        what it does in each cell."""

    # Many draws at once are the last axis of coordinates, beside a record `of_draws`.

    def values(self, z: Float[Array, "parameter ..."]) -> dict[str, Number]:
        """Every parameter in its own unit, from coordinates of order one."""
        return {
            parameter.name: parameter.value(coordinate)
            for parameter, coordinate in zip(self.parameters, z, strict=True)
        }

    def filtered(self, z: Float[Array, "parameter ..."], record: ThermalRecord) -> Filtered:
        """The residual of the model, passed through a Kalman filter."""
        values = self.values(z)
        expected, lag = self.modelled(values, record)
        disturbance = Disturbance(
            lag,
            values[WANDERING],
            values[WANDERING_H] * SECONDS_PER_HOUR,
            values[LASTING],
            values[LASTING_D] * SECONDS_PER_DAY,
            values[NOISE],
        )
        # Cells without a reading are masked by their count; a derivative would carry NaN on.
        residual = jnp.nan_to_num(jnp.asarray(record.measured)) - expected
        return filtered(disturbance, residual, record.steps, record.readings)

    def log_posterior(self, z: Float[Array, "parameter ..."], record: ThermalRecord) -> Number:
        """Logarithm of the posterior density of the coordinates [nats], without a constant."""
        priors = [parameter.log_prior(at) for parameter, at in zip(self.parameters, z, strict=True)]
        return sum(priors) + self.filtered(z, record).log_density


class TopOilModel(AbstractThermalModel):
    r"""$k_{11}\tau_o\dot\Theta = ((1+RK^2)/(1+R))^x\,\Delta\Theta_{or} - (\Theta - \Theta_a)$.

    The air is the measured one, freed of what is wrong with its thermometer.
    """

    parameters: tuple[AbstractParameter, ...]
    """Rise, time constant, exponent, the air's errors, and what is left unexplained."""
    loss_ratio: float
    """Load losses at rated load over no-load losses, R [1]."""
    k11: float
    """Factor on the oil's time constant in the lag of the top oil [1]."""
    stages: tuple[StageRatios, ...] = ()
    """Stages of the cooling, the last one last; used where the record says which were on."""

    def modelled(self, values: Values, record: ThermalRecord) -> tuple[Series, Number | Fading]:
        """Top oil of every cell [°C], steady at first, and its lag [s], or how an error fades where
        stages are switched."""
        sun = values[SUN] * record.sun + values[AFTERNOON] * record.afternoon
        wrong = values[AIR_BIAS] + sun + values[NEARBY] * record.load
        # The thermometer shows the air and its own errors; the oil follows the air alone.
        lag = self.k11 * values[OIL_MINUTES] * SECONDS_PER_MINUTE
        if record.stages is None:
            losses = (1 + self.loss_ratio * record.heating) / (1 + self.loss_ratio)
            target = values[RISE] * losses ** values[EXPONENT] + record.air - wrong
            return _lagged_response(target, lag, record), lag
        rise, rate = staged_rise(values, record.stages, self.stages, self.loss_ratio, self.k11)
        target, lags = rise + record.air - wrong, lag / rate
        decay = jnp.exp(-jnp.asarray(record.steps.seconds) / lags)
        late = switching_error(values, record, self.stages, self.loss_ratio, lag)
        return lagged(decay, (1 - decay) * target, target[0]), Fading(lags, late**2)


class WindingModel(AbstractThermalModel):
    r"""Winding over top oil, $H_1 - H_2$: both follow $G K^y$, with their own lags and shares.

    `record.measured` is the winding's temperature less the top oil's [K].
    """

    parameters: tuple[AbstractParameter, ...]
    """Gradient, time constant of the winding, and what is left unexplained."""
    exponent: float
    """Exponent y of the load in the gradient [1]."""
    k21: float
    """Factor on the gradient in the winding's part [1]."""
    k22: float
    """Factor on the winding's time constant, and divisor of the oil's [1]."""
    oil_lag: float
    """Time constant of the oil [s]."""

    def modelled(self, values: Values, record: ThermalRecord) -> tuple[Series, Number]:
        """Winding over top oil in every cell [K], and the lag with which it follows [s]."""
        # K^y from a mean of K²: exact for y = 2, and close within the minutes of a cell.
        target = values[GRADIENT] * record.heating ** (self.exponent / 2)
        lag = self.k22 * values[WINDING_MINUTES] * SECONDS_PER_MINUTE
        fast, slow = (
            _lagged_response(target, time, record) for time in (lag, self.oil_lag / self.k22)
        )
        # The two shares differ by one, so that at steady state a whole gradient is left.
        return self.k21 * fast - (self.k21 - 1) * slow, lag


def _lagged_response(target: Series, lag: Number | float, record: ThermalRecord) -> Series:
    """What follows a target with a lag, steady at the first cell."""
    decay = jnp.exp(-jnp.asarray(record.steps.lengths) / lag)[record.steps.places]
    return lagged(decay, (1 - decay) * target, target[0])


def air_errors() -> tuple[AbstractParameter, ...]:
    """Priors of what is wrong with the air's thermometer."""
    errors = {AIR_BIAS: AIR_BIAS_K, SUN: SUN_K, AFTERNOON: AFTERNOON_K, NEARBY: NEARBY_K}
    return tuple(Location(name, 0.0, std) for name, std in errors.items())
