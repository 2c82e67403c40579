"""Commands that need no Dask do not wait for it."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
import xarray as xr

from agewise.without_dask import DASK, XARRAY, without_dask

LOADED = """
import sys
from agewise.without_dask import without_dask
with without_dask():
    import xarray
    shown = xarray.Dataset({"oil": ("time", [1.0, 2.0])})
    shown.to_netcdf(sys.argv[1])
import dask
print(xarray.load_dataset(sys.argv[1])["oil"].values.sum())
"""


def test_dask_counts_as_not_installed_meanwhile_and_is_there_again(monkeypatch: pytest.MonkeyPatch):
    for name in (DASK, XARRAY):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with without_dask():
        assert importlib.util.find_spec(DASK) is None
        with pytest.raises(ImportError):
            import dask  # noqa: F401
    assert importlib.util.find_spec(DASK) is not None


def test_where_xarray_has_looked_already_dask_stays_installed(monkeypatch: pytest.MonkeyPatch):
    """It remembers that there is one; without it, its next array would end in a traceback."""
    monkeypatch.delitem(sys.modules, DASK, raising=False)
    monkeypatch.setitem(sys.modules, XARRAY, xr)
    with without_dask():
        assert importlib.util.find_spec(DASK) is not None
        assert xr.Dataset({"oil": ("time", [1.0])}).oil.dims == ("time",)


def test_dask_that_is_loaded_stays(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, DASK, np)
    with without_dask():
        assert sys.modules[DASK] is np
    assert sys.modules[DASK] is np


def test_files_are_written_without_it_and_read_with_it(tmp_path):
    program = [sys.executable, "-c", LOADED, str(tmp_path / "oil.nc")]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "3.0", done.stderr
