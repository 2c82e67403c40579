"""The truth of a twin, read back for scoring."""

from pathlib import Path

import numpy as np
import xarray as xr
from jaxtyping import Float

from agewise.engine.uncertainty.scores import Truth
from agewise.errors import InputError
from agewise.plant.profile import Profile
from agewise.units import SECONDS_PER_HOUR

LENGTHS_DIFFER_H = 1.0
"""Largest difference in length between truth and profile, whose last rows may be missing [h]."""
OTHER_TRUTH_Z = 1.0
"""Median distance of readings from a truth, in standard deviations of the noise, above which the
truth is another's: that of the right one is 0.67 (0.66 to 0.72 over twins of a day), of another
seed 1.26 and more."""


def read_truth(path: str | Path) -> Truth:
    """The truth in a `truth.nc`."""
    try:
        # Loaded whole, so that the file is closed again.
        dataset = xr.load_dataset(path, engine="h5netcdf")
        return truth_from(dataset)
    except FileNotFoundError:
        raise InputError(f"There is no file {path}.", hint="check the path.") from None
    except (OSError, KeyError, ValueError) as error:
        raise InputError(
            f"{path} is not a twin's truth: {str(error).splitlines()[0][:120]}.",
            hint="give the truth.nc that `agewise twin` wrote.",
        ) from None


def truth_from(dataset: xr.Dataset) -> Truth:
    """The truth in a twin's dataset."""
    seconds = (dataset["time"] - dataset["time"][0]).to_numpy() / np.timedelta64(1, "s")
    top = float(dataset["height"][-1])  # heights become fractions of the tank's
    return Truth(
        seconds=seconds,
        heights=dataset["height"].to_numpy() / top,
        oil=dataset["oil_true"].to_numpy().astype(float),
        noise_std=dataset["noise_std"].to_numpy().astype(float),
        sensor_heights=dataset["sensor_height"].to_numpy() / top,
        sensor=dataset["sensor"].to_numpy().astype(float),
    )


def refuse_other_truth(profile: Profile, truth: Truth) -> None:
    """Refuse the truth of another unit, time or seed: scores against it would mean nothing.

    Half of all readings lie within 0.67 standard deviations of their truth. Those of one sensor may
    be spoiled, but both ends of the oil are off only where the truth is another.
    """
    measured, known = profile.seconds[-1] / SECONDS_PER_HOUR, truth.seconds[-1] / SECONDS_PER_HOUR
    if abs(measured - known) > LENGTHS_DIFFER_H:
        raise _other(f"it is {known:.1f} h long, and they are {measured:.1f} h")
    ends = [(profile.ambient if profile.bottom_oil is None else profile.bottom_oil, 0)]
    ends += [] if profile.top_oil is None else [(profile.top_oil, -1)]
    # The smaller of the two, since faults may have spoiled the sensor at one end.
    off = min(_typical_z(profile, truth, readings, end) for readings, end in ends)
    if off > OTHER_TRUTH_Z:
        raise _other(f"they are {off:.1f} standard deviations of the noise away from it or more")


def _typical_z(
    profile: Profile, truth: Truth, readings: Float[np.ndarray, " time"], end: int
) -> float:
    """Median distance of the readings from the truth at one end, in standard deviations."""
    oil, std = (
        np.interp(profile.seconds, truth.seconds, values[:, end])
        for values in (truth.oil, truth.noise_std)
    )
    return float(np.nanmedian(np.abs(readings - oil) / std))


def _other(why: str) -> InputError:
    return InputError(
        f"The truth belongs to other measurements: {why}.",
        hint="give the truth.nc that was written with this profile.",
    )
