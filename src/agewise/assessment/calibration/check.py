r"""How well learned constants explain what they were learned from: a day ahead, and open loop.

Open loop the guide's model runs over the whole record from a steady start and sees no top oil. A
day ahead it is told at midnight how far off it was: the error that wanders decays from there as
$(1 + \lambda t)\,e^{-\lambda t}$ with $\lambda = \sqrt 3/T_f$, the lasting one as $e^{-t/T_s}$.
"""

from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.assessment.answer.summary import Constant
from agewise.assessment.calibration.calibrate import hour_of_day, lower_stages, top_oil_record
from agewise.assessment.calibration.priors import top_oil_model
from agewise.engine.uncertainty.coverage import coverage, rms
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.disturbance import GAP_S, Disturbance, filtered
from agewise.transformer.calibration.model import TopOilModel, air_errors
from agewise.transformer.calibration.names import (
    EXPONENT,
    LASTING,
    LASTING_D,
    NOISE,
    OIL_MINUTES,
    RISE,
    WANDERING,
    WANDERING_H,
    stage_factors,
)
from agewise.transformer.calibration.record import ThermalRecord
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

EVERY = 10
"""One draw in so many is run over the record, to see what the doubt of the constants costs."""
LITTLE = 0.7
"""Standard deviation after over that before, above which the readings tell little of a constant."""

Series = Float[np.ndarray, " cell"]
"""A number for each cell of the record."""


@dataclass(frozen=True, eq=False)
class CalibrationCheck:
    """Top oil as it was measured and as the model has it, in cells of some minutes."""

    profile: Profile
    """The profile whose top oil the constants are held against."""
    nameplate: Nameplate
    """The unit, with what was learned of it."""
    record: ThermalRecord
    """Load, air and measured top oil of every cell."""
    as_given: Series
    """Top oil by the nameplate before anything was learned, open loop [°C]."""
    open_loop: Series
    """Top oil by the learned means, open loop [°C]."""
    day_ahead: Series
    """Top oil as foreseen at the midnight before [°C]; NaN on days before which it was silent."""
    std: Series
    """Standard deviation of a cell's reading about the open loop [K]."""
    hold: Hold
    """Interval that a sample of the load stands for."""

    @property
    def seconds(self) -> Series:
        """Instants of the cells from the first row [s]."""
        return np.asarray(self.record.seconds)

    @property
    def measured(self) -> Series:
        """Measured top oil [°C]; NaN in cells without a reading."""
        return np.asarray(self.record.measured)

    @property
    def draws(self) -> dict[str, np.ndarray]:
        """Every learned number by its name, in draws."""
        return {name: np.array(values) for name, values in self.nameplate.joint_draws.items()}

    @property
    def open_loop_rms(self) -> float:
        """Error of the learned means, open loop [K]."""
        return self._error(self.open_loop)

    @property
    def as_given_rms(self) -> float:
        """Error of the nameplate as it was given, open loop [K]."""
        return self._error(self.as_given)

    @property
    def day_ahead_rms(self) -> float | None:
        """Error a day ahead [K]; None where no day follows a midnight with a reading."""
        judged = np.isfinite(self.day_ahead) & np.isfinite(self.measured)
        return self._error(self.day_ahead) if judged.any() else None

    @property
    def held(self) -> float:
        """Share of the cells whose reading lies in the 90 % interval about the open loop [1]."""
        there = np.isfinite(self.measured)
        parts = (self.open_loop[there], self.std[there], self.measured[there])
        return float(coverage(np.array([0.9]), *parts)[0])

    @property
    def constants(self) -> tuple[Constant, ...]:
        """What was given or assumed of each learned constant, and what was learned."""
        assert self.nameplate.learned is not None
        now, assumed = self.nameplate.thermal_quantities(), self.nameplate.assumed
        return tuple(
            Constant(
                name=name,
                origin="assumed" if name in assumed else "given",
                before=before.mean,
                before_std=before.std or 0.0,
                learned=now[name].mean,
                learned_std=now[name].std,
            )
            for name, before in self.nameplate.learned.given.items()
        )

    def _error(self, modelled: Series) -> float:
        off = self.measured - modelled
        return rms(off[np.isfinite(off)])


def calibration_check(
    profile: Profile, nameplate: Nameplate, *, hold: Hold = "backward"
) -> CalibrationCheck:
    """Hold what was learned of a unit against a profile.

    Args:
        profile: Load, air and top oil, as a rule those that were learned from.
        nameplate: The unit with what was learned of it.
        hold: Interval that a sample of the load stands for.
    """
    # The priors are those of the nameplate as given: what was learned is on trial here.
    given = nameplate.as_given()
    record = top_oil_record(profile, given, hold)
    model = top_oil_model(given, lower=lower_stages(record))
    draws = {name: np.array(values) for name, values in nameplate.joint_draws.items()}
    means = {name: float(values.mean()) for name, values in draws.items()}
    quantities = given.thermal_quantities()
    before = {name: quantities[name].mean for name in (RISE, OIL_MINUTES, EXPONENT)}
    # Sizes of what is unexplained stay as learned: an open loop does not use them.
    trusted = means | {parameter.name: 0.0 for parameter in air_errors()} | before
    # A lower stage goes by its ratios alone.
    numbers = range(len(given.cooling_stages))
    factors = {name for number in numbers for name in stage_factors(number)}
    trusted |= dict.fromkeys(factors & set(means), 1.0)
    # In one batch, since compiling takes longer than running.
    some = {
        # First the nameplate as given, then the means, then some of the draws.
        name: np.concatenate([[trusted[name], means[name]], values[::EVERY]])
        for name, values in draws.items()
    }
    with jax.enable_x64(True):
        runs, lags = _modelled(model, _on_device(some), _on_device(record))
        as_given, open_loop, *drawn = np.asarray(runs)
        of_means = jax.tree.map(lambda each: each[1], lags)
        error = _error_ahead(means, of_means, open_loop, record, hour_of_day(profile) or 0.0)
    # Without the error of the start, which fades within hours.
    own = means[WANDERING] ** 2 + means[LASTING] ** 2 + means[NOISE] ** 2
    # Both what the constants leave open and what no constants explain.
    std = np.sqrt(np.var(drawn, axis=0) + own)
    return CalibrationCheck(
        profile, nameplate, record, as_given, open_loop, open_loop + error, std, hold
    )


@eqx.filter_jit
def _modelled(
    model: TopOilModel, values: dict[str, Array], record: ThermalRecord
) -> tuple[Any, Any]:
    """Top oil [°C] and lag [s] of every set of values."""
    return jax.vmap(lambda each: model.modelled(each, record))(values)


def _on_device(tree: Any) -> Any:
    return jax.tree.map(jnp.asarray, tree)


def _error_ahead(
    means: dict[str, float], lag: Any, modelled: Series, record: ThermalRecord, hours: float
) -> Series:
    """What is foreseen at midnight of the model's error in the day that follows [K]."""
    wandering_s = means[WANDERING_H] * SECONDS_PER_HOUR
    lasting_s = means[LASTING_D] * SECONDS_PER_DAY
    sizes = (means[WANDERING], wandering_s, means[LASTING], lasting_s, means[NOISE])
    disturbance = Disturbance(*_on_device((lag, *sizes)))
    measured, seconds = np.asarray(record.measured), np.asarray(record.seconds)
    # Cells without a reading are masked by their count: there any number will do.
    residual = np.nan_to_num(measured - modelled)
    disturbances = jax.jit(filtered)(
        disturbance, *_on_device((residual, record.steps, record.readings))
    )
    since_midnight = seconds + hours * SECONDS_PER_HOUR
    day = since_midnight // SECONDS_PER_DAY
    # The last reading before the day in which each cell lies.
    read = np.flatnonzero(np.isfinite(measured))
    place = np.searchsorted(since_midnight[read], day * SECONDS_PER_DAY) - 1
    # Before the first reading any place will do: `fresh` masks it.
    origin = read[np.maximum(place, 0)]
    fresh = (place >= 0) & (day * SECONDS_PER_DAY - since_midnight[origin] <= GAP_S)
    after = seconds - seconds[origin]
    rate = np.sqrt(3.0) / wandering_s
    # What a Matern 3/2 process is expected to do from a value, whatever its slope was.
    wandering = (
        np.asarray(disturbances.wandering)[origin] * (1 + rate * after) * np.exp(-rate * after)
    )
    lasting = np.asarray(disturbances.lasting)[origin] * np.exp(-after / lasting_s)
    return np.where(fresh, wandering + lasting, np.nan)
