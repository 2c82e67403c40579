"""A connection to Dask: to a cluster made for this work, or to a scheduler that runs already."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

import dask.config
from distributed import Client, LocalCluster
from distributed.comm.core import CommClosedError

from agewise.errors import InputError
from agewise.threads import one_thread_environment

DEATHS = 10
"""Workers that may die at the hands of one asset, or while they had it, before it counts as what
kills them."""
RESTART_SECONDS = 60.0
"""Time that a worker has to begin anew after its death before another is started instead [s]; on a
busy machine Dask's own 15 s are too few."""
MEMORY_SHARE = 0.8
"""Share of the machine's memory for all workers together."""
OWN_BYTES, RETURNED_BYTES = 32 * 2**20, 256 * 2**20
"""Size of an array from which on it is asked of the system by itself, and size of what a process
keeps for its next arrays before it gives memory back [bytes]."""
CONNECT_SECONDS = 20.0
"""Time that is waited for a scheduler before it counts as gone [s]."""


@dataclass(frozen=True)
class Engine:
    """Where the work is done."""

    jobs: int = 1
    """Processes side by side of a cluster of our own."""
    scheduler: str | None = None
    """Address of a scheduler that runs, as `tcp://host:8786`; None for a cluster of our own."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that processes of our own are started with, as where compiled code is kept."""

    def here(self) -> "Engine":
        """The same without a scheduler elsewhere."""
        return Engine(self.jobs, None, self.environment)


@contextmanager
def connected(engine: Engine) -> Iterator[Client]:
    """A client of the engine's cluster; a cluster of our own ends with the block.

    A cluster of our own begins without workers: `staff.Staff` starts them, and others where one is
    killed before it has begun. Errors while a cluster is taken down are nobody's: all that it had
    to give has been taken.
    """
    with _quiet(), ExitStack() as stack:
        if engine.scheduler is not None:
            client = _client_of(engine.scheduler)
        else:
            stack.enter_context(dask.config.set(_settings()))
            cluster = _own_cluster(engine)
            stack.callback(_taken_down, cluster)
            client = Client(cluster, set_as_default=False)
        stack.callback(_taken_down, client)
        yield client


def _settings() -> dict[str, object]:
    """Dask's settings for a cluster of our own."""
    return {
        "distributed.scheduler.allowed-failures": DEATHS,
        # Whole assets are the work: none is sent ahead to a worker that is busy.
        "distributed.scheduler.worker-saturation": 1.0,
        "distributed.deploy.lost-worker-timeout": f"{RESTART_SECONDS:g}s",
        # An asset takes seconds: looking at the worker fifty or a hundred times a second, as Dask
        # does for pages that nobody opens, took 3 % of the processor.
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.system-monitor.interval": "5s",
        "distributed.worker.memory.monitor-interval": "500ms",
        # Dask has its workers give every freed array back at once, and the system clears it before
        # it is handed out again: a third of the processor's time went there.
        "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": RETURNED_BYTES,
        "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": OWN_BYTES,
        # Code that is compiled for records of other lengths stays in memory, a hundred megabytes
        # for some: a worker with too much begins anew. Waiting, as Dask would, frees none of it.
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
    }


def _own_cluster(engine: Engine) -> LocalCluster:
    """A scheduler in this process, and room for fresh processes of one thread each."""
    return LocalCluster(
        n_workers=0,
        threads_per_worker=1,
        processes=True,
        memory_limit=MEMORY_SHARE / engine.jobs,  # Dask restarts who takes more
        # No dashboard, and what listens all the same listens here, on any free port.
        dashboard_address=None,  # pyright: ignore[reportArgumentType]
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        host="127.0.0.1",
        silence_logs=logging.CRITICAL,
        env=_environment(engine.environment),
    )


def _taken_down(thing: Client | LocalCluster) -> None:
    with suppress(OSError, RuntimeError, TimeoutError, CommClosedError):
        thing.close()


def _client_of(address: str) -> Client:
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise InputError(
            f"No scheduler of Dask answers at {address}.",
            hint="start one by dask scheduler, and give its address as tcp://host:8786.",
        ) from None


def _environment(own: Mapping[str, str]) -> dict[str, str]:
    return {**one_thread_environment(), **own}


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what Dask logs of lost workers from the terminal: the log of the fleet has our words."""
    # By name, for Dask gives some of its loggers a level of their own.
    known = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]
    loggers = [logging.getLogger(name) for name in ("distributed", "tornado", "asyncio", *known)]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
