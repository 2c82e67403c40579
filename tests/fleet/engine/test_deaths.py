"""Whatever dies, every asset ends once and nothing is lost; with real processes that are killed."""

import os
import random
import signal
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
from fleet.dask_processes import HERE, scheduler, worker
from fleet.errands import breaking, errand, errands

from agewise.errors import InputError
from agewise.fleet.engine import cluster
from agewise.fleet.engine.cluster import Engine
from agewise.fleet.engine.dispatch import outcomes
from agewise.fleet.engine.staff import (
    FIRST_WAIT_SECONDS,
    LONGEST_WAIT_SECONDS,
    TRIES,
    Patience,
)


def workers(of: int) -> list[psutil.Process]:
    """Processes that a cluster in a process has started to work."""
    found = []
    for child in psutil.Process(of).children(recursive=True):
        with suppress(psutil.Error):  # it has ended meanwhile
            found += [child] if "spawn_main" in " ".join(child.cmdline()) else []
    return found


def killed(seconds: float, count: int, seed: int) -> tuple[threading.Thread, list[int]]:
    """A thread that kills every worker of this process that appears within some seconds, before it
    can begin, and then one after the other at random moments; and whom it has killed."""
    moments, dead = random.Random(seed), []

    def kill(child: psutil.Process) -> None:
        with suppress(psutil.Error):
            child.send_signal(signal.SIGKILL)
            dead.append(child.pid)

    def kill_all() -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for child in workers(os.getpid()):
                kill(child)
            time.sleep(0.1)
        for _ in range(count):
            time.sleep(moments.uniform(0.5, 3.0))
            alive = workers(os.getpid())
            if alive:
                kill(moments.choice(alive))

    thread = threading.Thread(target=kill_all, daemon=True)
    thread.start()
    return thread, dead


def test_workers_that_are_killed_lose_nothing(tmp_path: Path):
    """Dask's nannies give up where a worker dies before it begins; others are started."""
    works, seen = errands(tmp_path, 12), []
    killer, dead = killed(2.0, int(os.environ.get("AGEWISE_KILLS", "3")), seed=100)
    for outcome in outcomes(works, errand, Engine(2, None, HERE), told=print):
        seen.append(f"{outcome.work.asset.id} {outcome.status}")
    killer.join()
    assert sorted(seen) == sorted(f"{work.asset.id} done" for work in works)
    assert len(list(tmp_path.glob("*.done"))) == 12
    assert len(list(tmp_path.glob("*.begun-*"))) >= 12
    assert dead


def test_patience_doubles_to_a_bound_and_ends():
    patience, waits = Patience(), []
    for number in range(TRIES):
        assert not patience.over
        patience = patience.failed(now=100.0 * number)
        waits.append(patience.until - 100.0 * number)
    assert patience.over
    assert waits[:3] == [FIRST_WAIT_SECONDS, 2 * FIRST_WAIT_SECONDS, 4 * FIRST_WAIT_SECONDS]
    assert max(waits) == waits[-1] == LONGEST_WAIT_SECONDS


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
