"""A made fleet on this machine: time, memory, scaling, and its ranking against the truth.

    .venv/bin/python benchmarks/fleet.py --assets 75,150,300 --jobs 1,2 --seed 0 --out /tmp/fleet
    .venv/bin/python benchmarks/fleet.py --assets 12 --jobs 2 --seed 100 --out /tmp/fleet

Every line is `agewise fleet assess` in a process of its own. Time on a shared machine means little:
the processor's time does, and the ratio of lines that ran back to back. `--keep` assesses nothing
that is there already, and only ranks.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
from scipy.stats import spearmanr

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import RunRow
from agewise.fleet.ranking.order import order_of
from agewise.twin.fleet.fleet_folder import TRUTH, write_fleet
from agewise.twin.fleet.settings import FleetSettings

NIGHT_HOURS, NIGHT_ASSETS = 8.0, 10_000
"""The night that is aimed at."""
WORST, FIRST = 0.10, 0.20
"""Share of the fleet that is truly worst, and share of the list in which it is looked for."""
SAMPLED_SECONDS = 0.5
"""Time between two looks at the memory [s]."""


def main() -> None:
    """Read the command line, assess every fleet, print two tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--assets", default="75,150,300")
    parser.add_argument("--jobs", default="1,2", help="jobs that the largest fleet is tried with")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", default="")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", action="store_true", help="rank what was assessed before")
    asked = parser.parse_args()
    sizes = sorted(int(size) for size in asked.assets.split(","))
    jobs = sorted(int(job) for job in asked.jobs.split(","))
    trials = [(size, jobs[-1]) for size in sizes[:-1]] + [(sizes[-1], job) for job in jobs]
    print(
        "| assets | jobs | time [s] | CPU [s] | CPU an asset [s] | assets a minute "
        "| peak memory [MB] | 10 000 assets [h] |"
    )
    print("|---" * 8 + "|")
    for size, job in trials:
        fleet = made(size, asked.seed, asked.out)
        timed(fleet, asked.out / f"run-{size}-{job}", job, asked.method, keep=asked.keep)
    size, job = trials[-1]
    ranked(made(size, asked.seed, asked.out), asked.out / f"run-{size}-{job}")


def made(size: int, seed: int, out: Path) -> Path:
    """The folder of a made fleet; a smaller one is the beginning of a larger one."""
    folder = out / f"fleet-{size}"
    if not (folder / TRUTH).exists():
        write_fleet(FleetSettings(seed=seed, assets=size), folder)
    return folder


def timed(fleet: Path, out: Path, jobs: int, method: str, *, keep: bool) -> None:
    """Assess a fleet and print its line."""
    if keep and out.exists():
        return
    command = [str(Path(sys.executable).parent / "agewise"), "fleet", "assess", str(fleet)]
    command += ["--out", str(out), "--jobs", str(jobs), *(["--method", method] if method else [])]
    before, start = _processor_time(), time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        peak = _watched_memory(process)
        process.wait()
    seconds, busy = time.perf_counter() - start, _processor_time() - before
    with Catalogue(out, make=False) as catalogue:
        count = len(catalogue.latest_runs())
    night = NIGHT_ASSETS * seconds / count / 3600
    print(
        f"| {count} | {jobs} | {seconds:.0f} | {busy:.0f} | {busy / count:.2f} "
        f"| {60 * count / seconds:.1f} | {max(peak, default=0.0):.0f} | {night:.1f} |",
        flush=True,
    )


def _processor_time() -> float:
    """Time of the processor that ended children and theirs have used [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watched_memory(process: subprocess.Popen) -> list[float]:
    """A list that fills with the memory of a process and its children [MB] while it runs."""
    seen: list[float] = []

    def watch() -> None:
        while process.poll() is None:
            try:
                root = psutil.Process(process.pid)
                family = [root, *root.children(recursive=True)]
                # What they share counts once.
                seen.append(sum(one.memory_full_info().pss for one in family) / 2**20)
            except psutil.Error:
                pass
            time.sleep(SAMPLED_SECONDS)

    threading.Thread(target=watch, daemon=True).start()
    return seen


def ranked(fleet: Path, out: Path) -> None:
    """Print how well the list, and simpler ones, find what is truly worst."""
    units = {unit["id"]: unit for unit in json.loads((fleet / TRUTH).read_text("utf-8"))["units"]}
    with Catalogue(out, make=False) as catalogue:
        runs = {n: run for n, run in catalogue.latest_runs().items() if run.status == "done"}
        orders = {by: order_of(catalogue, out, by) for by in ("risk", "life")}
    names = sorted(runs)
    # Units without an answer stand in the middle of a list: nothing is known of them.
    true = pd.Series({name: -units[name]["years_left"] for name in names})
    lists: dict[str, pd.Series] = {
        f"agewise, {by}": pd.Series(
            {place.asset.id: -number for number, place in enumerate(order.places)}
        )
        for by, order in orders.items()
    }
    lists["age"] = pd.Series({name: units[name]["age_years"] for name in names})
    lists["plain IEC, life used"] = _column(runs, "life_used_iec")
    lists["plain IEC, hot spot"] = _column(runs, "hot_spot_iec")
    lists["mean load"] = _column(runs, "load_mean")
    lists["peak load"] = _column(runs, "load_peak")
    told = sum(run.action != "cannot tell" for run in runs.values())
    print(f"\n{len(units)} units, {len(runs)} assessed, {told} of them with an answer\n")
    print(f"| list | Spearman | of the true worst {WORST:.0%} in the first {FIRST:.0%} |")
    print("|---|---|---|")
    for name, scores in lists.items():
        full = scores.rank().reindex(true.index).fillna(scores.rank().median())
        rho = spearmanr(true, full).statistic
        print(f"| {name} | {rho:.2f} | {_found(true, full):.0%} |")


def _column(runs: dict[str, RunRow], name: str) -> pd.Series:
    return pd.Series({asset: float(getattr(run, name)) for asset, run in runs.items()})


def _found(true: pd.Series, scores: pd.Series) -> float:
    """Share of the true worst that a list has among its first."""
    worst = set(true.nlargest(max(1, round(WORST * len(true)))).index)
    first = set(scores.nlargest(max(1, round(FIRST * len(scores)))).index)
    return float(np.mean([name in first for name in worst]))


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
