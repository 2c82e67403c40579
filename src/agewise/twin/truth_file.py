"""The truth of a twin, read back for scoring."""

from pathlib import Path

import numpy as np
import xarray as xr

from agewise.engine.uncertainty.scores import Truth
from agewise.errors import InputError


def read_truth(path: str | Path) -> Truth:
    """The truth in a `truth.nc`."""
    try:
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
    top = float(dataset["height"][-1])
    return Truth(
        seconds=seconds,
        heights=dataset["height"].to_numpy() / top,
        oil=dataset["oil_true"].to_numpy().astype(float),
        noise_std=dataset["noise_std"].to_numpy().astype(float),
        sensor_heights=dataset["sensor_height"].to_numpy() / top,
        sensor=dataset["sensor"].to_numpy().astype(float),
    )
