"""The lower end of the oil: measured, the air itself, or air and a share of the top's rise."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import FilledProfile, filled_profile, silent_rows, stand_in_std
from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.guesses import Guesses
from agewise.units import SECONDS_PER_MINUTE

SMOOTHED_MIN = 10.0
"""Time over which the air that cools the tank is averaged [min]: the oil averages over hours."""

Series = Float[np.ndarray, " time"]
"""A number for each row of a profile."""


@dataclass(frozen=True, eq=False)
class LowerEnd:
    """What is known of the oil's lower end, and of the air that cools the tank."""

    readings: Series
    """Readings of the lower end [°C]; NaN where there is none."""
    air: Series | None
    """Air that cools the tank [°C], without holes; None where the lower end is the air."""
    share: float
    """Rise of the bottom over the air as a share of the top's, where that was assumed; else 0."""
    share_std: float
    """Standard deviation of that share; 0 where the bottom is measured or is the air."""
    measured: bool
    """Whether a thermometer reads the bottom oil."""


def lower_end(profile: Profile, nameplate: Nameplate, hold: Hold) -> LowerEnd:
    """The lower end of a profile's oil: as measured, else as the nameplate has it."""
    assert profile.top_oil is not None
    # A column without a single reading is no thermometer.
    measured = profile.bottom_oil is not None and bool(np.isfinite(profile.bottom_oil).any())
    # Air from elsewhere is kept apart from the bottom, so that its doubt can be carried.
    if not measured and nameplate.oil.bottom == "ambient" and profile.ambient_std is None:
        return LowerEnd(profile.ambient, None, 0.0, 0.0, False)
    # Without oil temperatures, so that only the air is filled.
    alone = replace(profile, top_oil=None, bottom_oil=None)
    air = _smooth(profile.seconds, filled_profile(alone, nameplate, hold).profile.ambient)
    if measured:
        assert profile.bottom_oil is not None
        return LowerEnd(profile.bottom_oil, air, 0.0, 0.0, True)
    share = nameplate.bottom_share()
    # NaN where either is missing: what is made of both cannot be read without one.
    readings = (1 - share.mean) * profile.ambient + share.mean * profile.top_oil
    return LowerEnd(readings, air, share.mean, share.std or 0.0, False)


def lower_guesses(
    end: LowerEnd,
    guesses: Mapping[float, Guesses],
    profile: Profile,
    nameplate: Nameplate,
    hold: Hold,
) -> dict[float, Guesses]:
    """Stand-ins of both ends, those of the lower one made for what it is.

    Args:
        end: The lower end.
        guesses: Stand-ins for air and top oil, by height.
        profile: The measurements.
        nameplate: The unit.
        hold: Interval that a sample of the load stands for.
    """
    if end.air is None:
        return dict(guesses)
    upper = {height: guess for height, guess in guesses.items() if height > 0}
    rows = silent_rows(profile.seconds, end.readings)
    if not rows.size:
        return upper
    values, std = stood_in_bottom(end, filled_profile(profile, nameplate, hold), nameplate)
    lower = Guesses(profile.seconds[rows], values[rows], stand_in_std(std[rows]))
    return {0.0: lower} | upper


def stood_in_bottom(
    end: LowerEnd, filled: FilledProfile, nameplate: Nameplate
) -> tuple[Series, Series]:
    """What the lower end would be at every row [°C], and the doubt about that [K]."""
    if end.air is None:
        return filled.profile.ambient, filled.ambient_std
    share = nameplate.bottom_share() if end.measured else None
    at = end.share if share is None else share.mean
    assert filled.profile.top_oil is not None
    values = (1 - at) * filled.profile.ambient + at * filled.profile.top_oil
    rise = filled.profile.top_oil - filled.profile.ambient
    # Where the bottom is assumed, the doubt about its share is that of the whole record.
    doubt = 0.0 if share is None else (share.std or 0.0) * rise
    std = np.sqrt(((1 - at) * filled.ambient_std) ** 2 + (at * filled.top_oil_std) ** 2 + doubt**2)
    return values, std


def _smooth(seconds: Series, values: Series) -> Series:
    """A running mean over minutes; coarse samples stay as they are."""
    step = float(np.median(np.diff(seconds)))
    # As many rows before as after, so that the mean is not late.
    beside = round(SMOOTHED_MIN * SECONDS_PER_MINUTE / step) // 2
    if not beside:
        return values
    rows = slice(beside, beside + values.size)

    def total(terms: Series) -> Series:
        # Cut out of the whole: NumPy's "same" is as long as the longer of the two.
        return np.convolve(terms, np.ones(2 * beside + 1))[rows]

    # At both ends there are fewer rows to average.
    return total(values) / total(np.ones_like(values))
