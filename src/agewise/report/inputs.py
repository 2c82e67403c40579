"""What a report is made from."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile


@dataclasses.dataclass(frozen=True)
class ReportInputs:
    """A finished assessment: what went in, and everything that came out."""

    profile: Profile
    nameplate: Nameplate
    field: xr.Dataset
    """Oil, winding, ageing and loss of life over time and height, with their uncertainties."""
    summary: Mapping[str, Any]
    """The headline numbers, as in `summary.json`."""
    draws: Mapping[str, np.ndarray]
    """`loss_of_life` [h] and `remaining_years` (infinite beyond the horizon) by future, with every
    uncertainty; `loss_of_life_field` [h] by draw, with the oil's alone. At the worst height."""
    history: Mapping[str, np.ndarray] = dataclasses.field(default_factory=dict)
    """Training by `stage/term`, each stage with `step` and `total`; empty without training."""

    @property
    def life(self) -> Mapping[str, Any]:
        """The summary's section on life."""
        return self.summary["life"]

    @property
    def horizon(self) -> float:
        """Years beyond which no future is followed."""
        return float(self.life["horizon_years"])

    @property
    def futures(self) -> int:
        """How many futures were followed."""
        return int(self.draws["remaining_years"].size)

    @property
    def ends(self) -> np.ndarray:
        """Years to those ends of life that come within the horizon, in order."""
        years = np.sort(self.draws["remaining_years"])
        return years[years <= self.horizon]

    @property
    def hottest_height(self) -> float:
        """The height [m] at which the winding gets hottest."""
        return float(self.field["winding_mean"].max("time").idxmax("height"))
