"""Keep xarray from loading Dask where nobody needs it: half a second of every command."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

DASK, XARRAY = "dask", "xarray"


@contextmanager
def without_dask() -> Iterator[None]:
    """Meanwhile Dask counts as not installed, unless it or xarray is loaded already.

    xarray loads all of it to see whether an array is one of Dask's. Only fleets are spread by Dask,
    and only those who have installed the extra for fleets would wait.
    """
    # xarray remembers that Dask is installed, and would then stumble over its absence.
    if DASK in sys.modules or XARRAY in sys.modules:
        yield
        return
    # What Python's own documentation says: a module that is None is one that cannot be imported.
    sys.modules[DASK] = None  # pyright: ignore[reportArgumentType]
    try:
        yield
    finally:
        del sys.modules[DASK]
