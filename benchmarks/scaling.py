"""How time and memory of the Bayesian network grow with points, width, draws and days."""

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import jax
import numpy as np

from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.problem import heat_problem
from agewise.assessment.oil.settings import Settings
from agewise.engine.inference.published.methods import BayesianPINN
from agewise.engine.inference.published.settings import literal
from agewise.engine.training import QUIET, Stages
from agewise.engine.training.loop import with_arrays
from agewise.engine.training.optimisers import Adam
from agewise.twin.twin import TwinSettings, make_twin

STEPS = 100
"""timed together, after as many that are not"""


def step(batch: int, width: int) -> float:
    """ms of a step of mean-field VI with so many readings, points and hidden units a layer."""
    twin = make_twin(TwinSettings(seed=100))
    settings = literal("vi", "heteroscedastic")
    network = replace(settings.network, hidden=(width, width))
    method, key = BayesianPINN(replace(settings, network=network, batch=batch)), jax.random.key(0)
    problem = heat_problem(twin.profile, twin.nameplate, Settings())
    objective = method.objective(problem, method.readings(problem, key=key), Stages(key, QUIET))
    params = method.first(objective.network.initial(key=key))
    optimiser = Adam(with_arrays(objective), 10**6, 1e-3)
    state, aux = optimiser.start(params), {}
    seconds = []
    for block in range(6):
        start = perf_counter()
        optimiser.advance(params, state, aux, block * STEPS, STEPS, key=key)
        seconds.append(perf_counter() - start)
    return 1e3 * float(np.median(seconds[1:])) / STEPS


def fit(days: float) -> float:
    """s of a default fit, compilation included."""
    twin = make_twin(TwinSettings(seed=100, days=days))
    start = perf_counter()
    assess(twin.profile, twin.nameplate, Settings(method="vi"))
    return perf_counter() - start


def draws(count: int) -> float:
    """s of so many drawn functions on the default grid of four days."""
    twin = make_twin(TwinSettings(seed=100))
    assessment = assess(twin.profile, twin.nameplate, Settings(method="vi"))
    heights, seconds = np.linspace(0, 1, 51), np.linspace(0, twin.profile.seconds[-1], 577)
    times = []
    for _ in range(2):
        start = perf_counter()
        assessment.draw(count, key=jax.random.key(1)).oil(heights, seconds)
        times.append(perf_counter() - start)
    return times[-1]


MEASURES: dict[str, tuple[Callable[..., float], str, list[tuple[float, ...]]]] = {
    "readings and points a step": (step, "ms a step", [(n, 50) for n in (64, 256, 1024, 4096)]),
    "units a layer": (step, "ms a step", [(256, n) for n in (25, 50, 100, 200)]),
    "days": (fit, "s", [(n,) for n in (1, 2, 4, 8)]),
    "draws": (draws, "s", [(n,) for n in (50, 200, 800)]),
}


def alone(name: str, row: int) -> dict[str, float]:
    """One number in a process of its own, so that its peak of memory is its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", name, str(row)], capture_output=True, check=True
    )
    return json.loads(done.stdout)


def main() -> None:
    """Print a table, or one number of it."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("NAME", "ROW"))
    one = parser.parse_args().one
    if one:
        measure, _, rows = MEASURES[one[0]]
        value = measure(*map(int, rows[int(one[1])]))
        status = Path("/proc/self/status").read_text().split()
        peak = int(status[status.index("VmHWM:") + 1]) / 1024
        print(json.dumps({"value": value, "peak": peak}))
        return
    print("| what | number | time | peak MiB |\n|---|---|---|---|")
    for name, (_, unit, rows) in MEASURES.items():
        for row, terms in enumerate(rows):
            found = alone(name, row)
            number = terms[1] if name == "units a layer" else terms[0]
            print(f"| {name} | {number} | {found['value']:.2f} {unit} | {found['peak']:.0f} |")


if __name__ == "__main__":
    main()
