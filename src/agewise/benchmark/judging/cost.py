"""What a piece of work costs: seconds, seconds of processors, and memory at its peak."""

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
"""Where Linux tells the memory of a process, and where its peak is set back."""
FORGET_PEAK = "5"
"""What Linux takes there to set back the peak (`man proc_pid_clear_refs`)."""


@dataclass(frozen=True)
class Cost:
    """What something took."""

    seconds: float
    """Time by the clock [s]."""
    processor_seconds: float
    """Time on processors, of processes started meanwhile too [s]."""

    def __add__(self, other: "Cost") -> "Cost":
        """Both together."""
        return Cost(self.seconds + other.seconds, self.processor_seconds + other.processor_seconds)

    def __sub__(self, other: "Cost") -> "Cost":
        """What lies between two looks at the clocks."""
        return Cost(self.seconds - other.seconds, self.processor_seconds - other.processor_seconds)


def clocks() -> Cost:
    """Both clocks; their difference at two moments is what came between."""
    # The first four are our own and our children's, in the program and in the system.
    return Cost(time.perf_counter(), sum(os.times()[:4]))


def forget_peak() -> None:
    """Let the peak of this process begin anew, where the system can."""
    # Other systems have no such file, and some containers forbid to write it.
    with suppress(OSError):
        FORGET.write_text(FORGET_PEAK)


def peak_mib() -> float | None:
    """The largest memory of this process since `forget_peak` [MiB], Python and JAX included; None
    where the system does not tell."""
    try:
        match = re.search(r"VmHWM:\s+(\d+) kB", STATUS.read_text())
    except OSError:
        return None
    return int(match[1]) / 1024 if match else None
