"""Constants of a unit, learned from its own measurements: what a nameplate has wrong or lacks."""

from dataclasses import replace

import numpy as np

from agewise.assessment.calibration.priors import prior_std, top_oil_model, winding_model
from agewise.assessment.inputs import NameplateInput, ProfileInput, given_nameplate, given_profile
from agewise.assessment.oil.lower_stages import stages_guessed, stages_on
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.plant.quantity import Quantity
from agewise.plant.sections import LearnedConstants
from agewise.plant.staged_unit import stage_ratios
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.believable import believable
from agewise.transformer.calibration.learning import learned
from agewise.transformer.calibration.names import GRADIENT, OIL_MINUTES, WINDING_MINUTES
from agewise.transformer.calibration.parameters import AbstractParameter
from agewise.transformer.calibration.record import ThermalRecord, thermal_record
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

DIGITS = 6
"""Significant digits of draws that are kept."""
LEAST_DAYS, LEAST_READINGS = 0.5, 50
"""Length [days] and number of readings from which on there is something to learn."""


def calibrate(
    profile: ProfileInput, nameplate: NameplateInput, *, hold: Hold = "backward"
) -> Nameplate:
    """Learn constants of a unit from its own load, air and top oil.

    Rise, time constant and exponent of the oil are learned through the guide's model; gradient and
    time constant of the winding where its temperature is measured. `assess` does this by itself;
    a nameplate with what was learned here is used there as it is.

    Args:
        profile: Load [p.u.], ambient and top-oil temperature [°C] over time, and perhaps the
            winding's, or the path of the file that holds them.
        nameplate: The unit, or the path of its TOML file; its numbers and their standard deviations
            are the prior. What was learned before is set aside.
        hold: Which interval a sample of the load stands for, as in `iec_answer`.

    Returns:
        A nameplate whose learned fields hold mean and standard deviation, and whose `learned` has
        the joint draws behind them.

    Raises:
        InputError: Something given cannot be used, or there is too little to learn from.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=1))
        >>> unit = agewise.calibrate(twin.profile, twin.nameplate)
        >>> rise = unit.oil.top_oil_rise_k  # K
        >>> abs(rise.mean - 45) < 3 * rise.std
        True
        >>> len(unit.learned.draws["oil.top_oil_rise_k"])
        500
    """
    nameplate = given_nameplate(nameplate).as_given()
    profile = given_profile(profile, nameplate)
    if profile.top_oil is None:
        raise InputError(
            "The profile has no top_oil: without it nothing can be learned about the unit.",
            hint="give a profile with measured top oil, or use the nameplate as it is.",
        )
    if profile.ambient_std is not None:
        raise InputError(
            f"The air was not measured at the unit (± {profile.air_std:.1f} K): how far and how "
            "fast the oil rises above it cannot be learned.",
            hint="give a profile whose ambient was measured at the unit.",
        )
    if not enough_to_learn(profile):
        hours = float(profile.seconds[-1]) / SECONDS_PER_HOUR
        count = int(np.isfinite(profile.top_oil).sum())
        raise InputError(
            f"The profile has {count} readings of top_oil in {hours:.1f} h: too few to learn from.",
            hint=f"give {LEAST_DAYS:g} days and {LEAST_READINGS} readings or more; a week is good.",
        )
    if stages_guessed(profile, nameplate, hold):
        raise InputError(
            "Not all stages of the cooling were on, and no column says when: by on_above_c and "
            "off_below_c alone nothing can be learned of the unit.",
            hint="give the column cooling_stage (0 for the first), as fan contacts have it.",
        )
    return learned_nameplate(profile, nameplate, hold=hold)


def learned_nameplate(
    profile: Profile, nameplate: Nameplate, *, hold: Hold = "backward"
) -> Nameplate:
    """The nameplate with what the profile teaches of it, or itself where it teaches nothing.

    The same as `calibrate` for objects, but that a nameplate with learned constants and a profile
    that is too short are no mistakes.
    """
    # A second round would take learned means for a nameplate, and believe the record twice.
    if nameplate.learned is not None or not enough_to_learn(profile):
        return nameplate
    # A stage that was on at other times than it seems teaches constants that are far off.
    if stages_guessed(profile, nameplate, hold):
        return nameplate
    record = top_oil_record(profile, nameplate, hold)
    model = top_oil_model(nameplate, lower=lower_stages(record))
    fitted = learned(model, record, seed=0)
    # Rise, time constant and exponent alone: what follows them has no place in a nameplate.
    draws, parameters = dict(fitted.draws), list(model.parameters[:3])
    # A few readings of a winding teach less than the table that they would replace.
    if profile.winding is not None and np.isfinite(profile.winding).sum() >= LEAST_READINGS:
        # The winding is learned after the oil, whose time constant it takes as known.
        winding = winding_model(nameplate, float(np.median(draws[OIL_MINUTES])))
        # Another seed, so that draws of the winding are independent of those of the oil.
        of_winding = learned(winding, _winding_record(profile, nameplate, hold), seed=1)
        draws |= {name: of_winding.draws[name] for name in (GRADIENT, WINDING_MINUTES)}
        parameters += winding.parameters[:2]
    return _taught(nameplate, profile, parameters, draws)


def enough_to_learn(profile: Profile) -> bool:
    """Whether a profile has enough of a measured top oil and the unit's own air to learn from."""
    # Air from elsewhere misleads: of 20 units, a station's air gave 7 a time constant within 90 %.
    if profile.top_oil is None or profile.ambient_std is not None:
        return False
    there = np.isfinite(profile.top_oil)
    long_enough = profile.seconds[-1] >= LEAST_DAYS * SECONDS_PER_DAY
    return bool(long_enough and there.sum() >= LEAST_READINGS)


def top_oil_record(profile: Profile, nameplate: Nameplate, hold: Hold) -> ThermalRecord:
    """The profile's top oil and what drives it, in cells."""
    assert profile.top_oil is not None
    # Without its top oil, so that only the air is filled: nothing is learned from what stands in.
    air = filled_profile(replace(profile, top_oil=None), nameplate, hold).profile.ambient
    oil = believable(profile.top_oil, air)
    return thermal_record(
        profile.seconds,
        profile.load,
        air,
        oil,
        hour=hour_of_day(profile),
        hold=hold,
        oil_load=oil_load(profile, nameplate),
        stage=stages_on(profile, nameplate, hold),
        count=len(nameplate.cooling_stages),
    )


def lower_stages(record: ThermalRecord) -> tuple[int, ...]:
    """Stages of the cooling, from 0, that were on beside the last one."""
    if record.stages is None:
        return ()
    return tuple(np.flatnonzero(np.asarray(record.stages.share)[:-1].any(axis=1)).tolist())


def _winding_record(profile: Profile, nameplate: Nameplate, hold: Hold) -> ThermalRecord:
    assert profile.top_oil is not None and profile.winding is not None
    over_oil = profile.winding - profile.top_oil
    record = top_oil_record(profile, nameplate, hold)
    # Only what is measured and the square of the load are used; its air serves as a place holder.
    own = thermal_record(
        profile.seconds,
        profile.load,
        0 * over_oil,
        over_oil,
        hour=None,
        hold=hold,
        stage=stages_on(profile, nameplate, hold),
        count=len(nameplate.cooling_stages),
    )
    if own.stages is not None:
        # A stage with another gradient heats as another load would. Its oil's part is followed with
        # the lag of the last stage, which matters for some hours after a change alone.
        y = nameplate.winding.exponent.mean
        factor = np.array([[each.gradient_at(y) ** (2 / y)] for each in stage_ratios(nameplate)])
        own = replace(own, heating=(own.stages.share * own.stages.heating * factor).sum(axis=0))
    # The winding is heated by its own load, whatever else heats the oil.
    return replace(record, heating=own.heating, measured=own.measured, readings=own.readings)


def hour_of_day(profile: Profile) -> float | None:
    """Local hour of a profile's first row; None where it has no dates."""
    start = profile.timeline.start
    return None if start is None else start.hour + start.minute / 60


def _taught(
    nameplate: Nameplate,
    profile: Profile,
    parameters: list[AbstractParameter],
    draws: dict[str, np.ndarray],
) -> Nameplate:
    """The nameplate with means and standard deviations of the draws, and the draws."""
    rounded = {
        # Rounded before means are taken, so that a nameplate that is read back has the same ones.
        name: tuple(float(f"{value:.{DIGITS}g}") for value in values)
        for name, values in draws.items()
    }
    known = nameplate.thermal_quantities()
    # Sections are copied whole, so that changes are gathered for each of them.
    changes: dict[str, dict[str, Quantity | None]] = {"oil": {}, "winding": {}}
    given = {}
    for parameter in parameters:
        section, _, field = parameter.name.partition(".")
        values = np.array(rounded[parameter.name])
        changes[section][field] = Quantity(mean=float(values.mean()), std=float(values.std()))
        # With the doubt that was believed, since a report shows what the record has added.
        given[parameter.name] = Quantity(mean=known[parameter.name].mean, std=prior_std(parameter))
    if nameplate.oil.bottom_rise_k is not None:
        # Given for another rise of the top: what stays is their ratio.
        share, rise = nameplate.bottom_share(), changes["oil"]["top_oil_rise_k"]
        assert rise is not None
        std = None if share.std is None else share.std * rise.mean
        changes["oil"]["bottom_rise_k"] = Quantity(mean=share.mean * rise.mean, std=std)
    labels = profile.timeline.labels
    section = LearnedConstants(
        start=str(labels.iloc[0]), end=str(labels.iloc[-1]), given=given, draws=rounded
    )
    # Heat transfer and volume of the tank follow from time constant and rise.
    tank = {"heat_transfer_w_per_m3k": None, "volume_m3": None}
    return nameplate.model_copy(
        update={
            "oil": _updated(nameplate.oil, changes["oil"]),
            "winding": _updated(nameplate.winding, changes["winding"]),
            "tank": nameplate.tank.model_copy(update=tank),
            "learned": section,
        }
    )


def _updated(section, changes: dict[str, Quantity | None]):
    """A section with other numbers; what was assumed before still counts as assumed."""
    given = set(section.model_fields_set)
    fresh = section.model_copy(update=changes)
    # `model_copy` marks what it updates as given.
    fresh.model_fields_set.clear()
    fresh.model_fields_set.update(given)
    return fresh
