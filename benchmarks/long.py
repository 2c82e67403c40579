"""Long records and coarse samples: are there seams, and is the answer as sure as it should be?

.venv/bin/python benchmarks/long.py --study year --methods solver,exact
.venv/bin/python benchmarks/long.py --study coarse --methods solver,exact,vi --seeds 0,1,2,3,4
"""

import argparse
import time
from itertools import pairwise

import numpy as np
import pandas as pd
from seeds import seeds_of

from agewise.assessment.comparison import chosen
from agewise.assessment.field import oil_field
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.plant.profile import profile_from
from agewise.twin.twin import Twin, TwinSettings, make_twin

SHARES = np.linspace(0.0, 1.0, 51)
CASES = ("floating-pv", "aged-substation")


def main() -> None:
    """Print the rows of a study."""
    parser = argparse.ArgumentParser(description="Long and coarse records.")
    parser.add_argument("--study", choices=("year", "coarse"), default="year")
    parser.add_argument("--methods", default="solver,exact")
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--days", type=float, default=365.0)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    seeds = seeds_of(asked.seeds)
    for case in CASES:
        if asked.study == "year":
            twin = make_twin(TwinSettings(seed=seeds[0], case=case, days=asked.days))
            for method in asked.methods.split(","):
                year(method, twin, asked.jobs)
            continue
        twins = [make_twin(TwinSettings(seed=seed, case=case)) for seed in seeds]
        for method in asked.methods.split(","):
            for minutes, mean in ((1, True), (15, True), (15, False), (60, True), (60, False)):
                found = [coarse(method, twin, minutes, mean) for twin in twins]
                kind = "means" if mean else "instants"
                cells = " | ".join(map(_cell, zip(*found, strict=True)))
                print(f"| {case} | {method} | {minutes} min, {kind} | {cells} |", flush=True)


def year(method: str, twin: Twin, jobs: int) -> None:
    """A record of quarter hours: time, error, z, what joints show, life used by the pieces."""
    profile, start = profile_from(resampled(twin, 15, mean=True)), time.perf_counter()
    fitted = assess(profile, twin.nameplate, chosen(method), jobs=jobs)
    seconds = time.perf_counter() - start
    rmse, z = errors(fitted, twin, 60)
    jump, apart = joints(fitted)
    used = oil_field(fitted)["loss_of_life_mean"].to_numpy().astype(float)
    cuts = np.linspace(0, len(used) - 1, 13).astype(int)
    pieces = sum(used[b] - used[a] for a, b in pairwise(cuts))
    off = float(np.abs(pieces / used[-1] - 1).max())
    print(
        f"| {twin.settings.case} | {method} | {len(fitted.windows)} windows, {seconds:.0f} s "
        f"| {rmse:.3f} K, z {z:.2f} | {jump:.4f} K | {apart:.4f} K | {off:.1e} |",
        flush=True,
    )


def joints(fitted: Assessment) -> tuple[float, float]:
    """K: the largest break at a joint beyond the trend; the most by which two windows differ."""
    breaks, differences = [0.0], [0.0]
    for one, other in pairwise(fitted.windows):
        around = other.span.joint + 60.0 * np.arange(-2.0, 3.0)
        oil = fitted.predict(SHARES, around).mean
        breaks.append(float(np.abs(np.diff(oil, 2, axis=0)).max()))
        at = np.full(SHARES.size, other.span.joint)
        told = [window.predict(SHARES, at).mean for window in (one, other)]
        differences.append(float(np.abs(told[0] - told[1]).max()))
    return max(breaks), max(differences)


def coarse(method: str, twin: Twin, minutes: int, mean: bool) -> tuple[float, float]:
    """RMSE [K] and epistemic z from coarse samples, their loads means or instants."""
    profile = profile_from(resampled(twin, minutes, mean=mean))
    hold = "backward" if mean else "linear"
    return errors(assess(profile, twin.nameplate, chosen(method, hold=hold)), twin, 10)


def errors(fitted: Assessment, twin: Twin, every: int) -> tuple[float, float]:
    """RMSE [K] and epistemic z at every so many minutes."""
    truth = twin.truth["oil_true"].to_numpy()
    last = int(fitted.profile.seconds[-1] // 60)
    rows = np.arange(0, last + 1, every)
    told = fitted.predict(SHARES, 60.0 * rows)
    error = told.mean - truth[rows]
    return float(np.sqrt(np.mean(error**2))), float(np.sqrt(np.mean(error**2 / told.epistemic)))


def resampled(twin: Twin, minutes: int, *, mean: bool) -> pd.DataFrame:
    """Every so many minutes; the load of the instant, or its mean over the minutes before."""
    frame = twin.frame.iloc[::minutes].reset_index(drop=True)
    if not mean or minutes == 1:
        return frame
    load = twin.frame["load"].to_numpy()
    means = load[1 : 1 + minutes * (len(frame) - 1)].reshape(-1, minutes).mean(axis=1)
    return frame.assign(load=np.append(load[0], means))


def _cell(values: tuple[float, ...]) -> str:
    return f"**{np.mean(values):.3g}** ({', '.join(f'{value:.3g}' for value in values)})"


if __name__ == "__main__":
    main()
