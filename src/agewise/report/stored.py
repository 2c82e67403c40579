"""What a finished run holds, as a report needs it."""

from pathlib import Path

import numpy as np
import xarray as xr

from agewise.arrays import damaged, read_arrays
from agewise.assessment.stored import FIELD, LIFE, NAMEPLATE, POSTERIOR, PROFILE, summary_of
from agewise.plant.nameplate_file import read_nameplate
from agewise.reading.profile_file import stored_profile
from agewise.report.inputs import ReportInputs
from agewise.report.run import HISTORY
from agewise.store.run import Run

FIRST = "0."
"""Prefix of the arrays of the first window."""


def stored_inputs(run: Run) -> ReportInputs:
    """What the report of a finished run is made from, read back from its folder."""
    folder = run.directory
    draws = read_arrays(folder / LIFE)
    lacking = sorted({"loss_of_life", "loss_of_life_field", "remaining_years"} - set(draws))
    if lacking:
        raise damaged(folder / LIFE, f"lacks {lacking[0]}")
    return ReportInputs(
        stored_profile(folder / PROFILE),
        read_nameplate(folder / NAMEPLATE),
        _field(folder / FIELD),
        summary_of(run),
        draws,
        _history(read_arrays(folder / POSTERIOR)),
    )


def _field(path: Path) -> xr.Dataset:
    """The field of a run; its times are dates, or minutes where the profile counts them."""
    try:
        # A time in minutes stays a number, as the profile has it.
        return xr.load_dataset(path, engine="h5netcdf", decode_timedelta=False)
    except (OSError, KeyError, ValueError) as error:
        raise damaged(path, f"holds no field ({type(error).__name__})") from None


def _history(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Losses of the first window's training by `stage/term`, as `report.run` has them."""
    prefix = FIRST + HISTORY
    return {
        name.removeprefix(prefix).replace("_", "/", 1): values
        for name, values in arrays.items()
        if name.startswith(prefix)
    }
