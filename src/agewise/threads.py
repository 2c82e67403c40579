"""Linear algebra on one thread, for loops over small matrices."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS to one thread.

    Matrices of a hundred rows gain nothing from threads, and lose a hundredfold where processes
    compete for cores: idle threads spin.
    """
    with _controller().limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    # Looking for the libraries takes milliseconds, so it is done once, after they are loaded.
    import numpy.linalg  # noqa: F401
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()
