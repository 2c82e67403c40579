"""Runs are written beside their place and moved there when they are whole, on every system."""

import errno
import glob
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from agewise.errors import InputError
from agewise.files import prepare
from agewise.store.identity import Identity
from agewise.store.run import finished_run, seal

FULL_DISK = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Error numbers of a disk or a quota without room; not every system has quotas."""
PLACES = 100
"""Names that a writer tries for its folder: one, but for a moment that it shares with another."""


@contextmanager
def writing_run(directory: Path, identity: Identity) -> Iterator[Path]:
    """Give a temporary folder; on success it is sealed and takes the place of `directory` at once.

    What cannot be replaced is refused before the block, so the long work belongs inside it. Of two
    writers the first to finish wins; the files of the other are dropped if both have the same
    identity, otherwise it gets an `InputError`. What killed writers have left beside `directory` is
    removed before and after.
    """
    # For what it refuses; whether a run is there already has been asked by the caller.
    finished_run(directory, identity)
    target = _replaceable(directory)
    try:
        # Beside the target: that itself may be an empty folder, which is no file to be replaced.
        prepare(target.with_name(f".{target.name}.writing"))
        _sweep(target)
        # The lock comes before the folder, so that a folder without one was left by the dead.
        with _locked_place(target) as temporary:
            try:
                temporary.mkdir()
                yield temporary
                seal(temporary, identity)
                _move(temporary, target, identity)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        if error.errno not in FULL_DISK:
            raise
        raise InputError(
            f"The disk is full, so no run is written to {directory}.",
            hint="free some space, or choose a `directory` on another disk.",
        ) from None
    _sweep(target)


def _replaceable(directory: Path) -> Path:
    """The real place of a run, provided that a folder can be moved there."""
    target = directory.resolve()
    # Not Path.is_mount, which Windows has from Python 3.12 on only.
    if os.path.ismount(target) or target == Path.cwd():
        raise InputError(
            f"{directory} is the root of a disk or the current folder, so it cannot be replaced.",
            hint=f"choose a folder inside it, such as {directory / 'run'}.",
        )
    return target


def _move(temporary: Path, target: Path, identity: Identity) -> None:
    """Put a sealed folder in its place, unless another writer was there first and agrees."""
    # POSIX renames onto an empty folder, Windows onto none. Only an empty one can be removed so.
    with suppress(OSError):
        target.rmdir()
    try:
        temporary.rename(target)
    except OSError:
        # A run is there by now: `finished_run` raises by itself where it answers something else.
        if finished_run(target, identity) is None:
            raise


def _lock(folder: Path) -> FileLock:
    """The lock of a writer: a file beside its folder, for Windows moves no folder with open files.

    The system frees it when the process ends, however it ends. A process number in a file would
    not do: containers that share a disk number their processes alike.
    """
    return FileLock(f"{folder}.lock")


@contextmanager
def _locked_place(target: Path) -> Iterator[Path]:
    """The name of a folder that no other writer has, whose lock is held; its file goes at the end.

    A lock is a file before it is held. Another writer may find it in between, take it for one that
    was left by the dead and remove it; then another name is tried.
    """
    for _ in range(PLACES):
        folder = target.with_name(f".{target.name}.writing-{secrets.token_hex(8)}")
        lock = _lock(folder)
        try:
            lock.acquire(blocking=False)
        except Timeout:  # before OSError, of which it is a kind
            continue
        except OSError:  # a disk without locks: then nobody sweeps this folder
            break
        if Path(lock.lock_file).exists():
            break
        lock.release()
    else:
        raise InputError(
            f"No place beside {target} could be kept for a new run.",
            hint="let the other writers finish first.",
        )
    try:
        yield folder
    finally:
        _free(lock)


def _free(lock: FileLock) -> None:
    """Remove the file of a lock and release it.

    Removed while it is held, where the system allows that: once it is released it may be another's.
    """
    path, removed = Path(lock.lock_file), False
    with suppress(OSError):  # Windows removes no open file.
        path.unlink()
        removed = True
    lock.release()
    if not removed:
        with suppress(OSError):  # On Windows another process may be looking at it.
            path.unlink()


def _sweep(target: Path) -> None:
    """Remove what killed writers of this run have left behind."""
    pattern = f".{glob.escape(target.name)}.writing-{'[0-9a-f]' * 16}"
    # A writer that was killed before it made its folder has left its lock alone.
    locks = (path.with_suffix("") for path in target.parent.glob(f"{pattern}.lock"))
    for folder in {*target.parent.glob(pattern), *locks}:
        lock = _lock(folder)
        try:
            lock.acquire(blocking=False)
        except OSError:  # Its writer lives, or the disk has no locks.
            continue
        shutil.rmtree(folder, ignore_errors=True)
        _free(lock)
