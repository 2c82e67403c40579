"""Constants of the oil's heat equation from sensors inside, on twins whose constants are known.

    .venv/bin/python benchmarks/tank.py --methods exact,laplace,vi --seeds 0-4
    .venv/bin/python benchmarks/tank.py --seeds 100-101 --factor 2
    .venv/bin/python benchmarks/tank.py --seeds 100-101 --mismatch 1

A line for each twin and method: 90 % intervals and whether they hold the truth, the errors inside
over what noise and ends allow, seconds of the processor, and whether the fit can be trusted. Then,
for each method, how many of the intervals hold and how wide they are in the median.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import time
from typing import NamedTuple

import numpy as np
from seeds import seeds_of

from agewise.assessment.calibration.tank import TANK_METHODS, calibrate_tank
from agewise.twin.settings import TwinSettings
from agewise.twin.twin import make_twin


class Interval(NamedTuple):
    """The central 90 % of a constant's draws beside its truth."""

    name: str
    low: float
    high: float
    truth: float

    @property
    def holds(self) -> bool:
        """Whether the truth lies within."""
        return self.low <= self.truth <= self.high

    def __str__(self) -> str:
        mark = "" if self.holds else " misses"
        return f"{self.name} {self.low:.4g} to {self.high:.4g} ({self.truth:.4g}){mark}"


def intervals(settings: TwinSettings, method: str, *, volume: bool) -> list[Interval]:
    """Learn the constants of a twin, print its line, and hand back their intervals."""
    twin = make_twin(settings)
    begun = time.process_time()
    learned = calibrate_tank(twin.profile, twin.nameplate, method=method, volume=volume)
    seconds = time.process_time() - begun
    tank, factor = twin.nameplate.oil_tank(), settings.conductivity_factor
    truths = {name: getattr(tank, name) for name in learned.draws}
    truths["conductivity"] *= factor
    found = [
        Interval(name, float(low), float(high), truths[name])
        for name, draws in learned.draws.items()
        for low, high in [np.quantile(draws, [0.05, 0.95])]
    ]
    told = "sound" if learned.sound else learned.findings[0]
    errors = np.sqrt(learned.mean_square)
    cells = " | ".join(str(interval) for interval in found)
    print(
        f"| {method} | {settings.seed} | {cells} | {errors:.2f} | {seconds:.1f} s | {told} |",
        flush=True,
    )
    return found


def main() -> None:
    """Read the command line, print a line for each twin and one for each method."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--methods", default="exact")
    parser.add_argument("--seeds", default="0-4")
    parser.add_argument("--days", type=float, default=4.0)
    parser.add_argument("--factor", type=float, default=1.0, help="on the true conductivity")
    parser.add_argument("--mismatch", type=float, default=0.0)
    parser.add_argument("--volume", action="store_true")
    given = parser.parse_args()
    for method in TANK_METHODS:
        if method not in given.methods.split(","):
            continue
        found = []
        for seed in seeds_of(given.seeds):
            settings = TwinSettings(
                seed=seed,
                days=given.days,
                interior=True,
                conductivity_factor=given.factor,
                mismatch=given.mismatch,
            )
            found += intervals(settings, method, volume=given.volume)
        for name in dict.fromkeys(interval.name for interval in found):
            own = [interval for interval in found if interval.name == name]
            held = sum(interval.holds for interval in own)
            width = np.median([interval.high - interval.low for interval in own])
            print(f"{method}: {name} held in {held} of {len(own)}, median width {width:.3g}")


if __name__ == "__main__":
    main()
