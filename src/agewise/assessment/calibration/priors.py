"""What is believed of a unit's constants before any reading: from a nameplate to priors."""

from collections.abc import Collection
from dataclasses import dataclass

from agewise.plant.nameplate import Nameplate
from agewise.plant.staged_unit import stage_ratios
from agewise.transformer.calibration.model import UNEXPLAINED, TopOilModel, WindingModel, air_errors
from agewise.transformer.calibration.names import (
    EXPONENT,
    GRADIENT,
    OIL_MINUTES,
    RISE,
    WINDING_MINUTES,
    stage_factors,
)
from agewise.transformer.calibration.parameters import AbstractParameter, Location, Scale
from agewise.units import SECONDS_PER_MINUTE

FASTEST_MIN = 20.0
"""Lag below which no tank of oil follows air and load [min]."""


@dataclass(frozen=True)
class PriorShares:
    """Standard deviations that a nameplate's numbers are believed with, before any reading.

    The tails are heavy, so that readings overrule a number that is far off.
    """

    rise: tuple[float, float] = (0.05, 0.30)
    """Standard deviations of the top-oil rise, as shares of it: given by a test report, and
    assumed."""
    time_constant: tuple[float, float] = (0.10, 0.30)
    """Standard deviations of a time constant, as shares of it: given, and assumed."""
    exponent: tuple[float, float] = (0.10, 0.15)
    """Standard deviations of the oil exponent [1]: given, and assumed."""
    gradient: tuple[float, float] = (0.05, 0.15)
    """Standard deviations of the hot-spot gradient, as shares of it: given by a test report, and
    from a table."""
    stage_rise: tuple[float, float] = (0.05, 0.15)
    """Standard deviations of the rise of a lower stage beside the last one's, as shares of it:
    given by a test report, and assumed to reach the same limit."""
    stage_time_constant: tuple[float, float] = (0.10, 0.20)
    """Standard deviations of the time constant of a lower stage beside the last one's, as shares of
    it: given, and by the guide's values for both kinds of cooling."""


PRIOR_SHARES = PriorShares()


def top_oil_model(
    nameplate: Nameplate, shares: PriorShares = PRIOR_SHARES, *, lower: Collection[int] = ()
) -> TopOilModel:
    """The guide's top oil with the nameplate's numbers as priors.

    `lower` are the stages of the cooling, from 0, that were on beside the last one.
    """
    constants = nameplate.thermal_constants()
    minutes, least = nameplate.oil.time_constant_min.mean, least_minutes(nameplate)
    # The share of what lies above the floor, which is all that the coordinate scales.
    share = relative_std(nameplate, OIL_MINUTES, shares.time_constant) * minutes / (minutes - least)
    oil: tuple[AbstractParameter, ...] = (
        Scale(RISE, constants.top_oil_rise, relative_std(nameplate, RISE, shares.rise), heavy=True),
        Scale(OIL_MINUTES, minutes, share, least, heavy=True),
        Location(EXPONENT, constants.oil_exponent, _std(nameplate, EXPONENT, shares.exponent)),
    )
    # Last, so that the places of the others do not depend on stages.
    of_stages = [each for number in sorted(lower) for each in _stage(nameplate, number, shares)]
    return TopOilModel(
        (*oil, *air_errors(), *UNEXPLAINED, *of_stages),
        constants.loss_ratio,
        constants.k11,
        stage_ratios(nameplate) if lower else (),
    )


def _stage(nameplate: Nameplate, number: int, shares: PriorShares) -> list[AbstractParameter]:
    """What a lower stage may have more than its ratios to the last one say, but for what is exact.

    A stage is tested or rated by itself: without this doubt one that is given wrongly would move
    the constants of all.
    """
    stage = nameplate.cooling_stages[number]
    numbers = (stage.top_oil_rise_k, stage.time_constant_min)
    usual = (shares.stage_rise, shares.stage_time_constant)
    factors = []
    for name, quantity, (given, assumed) in zip(stage_factors(number), numbers, usual, strict=True):
        share = given if quantity is not None else assumed
        if quantity is not None and quantity.std is not None:
            share = quantity.std / quantity.mean
        if share > 0:
            factors.append(Scale(name, 1.0, share, heavy=True))
    return factors


def least_minutes(nameplate: Nameplate) -> float:
    """Time constant of the oil [min] below which none is learned of a unit as given."""
    # Below the usual lags of oil, but not so near to what the nameplate says that it binds there;
    # and never faster than the winding, which a nameplate would refuse.
    minutes = nameplate.oil.time_constant_min.mean
    winding = 1.2 * nameplate.winding.time_constant_min.mean
    usual = min(FASTEST_MIN / nameplate.oil.k11.mean, minutes / 2)
    # At 0.9 the prior still has room to either side, whatever the other two say.
    return min(max(usual, winding), 0.9 * minutes)


def winding_model(
    nameplate: Nameplate, oil_minutes: float, shares: PriorShares = PRIOR_SHARES
) -> WindingModel:
    """The guide's winding with the nameplate's numbers as priors, over oil of a time constant
    [min]."""
    constants = nameplate.thermal_constants()
    minutes = nameplate.winding.time_constant_min.mean
    parameters: tuple[AbstractParameter, ...] = (
        Scale(
            GRADIENT, constants.gradient, relative_std(nameplate, GRADIENT, shares.gradient),
            heavy=True,
        ),
        Scale(
            WINDING_MINUTES, minutes,
            relative_std(nameplate, WINDING_MINUTES, shares.time_constant), heavy=True,
        ),
    )  # fmt: skip
    return WindingModel(
        (*parameters, *UNEXPLAINED),
        constants.winding_exponent,
        constants.k21,
        constants.k22,
        # Learned or given in minutes; lags are in seconds throughout.
        oil_minutes * SECONDS_PER_MINUTE,
    )


def prior_std(parameter: AbstractParameter) -> float:
    """Standard deviation before any reading, but for the width of heavy tails."""
    if isinstance(parameter, Scale):
        return float(parameter.share * (parameter.median - parameter.least))
    assert isinstance(parameter, Location)
    return float(parameter.std)


def _std(nameplate: Nameplate, name: str, usual: tuple[float, float]) -> float:
    """Standard deviation of a number: as declared, else the usual one of a given or assumed."""
    declared = nameplate.thermal_quantities()[name].std
    # The truth value is an index: 0 for given, 1 for assumed. An exact 0 would leave no density.
    return usual[name in nameplate.assumed] if declared is None else max(declared, 1e-6)


def relative_std(nameplate: Nameplate, name: str, usual: tuple[float, float]) -> float:
    """Standard deviation of a number as a share of it: as declared, else the usual one of a given
    or assumed."""
    quantity = nameplate.thermal_quantities()[name]
    if quantity.std is None:
        return usual[name in nameplate.assumed]
    return max(quantity.std / quantity.mean, 1e-6)
