"""The record of a profile's tank: what its constants are learned from, and what was believed."""

import numpy as np

from agewise.assessment.calibration.calibrate import LEAST_READINGS, enough_to_learn
from agewise.assessment.calibration.tank_priors import tank_prior
from agewise.assessment.inputs import NameplateInput, ProfileInput, given_nameplate, given_profile
from agewise.assessment.oil.lower_end import lower_end
from agewise.assessment.oil.lower_stages import refuse_lower_stages
from agewise.assessment.oil.problem import heat_problem, no_top_oil
from agewise.assessment.oil.settings import Settings
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.inverse.record import TankRecord
from agewise.transformer.oil.inverse.rest import OilRest, oil_rest
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

LONGEST_DAYS = 14.0
"""Length of the record that is learned from, its last days [days]: the matrices of the closed form
grow with its square."""
NETWORK_DAYS = 3.5
"""Length of the record that a network learns from, its last days [days]: with the warm-up, the four
on which its intervals were measured."""
WARM_UP_DAYS = 0.5
"""Time before that in which the known part of the oil forgets how it began [days]; of a short
record, a third."""


def tank_problem(
    profile: ProfileInput,
    nameplate: NameplateInput,
    *,
    volume: bool = False,
    hold: Hold = "backward",
) -> OilRest:
    """The oil of a profile's last days with unknown constants, as a problem for `agewise.fit`.

    Args:
        profile: As in `calibrate_tank`.
        nameplate: As in `calibrate_tank`.
        volume: Whether the effective volume is unknown too.
        hold: Which interval a sample of the load stands for.

    Returns:
        A problem in metres, hours and kelvin. Its function is the oil [°C] that the nameplate's
        constants leave, errors of the ends included; what other constants change of it is `moved`.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=1, interior=True))
        >>> problem = agewise.tank_problem(twin.profile, twin.nameplate)
        >>> list(problem.constants())
        ['conductivity', 'heat_transfer']

        Draws of the oil, at half its height after twelve hours:

        >>> # drawn = agewise.fit(problem, method="laplace").draw(200)
        >>> # drawn.values([[0.5, 12.0]]) + problem.moved(drawn.constants, [[0.5, 12.0]])
    """
    days = NETWORK_DAYS + WARM_UP_DAYS
    _, record, prior = stated_tank(profile, nameplate, volume=volume, hold=hold, days=days)
    return oil_rest(record, record.tank, prior, since=rest_since(record))


def rest_since(record: TankRecord) -> float:
    """Instant of a record from which on a network learns the rest of its oil [h]."""
    days = float(record.seconds[-1]) / SECONDS_PER_DAY
    return min(WARM_UP_DAYS, days / 3) * SECONDS_PER_DAY / SECONDS_PER_HOUR


def stated_tank(
    profile: ProfileInput,
    nameplate: NameplateInput,
    *,
    volume: bool,
    hold: Hold,
    days: float = LONGEST_DAYS,
) -> tuple[Nameplate, TankRecord, dict[str, float]]:
    """The unit as given, the record that is learned from, and what was believed of every constant:
    the standard deviation of its logarithm."""
    unit = given_nameplate(nameplate).as_given()
    profile = given_profile(profile, unit)
    if profile.top_oil is None:
        raise no_top_oil()
    read = sum(int(np.isfinite(values).sum()) for values in profile.interior.values())
    if read < LEAST_READINGS:
        raise InputError(
            f"The profile has {read} readings between bottom and top: too few to learn the tank's "
            "constants from.",
            hint=f"give a column such as oil@0.5 with {LEAST_READINGS} readings or more.",
        )
    if not enough_to_learn(profile):
        raise InputError(
            "The profile is too short, or its air was not measured at the unit: nothing can be "
            "learned of the tank.",
            hint="give half a day or more with air and top oil measured at the unit.",
        )
    refuse_lower_stages(profile, unit, hold, "Learning the tank's constants")
    last = _last_days(profile, days)
    return unit, _record(last, unit, hold), tank_prior(unit, volume=volume)


def _last_days(profile: Profile, days: float) -> Profile:
    first = np.searchsorted(profile.seconds, profile.seconds[-1] - days * SECONDS_PER_DAY)
    return profile.between(int(first), profile.seconds.size - 1) if first else profile


def _record(profile: Profile, unit: Nameplate, hold: Hold) -> TankRecord:
    assert profile.top_oil is not None
    end = lower_end(profile, unit, hold)
    # `solver` has the load's own part taken out, which leaves smooth ends; not as given, by which
    # the problem has no sensors but these.
    problem = heat_problem(profile, unit, Settings(method="solver", hold=hold))
    air = profile.ambient if end.air is None else end.air
    return TankRecord(
        unit.oil_tank(),
        profile.seconds - profile.seconds[0],
        oil_load(profile, unit),
        hold,
        {0.0: end.readings, 1.0: profile.top_oil, **profile.interior},
        end.air,
        problem,
        end.share_std * np.nan_to_num(profile.top_oil - air),
    )
