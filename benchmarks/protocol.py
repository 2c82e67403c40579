"""What `peers.py` and its peers agree on: the problem's file, the task, the clocks and the line.

It needs numpy alone, so that it can be imported in every peer's environment.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

LAYERS = (2, 50, 50, 2)
"""of every network, tanh between; out come mean and variance, where a peer has use for it"""
RATE = 0.01
"""of Adam"""
BATCH = 256
"""readings in a step, and as many points of the equation"""
INITIAL = 200
"""points of the first instant in a step, in fits only"""
BLOCK, WARM_UP = 50, 2
"""steps that are timed together; such blocks before those that count"""
EVERY = 500
"""steps from one error to the next"""
TARGET = 0.2
"""K, rms over the truth's grid"""


@dataclass(frozen=True)
class Problem:
    r"""$\tau u_t - \ell^2 u_{xx} + u - u(0,t) = \Delta(t)$ on the unit square, and the truth."""

    points: np.ndarray
    """(x, t) of the readings, x = 0 and x = 1"""
    values: np.ndarray
    """the readings, scaled"""
    relaxation: float
    conduction: float
    rise: np.ndarray
    """$\\Delta$ at each minute of the window, held over the minute that ends there"""
    residual_std: float
    residual_count: float
    """how nearly the equation holds by agewise's own recipe, and how many observations it weighs"""
    spread: float
    """K, one unit of u"""
    truth_points: np.ndarray
    truth: np.ndarray

    def save(self, path: Path) -> None:
        """Write a file for `loaded`."""
        np.savez(path, **asdict(self))

    def error(self, u: np.ndarray) -> float:
        """Rms error of values at `truth_points` [K]."""
        return float(self.spread * np.sqrt(np.mean((u - self.truth) ** 2)))

    def end(self, x: int) -> tuple[np.ndarray, np.ndarray]:
        """Instants and readings of the bottom or the top."""
        there = self.points[:, 0] == x
        return self.points[there, 1], self.values[there]

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Points of the first instant and their values: the line between the first two readings."""
        x = np.linspace(0, 1, INITIAL, dtype=np.float32)
        ends = [self.end(end)[1][0] for end in (0, 1)]
        return np.stack([x, 0 * x], axis=1), np.interp(x, (0, 1), ends).astype(np.float32)


class Blocks:
    """Milliseconds a step, over blocks of steps, until the time is up."""

    def __init__(self, limit: float):
        self.limit, self.stamps = limit, [perf_counter()]

    def finished(self) -> bool:
        """Note the end of a block; whether it was the last."""
        self.stamps.append(perf_counter())
        counted = self.stamps[WARM_UP:]
        return len(counted) > 3 and counted[-1] - counted[0] > self.limit

    def milliseconds(self) -> float:
        """The median over the blocks that count."""
        return round(1e3 * float(np.median(np.diff(self.stamps[WARM_UP:]))) / BLOCK, 4)


class Curve:
    """Error after seconds of training: compilation counts, the evaluations do not."""

    def __init__(self, problem: Problem, limit: float):
        self.problem, self.limit = problem, limit
        self.pairs: list[tuple[float, float]] = []
        self.seconds, self.since = 0.0, perf_counter()

    def finished(self, values: Callable[[], np.ndarray]) -> bool:
        """Note the error of the values now; whether it is small enough, or the time is up."""
        self.seconds += perf_counter() - self.since
        error = self.problem.error(values())
        self.pairs.append((round(self.seconds, 2), round(error, 4)))
        self.since = perf_counter()
        return error < TARGET or self.seconds > self.limit


def task() -> Namespace:
    """What a peer's script is asked for: `step` or `fit`, and the terms."""
    parser = ArgumentParser()
    parser.add_argument("what", choices=("step", "fit"))
    parser.add_argument("problem", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=float, default=3.0, help="seconds")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def loaded(path: Path) -> Problem:
    """The problem of a file."""
    with np.load(path) as arrays:
        return Problem(
            **{name: array if array.ndim else array.item() for name, array in arrays.items()}
        )


def report(peer: str, **fields: Any) -> None:
    """Print the line; the peak of resident memory includes the framework."""
    status = Path("/proc/self/status").read_text().split()  # ru_maxrss remembers the parent's
    peak = int(status[status.index("VmHWM:") + 1]) / 1024
    print(json.dumps({"peer": peer, "peak_mib": round(peak), **fields}))
