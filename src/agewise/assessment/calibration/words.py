"""What was learned of a unit, in sentences: each constant, the errors, and what stays unknown."""

import numpy as np

from agewise.assessment.answer.summary import Constant
from agewise.assessment.calibration.check import LITTLE, CalibrationCheck
from agewise.assessment.calibration.names import NAMES, spread
from agewise.assessment.calibration.priors import least_minutes
from agewise.plant.nameplate import Nameplate
from agewise.transformer.calibration.model import AFTERNOON_K, AIR_BIAS_K, NEARBY_K, SUN_K
from agewise.transformer.calibration.names import (
    AFTERNOON,
    AIR_BIAS,
    EXPONENT,
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
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_MINUTE

FEW_DAYS = 3.0
"""Length of a record below which its shortness is the reason that little is learned [days]."""
STEADY_LOAD = 0.15
"""Range of nine in ten loads below which a load hardly varies [p.u.]."""
LIGHT_LOAD = 0.7
"""Load below which the rise at rated load is far from what was seen [p.u.]."""
AT_FLOOR = 1.25
"""Learned time constant over the least possible, up to which it sits there."""


PARTNERS = {
    RISE: "the top-oil rise",
    EXPONENT: "the oil exponent",
    OIL_MINUTES: "the oil time constant",
    AIR_BIAS: "a bias of the air's thermometer",
    SUN: "the sun on the air's thermometer",
    NEARBY: "an error of the air's thermometer that goes with the load",
}
"""Unknowns that can make up for a constant."""
RELATED = 0.5
"""Correlation in the draws above which one unknown makes up for another."""


def constant_text(constant: Constant) -> str:
    """A constant as it was learned, beside what was believed before."""
    assert constant.learned is not None and constant.learned_std is not None
    unit = NAMES[constant.name].unit
    source = "nameplate" if constant.origin == "given" else "table"
    learned = spread(constant.learned, constant.learned_std)
    before = f"{constant.before:.4g} ± {constant.before_std:.2g}"
    return f"{learned}{f' {unit}' if unit else ''} ({source} {before}, {constant.origin})"


def air_text(check: CalibrationCheck) -> str:
    """What is wrong with the thermometer of the air."""
    bias, sun, load = (_drawn(check, name) for name in (AIR_BIAS, SUN, NEARBY))
    later = _drawn(check, AFTERNOON)
    return (
        f"reads {bias} K too much, {sun} K more in the sun at noon, {later} K more in "
        f"mid-afternoon (less in mid-morning) than by its height and {load} K more at rated load "
        f"(0 ± {AIR_BIAS_K:g}, 0 ± {SUN_K:g}, 0 ± {AFTERNOON_K:g} and 0 ± {NEARBY_K:g} K before)"
    )


def unexplained_text(check: CalibrationCheck) -> str:
    """What load and air do not explain of the top oil."""
    mean = {name: float(values.mean()) for name, values in check.draws.items()}
    return (
        f"{mean[WANDERING]:.2g} K that wanders over {mean[WANDERING_H]:.2g} h, "
        f"{mean[LASTING]:.2g} K that lasts over {mean[LASTING_D]:.2g} days, "
        f"noise of {mean[NOISE]:.2g} K"
    )


def error_text(check: CalibrationCheck) -> str:
    """How far the model is off on this record: a day ahead, open loop, and by the nameplate."""
    ahead = check.day_ahead_rms
    day = "" if ahead is None else f"{ahead:.2f} K rms a day ahead, "
    return (
        f"{day}{check.open_loop_rms:.2f} K rms open loop over the whole record; "
        f"by the nameplate {check.as_given_rms:.2f} K"
    )


def learned_from(check: CalibrationCheck) -> str:
    """The record that was learned from."""
    profile = check.profile
    assert profile.top_oil is not None and check.nameplate.learned is not None
    there, known = int(np.isfinite(profile.top_oil).sum()), check.nameplate.learned
    days = float(profile.seconds[-1]) / SECONDS_PER_DAY
    return f"{there} readings of top oil in {days:.3g} days, {known.start} to {known.end}"


def not_told(check: CalibrationCheck) -> list[str]:
    """A sentence for each constant of which the data tell little, with the reason."""
    sentences = []
    for constant in check.constants:
        assert constant.learned_std is not None and constant.learned is not None
        # Readings that shrink a doubt by less than a third are not worth calling a lesson.
        if constant.learned_std <= LITTLE * constant.before_std:
            continue
        now = spread(constant.learned, constant.learned_std)
        sentences.append(
            f"The data say little about the {NAMES[constant.name].long} ({now}, before "
            f"± {constant.before_std:.2g}): {_reason(constant, check)}."
        )
    return sentences


def _reason(constant: Constant, check: CalibrationCheck) -> str:
    """Why a constant could not be learned: the first reason that holds."""
    name, days = constant.name, float(check.seconds[-1]) / SECONDS_PER_DAY
    low, high = np.quantile(np.asarray(check.record.load), [0.05, 0.95])
    if days < FEW_DAYS:
        return f"{days:.2g} days are short"
    if name == WINDING_MINUTES:
        step = float(np.median(np.diff(check.profile.seconds))) / SECONDS_PER_MINUTE
        return f"the winding follows within minutes, and rows are {step:.2g} min apart"
    if high - low < STEADY_LOAD:
        return f"the load hardly varies ({low:.2f} to {high:.2f} p.u. in nine rows of ten)"
    if partner := _partner(name, check):
        return f"in this record it cannot be separated from {partner}"
    if high < LIGHT_LOAD:
        return f"the load is mostly below {high:.2f} p.u., far from the rated one"
    return "what load and air do not explain hides it"


def _partner(name: str, check: CalibrationCheck) -> str | None:
    """The unknown that makes up for a constant in the draws; None where none clearly does."""
    draws = check.draws
    others = [other for other in PARTNERS if other in draws and other != name]
    with np.errstate(invalid="ignore"):  # a number that is the same in all draws has none
        related = [abs(np.corrcoef(draws[name], draws[other])[0, 1]) for other in others]
    best = int(np.argmax(np.nan_to_num(related)))
    return PARTNERS[others[best]] if related[best] > RELATED else None


def thermometer_doubt(nameplate: Nameplate) -> str | None:
    """What to say where the oil seems to follow faster than oil can; None where it does not."""
    if nameplate.learned is None or OIL_MINUTES not in nameplate.learned.given:
        return None
    minutes = nameplate.oil.time_constant_min.mean
    # By the nameplate as given, since a floor by what was learned would move along with it.
    if minutes > AT_FLOOR * least_minutes(nameplate.as_given()):
        return None
    lag = minutes * nameplate.oil.k11.mean
    return (
        f"The top oil follows air and load within {lag:.0f} min, faster than a tank of oil can: "
        "its thermometer may be in the air or the sun instead of the oil. Check where it is "
        "mounted before relying on the answer."
    )


def _drawn(check: CalibrationCheck, name: str) -> str:
    values = check.draws[name]
    # An error may have either sign, and is as often small against its doubt: no interval for it.
    return f"{values.mean():.1f} ± {values.std():.1f}"
