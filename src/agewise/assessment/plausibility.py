"""What a profile and a nameplate say of each other, before any method is asked."""

import numpy as np

from agewise.assessment.finding import Finding
from agewise.assessment.stand_ins import whole
from agewise.data.nameplate import Nameplate
from agewise.data.profile import Profile
from agewise.physics.iec60076 import top_oil
from agewise.physics.sampling import Hold
from agewise.uncertainty.calibration import rms

NAMEPLATE_RMS = 4.0
"""K rms between measured and modelled top oil, above which nameplate or cooling are in doubt; the
model itself is good to 2 K."""
BELOW_AMBIENT = 20.0
"""% of the rows in which the top oil may read below the air, at night after a cold start"""


def plausibility(
    profile: Profile, nameplate: Nameplate, hold: Hold = "backward"
) -> list[Finding]:
    """Where data and nameplate cannot both be right, or say too little."""
    return _cold_oil(profile) + _disagreement(profile, nameplate, hold)


def _cold_oil(profile: Profile) -> list[Finding]:
    """Oil cooler than air, which no transformer has for long: then the data are not what they
    seem."""
    if profile.top_oil is None:
        return []
    below = 100 * float(np.mean(profile.top_oil < profile.ambient))
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
    filled = whole(profile, nameplate, hold).profile
    series = (filled.seconds, filled.load, filled.ambient)
    modelled = top_oil(nameplate.thermal_constants(), *series, hold=hold)
    there = ~np.isnan(measured)
    measured = measured[there]
    if rms(measured - modelled[there]) <= NAMEPLATE_RMS:
        return []
    text = (
        f"By the nameplate the top oil should run up to {modelled.max():.0f} °C, but it was "
        f"measured up to {measured.max():.0f} °C: is oil.top_oil_rise_k = "
        f"{nameplate.oil.top_oil_rise_k.mean:g} right, and the cooling sound? The uncertainty "
        f"given here holds only if they are."
    )
    return [Finding("nameplate", text)]
