"""Thermometers that say nothing for a while: who knows the oil meanwhile, and who is disturbed?

.venv/bin/python benchmarks/holes.py --study holes --methods solver,exact,vi --seeds 0,1,2,3,4
.venv/bin/python benchmarks/holes.py --study distance --methods solver,exact,vi --seeds 0
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
from dataclasses import replace

import numpy as np
from seeds import seeds_of

from agewise.assessment.comparison import chosen
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.plant.profile import Profile
from agewise.twin.twin import Twin, TwinSettings, make_twin
from agewise.units import SECONDS_PER_HOUR

SHARES = np.linspace(0.0, 1.0, 51)
STEP = 10
"""min between the instants that are compared"""
MIDDLE = 2880
"""Row about which readings are taken out in the study of distance: midday of the third day."""
GONE = {"1 reading": 1, "10 readings": 10, "1 h": 60, "a day": 1440}
"""Readings of both thermometers that are taken out."""
TOLERANCES = (0.01, 0.001)
"""K by which an answer may move and still be called unmoved"""


def main() -> None:
    """Print the tables of a study."""
    parser = argparse.ArgumentParser(description="Methods with silent thermometers.")
    parser.add_argument("--study", choices=("holes", "distance"), default="holes")
    parser.add_argument("--methods", default="solver,exact,vi")
    parser.add_argument("--seeds", default="0,1,2,3,4")
    parser.add_argument("--hours", default="12")
    parser.add_argument("--case", default="floating-pv")
    asked = parser.parse_args()
    seeds = seeds_of(asked.seeds)
    twins = [make_twin(TwinSettings(seed=seed, case=asked.case)) for seed in seeds]
    for method in asked.methods.split(","):
        if asked.study == "distance":
            distances(method, twins[0])
        for hours in map(float, asked.hours.split(",")) if asked.study == "holes" else ():
            found = [scores(method, twin, hours) for twin in twins]
            print(f"| {method} | {hours:g} | {' | '.join(map(_cell, zip(*found, strict=True)))} |")


def scores(method: str, twin: Twin, hours: float) -> tuple[float, float, float, float]:
    """RMSE [K] and epistemic z over everything, then while either thermometer is silent."""
    profile, silent = holed(twin.profile, hours, seed=twin.settings.seed)
    fitted = assess(profile, twin.nameplate, chosen(method))
    rows = np.arange(0, silent.size, STEP)
    told = fitted.predict(SHARES, profile.seconds[rows])
    error = told.mean - twin.truth["oil_true"].to_numpy()[rows]
    z2, during = error**2 / told.epistemic, silent[rows]
    return tuple(
        float(np.sqrt(np.mean(part))) for part in (error**2, z2, error[during] ** 2, z2[during])
    )  # pyright: ignore[reportReturnType]


def holed(profile: Profile, hours: float, *, seed: int) -> tuple[Profile, np.ndarray]:
    """The profile with a hole in each thermometer, anywhere; and when either is silent."""
    rng, length = np.random.default_rng([seed, 77]), round(60 * hours)
    silent, holes = np.zeros(profile.seconds.size, dtype=bool), {}
    for name in ("ambient", "top_oil"):
        first = int(rng.integers(1, profile.seconds.size - length - 1))
        holes[name] = getattr(profile, name).copy()
        holes[name][first : first + length] = np.nan
        silent[first : first + length] = True
    return replace(profile, **holes), silent


def distances(method: str, twin: Twin) -> None:
    """How far from missing readings an answer moves by more than a tolerance."""
    profile = twin.profile
    clean = assess(profile, twin.nameplate, chosen(method))
    for name, count in GONE.items():
        rows = slice(MIDDLE, MIDDLE + count)
        holes = {column: getattr(profile, column).copy() for column in ("ambient", "top_oil")}
        for values in holes.values():
            values[rows] = np.nan
        fitted = assess(replace(profile, **holes), twin.nameplate, chosen(method))
        cells = [f"{reach(clean, fitted, rows, within):.1f} h" for within in TOLERANCES]
        print(f"| {method} | {name} | {' | '.join(cells)} |", flush=True)


def reach(clean: Assessment, fitted: Assessment, rows: slice, tolerance: float) -> float:
    """h from the hole to the last instant at which the mean moved by more than the tolerance."""
    seconds = clean.profile.seconds[::STEP]
    one, other = (fit.predict(SHARES, seconds).mean for fit in (clean, fitted))
    moved = np.abs(one - other).max(axis=1) > tolerance
    hole = clean.profile.seconds[[rows.start, rows.stop - 1]]
    away = np.maximum(hole[0] - seconds, seconds - hole[1])
    return float(max(0.0, away[moved].max(initial=0.0)) / SECONDS_PER_HOUR)


def _cell(values: tuple[float, ...]) -> str:
    return f"**{np.mean(values):.3g}** ({', '.join(f'{value:.3g}' for value in values)})"


if __name__ == "__main__":
    main()
