"""Whether a profile and a nameplate fit each other, before anything is inferred.

What concerns learned constants is imported where there are some: it needs JAX, which takes longer
to load than the guide's answer takes to work out.
"""

import numpy as np

from agewise.assessment.decision.finding import Finding
from agewise.assessment.decision.nameplate_findings import nameplate_findings
from agewise.assessment.oil.lower_stages import lower_stage_share, stages_guessed
from agewise.assessment.oil.rarity import RARE_H, hours_between
from agewise.engine.uncertainty.coverage import rms
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import guide_top_oil
from agewise.quality.rules.cold import COLD_SHARE, MEND, cold_share
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold

NAMEPLATE_RMS = 4.0
"""Root mean square between measured and modelled top oil above which nameplate or cooling are in
doubt [K]; the model itself is good to 2 K."""
UNEXPLAINED_RMS = 10.0
"""The same, with constants that were learned, above which nothing can be told [K]: then load and
air have hardly to do with the oil."""
CONTRADICTION_Z, CONTRADICTION_SHARE = 2.0, 0.10
"""Distance of a learned constant from the nameplate's that is worth a finding: in standard
deviations of both, and as a share."""

MISPLACED_K = 5.0
"""Standard deviation of a top oil whose thermometer seems to hang elsewhere [K]: half of what the
oil is above the air at a moderate load."""


def plausibility(profile: Profile, nameplate: Nameplate, hold: Hold = "backward") -> list[Finding]:
    """Findings where data and nameplate cannot both be right, and where the nameplate has unusual
    numbers or lacks some."""
    of_nameplate = _thermometer(nameplate) + _taught(nameplate) + nameplate_findings(nameplate)
    data_findings = _rare(profile)
    # Oil that misses a model over air from elsewhere says nothing of nameplate or thermometer.
    if profile.ambient_std is None:
        data_findings = _cold_oil(profile) + data_findings
        if not stages_guessed(profile, nameplate, hold):
            data_findings += _disagreement(profile, nameplate, hold)
    return (
        data_findings + _air_elsewhere(profile) + _switched(profile, nameplate, hold) + of_nameplate
    )


def _air_elsewhere(profile: Profile) -> list[Finding]:
    """What is lost where nobody measured the air at the unit."""
    if profile.ambient_std is None:
        return []
    known = f"The air at the unit is known to ± {profile.air_std:.1f} K only."
    if profile.top_oil is None:
        return [Finding("air", f"{known} The modelled top oil may be off by as much.")]
    lost = "nothing can be learned about the unit, its cooling is not checked"
    if not profile.air_known:
        lost += ", no load can be permitted and no scenario computed"
    lost += ", and the oil temperature between bottom and top is less certain"
    stands = "The hot spot and its ageing are based on the measured top oil and do not need the air"
    return [Finding("air", f"{known} {stands}; but {lost}.")]


def _switched(profile: Profile, nameplate: Nameplate, hold: Hold) -> list[Finding]:
    """What to know where stages of the cooling, or taps, were switched."""
    notes = []
    share = lower_stage_share(profile, nameplate, hold)
    if share > 0:
        followed = (
            "This assessment learns nothing about the unit then and does not check its cooling, "
            "since no column cooling_stage says when"
            if stages_guessed(profile, nameplate, hold)
            else "What is learned about the unit and the check of its cooling follow its stages"
        )
        notes.append(
            f"For {100 * share:.0f} % of the time not all stages of the cooling were on. "
            f"{followed}; the heat equation between bottom and top of the oil uses the constants "
            f"of the last stage."
        )
    unused = {"cooling_stage": nameplate.cooling_stages, "tap": nameplate.taps}
    notes += [
        f"The column {name} is not used: the nameplate does not say what it switches."
        for name, nameplate_entry in unused.items()
        if getattr(profile, name) is not None and not nameplate_entry
    ]
    return [Finding("switched", text) for text in notes]


def _rare(profile: Profile) -> list[Finding]:
    """Rows so far apart that the load in between is anybody's guess."""
    step = hours_between(profile)
    if step < RARE_H:
        return []
    text = (
        f"The rows are {step:.3g} h apart: what load and oil did in between is not known, and a "
        "peak in between may have aged the paper more than all that was measured. Export a row "
        "at least every hour."
    )
    # The oil between two rows lies between them, give or take what it moves within that time.
    measured = profile.ambient if profile.top_oil is None else profile.top_oil
    # Steps over a hole count as well: what the oil did in them is not known either.
    moves = np.diff(measured[~np.isnan(measured)])
    return [Finding("rare", text, doubt_k=rms(moves) / 2 if moves.size else 0.0)]


def _cold_oil(profile: Profile) -> list[Finding]:
    """Oil that is cooler than the air for long, which no transformer has."""
    # Where the reading of the data has said so, once is enough.
    said = {finding.kind for finding in profile.findings}
    if profile.top_oil is None or said & {"swapped", "cold"}:
        return []
    share = cold_share(profile.seconds, profile.ambient, profile.top_oil)
    if share < COLD_SHARE:
        return []
    text = (
        f"In {100 * share:.0f} % of the rows the top oil reads cooler than the coldest air of the "
        f"day, as no transformer's oil is."
    )
    return [Finding("impossible", text, mend=MEND)]


def _disagreement(profile: Profile, nameplate: Nameplate, hold: Hold) -> list[Finding]:
    """Whether the top oil runs as the nameplate says it should, by IEC 60076-7."""
    measured = profile.top_oil
    if measured is None:
        return []
    # The model needs air and load in every row; only rows with a reading are compared.
    filled = filled_profile(profile, nameplate, hold).profile
    air = _true_air(filled, nameplate)
    modelled = guide_top_oil(filled, nameplate, hold=hold, air=air)
    there = ~np.isnan(measured)
    measured = measured[there]
    error = rms(measured - modelled[there])
    if error <= NAMEPLATE_RMS:
        return []
    if nameplate.learned is not None:
        text = (
            "Even with the learned constants, the top oil computed from load and air differs "
            f"from the measured one by {error:.1f} K rms: is the thermometer sound, and is this "
            "the load of this unit?"
        )
        # Empty unless the error leaves nothing to tell.
        mend = (
            "Check the thermometer of the top oil, and whether the load is that of this unit."
            * (error > UNEXPLAINED_RMS)
        )
        return [Finding("nameplate", text, mend=mend, doubt_k=error)]
    # The alarm goes by rms, so the sentence does: the highest values alone may agree.
    mean = float((measured - modelled[there]).mean())
    text = (
        f"The top oil was measured {error:.1f} K rms away from what nameplate, load and air give, "
        f"on average {abs(mean):.1f} K {'hotter' if mean > 0 else 'cooler'}: is "
        f"oil.top_oil_rise_k = {nameplate.oil.top_oil_rise_k.mean:g} right, and the cooling sound? "
        f"The uncertainty given here holds only if they are."
    )
    return [Finding("nameplate", text)]


def _true_air(filled: Profile, nameplate: Nameplate) -> np.ndarray:
    """Air [°C], freed of what was learned to be wrong with its thermometer."""
    if nameplate.learned is None:
        return filled.ambient
    from agewise.assessment.calibration.calibrate import hour_of_day
    from agewise.transformer.calibration.names import AFTERNOON, AIR_BIAS, NEARBY, SUN
    from agewise.transformer.calibration.record import afternoon_sun, sun_height

    draws = nameplate.joint_draws
    # An error of the air that was not learned counts as none.
    bias, sun, afternoon, load = (
        float(np.mean(draws.get(name, 0.0))) for name in (AIR_BIAS, SUN, AFTERNOON, NEARBY)
    )
    when = filled.seconds, hour_of_day(filled)
    sunlit = sun * sun_height(*when) + afternoon * afternoon_sun(*when)
    return filled.ambient - bias - sunlit - load * filled.load


def _thermometer(nameplate: Nameplate) -> list[Finding]:
    """Whether the thermometer of the top oil seems to hang elsewhere."""
    if nameplate.learned is None:
        return []
    from agewise.assessment.calibration.words import thermometer_doubt

    text = thermometer_doubt(nameplate)
    return [] if text is None else [Finding("thermometer", text, doubt_k=MISPLACED_K)]


def _taught(nameplate: Nameplate) -> list[Finding]:
    """Constants that the measurements contradict."""
    if nameplate.learned is None:
        return []
    from agewise.assessment.calibration.names import NAMES, spread

    quantities, notes = nameplate.thermal_quantities(), []
    for name, before in nameplate.learned.given.items():
        now = quantities[name]
        off, doubt = abs(now.mean - before.mean), float(np.hypot(now.std or 0, before.std or 0))
        # Both: a distance that matters and cannot be chance.
        if off < max(CONTRADICTION_Z * doubt, CONTRADICTION_SHARE * before.mean):
            continue
        origin = "the guide's table has" if name in nameplate.assumed else "the nameplate says"
        learned = f"{spread(now.mean, now.std or 0.0)} {NAMES[name].unit}".rstrip()
        notes.append(f"the {NAMES[name].long} is {learned}, where {origin} {before.mean:.3g}")
    if not notes:
        return []
    text = (
        f"By the measurements {'; '.join(notes)}. The answer uses the measured values: is the "
        "nameplate right, and the cooling sound?"
    )
    return [Finding("learned", text)]
