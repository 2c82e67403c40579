"""Work for workers that is done in a moment, and whose every beginning and end is written down."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

from agewise.fleet.asset import Asset
from agewise.fleet.outcome import Outcome
from agewise.fleet.work import Work


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
