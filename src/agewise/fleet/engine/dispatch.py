"""Hand out assets and collect how each ended, whatever dies meanwhile."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from datetime import UTC, datetime

from distributed import Client, Future, KilledWorker, as_completed
from distributed.comm.core import CommClosedError

from agewise.errors import InputError
from agewise.fleet.engine.cluster import Engine, connected
from agewise.fleet.outcome import Outcome
from agewise.fleet.work import Work

Task = Callable[[Work], Outcome]
"""What a worker does."""
LOST = (CancelledError, CommClosedError, TimeoutError, OSError)
"""What a future raises whose scheduler is gone."""
LOOK_SECONDS, SILENT_SECONDS = 1.0, 60.0
"""Time between two looks at whether any worker is there, and the time without one after which a
cluster is given up [s]: starting a worker takes seconds, on a busy machine many."""
ATTEMPTS = 3
"""Times that a scheduler may be lost before the rest is done here."""


def outcomes(
    works: Sequence[Work], task: Task, engine: Engine, *, told: Callable[[str], None]
) -> Iterator[Outcome]:
    """How the assessment of each asset ended, in the order in which they end.

    A worker that dies is replaced and its asset begun anew. Where a scheduler is lost, what it had
    not handed back is asked for again; what was finished meanwhile is found in its folder.

    Args:
        works: The assets.
        task: What a worker does with each: a function of a module, or a partial of one.
        engine: Where.
        told: Called with a sentence where something happened that somebody should know.
    """
    left, losses = {work.asset.id: work for work in works}, 0
    while left:
        for outcome in _round(list(left.values()), task, engine):
            del left[outcome.work.asset.id]
            yield outcome
        if left and losses > 2 * ATTEMPTS:
            yield from (
                _failed(work, "Its scheduler was lost again and again.") for work in left.values()
            )
            return
        if left:
            losses += 1
            told(f"The scheduler was lost; {len(left)} assets are asked for again.")
            engine = _next(engine, losses, told)


def _next(engine: Engine, losses: int, told: Callable[[str], None]) -> Engine:
    """The engine for what is left: the same scheduler where it is back, else this machine."""
    if losses >= ATTEMPTS or engine.scheduler is None:
        return engine.here()
    try:
        with connected(engine):
            return engine
    except InputError:
        told(f"No scheduler answers at {engine.scheduler}, so the rest is done on this machine.")
        return engine.here()


def _round(works: Sequence[Work], task: Task, engine: Engine) -> Iterator[Outcome]:
    """Outcomes until all are there, or until the scheduler is lost."""
    with connected(engine) as client:
        asked = _asked(client, works, task)
        try:
            with _watched(client, list(asked), engine):
                for future in as_completed(list(asked), loop=client.loop):
                    outcome = _outcome(future, asked[future])
                    if outcome is not None:
                        yield outcome
                    future.release()
        except LOST:
            return


@contextmanager
def _watched(client: Client, futures: list[Future], engine: Engine) -> Iterator[None]:
    """Give up a cluster of our own whose workers are all gone and do not come back.

    What is given up counts as lost, and is begun anew in another cluster.
    """
    over, silent_since = threading.Event(), time.monotonic()

    def watch() -> None:
        nonlocal silent_since
        while not over.wait(LOOK_SECONDS):
            try:
                if client.scheduler_info(n_workers=-1)["workers"]:
                    silent_since = time.monotonic()
                elif time.monotonic() - silent_since > SILENT_SECONDS:
                    client.cancel(futures, force=True)
                    return
            except Exception:  # the client is being closed, or its scheduler is gone
                return

    thread = threading.Thread(target=watch, daemon=True)
    if engine.scheduler is None:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if thread.is_alive():
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
