"""The heat problem of a profile."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from agewise.assessment.oil.lower_end import LowerEnd, lower_end, lower_guesses
from agewise.assessment.oil.rarity import refuse_rare
from agewise.assessment.oil.settings import Settings
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import stand_ins
from agewise.transformer.between_samples import Hold
from agewise.transformer.iec60076 import top_oil
from agewise.transformer.oil.fast import without_fast_changes
from agewise.transformer.oil.guesses import Guesses
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.transformer.oil.tank import Tank
from agewise.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

FILLED_H = 10.0
"""Time for which a load that was filled in stays wrong the same way [h]: most of a day."""
COARSE_H = 5 / 60
"""Time between samples from which the course of the load between them matters [h]."""
ROUGHNESS, ROUGHNESS_H = 0.75, 4.0
"""Error of an interval's mean load as a factor on the roughness of the samples about it, and the
time over which that roughness is taken [h]."""
QUICK_MIN, QUICK_EVERY, QUICK_LEAST = 10.0, 5, 50
"""How a quick answer thins out readings: to at most 10 min apart, to one in five at most, and to no
fewer than fifty rows."""


def heat_problem(
    profile: Profile,
    nameplate: Nameplate,
    settings: Settings,
    *,
    continued: bool = False,
    guesses: Mapping[float, Guesses] | None = None,
) -> TransformerHeat:
    """The heat problem of a profile, or of a stretch of a longer record.

    Args:
        profile: The measurements, with the top oil.
        nameplate: The unit.
        settings: How the oil is inferred; the method says whether what the load alone does is taken
            out of the unknown.
        continued: Whether the stretch continues a record; then little is assumed of its first
            instant.
        guesses: What stands in for silent sensors, by height: that of the whole record, which knows
            a typical day better than one window. Made from `profile` if None.
    """
    if profile.top_oil is None:
        raise no_top_oil()
    refuse_rare(profile, nameplate)
    end = lower_end(profile, nameplate, settings.hold)
    sensors = {0.0: end.readings, 1.0: profile.top_oil}
    # Where the equation is in doubt, sensors inside teach that doubt and not the method.
    if settings.as_given and not settings.ignore_interior:
        sensors |= profile.interior
    if settings.quick:
        spacing = every_if_quick(profile)
        sensors = {height: _thinned(values, spacing) for height, values in sensors.items()}
    driven = _driven_ends(profile, nameplate, end, settings.hold)
    stand_in_values = stand_ins(profile, nameplate, settings.hold) if guesses is None else guesses
    problem = transformer_heat(
        nameplate.oil_tank(),
        profile.seconds,
        oil_load(profile, nameplate),
        sensors,
        hold=settings.hold,
        discrepancy=settings.discrepancy,
        driven=driven if settings.inference().lifted else None,
        continued=continued,
        source_doubt=source_doubt(profile, nameplate),
        guesses=lower_guesses(end, stand_in_values, profile, nameplate, settings.hold),
        air=end.air,
    )
    return without_fast_changes(problem) if settings.inference().slow else problem


def _driven_ends(
    profile: Profile, nameplate: Nameplate, end: LowerEnd, hold: Hold
) -> tuple[np.ndarray, np.ndarray]:
    """What load and air would make of both ends by the guide: bottom and top [°C].

    Where the lower end is the air, this is what the load alone does, over air of 0 °C. Else the air
    drives the oil as the load does, and the bottom stands where it usually does: from an end that
    is far off, a steep edge would remain that a network can hardly follow.
    """
    constants = nameplate.thermal_constants()
    air = np.zeros_like(profile.ambient) if end.air is None else end.air
    top = top_oil(constants, profile.seconds, oil_load(profile, nameplate), air, hold=hold)
    if end.air is None:
        return air, top
    share = nameplate.bottom_share().mean if end.measured else end.share
    return air + share * (top - air), top


def no_top_oil() -> InputError:
    """The refusal of a profile without a measured top oil."""
    return InputError(
        "The profile has no column 'top_oil', which this method needs.",
        hint="`agewise thermal` and `agewise solve` do without.",
    )


def source_doubt(profile: Profile, nameplate: Nameplate) -> Float[np.ndarray, " time"] | None:
    """Error of an hour's mean steady rise at each row due to the load [K]; None if there is none.

    A load that was filled in is wrong for hours; of one that is sampled coarsely, nobody knows the
    course between two samples, which shows in how rough the samples are.
    """
    load, tank = oil_load(profile, nameplate), nameplate.oil_tank()
    hours = np.diff(profile.seconds) / SECONDS_PER_HOUR
    step = float(np.median(hours))
    # The problem counts hours as independent. An error that lasts for several hours, or for less
    # than one, has the same effect in the long run if its variance is multiplied by that time.
    variance = np.zeros_like(load)
    if profile.load_std is not None:
        variance += _rise_std(tank, load, profile.load_std) ** 2 * FILLED_H
    if step >= COARSE_H and load.size > 2:
        variance += _rise_std(tank, load, ROUGHNESS * _roughness(load, step)) ** 2 * step
    return np.sqrt(variance) if variance.any() else None


def _rise_std(tank: Tank, load: np.ndarray, std: np.ndarray) -> np.ndarray:
    """Standard deviation of the steady rise [K] for one of the load [p.u.].

    Half of the difference that two standard deviations make: losses go with the square of the load,
    and at no load the slope alone would say that nothing is in doubt.
    """
    high, low = tank.source(load + std), tank.source(np.maximum(load - std, 0.0))
    return np.asarray(high - low) / 2 / tank.heat_transfer


def _roughness(load: np.ndarray, step: float) -> np.ndarray:
    """Distance of the load from the mean of its neighbours [p.u.], rms over hours about each row.

    `step` is the time between samples [h].
    """
    bends = np.zeros_like(load)
    bends[1:-1] = (load[1:-1] - (load[2:] + load[:-2]) / 2) ** 2
    # Odd, so that the window is centred on its row.
    width = min(2 * max(1, round(ROUGHNESS_H / 2 / step)) + 1, load.size)
    inner = np.ones_like(load)
    inner[[0, -1]] = 0.0  # the first and the last have no neighbours on one side
    around = np.ones(width)
    counts = np.convolve(inner, around, mode="same")
    return np.sqrt(np.convolve(bends, around, mode="same") / np.maximum(counts, 1.0))


def every_if_quick(profile: Profile) -> int:
    """Number of readings in a row of which a quick answer uses one."""
    step = float(np.median(np.diff(profile.seconds))) / SECONDS_PER_MINUTE
    most = min(QUICK_EVERY, round(QUICK_MIN / step), profile.seconds.size // QUICK_LEAST)
    return max(1, most)


def _thinned(values: Float[np.ndarray, " time"], spacing: int) -> Float[np.ndarray, " time"]:
    """One reading in `spacing`; the others become gaps."""
    # Counted among readings, not among rows: a sensor that reads rarely could miss every row.
    readings = np.flatnonzero(~np.isnan(values))[::spacing]
    thinned = np.full_like(values, np.nan)
    thinned[readings] = values[readings]
    return thinned
