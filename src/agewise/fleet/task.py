"""What a worker does: assess one asset, and say how that ended, whatever happens.

Nothing heavy is imported above the functions: whoever sends the work need not load it.
"""

import errno
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

from agewise.errors import InputError
from agewise.threads import hold_to_one_thread, one_thread

if TYPE_CHECKING:
    from agewise.fleet.outcome import Outcome
    from agewise.fleet.plan import Plan
    from agewise.fleet.work import Work
    from agewise.store.run import Run

FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Error numbers of a disk, a file or a quota without room."""
LONGEST = 500
"""Most characters of the message of an error that is kept."""
ONE_AT_A_TIME = threading.Lock()
"""Held while an asset is assessed: a worker with several threads would mix their settings."""
LOG = logging.getLogger("agewise.fleet")


def assessed(work: "Work", plan: "Plan") -> "Outcome":
    """Assess one asset into its folder, or find the run that is there already.

    Never raises, but for what ends the process: one bad file stops nobody.
    """
    started, start = datetime.now(UTC), perf_counter()
    if "jax" not in sys.modules:
        hold_to_one_thread()
    from agewise.fleet.outcome import Outcome
    from agewise.store.run import versions

    headline, ending = {}, ("done", None, None)
    with ONE_AT_A_TIME, one_thread(), _apart_from_dask():
        try:
            headline = _headline(work, plan)
        except Exception as error:  # whatever it is, the next asset goes on
            LOG.warning("%s", work.asset.id, exc_info=not isinstance(error, InputError))
            ending = _ending(error)
    return Outcome(
        work,
        ending[0],
        started,
        perf_counter() - start,
        *ending[1:],
        versions=versions(),
        headline=headline,
    )


@contextmanager
def _apart_from_dask() -> Iterator[None]:
    """Let no library inside think that Dask does its part of the work.

    xarray would ask Dask's scheduler for a lock on every file, though nobody else writes it.
    """
    if "dask" not in sys.modules:
        yield
        return
    import dask.config

    with dask.config.set(scheduler="synchronous"):
        yield


def _headline(work: "Work", plan: "Plan") -> dict:
    from agewise.fleet.headline import headline

    return headline(_run(work, plan))


def _run(work: "Work", plan: "Plan") -> "Run":
    """The run of an asset, made now or found; what it was made from is what was hashed."""
    from agewise.assessment.runs import assessed_run
    from agewise.reading.options import Reading

    asset = work.asset
    run = assessed_run(
        asset.data,
        asset.nameplate,
        plan.directory / work.folder,
        plan.settings,
        reading=Reading.parse(mapping=asset.mapping),
        grid=plan.grid,
        scenario=asset.scenario,
        thresholds=plan.thresholds,
        resume=True,  # from what a killed worker left of the training of a network
    )
    if plan.reports:
        _write_report(run)
    return run


def _write_report(run: "Run") -> None:
    from agewise.report.page.page import PAGE, write_page
    from agewise.report.stored import stored_inputs

    if not (run.directory / PAGE).exists():
        write_page(stored_inputs(run), run.directory)


def _ending(error: Exception) -> tuple[str, str, str | None]:
    """Status, sentence and hint of what went wrong: what a user gave, or something else."""
    full = next((e for e in _chain(error) if isinstance(e, OSError) and e.errno in FULL), None)
    if full is not None:
        return "failed", "The disk is full.", "free some space and assess the fleet again."
    if isinstance(error, InputError):
        return "refused", error.sentence, error.hint
    if isinstance(error, MemoryError):
        return "failed", "There is not enough memory.", "use fewer `jobs`."
    return "failed", f"{type(error).__name__}: {error}"[:LONGEST], None


def _chain(error: BaseException | None) -> list[BaseException]:
    """An error and those behind it."""
    behind = [] if error is None else _chain(error.__cause__ or error.__context__)
    return behind if error is None else [error, *behind]
