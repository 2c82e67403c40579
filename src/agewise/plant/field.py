"""Fields over time and height in NetCDF files."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import xarray as xr
from jaxtyping import Float

from agewise import __version__
from agewise.files import replacing
from agewise.plant.timeline import Timeline

UNITS = {
    "oil_mean": "degC",
    "oil_epistemic": "K2",
    "oil_aleatoric": "K2",
    "winding_mean": "degC",
    "winding_epistemic": "K2",
    "winding_aleatoric": "K2",
    "ageing_mean": "1",
    "ageing_std": "1",
    "ageing_epistemic_std": "1",
    "loss_of_life_mean": "h",
    "loss_of_life_std": "h",
    "oil_true": "degC",
    "noise_std": "K",
    "sensor": "degC",
    "load_true": "p.u.",
    "air_true": "degC",
    "air_error_true": "K",
    "hot_spot_true": "degC",
}
"""Unit of each variable that a NetCDF file can hold."""
SINGLE_BITS, KEPT_BITS = 23, 16
"""Bits after the point that a number in single precision has, and those that a file keeps: a
temperature to a thousandth of a kelvin."""
DIMENSIONS = ("time", "height")
"""Dimensions of a field."""


def field_dataset(
    timeline: Timeline,
    seconds: Float[np.ndarray, " time"],
    heights: Float[np.ndarray, " height"],
    variables: Mapping[str, Float[np.ndarray, "time height"]],
) -> xr.Dataset:
    """A data set of fields over time and height, in single precision.

    Args:
        timeline: Instants of the profile, for the start and the zone of the times.
        seconds: Times of the fields, in seconds from the start of `timeline`.
        heights: Heights of the fields above the bottom of the tank [m].
        variables: The fields by name; each name is a key of `UNITS`.

    Returns:
        The data set, with times in UTC and their zone as an attribute.
    """
    dataset = xr.Dataset(
        {name: (DIMENSIONS, values) for name, values in variables.items()},
        coords={
            "time": ("time", timeline.utc(seconds), _time_attributes(timeline)),
            "height": ("height", heights, {"units": "m"}),
        },
        attrs={"source": f"agewise {__version__}"},
    )
    return with_units(dataset)


def with_units(dataset: xr.Dataset) -> xr.Dataset:
    """The same data set, with each variable in single precision and with its unit."""
    # A year of fields is large, and seven digits are far finer than any sensor.
    data = {
        name: values.astype(np.float32).assign_attrs(units=UNITS[str(name)])
        for name, values in dataset.data_vars.items()
    }
    return dataset.assign(data)


def write_dataset(dataset: xr.Dataset, path: Path) -> None:
    """Write NetCDF, compressed, whole or not at all."""
    # Shuffled, bytes of equal weight lie side by side, and pack far better.
    packed = {"zlib": True, "complevel": 2, "shuffle": True}
    encoding = {str(name): packed for name in dataset.data_vars}
    # Made in memory first: on a full disk the HDF5 library would crash the process.
    content = dataset.to_netcdf(engine="h5netcdf", encoding=encoding)
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def _time_attributes(timeline: Timeline) -> dict[str, str]:
    # Units of real dates are left to xarray, which writes them with its own epoch.
    if timeline.start is None:
        return {"units": "min", "long_name": "minutes from the start"}
    return {"timezone": timeline.timezone}


def rounded(dataset: xr.Dataset) -> xr.Dataset:
    """The same data set with `KEPT_BITS` of every number, the rest of its bits zero.

    Digits that nobody can measure are noise to whatever packs a file.
    """
    return dataset.map(lambda variable: variable.copy(data=_fewer_bits(variable.to_numpy())))


def _fewer_bits(values: np.ndarray) -> np.ndarray:
    if values.dtype != np.float32:
        return values
    step = 1 << (SINGLE_BITS - KEPT_BITS)
    # Half a step first, so that cutting bits off rounds to the nearest.
    bits = np.ascontiguousarray(values).view(np.uint32) + np.uint32(step // 2)
    # What is infinite or no number at all has no digits to drop.
    return np.where(np.isfinite(values), (bits // step * step).view(np.float32), values)
