"""A made fleet of which workers and scheduler are killed and the disk fills, beside one left alone.

    .venv/bin/python benchmarks/fleet_kills.py --out /tmp/kills --assets 24 --days 3 --kills 20

Three runs of `agewise fleet assess` in processes of their own, and one that nobody disturbs:

- `workers`: SIGKILL to a worker at random moments, and once to the command, in which its scheduler
  runs; the command is then given again;
- `scheduler`: two workers and a scheduler of their own, of which the scheduler is killed halfway;
- `disk`: the folder is a small disk in memory that fills up; it is made larger and the command
  given again. Mounting needs the rights of root: elsewhere it is said to be left out.

Nothing is lost where every asset ends as it does alone; nothing has two answers where all runs of
an asset in the catalogue have the same numbers, to the last digit, as the run left alone.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import RunRow
from agewise.twin.fleet.fleet_folder import TRUTH, write_fleet
from agewise.twin.fleet.settings import FleetSettings
from tests.fleet.dask_processes import scheduler, worker

AGEWISE = Path(sys.executable).with_name("agewise")
APART = ("id", "started", "seconds", "folder", "versions")
"""Columns of a run that two runs with one answer may differ in."""
LEAST_PAUSE = 1.0
"""Least time between two kills [s]."""
ROOM_PER_ASSET = 250_000
"""Bytes for each asset on the small disk, about half of what its run takes."""


def main() -> None:
    """Read the command line, make the fleet, disturb it in three ways, print one line of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--assets", type=int, default=24)
    parser.add_argument("--days", type=float, default=3.0)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pause", type=float, default=8.0, help="most seconds between two kills")
    parser.add_argument("--seed", type=int, default=100)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    fleet = made(asked.out / "fleet", asked.assets, asked.days, asked.seed)
    finished(fleet, asked.out / "alone")
    alone = runs(asked.out / "alone")
    table = {
        "assets": asked.assets,
        "ended alone": endings(alone),
        "workers": disturbed(
            fleet, asked.out / "workers", alone, asked.kills, asked.pause, asked.seed
        ),
        "scheduler": without_scheduler(fleet, asked.out / "scheduler", alone),
        "disk": on_small_disk(fleet, asked.out / "disk", alone, asked.assets),
    }
    print(json.dumps(table))


def made(folder: Path, assets: int, days: float, seed: int) -> Path:
    """The folder of a made fleet."""
    if not (folder / TRUTH).exists():
        write_fleet(FleetSettings(seed=seed, assets=assets, days=days), folder)
    return folder


def command(fleet: Path, out: Path, *more: str) -> list[str]:
    """The assessment of the fleet by two processes."""
    return [str(AGEWISE), "fleet", "assess", str(fleet), "--out", str(out), "--jobs", "2", *more]


def finished(fleet: Path, out: Path, *more: str) -> int:
    """Assess to the end; the code with which the command ended."""
    return subprocess.run(command(fleet, out, *more), capture_output=True).returncode


def runs(out: Path) -> dict[str, list[RunRow]]:
    """All runs of every asset in the catalogue, the last one first."""
    with Catalogue(out, make=False) as catalogue:
        return {name: list(catalogue.history(name)) for name in catalogue.latest_runs()}


def endings(of: dict[str, list[RunRow]]) -> dict[str, int]:
    """How many assets ended how."""
    last = [history[0].status for history in of.values()]
    return {status: last.count(status) for status in sorted(set(last))}


def compared(out: Path, alone: dict[str, list[RunRow]]) -> dict[str, object]:
    """What was lost, what was done more than once, and what has another answer."""
    seen = runs(out)
    lost = [n for n, own in alone.items() if n not in seen or seen[n][0].status != own[0].status]
    answered = {n: [r for r in own if r.status != "failed"] for n, own in seen.items()}
    other = {n for n, own in answered.items() for run in own if cells(run) != cells(alone[n][0])}
    return {
        "lost": lost,
        "recorded twice": [n for n, own in answered.items() if len(own) > 1],
        "with another answer": sorted(other),
        "half-written files": sum(".part" in p.name or p.suffix == ".tmp" for p in out.rglob("*")),
    }


def cells(run: RunRow) -> dict[str, object]:
    """The answer of a run, column by column."""
    names = [column.name for column in RunRow.__table__.columns if column.name not in APART]
    return {name: getattr(run, name) for name in names}


def workers(process: subprocess.Popen) -> list[psutil.Process]:
    """Workers that a command has started, those that are about to begin included."""
    try:
        children = psutil.Process(process.pid).children(recursive=True)
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def disturbed(
    fleet: Path, out: Path, alone: dict[str, list[RunRow]], kills: int, pause: float, seed: int
) -> dict[str, object]:
    """Kill workers at random moments and the command once; fleet after fleet, until all kills are
    used up."""
    moments, killed, commands, start = random.Random(seed), 0, 0, time.monotonic()
    found: list[dict[str, object]] = []
    while killed < kills:
        own, code = out.with_name(f"{out.name}-{len(found) + 1}"), None
        while code != 0:
            process = subprocess.Popen(
                command(fleet, own), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            commands += 1
            while process.poll() is None:
                time.sleep(moments.uniform(LEAST_PAUSE, pause))
                alive = workers(process)
                if alive and killed < kills:
                    moments.choice(alive).send_signal(signal.SIGKILL)
                    killed += 1
                if killed == kills // 2 and commands == 1:
                    process.send_signal(signal.SIGKILL)
            code = process.returncode
            said = f"after {time.monotonic() - start:.0f} s, {killed} kills: code {code}"
            print(said, file=sys.stderr, flush=True)
        found.append(compared(own, alone))
    seconds = round(time.monotonic() - start)
    told: dict[str, object] = {"workers killed": killed, "fleets": len(found), "commands": commands}
    return told | {"seconds": seconds} | {k: [one[k] for one in found] for k in found[0]}


def without_scheduler(fleet: Path, out: Path, alone: dict[str, list[RunRow]]) -> dict[str, object]:
    """Kill a scheduler of its own halfway."""
    place = out.with_name("place")
    place.mkdir(exist_ok=True)
    (place / "scheduler.json").unlink(missing_ok=True)
    with ExitStack() as stack:
        address, process = stack.enter_context(scheduler(place))
        for _ in range(2):
            stack.enter_context(worker(address))
        asked = command(fleet, out, "--engine", "dask", "--scheduler", address)
        run = stack.enter_context(subprocess.Popen(asked, stdout=subprocess.PIPE, text=True))
        while run.poll() is None and done(out) < len(alone) // 2:
            time.sleep(0.5)
        before = done(out)
        process.send_signal(signal.SIGKILL)
        run.wait()
    return {"done before": before, "code": run.returncode} | compared(out, alone)


def done(out: Path) -> int:
    """Number of assets that a catalogue has a run of."""
    try:
        return len(runs(out))
    except Exception:  # not made yet, or being made
        return 0


@contextmanager
def disk(folder: Path, size: int) -> Iterator[None]:
    """A disk of so many bytes in memory."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def on_small_disk(
    fleet: Path, out: Path, alone: dict[str, list[RunRow]], assets: int
) -> dict[str, object] | str:
    """Assess onto a disk that fills up, give it room, and assess again."""
    try:
        with disk(out, ROOM_PER_ASSET * assets):
            first = finished(fleet, out)
            then = endings(runs(out))
            larger = f"remount,size={50 * ROOM_PER_ASSET * assets}"
            subprocess.run(["mount", "-o", larger, out], check=True)
            codes = [first, finished(fleet, out)]
            return {"codes": codes, "when full": then} | compared(out, alone)
    except (subprocess.CalledProcessError, PermissionError):
        return "left out: nobody but root may mount a disk"


if __name__ == "__main__":
    main()
