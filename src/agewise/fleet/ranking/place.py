"""An asset's place in a list: the number that it is ranked by, and the draws behind it."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float

from agewise.arrays import read_arrays
from agewise.assessment.stored import LIFE
from agewise.errors import InputError
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.fleet.chances import log_chance, log_years, unit_chances, years_left

By = Literal["risk", "life", "overload", "data"]
"""What a fleet is ranked by: expected risk, years left, hours above a limit, state of the data."""
NO_DRAWS = np.empty(0)


@dataclass(frozen=True, eq=False)
class Place:
    """An asset that can be ranked."""

    asset: AssetRow
    """The asset."""
    run: RunRow
    """Its latest run, which is done."""
    value: float
    """The number that it is ranked by; more comes first."""
    low: float
    """Lower end of the 90 % interval of that number."""
    high: float
    """Upper end of it."""
    tie: float = 0.0
    """What tells assets of the same number apart, more comes first: the logarithm of a risk that is
    too small for draws to show."""
    draws: Float[np.ndarray, " draw"] = field(default_factory=lambda: NO_DRAWS)
    """What that number would be for each unit that this one may be; empty where there is nothing
    that could be drawn."""


def place_of(asset: AssetRow, run: RunRow, directory: Path, by: By) -> Place:
    """The place of an asset whose latest run is done.

    Args:
        asset: The asset.
        run: Its latest run.
        directory: Folder of the fleet, below which the run lies.
        by: What is ranked by: `risk` (chance of an end within the horizon times criticality),
            `life` (fewest years left), `overload` (hottest), `data` (least measured).
    """
    if by not in get_args(By):
        raise InputError(f"A fleet is not ranked by {by!r}.", hint=f"choose of {get_args(By)}.")
    if by == "data":
        missing = 1 - (run.measured_share or 0.0)
        return Place(asset, run, missing, missing, missing)
    arrays = read_arrays(directory / (run.folder or "") / LIFE)
    years = years_left(arrays, run.yearly_loss_hours)
    if by == "life":
        return _by_life(asset, run, years)
    if by == "overload":
        return _spread(asset, run, run.hot_spot_mean or 0.0, arrays["hot_spot"])
    return _by_risk(asset, run, years)


def _by_risk(asset: AssetRow, run: RunRow, years: np.ndarray) -> Place:
    horizon = run.horizon_years or 0.0
    chances = unit_chances(years, horizon, future=future_share(run))
    weight = asset.criticality
    place = _spread(asset, run, weight * (run.chance or 0.0), weight * chances)
    # Most units of a fleet are so far from their end that no draw ends within the horizon.
    tiny = log_chance(years, horizon) if horizon > 0 else -np.inf
    return replace(place, tie=tiny + np.log(weight) if weight > 0 else -np.inf)


def _by_life(asset: AssetRow, run: RunRow, years: np.ndarray) -> Place:
    # The fewest years come first, so the number that is ranked by is their negative logarithm.
    draws = -log_years(years)
    return _spread(asset, run, float(np.median(draws)), draws)


def _spread(asset: AssetRow, run: RunRow, value: float, draws: np.ndarray) -> Place:
    low, high = np.quantile(draws, [0.05, 0.95])
    return Place(asset, run, value, float(low), float(high), draws=draws)


def future_share(run: RunRow) -> float:
    """Share of the years to come in the variance of the years left of a run."""
    return min(max(float(run.quantities.get("future", 0.0)), 0.0), 1.0)
