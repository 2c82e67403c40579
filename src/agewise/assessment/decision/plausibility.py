"""Whether a profile and a nameplate fit each other, before anything is inferred."""

import numpy as np

from agewise.assessment.calibration.calibrate import hour_of_day
from agewise.assessment.calibration.words import NAMES, spread, thermometer_doubt
from agewise.assessment.decision.finding import Finding
from agewise.engine.uncertainty.calibration import rms
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.model import AFTERNOON, AIR_BIAS, NEARBY, SUN
from agewise.transformer.calibration.record import afternoon_sun, sun_height
from agewise.transformer.iec60076 import top_oil

NAMEPLATE_RMS = 4.0
"""Root mean square between measured and modelled top oil above which nameplate or cooling are in
doubt [K]; the model itself is good to 2 K."""
BELOW_AMBIENT = 20.0
"""Share of the rows in which the top oil may read below the air, at night after a cold start
[%]."""

CONTRADICTION_Z, CONTRADICTION_SHARE = 2.0, 0.10
"""Distance of a learned constant from the nameplate's that is worth a finding: in standard
deviations of both, and as a share."""

USUAL = {
    "oil.time_constant_min": (45.0, 600.0),
    "oil.top_oil_rise_k": (15.0, 80.0),
    "oil.exponent": (0.5, 1.2),
    "oil.k11": (0.3, 1.2),
    "winding.time_constant_min": (2.0, 20.0),
    "winding.gradient_k": (5.0, 50.0),
    "winding.exponent": (1.0, 2.2),
    "winding.k21": (1.0, 4.0),
    "winding.k22": (0.5, 4.0),
}
"""Usual ranges of a nameplate's numbers, in the units that their names end with: the values of IEC
60076-7 for all ways of cooling, with room about them. Beyond, a wrong unit or decimal point is more
likely than such a transformer."""


def plausibility(profile: Profile, nameplate: Nameplate, hold: Hold = "backward") -> list[Finding]:
    """Findings where data and nameplate cannot both be right, and where the nameplate has unusual
    numbers or lacks some."""
    # What was learned is no number of a nameplate, and may be unusual.
    unusual = _unusual(nameplate.as_given())
    known = _thermometer(nameplate) + _taught(nameplate) + unusual + _assumed(nameplate)
    return _cold_oil(profile) + _disagreement(profile, nameplate, hold) + known


def _cold_oil(profile: Profile) -> list[Finding]:
    """Oil that is cooler than the air for long, which no transformer has."""
    if profile.top_oil is None:
        return []
    both = ~np.isnan(profile.top_oil) & ~np.isnan(profile.ambient)
    # Rows in which one of the two is missing say nothing.
    below = 100 * float(np.mean((profile.top_oil < profile.ambient)[both])) if both.any() else 0.0
    if below <= BELOW_AMBIENT:
        return []
    text = (
        f"The top oil reads below the ambient in {below:.0f} % of the rows: are the two columns "
        f"swapped? Believe nothing below."
    )
    return [Finding("impossible", text)]


def _disagreement(profile: Profile, nameplate: Nameplate, hold: Hold) -> list[Finding]:
    """Whether the top oil runs as the nameplate says it should, by IEC 60076-7."""
    measured = profile.top_oil
    if measured is None:
        return []
    filled = filled_profile(profile, nameplate, hold).profile
    series = (filled.seconds, filled.load, _true_air(filled, nameplate))
    modelled = top_oil(nameplate.thermal_constants(), *series, hold=hold)
    there = ~np.isnan(measured)
    measured = measured[there]
    error = rms(measured - modelled[there])
    if error <= NAMEPLATE_RMS:
        return []
    if nameplate.learned is not None:
        text = (
            f"Even with the constants that were learned, load and air miss the measured top oil by "
            f"{error:.1f} K rms: is its thermometer sound, and is this the load that heats it?"
        )
        return [Finding("nameplate", text)]
    text = (
        f"By the nameplate the top oil should run up to {modelled.max():.0f} °C, but it was "
        f"measured up to {measured.max():.0f} °C: is oil.top_oil_rise_k = "
        f"{nameplate.oil.top_oil_rise_k.mean:g} right, and the cooling sound? The uncertainty "
        f"given here holds only if they are."
    )
    return [Finding("nameplate", text)]


def _true_air(filled: Profile, nameplate: Nameplate) -> np.ndarray:
    """Air [°C], freed of what was learned to be wrong with its thermometer."""
    draws = nameplate.joint_draws
    bias, sun, afternoon, load = (
        float(np.mean(draws.get(name, 0.0))) for name in (AIR_BIAS, SUN, AFTERNOON, NEARBY)
    )
    when = filled.seconds, hour_of_day(filled)
    sunlit = sun * sun_height(*when) + afternoon * afternoon_sun(*when)
    return filled.ambient - bias - sunlit - load * filled.load


def _thermometer(nameplate: Nameplate) -> list[Finding]:
    """Whether the thermometer of the top oil seems to hang elsewhere."""
    text = thermometer_doubt(nameplate)
    return [] if text is None else [Finding("thermometer", text)]


def _taught(nameplate: Nameplate) -> list[Finding]:
    """Constants that the measurements contradict."""
    if nameplate.learned is None:
        return []
    quantities, notes = nameplate.thermal_quantities(), []
    for name, before in nameplate.learned.given.items():
        now = quantities[name]
        off, doubt = abs(now.mean - before.mean), float(np.hypot(now.std or 0, before.std or 0))
        if off < max(CONTRADICTION_Z * doubt, CONTRADICTION_SHARE * before.mean):
            continue
        origin = "the guide's table has" if name in nameplate.assumed else "the nameplate says"
        learned = f"{spread(now.mean, now.std or 0.0)} {NAMES[name].unit}".rstrip()
        notes.append(f"the {NAMES[name].long} is {learned}, where {origin} {before.mean:.3g}")
    if not notes:
        return []
    text = (
        f"By the measurements {'; '.join(notes)}. The answer stands on what was measured: is the "
        f"nameplate right, and the cooling sound?"
    )
    return [Finding("learned", text)]


def _unusual(nameplate: Nameplate) -> list[Finding]:
    """Numbers that are possible, but seem to be in another unit."""
    quantities = nameplate.thermal_quantities()
    odd = [
        f"{name} = {quantities[name].mean:g} (usually {low:g} to {high:g})"
        for name, (low, high) in USUAL.items()
        if not low <= quantities[name].mean <= high
    ]
    if not odd:
        return []
    text = f"The nameplate says {', '.join(odd)}: check the unit and the decimal point."
    return [Finding("nameplate", text)]


def _assumed(nameplate: Nameplate) -> list[Finding]:
    """Numbers that the nameplate does not give and the measurements do not teach."""
    learned = {} if nameplate.learned is None else nameplate.learned.given
    names = [name for name in nameplate.assumed if name not in learned]
    if not names:
        return []
    quantities = nameplate.thermal_quantities()
    values = ", ".join(f"{name} = {quantities[name].mean:g}" for name in names)
    text = (
        f"The nameplate leaves out numbers of oil and winding; those of IEC 60076-7 for "
        f"{nameplate.cooling} are taken: {values}. The test report of the unit knows better."
    )
    return [Finding("assumed", text)]
