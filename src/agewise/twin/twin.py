"""The twin: measurements of a bundled case with a known truth, for any method to be scored on."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import xarray as xr

from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile, profile_from
from agewise.twin.cases import bundled_case
from agewise.twin.faults import Injected, inject
from agewise.twin.readings import (
    INTERIOR,
    LOAD_DECIMALS,
    TEMPERATURE_DECIMALS,
    noise_std,
    profile_frame,
    readings,
)
from agewise.twin.settings import MINUTES_PER_DAY, WARM_UP, TwinSettings
from agewise.twin.true_plant.nameplates import Deviation, printed_nameplate, true_nameplate
from agewise.twin.true_plant.plant import true_plant
from agewise.twin.true_plant.surroundings import surroundings
from agewise.twin.truth_dataset import truth_dataset

__all__ = [
    "INTERIOR",
    "LOAD_DECIMALS",
    "MINUTES_PER_DAY",
    "TEMPERATURE_DECIMALS",
    "WARM_UP",
    "Twin",
    "TwinSettings",
    "make_twin",
]


@dataclass(frozen=True)
class Twin:
    """Measurements of a made plant, the nameplate they belong to, and the truth behind them.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=0.5))
        >>> twin.truth["oil_true"].dims
        ('time', 'height')
    """

    settings: TwinSettings
    """What twin was asked for."""
    frame: pd.DataFrame
    """The table of the profile file, faults included: load [p.u.], temperatures [°C]."""
    nameplate: Nameplate
    """The nameplate as it is printed: what a method may know of the unit."""
    true_nameplate: Nameplate
    """The unit as it is: the constants behind the truth."""
    truth: xr.Dataset
    """Oil temperature without noise [°C] and noise [K] over time and height, and the readings of
    the sensors inside."""
    injected: tuple[Injected, ...]
    """The faults in `frame`, and where they lie."""

    @cached_property
    def profile(self) -> Profile:
        """The measurements as a profile; refused when faults make them unreadable."""
        return profile_from(self.frame, where="the twin's profile")


def make_twin(settings: TwinSettings) -> Twin:
    """A twin: measurements with a known truth, the same for the same settings.

    Options leave the weather of a seed as it is, but for its case, start and length.

    Args:
        settings: The case, its length, its noise and what is wrong with it.

    Returns:
        The measurements as a table and a profile, the nameplate, and the true oil temperature [°C]
        with the standard deviation of the noise [K] over time and height.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=0.5))
        >>> len(twin.frame)
        720
    """
    sheet = bundled_case(settings.case).nameplate()
    warm = settings.bottom_offset > 0
    printed = printed_nameplate(sheet, leave_out=settings.leave_out, warm_bottom=warm)
    deviation = Deviation(
        settings.nameplate_error, settings.bottom_offset, settings.conductivity_factor
    )
    true = true_nameplate(sheet, deviation, rng=settings.stream("nameplate error"))
    plant = true_plant(settings, true, surroundings(settings))
    std = noise_std(settings, plant)
    shown = readings(settings, plant, std)
    frame = profile_frame(settings, plant, shown)
    # The truth is taken from the clean frame: faults move times and drop rows.
    spoiled = inject(frame, settings.faults, rng=settings.stream("faults"))
    truth = truth_dataset(settings, true, plant, std, shown)
    return Twin(settings, spoiled.frame, printed, true, truth, spoiled.injected)
