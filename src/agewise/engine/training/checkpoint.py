"""The state of a training in a file, so that a killed run goes on to the same result."""

import hashlib
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import jax
import numpy as np

from agewise.arrays import read_arrays, write_arrays
from agewise.engine.training.functions import described, functions_in
from agewise.engine.training.monitor import CHECKPOINT_SECONDS, Monitor
from agewise.errors import InputError
from agewise.files import prepare

Arrays = dict[str, np.ndarray]
"""Arrays by name, as a checkpoint holds them."""
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory, as Python shows it."""
ANSWERS = "answers"
"""Name of the array that holds the fingerprint of what a checkpoint's training was given."""


class Keeper:
    """Keeps one training's state in a file of the monitor's folder, if it has one.

    Args:
        monitor: Says where checkpoints go and whether to resume from them.
        name: Name of the training, and of its file.
        answers: All that decides the result; a checkpoint of anything else is refused.
    """

    def __init__(self, monitor: Monitor, name: str, answers: Any):
        self.path = monitor.folder and monitor.folder / f"{name}.npz"
        self.resume, self.mark = monitor.resume, _fingerprint(answers)
        # The clock starts here, so that a short training writes only its end.
        self.last = monotonic()

    def kept(self) -> Arrays | None:
        """The state to go on from; None without a checkpoint or where the training starts anew."""
        if self.path is None or not self.resume or not self.path.exists():
            return None
        arrays = read_arrays(self.path)
        # Taken out, since what is left is the state alone.
        if str(arrays.pop(ANSWERS, "")) != self.mark:
            raise InputError(
                f"{self.path} belongs to another training: its data, settings or seed differ.",
                hint="resume it with its own, or leave out `resume=True` to start over.",
            )
        return arrays

    def keep(self, state: Callable[[], Arrays], *, now: bool = False) -> None:
        """Write the state, unless that was done a moment ago.

        It is given as a function, since its arrays are made only when they are written.
        """
        if self.path is None or (not now and monotonic() - self.last < CHECKPOINT_SECONDS):
            return
        prepare(self.path)
        write_arrays(self.path, state() | {ANSWERS: np.array(self.mark)})
        self.last = monotonic()


def refuse_strange_files(folder: Path) -> None:
    """Refuse a folder with files that are no checkpoints: it belongs to somebody else."""
    for path in folder.rglob("*"):
        if not (path.is_dir() or _may_be_checkpoint(path)):
            raise InputError(
                f"{path} is not a checkpoint, but lies where checkpoints go.",
                hint="move it away, or choose another `directory` for the run.",
            )


def remove_checkpoints(folder: Path) -> None:
    """Remove the checkpoints in a folder, and the folder if nothing else is in it."""
    for path in folder.rglob("*.npz"):
        path.unlink(missing_ok=True)
    # Reverse order puts a folder after what is in it; one that holds anything else stays.
    for emptied in sorted((*folder.rglob("*"), folder), reverse=True):
        with suppress(OSError):
            emptied.rmdir()


def _may_be_checkpoint(path: Path) -> bool:
    """Whether a file is a checkpoint, whole or cut short by a kill."""
    if path.suffix != ".npz":
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return f"{ANSWERS}.npy" in archive.namelist()
    # No archive: a checkpoint of ours that a kill cut short looks like this, so it gets the doubt.
    except zipfile.BadZipFile:
        return True


def _fingerprint(parts: Any) -> str:
    """Equal inputs have equal fingerprints, in every process."""
    # Functions of a problem are shown with their addresses, which are new in every process.
    # The structure holds what is static, such as equations and sizes; leaves are only the numbers.
    structure = ADDRESS.sub("", str(jax.tree.structure(parts)))
    digest = hashlib.sha256(structure.encode())
    for leaf in jax.tree.leaves(parts):
        if isinstance(leaf, np.ndarray | jax.Array):
            # As doubles: equal values count as equal, in whatever precision they are held.
            # The shape too: the same numbers in another shape are other data.
            digest.update(str(leaf.shape).encode() + np.asarray(leaf, dtype=float).tobytes())
        else:
            # A function goes by its name: its `repr` holds an address, new in every process.
            digest.update(getattr(leaf, "__qualname__", repr(leaf)).encode())
    # And by what it does: all lambdas of one place have one name, whatever equation they are.
    for function in functions_in(parts):
        digest.update(described(function).encode())
    return digest.hexdigest()
