"""Whatever dies, every asset ends once and nothing is lost; with real processes that are killed."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psutil
import pytest
from fleet.errands import breaking, errand, errands

from agewise.errors import InputError
from agewise.fleet.engine import cluster
from agewise.fleet.engine.cluster import Engine
from agewise.fleet.engine.dispatch import outcomes

TESTS = str(Path(__file__).parents[2])
HERE = {"PYTHONPATH": os.pathsep.join([TESTS, *filter(None, [os.environ.get("PYTHONPATH")])])}
"""Variables by which a worker finds the errands."""


def workers(of: int) -> list[psutil.Process]:
    """Processes that a cluster in a process has started to work."""
    children = psutil.Process(of).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def killed_at_random(count: int, seed: int) -> threading.Thread:
    """A thread that kills one worker of this process after the other at random moments."""
    moments = random.Random(seed)

    def kill() -> None:
        for _ in range(count):
            time.sleep(moments.uniform(0.2, 1.5))
            alive = workers(os.getpid())
            if alive:
                moments.choice(alive).send_signal(signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


def test_workers_that_are_killed_lose_nothing(tmp_path: Path):
    works, seen = errands(tmp_path, 12), []
    killer = killed_at_random(int(os.environ.get("AGEWISE_KILLS", "3")), seed=100)
    for outcome in outcomes(works, errand, Engine(2, None, HERE), told=seen.append):
        seen.append(outcome.work.asset.id)
    killer.join()
    assert sorted(seen) == sorted(work.asset.id for work in works)
    assert len(list(tmp_path.glob("*.done"))) == 12
    assert len(list(tmp_path.glob("*.begun-*"))) >= 12


def test_an_asset_that_kills_its_workers_fails_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cluster, "DEATHS", 1)
    works = errands(tmp_path, 3)
    ends = {
        o.work.asset.id: o for o in outcomes(works, breaking, Engine(1, None, HERE), told=print)
    }
    assert {name: one.status for name, one in ends.items()} == {
        "T0": "done",
        "T1": "failed",
        "T2": "done",
    }
    assert "killed again and again" in (ends["T1"].sentence or "")


@contextmanager
def dask(*words: str) -> Iterator[subprocess.Popen]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-m", "dask", *words]
    with subprocess.Popen(command, env=os.environ | HERE, **quiet) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen]]:
    """A scheduler in a process of its own, and its address."""
    file = folder / "scheduler.json"
    place = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with dask("scheduler", *place, "--dashboard-address", "127.0.0.1:0") as process:
        while not file.exists():
            assert process.poll() is None
            time.sleep(0.05)
        import json

        yield json.loads(file.read_text())["address"], process


def worker(address: str):
    return dask("worker", address, "--nthreads", "1", "--no-dashboard", "--death-timeout", "5")


def test_a_scheduler_that_is_killed_leaves_the_rest_to_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1.0)
    works, seen, told = errands(tmp_path, 6), [], []
    with scheduler(tmp_path) as (address, process), worker(address):
        task = partial(errand, seconds=0.5)
        for outcome in outcomes(works, task, Engine(1, address, HERE), told=told.append):
            seen.append(outcome.work.asset.id)
            if len(seen) == 2:
                process.send_signal(signal.SIGKILL)
    assert sorted(seen) == sorted(work.asset.id for work in works)
    assert any("lost" in sentence for sentence in told)
    assert any("on this machine" in sentence for sentence in told)


def test_a_scheduler_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="No scheduler of Dask answers"):
        list(outcomes(errands(Path(), 1), errand, Engine(1, "tcp://127.0.0.1:9"), told=print))
