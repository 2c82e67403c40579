"""Work for workers that is done in a moment, and whose every beginning and end is written down."""

import os
import signal
import time
from datetime import UTC, datetime
from pathlib import Path

from agewise.fleet.asset import Asset
from agewise.fleet.outcome import Outcome
from agewise.fleet.work import Work

KILLED_ONCE = ("T2", "T5", "T8")
"""Assets whose first worker is killed while it has them."""


def errands(folder: Path, count: int) -> list[Work]:
    """So many assets whose assessment is an errand in a folder."""
    assets = [Asset(f"T{number}", folder, folder) for number in range(count)]
    return [Work(asset, {}, "", "", "line", 0) for asset in assets]


def errand(work: Work, seconds: float = 0.3) -> Outcome:
    """Note down a beginning, take some time, and write a file whole or not at all."""
    folder, name = work.asset.data, work.asset.id
    (folder / f"{name}.begun-{os.getpid()}-{time.monotonic_ns()}").touch()
    time.sleep(seconds)
    written = folder / f"{name}.{os.getpid()}.part"
    written.write_text(name)
    written.rename(folder / f"{name}.done")
    return Outcome(work, "done", datetime.now(UTC), seconds)


def breaking(work: Work) -> Outcome:
    """End the whole process where the asset is the second."""
    if work.asset.id == "T1":
        os._exit(9)
    return errand(work, 0.05)


def killed_once(work: Work) -> Outcome:
    """An errand, during which whoever is the first to have one of some assets is killed."""
    folder, name = work.asset.data, work.asset.id
    if name in KILLED_ONCE and not list(folder.glob(f"{name}.begun-*")):
        (folder / f"{name}.begun-{os.getpid()}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return errand(work, 0.05)


def telling(work: Work) -> Outcome:
    """Tell how much freed memory the process keeps [bytes]."""
    kept = os.environ.get("MALLOC_TRIM_THRESHOLD_")
    return Outcome(work, "done", datetime.now(UTC), 0.0, sentence=kept)
