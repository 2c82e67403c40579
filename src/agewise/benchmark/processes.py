"""Work in processes of one thread each that are ended where they take too long."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Literal

from agewise.threads import begin_worker

Ending = Literal["done", "late", "died"]
"""How a call ended: by itself, by us because its time was up, or with its process."""
BEGUN, DONE = "begun", "done"
"""What a process says of its work."""
PATIENCE = 5.0
"""Time that an ended process has to go [s] before it is killed."""


@dataclass
class _Worker:
    """A process and the line to it."""

    process: SpawnProcess
    """The process that does the work."""
    line: Connection
    """Our end of the line, by which it is given work and says that it is done."""
    call: tuple[Any, ...] | None = None
    """What it works at; None while it has nothing to do."""
    deadline: float = inf
    """When its time is up, by the monotonic clock [s]; never, before it has begun."""

    def takes(self, call: tuple[Any, ...]) -> bool:
        """Hand it work, whose time begins when it says so; whether it was there to take it."""
        self.call, self.deadline = call, inf
        try:
            self.line.send(call)
        except OSError:
            return False
        return True

    def end(self) -> None:
        """End the process, whatever it is at."""
        self.line.close()
        # Asked first, so that it may close its files; killed only if it does not go.
        self.process.terminate()
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def within_limit(
    function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], *, jobs: int, limit: float
) -> Iterator[tuple[tuple[Any, ...], Ending]]:
    """Call a function with each of several arguments, in processes that may not take too long.

    Unlike joblib's, one process can be ended without the others, and one that dies takes nothing
    with it. What the function returns is not passed on; it leaves files.

    Args:
        function: A function of a module, since processes find it by its name.
        calls: What it is called with, once for each tuple.
        jobs: Processes at a time.
        limit: Time that one call may take [s], from when its process has begun with it.

    Returns:
        Every call as it ends, and how it ended.
    """
    waiting, workers = iter(calls), []
    try:
        while True:
            idle = [worker for worker in workers if worker.call is None]
            busy = [worker for worker in workers if worker.call is not None]
            # Taken one at a time: calls may be many, and those not begun need no process.
            call = next(waiting, None) if len(busy) < jobs else None
            if call is not None:
                # Kept from call to call, since loading JAX takes seconds.
                while idle and not idle[0].takes(call):
                    # It died while it had nothing to do, so that no call is to blame.
                    idle[0].end()
                    workers.remove(idle.pop(0))
                if not idle:
                    workers.append(_worker(function))
                    # One that does not live to take it is found dead below, with its call.
                    workers[-1].takes(call)
                continue
            if not busy:
                return
            for worker, ending in _ended(busy, limit):
                assert worker.call is not None
                ended, worker.call = worker.call, None
                if ending != "done":
                    # Also one that died: its line must be closed and its process reaped.
                    worker.end()
                    workers.remove(worker)
                yield ended, ending
    finally:
        # Also where whoever iterates stops early, or Ctrl-C ends all.
        for worker in workers:
            worker.end()


def _ended(busy: list[_Worker], limit: float) -> list[tuple[_Worker, Ending]]:
    """Wait until one has begun, is done, dead or late; those that are no longer at work."""
    left = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
    # No limit while none has begun: loading libraries may take as long as it likes.
    ready = wait([worker.line for worker in busy], timeout=None if left == inf else left)
    ended: list[tuple[_Worker, Ending]] = []
    for worker in busy:
        if worker.line in ready:
            try:
                if worker.line.recv() == BEGUN:
                    # From now on, so that the start of a process is not on its account.
                    worker.deadline = time.monotonic() + limit
                else:
                    ended.append((worker, "done"))
            except (EOFError, OSError):
                ended.append((worker, "died"))
        elif worker.deadline <= time.monotonic():
            ended.append((worker, "late"))
    return ended


def _worker(function: Callable[..., Any]) -> _Worker:
    """A new process; fresh, since a copy of one that has loaded JAX would stand still."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    # By name, or spawning would load the function's module before threads are set.
    home = function.__module__, function.__qualname__
    # Not a daemon, which may have no children: a method may start processes of its own.
    process = context.Process(target=_serve, args=(theirs, *home, os.getpid()), daemon=False)
    process.start()
    # Or the line would stay open here when the process dies, and nobody would hear of it.
    theirs.close()
    return _Worker(process, ours)


def _serve(line: Connection, module: str, name: str, parent: int) -> None:
    """Do what comes down the line until it is closed."""
    begin_worker(parent)
    # Found by its name only now: its module may load libraries that read the variables set above.
    from importlib import import_module

    function = getattr(import_module(module), name)
    while True:
        try:
            call = line.recv()
        except (EOFError, OSError):
            return
        line.send(BEGUN)
        function(*call)
        line.send(DONE)
