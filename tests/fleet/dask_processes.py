"""A scheduler and workers of Dask in processes of their own, as an operator would start them."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TESTS = str(Path(__file__).parents[1])
HERE = {"PYTHONPATH": os.pathsep.join([TESTS, *filter(None, [os.environ.get("PYTHONPATH")])])}
"""Variables by which a worker finds what tests have it do."""


@contextmanager
def dask(*words: str) -> Iterator[subprocess.Popen]:
    """A command of Dask in a process, killed at the end."""
    command = [sys.executable, "-m", "dask", *words]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(
        command, env=os.environ | HERE, stdout=nowhere, stderr=nowhere
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen]]:
    """A scheduler and its address."""
    file = folder / "scheduler.json"
    place = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with dask("scheduler", *place, "--dashboard-address", "127.0.0.1:0") as process:
        while not file.exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], process


def worker(address: str):
    """A worker of one thread."""
    return dask("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
