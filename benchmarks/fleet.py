"""A made fleet on this machine: time, memory and scaling; a line of JSON for each trial.

    .venv/bin/python benchmarks/fleet.py --assets 75,150,300 --jobs 1,2 --seed 0 --out /tmp/fleet
    .venv/bin/python benchmarks/fleet.py --fleet made --assets 300 --jobs 2 --out /tmp/fleet

Smaller fleets are the beginning of the largest one, and go with the most jobs; the largest one goes
with every number of jobs. Each trial is `agewise fleet assess` in a process of its own. One that is
stopped goes on when the command is given again, and its times add up; one that is finished is
printed as it was. Time on a shared machine means little: the processor's time does, and the ratio
of trials that ran back to back. `fleet_ranking.py` scores the list of a trial's folder.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import psutil

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.twin.fleet.fleet_folder import CATALOGUE, TRUTH, write_fleet
from agewise.twin.fleet.settings import FleetSettings

NIGHT_ASSETS = 10_000
"""Assets of the night that is aimed at."""
SAMPLED_SECONDS = 1.0
"""Time between two looks at time and memory [s]."""
SPENT = "spent.json"
"""File in a trial's folder with what it has cost so far."""


def main() -> None:
    """Read the command line and try every fleet."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--assets", default="75,150,300")
    parser.add_argument("--jobs", default="1,2", help="jobs that the largest fleet is tried with")
    parser.add_argument("--fleet", type=Path, help="folder of a made fleet; made if left out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--days", type=float, default=30.0)
    parser.add_argument("--method", default="")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    sizes = sorted(int(size) for size in asked.assets.split(","))
    jobs = sorted(int(job) for job in asked.jobs.split(","))
    settings = FleetSettings(seed=asked.seed, assets=sizes[-1], days=asked.days)
    fleet = asked.fleet or made(settings, asked.out / f"fleet-{sizes[-1]}")
    trials = [(size, jobs[-1]) for size in sizes[:-1]] + [(sizes[-1], job) for job in jobs]
    for size, job in trials:
        out = asked.out / f"run-{size}-{job}"
        print(json.dumps(timed(first(fleet, size), out, job, asked.method)), flush=True)


def made(settings: FleetSettings, folder: Path) -> Path:
    """The folder of a made fleet."""
    if not (folder / TRUTH).exists():
        write_fleet(settings, folder)
    return folder


def first(fleet: Path, size: int) -> Path:
    """A table of the first assets of a fleet."""
    table = fleet / f"first-{size}.csv"
    if not table.exists():
        rows = pd.read_csv(fleet / CATALOGUE, dtype=str, keep_default_na=False).head(size)
        rows.to_csv(table, index=False)
    return table


def timed(fleet: Path, out: Path, jobs: int, method: str) -> dict[str, object]:
    """Assess a fleet, or what is left of it; what that has cost, over all beginnings."""
    spent = _spent(out)
    if not spent["finished"]:
        command = [str(Path(sys.executable).parent / "agewise"), "fleet", "assess", str(fleet)]
        command += ["--out", str(out), "--jobs", str(jobs)]
        command += ["--method", method] if method else []
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            spent = _followed(process, out, spent)
    with Catalogue(out, make=False) as catalogue:
        endings = [run.status for run in catalogue.latest_runs().values()]
    count, seconds, busy = len(endings), spent["seconds"], spent["cpu"]
    return {
        "assets": count,
        "jobs": jobs,
        "beginnings": spent["beginnings"],
        "seconds": round(seconds),
        "cpu seconds": round(busy),
        "cpu seconds an asset": round(busy / count, 2),
        "assets a minute": round(60 * count / seconds, 2),
        "assets a minute of a processor": round(60 * count / busy, 2),
        "peak memory [MB]": round(spent["memory"]),
        f"hours for {NIGHT_ASSETS} assets": round(NIGHT_ASSETS * seconds / count / 3600, 2),
        "endings": {ending: endings.count(ending) for ending in sorted(set(endings))},
    }


def _spent(out: Path) -> dict[str, float]:
    """What a trial has cost before it was stopped: seconds, processor's seconds, memory [MB]."""
    nothing = {"finished": 0, "beginnings": 0, "seconds": 0.0, "cpu": 0.0, "memory": 0.0}
    path = out / SPENT
    return json.loads(path.read_text("utf-8")) if path.exists() else nothing


def _followed(process: subprocess.Popen, out: Path, before: dict[str, float]) -> dict[str, float]:
    """Write down what a process and its children cost while they run, behind what was spent."""
    start, family = time.perf_counter(), {}
    spent = before | {"beginnings": before["beginnings"] + 1}
    out.mkdir(parents=True, exist_ok=True)
    while process.poll() is None:
        time.sleep(SAMPLED_SECONDS)
        memory = _looked_at(process.pid, family)
        spent |= {
            "seconds": before["seconds"] + time.perf_counter() - start,
            "cpu": before["cpu"] + sum(family.values()),
            "memory": max(spent["memory"], memory),
        }
        (out / SPENT).write_text(json.dumps(spent), "utf-8")
    if process.returncode in (0, 1):  # 1: some assets failed, and the catalogue says which
        spent["finished"] = 1
        (out / SPENT).write_text(json.dumps(spent), "utf-8")
    return spent


def _looked_at(pid: int, family: dict[int, float]) -> float:
    """Note the processor's time of every process [s] by its id; their memory together [MB]."""
    memory = 0.0
    try:
        root = psutil.Process(pid)
        members = [root, *root.children(recursive=True)]
    except psutil.Error:
        return memory
    for one in members:
        try:
            used = one.cpu_times()
            family[one.pid] = used.user + used.system
            memory += one.memory_full_info().pss / 2**20  # what they share counts once
        except psutil.Error:
            continue
    return memory


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
