"""A process of its own for work on what strangers send: its time and memory are bounded."""

import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

LOOK_SECONDS = 0.2
"""Time between two looks at a process [s]."""
STATUS = "/proc/{}/status"
"""Where Linux tells how much memory a process has."""


@dataclass(frozen=True)
class Bounds:
    """What a process may cost."""

    seconds: float
    """Time on the clock [s]."""
    megabytes: float
    """Memory [MB]."""


@dataclass(frozen=True)
class Ending:
    """How a process ended."""

    kind: Literal["done", "broken", "too long", "too large"]
    """By itself, with an error, or because it was ended for its time or its memory."""
    seconds: float
    """Time that it took on the clock [s]."""
    peak_megabytes: float
    """Most memory that was seen [MB]; 0 where the system does not tell."""


def ending_of(
    module: str, words: Sequence[str], bounds: Bounds, *, folder: Path, log: Path
) -> Ending:
    """Run a module of ours in a process of its own, and wait for its end.

    Args:
        module: Its name.
        words: Its arguments.
        bounds: What it may cost.
        folder: Where it works.
        log: File for what it prints, which only an administrator sees.
    """
    command = [sys.executable, "-m", module, *words]
    begun, peak = time.monotonic(), 0.0
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(LOOK_SECONDS)
                    seconds = time.monotonic() - begun
                    return Ending("done" if code == 0 else "broken", seconds, peak)
                seconds, peak = time.monotonic() - begun, max(peak, megabytes_of(process.pid))
                if seconds > bounds.seconds:
                    return Ending("too long", seconds, peak)
                if peak > bounds.megabytes:
                    return Ending("too large", seconds, peak)
        finally:
            process.kill()
            process.wait()


def megabytes_of(process: int) -> float:
    """Memory of a process at its highest so far [MB]; 0 where the system does not tell."""
    try:
        status = Path(STATUS.format(process)).read_text()
    except OSError:
        return 0.0
    peak = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return float(peak[0]) * 1024 / 1e6 if peak else 0.0


def bound_memory(megabytes: float) -> None:
    """Let this process ask for no more data than this; a second line behind the looks at it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    most = int(megabytes * 1e6)
    with suppress(ValueError, OSError):  # a system that allows less already
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
