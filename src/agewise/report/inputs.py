"""What a report is made from."""

import dataclasses
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import numpy as np
import xarray as xr

from agewise.assessment.answer.summary import Summary
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile


@runtime_checkable
class FieldInputs(Protocol):
    """What a figure of the field is made from: part of all that a report is made from."""

    @property
    def profile(self) -> Profile:
        """The record that was assessed."""
        ...

    @property
    def field(self) -> xr.Dataset:
        """Oil, winding, ageing and loss of life over time and height, with their uncertainties."""
        ...


@dataclasses.dataclass(frozen=True, eq=False)
class KnownField:
    """A field of temperatures and ageing, whose life used is still worked out."""

    profile: Profile
    """The record that was assessed."""
    field: xr.Dataset
    """Oil, winding, ageing and loss of life over time and height, with their uncertainties."""


# Not compared field by field, since `==` of two arrays is an array, not a truth value.
@dataclasses.dataclass(frozen=True, eq=False)
class ReportInputs:
    """A finished assessment: what went in, and everything that came out."""

    profile: Profile
    """The record that was assessed."""
    nameplate: Nameplate
    """The nameplate of the transformer."""
    field: xr.Dataset
    """Oil, winding, ageing and loss of life over time and height, with their uncertainties."""
    summary: Summary
    """The answer in numbers and words, as in `summary.json`."""
    draws: Mapping[str, np.ndarray]
    """The draws behind the summary, at the height that ages fastest: `loss_of_life` [h] and
    `remaining_years` (infinite beyond the horizon) with every uncertainty, `loss_of_life_field` [h]
    with the uncertainty of the oil temperature only."""
    history: Mapping[str, np.ndarray] = dataclasses.field(default_factory=dict)
    """Losses of a network's training by `stage/term`, each stage with `step` and `total`; empty for
    a method that trains none."""

    @property
    def horizon(self) -> float:
        """Time from the end of the window beyond which no end of life is looked for [years]."""
        return self.summary.life.horizon_years

    @property
    def courses(self) -> int:
        """Number of simulated courses of the coming years."""
        return self.summary.life.futures

    @property
    def ends(self) -> np.ndarray:
        """Times to those ends of life that come within the horizon [years], in ascending order."""
        years = np.sort(self.draws["remaining_years"])
        return years[years <= self.horizon]
