"""A second process that does one thing after the other while this one goes on with its own work."""

import multiprocessing
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from agewise.without_dask import without_dask


class AbstractWorker(ABC):
    """Does what it is given, one thing at a time."""

    @abstractmethod
    def begin(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Let it call a function; what it was given before must have been fetched."""

    @abstractmethod
    def result(self) -> Any:
        """What that function returned, or raises what it raised; waits until it is done."""


class OtherProcess(AbstractWorker):
    """A worker at the other end of a connection."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def begin(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Send function and arguments; the function is one of a module, found by its name."""
        self._connection.send((function, arguments))

    def result(self) -> Any:
        """Wait for what was begun."""
        value, error = self._connection.recv()
        if error is not None:
            raise error
        return value


class ThisProcess(AbstractWorker):
    """No second process: what is begun is done when its result is asked for."""

    def __init__(self):
        self._begun: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []

    def begin(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Remember it."""
        self._begun.append((function, arguments))

    def result(self) -> Any:
        """Do it now."""
        function, arguments = self._begun.pop()
        return function(*arguments)


@contextmanager
def second_process(*, jobs: int, loads: str) -> Iterator[AbstractWorker]:
    """A second process, which ends with the block, or by itself once this process is gone.

    Args:
        jobs: Processes at a time; with 1, this one does all by itself.
        loads: Name of a module that it loads before it is asked for anything, which takes a while.
    """
    if jobs == 1:
        yield ThisProcess()
        return
    # Not forked, as Linux would have it: a copy of a process in which JAX has threads may hang.
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, loads), daemon=True)
    process.start()
    there.close()  # ours; while a copy is open here, nobody is told that the second has gone
    try:
        yield OtherProcess(here)
    finally:
        # At once, whatever it is at: after an error nobody wants what it would still give.
        process.terminate()
        process.join()
        here.close()


def _serve(connection: Connection, loads: str) -> None:
    """Load a module and wait for work."""
    # Ctrl-C reaches all processes of a terminal; the one that started this one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with without_dask():
        import_module(loads)
        _answer(connection)


def _answer(connection: Connection) -> None:
    """Do whatever comes until the other end is closed."""
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        try:
            done = function(*arguments), None
        except Exception as error:
            done = None, error
        connection.send(done)
