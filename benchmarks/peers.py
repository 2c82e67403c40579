"""A training step, and the time to a true oil field: agewise beside the packages others would use.

Each peer is a script in an environment of its own: it gets the problem as a file, is alone while it
runs, and prints a line of JSON (`protocol.py`).
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from protocol import TARGET, Problem

from agewise.assessment.oil.problem import heat_problem
from agewise.assessment.oil.settings import Settings
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.twin.twin import Twin, TwinSettings, make_twin

TWIN = TwinSettings(seed=100, case="floating-pv", days=4.0)
"""One of the seeds that methods are tuned on."""
HEIGHTS, MINUTES = 21, 30
"""Grid on which errors to the truth are taken."""
OURS = "agewise"
FITTED = {OURS: "problem", "deepxde": "raw", "tfp": "raw"}
"""Which form of the problem each peer's recipe fits; steps are timed on the first."""
HEADS = ("peer", "ms a step, 1 thread", "2 threads", "ratio", "peak MiB", f"to {TARGET} K")
HERE = Path(__file__).parent

Line = dict[str, Any]


def problems(twin: Twin) -> dict[str, TransformerHeat]:
    """The problem as agewise poses it, and raw: with the load-driven part left in the unknown."""
    profile, settings = twin.profile, Settings()
    assert profile.top_oil is not None
    sensors = {0.0: profile.ambient, 1.0: profile.top_oil}
    tank = twin.nameplate.oil_tank()
    return {
        "problem": heat_problem(profile, twin.nameplate, settings),
        "raw": transformer_heat(tank, profile.seconds, profile.load, sensors, hold=settings.hold),
    }


def scaled(heat: TransformerHeat, twin: Twin) -> Problem:
    """What the peers are given; the truth is that of the unknown function, so without the lift."""
    oil = twin.truth["oil_true"][::MINUTES]
    shares = np.linspace(0.0, 1.0, HEIGHTS)
    truth = oil.interp(height=shares * heat.units.height, method="cubic").to_numpy().ravel()
    x, t = np.meshgrid(shares, twin.profile.seconds[::MINUTES] / heat.units.window)
    grid = np.stack([x.ravel(), t.ravel()], axis=1)
    sensors = heat.observations().values()
    return Problem(
        points=np.concatenate([sensor.points for sensor in sensors]),
        values=np.concatenate([sensor.values for sensor in sensors]),
        relaxation=heat.relaxation,
        conduction=heat.conduction,
        rise=np.asarray(heat.rise.values),
        residual_std=heat.scales()["interior"],
        residual_count=heat.pseudo_observations()["interior"],
        spread=heat.units.spread,
        truth_points=grid,
        truth=heat.units.scaled(truth) - heat.lift(grid),
    )


def python(peer: str) -> Path:
    """The interpreter of a peer."""
    if peer == OURS:
        return Path(sys.executable)
    return HERE.parent / f"build/bench-{peer}/bin/python"


def lacking(peer: str) -> str | None:
    """A sentence for whoever misses a peer."""
    if python(peer).exists():
        return None
    venv = f"build/bench-{peer}"
    make = f"python3.11 -m venv {venv} && {venv}/bin/python -m pip install"
    return f"{peer} has no environment: `{make} -r benchmarks/requirements-{peer}.txt` makes it."


def line(peer: str, what: str, problem: Path, *, threads: int, limit: float) -> Line:
    """What a peer prints, on one pinned core or free to use them all."""
    command = ["taskset", "-c", "0"] if threads == 1 else []
    command += [python(peer), HERE / f"peer_{peer}.py", what, problem]
    command += [f"--threads={threads}", f"--limit={limit}"]
    flags = "--xla_cpu_multi_thread_eigen=false" if threads == 1 else ""
    environment = os.environ | {"OMP_NUM_THREADS": str(threads), "XLA_FLAGS": flags}
    start, others = perf_counter(), seconds_of_others()
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{peer} failed:\n{done.stderr}")
    others = (seconds_of_others() - others) / (perf_counter() - start)
    printed = json.loads(done.stdout.splitlines()[-1])
    printed |= {"threads": threads, "others": round(others, 2)}
    print(json.dumps(printed), file=sys.stderr, flush=True)
    return printed


def seconds_of_others() -> float:
    """Processor time of the machine so far, but for idleness and for the peers that have ended."""
    ticks = [int(part) for part in Path("/proc/stat").read_text().split(maxsplit=9)[1:9]]
    idle, waiting = ticks[3:5]
    peers = os.times()
    return (sum(ticks) - idle - waiting) / os.sysconf("SC_CLK_TCK") - sum(peers[2:4])


def spread(milliseconds: list[float]) -> str:
    """Median and range over the rounds."""
    if not milliseconds:
        return ""
    low, high = min(milliseconds), max(milliseconds)
    return f"{median(milliseconds):.2f} ({low:.2f} to {high:.2f})"


def outcome(curve: list[tuple[float, float]]) -> str:
    """Seconds to the target, or the best error and when it was reached."""
    seconds, error = min(curve, key=lambda pair: pair[1])
    if error < TARGET:
        return f"{seconds:.0f} s"
    return f"not in {curve[-1][0]:.0f} s; best {error:.2g} K, after {seconds:.0f} s"


def rows(steps: list[Line], fit: Line, yardstick: float | None) -> list[str]:
    """A peer's rows of the table: itself and its variants."""
    by_name = {fit["peer"]: [(step["threads"], step["ms_per_step"]) for step in steps]}
    for step in steps:
        for variant, milliseconds in step.get("variants", {}).items():
            by_name.setdefault(f"— {variant}", []).append((step["threads"], milliseconds))
    tails = [f"{median(step['peak_mib'] for step in steps):.0f} | {outcome(fit['curve'])}"]
    tails += [" | "] * (len(by_name) - 1)
    printed = []
    for (name, pairs), tail in zip(by_name.items(), tails, strict=True):
        one, two = ([ms for threads, ms in pairs if threads == count] for count in (1, 2))
        ratio = f"{median(one) / yardstick:.1f}" if yardstick else ""
        printed.append(f"| {name} | {spread(one)} | {spread(two)} | {ratio} | {tail} |")
    return printed


def options() -> Namespace:
    """Of the command line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of a fit")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--block", type=float, default=2.0, help="seconds over which steps count")
    parser.add_argument("--quick", action="store_true", help="one round, fits of ten seconds")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.limit, chosen.rounds, chosen.block = 10.0, 1, 0.5
    return chosen


def measured(peers: list[str], chosen: Namespace) -> dict[str, tuple[list[Line], Line]]:
    """For each peer the lines of its steps, which take turns, and that of its fit."""
    steps: dict[str, list[Line]] = {peer: [] for peer in peers}
    with TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{name}.npz" for name in ("problem", "raw")}
        twin = make_twin(TWIN)
        for name, heat in problems(twin).items():
            scaled(heat, twin).save(paths[name])
        for threads in (1, 2) * chosen.rounds:
            for peer in peers:
                terms = {"threads": threads, "limit": chosen.block}
                steps[peer].append(line(peer, "step", paths["problem"], **terms))
        terms = {"threads": 1, "limit": chosen.limit}
        fits = {peer: line(peer, "fit", paths[FITTED[peer]], **terms) for peer in peers}
    return {peer: (steps[peer], fits[peer]) for peer in peers}


def main() -> None:
    """Run the peers in turn and print a table in Markdown."""
    chosen = options()
    missing = {peer: lacking(peer) for peer in FITTED}
    lines = measured([peer for peer, sentence in missing.items() if sentence is None], chosen)
    ours = [s["ms_per_step"] for s in lines[OURS][0] if s["threads"] == 1] if OURS in lines else []
    print("|", " | ".join(HEADS), "|\n|" + "---|" * len(HEADS))
    for steps, fit in lines.values():
        print("\n".join(rows(steps, fit, median(ours) if ours else None)))
    others = [printed["others"] for steps, fit in lines.values() for printed in (*steps, fit)]
    if others:
        print(f"\nOther processes kept {median(others):.1f} cores busy, {max(others):.1f} at most.")
    print("".join(f"\n{sentence}" for sentence in missing.values() if sentence))


if __name__ == "__main__":
    main()
