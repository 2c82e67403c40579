"""Hand out assets and collect how each ended, whatever dies meanwhile."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime

from distributed import Client, Future, KilledWorker, LocalCluster, as_completed
from distributed.comm.core import CommClosedError

from agewise.errors import InputError
from agewise.fleet.engine.cluster import Engine, connected
from agewise.fleet.engine.staff import Patience, Staff
from agewise.fleet.outcome import Outcome
from agewise.fleet.work import Work

LOG = logging.getLogger("agewise.fleet")
Task = Callable[[Work], Outcome]
"""What a worker does."""
LOST = (CancelledError, CommClosedError, TimeoutError, OSError)
"""What a future raises whose scheduler is gone."""
LOOK_SECONDS, SILENT_SECONDS = 1.0, 60.0
"""Time between two looks at whether any worker is there, and the time without one after which a
cluster is given up [s]: starting a worker takes seconds, on a busy machine many."""
ATTEMPTS = 3
"""Times in a row that a scheduler may be lost before the rest is done here."""
MOST_LOSSES = 6
"""Times in a row that a scheduler, or a cluster of our own, may be lost without any asset done
between before the rest is given up."""
GIVEN_UP = (
    "No worker could be started, again and again.",
    "look at the log of the system: there may be too little memory, or no room on the disk.",
)
"""Sentence and hint for assets that nobody could begin."""


def outcomes(
    works: Sequence[Work], task: Task, engine: Engine, *, notify: Callable[[str], None]
) -> Iterator[Outcome]:
    """How the assessment of each asset ended, in the order in which they end.

    A worker that dies is replaced and its asset begun anew. Where a scheduler is lost, what it had
    not handed back is asked for again; what was finished meanwhile is found in its folder.

    Args:
        works: The assets.
        task: What a worker does with each: a function of a module, or a partial of one.
        engine: Where.
        notify: Called with a sentence where something happened that somebody should know.
    """
    left, patience = {work.asset.id: work for work in works}, Patience()
    while left:
        before = len(left)
        for outcome in _round(list(left.values()), task, engine):
            del left[outcome.work.asset.id]
            yield outcome
        if not left:
            return
        # Only losses in a row count: a long night may see many, if work goes on between them.
        patience = (Patience() if len(left) < before else patience).failed(time.monotonic())
        if patience.failures > MOST_LOSSES:
            yield from (_failed(work, *GIVEN_UP) for work in left.values())
            return
        notify(f"The scheduler was lost; {len(left)} assets are asked for again.")
        time.sleep(patience.wait())
        engine = _next(engine, patience.failures, notify)


def _next(engine: Engine, losses: int, notify: Callable[[str], None]) -> Engine:
    """The engine for what is left: the same scheduler where it is back, else this machine."""
    if losses >= ATTEMPTS or engine.scheduler is None:
        return engine.here()
    try:
        with connected(engine):
            return engine
    except InputError:
        notify(f"No scheduler answers at {engine.scheduler}, so the rest is done on this machine.")
        return engine.here()


def _round(works: Sequence[Work], task: Task, engine: Engine) -> Iterator[Outcome]:
    """Outcomes until all are there, or until the scheduler is lost or cannot be started."""
    with ExitStack() as stack:
        try:
            client = stack.enter_context(connected(engine))
            asked = _asked(client, works, task)
            stack.enter_context(_watched(client, list(asked), engine))
        except (*LOST, RuntimeError):
            LOG.warning("no cluster could be started", exc_info=True)
            return
        try:
            for future in as_completed(list(asked), loop=client.loop):
                outcome = _outcome(future, asked[future])
                if outcome is not None:
                    yield outcome
                future.release()
        except LOST:
            return


@contextmanager
def _watched(client: Client, futures: list[Future], engine: Engine) -> Iterator[None]:
    """Look after the workers. Where none is there for long, another's cluster is waited for, and
    one of our own is given up: its assets count as lost, and are begun anew in another one.
    """
    over = threading.Event()
    cluster = client.cluster
    staff = Staff(cluster, engine.jobs) if isinstance(cluster, LocalCluster) else None

    def watch() -> None:
        last_seen = time.monotonic()
        while not over.wait(LOOK_SECONDS):
            now = time.monotonic()
            try:
                present = len(client.scheduler_info(n_workers=-1)["workers"])
                last_seen = now if present else last_seen
                hopeful = staff is None or staff.looked_after(present, now)
                if hopeful and now - last_seen <= SILENT_SECONDS:
                    continue
                LOG.warning("no worker is there")
                last_seen = now
                if staff is not None:
                    client.cancel(futures, force=True)
            except Exception:  # the client is being closed, or its scheduler is gone
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _asked(client: Client, works: Sequence[Work], task: Task) -> dict[Future, Work]:
    try:
        # Impure: an asset that was begun elsewhere before is not taken for this one.
        futures = client.map(task, works, pure=False, key="asset")
    except LOST:
        return {}
    return dict(zip(futures, works, strict=True))


def _outcome(future: Future, work: Work) -> Outcome | None:
    """How an asset ended; None where only the scheduler could tell, and is gone."""
    try:
        return future.result()
    except KilledWorker:
        sentence = "The process that assessed it was killed again and again."
        hint = "look at the log of the system: there may be too little memory."
    except LOST:
        return None
    except Exception as error:  # of Dask itself: a worker without this agewise, for example
        sentence, hint = f"The worker could not begin: {type(error).__name__}: {error}", None
    return _failed(work, sentence, hint)


def _failed(work: Work, sentence: str, hint: str | None = None) -> Outcome:
    """The outcome of an asset of which no worker could tell how it ended."""
    return Outcome(work, "failed", datetime.now(UTC), 0.0, sentence, hint)
