"""Whatever dies, every asset ends once and nothing is lost; with real processes that are killed."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
from fleet.dask_processes import HERE, scheduler, worker
from fleet.errands import KILLED_ONCE, breaking, errand, errands, killed_once

from agewise.errors import InputError
from agewise.fleet.engine import cluster, dispatch, staff
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


@contextmanager
def killing(count: int) -> Iterator[list[int]]:
    """Meanwhile the first workers of this process are killed, each as soon as it appears and thus
    before it can begin, until there were so many; and whom it has hit."""
    dead, over = [], threading.Event()

    def kill() -> None:
        while len(dead) < count and not over.wait(0.02):
            for child in workers(os.getpid()):
                if child.pid not in dead and len(dead) < count:
                    with suppress(psutil.Error):
                        child.send_signal(signal.SIGKILL)
                        dead.append(child.pid)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield dead
    finally:
        over.set()
        thread.join()


def test_workers_that_are_killed_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Dask's nannies give up where a worker dies before it begins; others are started, in the same
    cluster. What counts is who was killed, never when: a slow machine kills as many."""
    monkeypatch.setattr(dispatch, "MOST_LOSSES", 0)  # no second cluster hides what the first lost
    monkeypatch.setattr(dispatch, "SILENT_SECONDS", 600.0)
    monkeypatch.setattr(staff, "FIRST_WAIT_SECONDS", 0.2)
    works, told = errands(tmp_path, 12), []
    with killing(4) as dead:
        ended = list(outcomes(works, killed_once, Engine(2, None, HERE), notify=told.append))
    assert not told
    assert len(dead) == 4
    assert sorted(o.work.asset.id for o in ended) == sorted(work.asset.id for work in works)
    assert {outcome.status for outcome in ended} == {"done"}
    assert len(list(tmp_path.glob("*.done"))) == 12
    begun = Counter(path.name.split(".")[0] for path in tmp_path.glob("*.begun-*"))
    assert all(begun[name] >= 2 for name in KILLED_ONCE), "killed at work, and begun anew"
    assert set(begun) == {work.asset.id for work in works}


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
        o.work.asset.id: o for o in outcomes(works, breaking, Engine(1, None, HERE), notify=print)
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
        for outcome in outcomes(works, task, Engine(1, address, HERE), notify=told.append):
            seen.append(outcome.work.asset.id)
            if len(seen) == 2:
                process.send_signal(signal.SIGKILL)
    assert sorted(seen) == sorted(work.asset.id for work in works)
    assert any("lost" in sentence for sentence in told)
    assert any("on this machine" in sentence for sentence in told)


def test_a_scheduler_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="No scheduler of Dask answers"):
        list(outcomes(errands(Path(), 1), errand, Engine(1, "tcp://127.0.0.1:9"), notify=print))
