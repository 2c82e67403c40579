"""One thread where more would be slower: loops over small matrices, processes side by side."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController

ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
"""What a process reads when it starts."""


@contextmanager
def single_threaded_children(wanted: bool = True) -> Iterator[None]:
    """Hold processes that are started meanwhile to one thread.

    Side by side, each on one core is faster than all on all.
    """
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD if wanted else {})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


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
