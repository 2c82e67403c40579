"""Fields in files: as precise as anything measured, and small."""

from pathlib import Path

import numpy as np
import xarray as xr

from agewise.plant.field import rounded, write_dataset


def test_a_file_keeps_a_thousandth_of_a_kelvin_and_what_is_no_number(tmp_path: Path):
    rng = np.random.default_rng(0)
    values = rng.uniform(-50.0, 150.0, (200, 31)).astype(np.float32)
    values[0, :3] = np.inf, -np.inf, np.nan
    field = rounded(xr.Dataset({"oil_mean": (("time", "height"), values)}))
    write_dataset(field, tmp_path / "field.nc")
    with xr.open_dataset(tmp_path / "field.nc", engine="h5netcdf") as file:
        read = file["oil_mean"].to_numpy()
    np.testing.assert_array_equal(np.isfinite(read), np.isfinite(values))
    np.testing.assert_array_equal(read[0, :2], values[0, :2])
    finite = np.isfinite(values)
    assert 0 < np.abs(read[finite] - values[finite]).max() <= 1e-3
