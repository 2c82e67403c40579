"""What a nameplate does not know: its own standard deviations, and the usual ones elsewhere."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.plant.guide_constants import thermal_constants_of
from agewise.plant.nameplate import Nameplate
from agewise.plant.quantity import Quantity
from agewise.plant.staged_unit import stage_ratios
from agewise.transformer.calibration.names import GRADIENT, stage_factors
from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.prognostics.unknowns import SMALLEST_SHARE, Draws, Source, Unknown

BIAS, LIFE, USED = "sensor bias", "insulation.life_hours", "history.life_used_hours"
"""Names of the unknowns that are not numbers of oil or winding."""
OIL_READING = "readings of the oil"
"""Name of what the oil alone is told too hot, always, where findings question its readings or the
load."""
GROWTH = "history.load_growth_percent_per_year"
"""Name of the growth of the load, over the years in service and from now on."""
PAST = "years before the data"
"""Name of the factor by which the years in service used more or less life than is estimated."""


@dataclass(frozen=True)
class Doubts:
    """Standard deviations where the nameplate gives none; what is not named here counts as exact.

    They matter: 10 % in the gradient moves the loss of life by 12 %, half a kelvin of common
    sensor bias by 6 %, while the noise of the whole oil field moves it by less than 1 %.
    """

    gradient_share: float = 0.05
    """Standard deviation of a hot-spot gradient from a test report, as a share of it."""
    winding_exponent: float = 0.1
    """Standard deviation of the winding exponent y."""
    winding_time_constant_share: float = 0.10
    """Standard deviation of the winding time constant, as a share of it."""
    sensor_bias_k: float = 0.3
    """Standard deviation of a bias that all thermometers share [K]."""
    ageing_law_factor: float = 1.0
    """Factor on the default standard deviations that the ageing law gives its own unknowns."""
    life_share: float = 0.15
    """Standard deviation of the life at reference temperature, as a share of it."""
    life_used_share: float = 0.10
    """Standard deviation of the life used before the window, as a share of it."""
    assumed_gradient_share: float = 0.15
    """Standard deviation of a hot-spot gradient that was taken from a table, as a share of it."""
    past_share: float = 0.20
    """Standard deviation of the life used before the window where it is estimated from the years in
    service, as a share of it: for what no calendar tells, such as spare units and repairs."""
    load_growth_percent: float = 0.5
    """Standard deviation of the growth of the load where none is given, or without one [% a
    year]."""
    oil_reading_k: float = 0.0
    """Standard deviation of a lasting error of the oil alone [K]: where findings question its
    readings or the load."""


DOUBTS = Doubts()


def unknowns(nameplate: Nameplate, doubts: Doubts = DOUBTS) -> list[Unknown]:
    """Every number behind a life, with its standard deviation, which may be zero."""
    winding = nameplate.winding
    assumed = GRADIENT in nameplate.assumed
    share = doubts.assumed_gradient_share if assumed else doubts.gradient_share
    usual = {
        GRADIENT: share * winding.gradient_k.mean,
        "winding.exponent": doubts.winding_exponent,
        "winding.time_constant_min": doubts.winding_time_constant_share
        * winding.time_constant_min.mean,
    }
    numbers = []
    for name, quantity in nameplate.thermal_quantities().items():
        # None is what nobody declared; a declared 0 counts as exact.
        std = usual.get(name, 0.0) if quantity.std is None else quantity.std
        # Below 1, k21 would turn the sign of the oil's part of the hot-spot rise.
        least = 1.0 if name == "winding.k21" else SMALLEST_SHARE * quantity.mean
        numbers.append(Unknown(name, "nameplate", quantity.mean, std, least))
    life, used = nameplate.insulation.life_hours, nameplate.history.life_used_hours
    numbers += [
        # Without a least value: a bias may have either sign.
        Unknown(BIAS, "sensor bias", 0.0, doubts.sensor_bias_k, -np.inf),
        *(
            replace(unknown, std=doubts.ageing_law_factor * unknown.std)
            for unknown in nameplate.ageing_law.unknowns()
        ),
        _with_share(LIFE, "ageing law", life, doubts.life_share),
    ]
    if doubts.oil_reading_k > 0:
        reading = Unknown(OIL_READING, "sensor bias", 0.0, doubts.oil_reading_k, -np.inf)
        numbers.append(reading)
    if used is not None:
        numbers.append(_with_share(USED, "nameplate", used, doubts.life_used_share))
    elif nameplate.history.commissioned is not None:
        numbers.append(Unknown(PAST, "nameplate", 1.0, doubts.past_share, SMALLEST_SHARE))
    numbers.append(_growth(nameplate, doubts))
    return numbers + _learned_beside(nameplate, numbers)


def _learned_beside(nameplate: Nameplate, numbers: list[Unknown]) -> list[Unknown]:
    """What was learned beside the numbers of a nameplate: errors of the air and of the model."""
    names = {unknown.name for unknown in numbers}
    return [
        Unknown(name, "nameplate", float(np.mean(draws)), float(np.std(draws)), -np.inf)
        for name, draws in nameplate.joint_draws.items()
        if name not in names
    ]


def oil_readings(draws: Draws) -> Float[np.ndarray, " draw"]:
    """What the oil's thermometer alone reads too much in every draw [K]."""
    return draws.get(OIL_READING, np.zeros_like(draws[BIAS]))


def thermal_draws(nameplate: Nameplate, draws: Draws) -> list[ThermalConstants]:
    """The constants of IEC 60076-7 in every draw; a single set where none of them varies."""
    names = list(nameplate.thermal_quantities())
    rows = np.stack([draws[name] for name in names], axis=1)
    # A single set spares callers from following the same winding through time for every draw.
    if (rows == rows[0]).all():
        rows = rows[:1]
    return [thermal_constants_of(dict(zip(names, row, strict=True))) for row in rows.tolist()]


def stage_draws(nameplate: Nameplate, draws: Draws) -> list[tuple[ThermalConstants, ...]]:
    """Constants of every stage of the cooling in every draw; a single set where none varies.

    What a lower stage has of its own was learned together with the constants of the last one, and
    counts as its ratios say where nothing was.
    """
    last, stages = thermal_draws(nameplate, draws), stage_ratios(nameplate)
    known = [
        [draws[name] if name in draws else np.ones(1) for name in stage_factors(number)]
        for number in range(len(stages))
    ]
    count = max(len(last), *(values.size for pair in known for values in pair))
    return [
        tuple(
            stage.times(*(float(values[n % values.size]) for values in pair)).constants(
                last[n % len(last)]
            )
            for stage, pair in zip(stages, known, strict=True)
        )
        for n in range(count)
    ]


def _growth(nameplate: Nameplate, doubts: Doubts) -> Unknown:
    """Growth of the load [% a year]; none is expected where none is given."""
    given = nameplate.history.load_growth_percent_per_year or Quantity(mean=0.0)
    std = doubts.load_growth_percent if given.std is None else given.std
    return Unknown(GROWTH, "nameplate", given.mean, std, -np.inf)


def _with_share(name: str, source: Source, quantity: Quantity, share: float) -> Unknown:
    """A positive unknown; its std is the nameplate's, else a share of the mean."""
    std = share * quantity.mean if quantity.std is None else quantity.std
    return Unknown(name, source, quantity.mean, std, SMALLEST_SHARE * quantity.mean)
