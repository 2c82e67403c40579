"""Chains against the closed form, and how often their intervals hold: cells that are kept."""

import argparse
import json
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import agewise
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.problems.base import AbstractProblem
from agewise.files import write_text
from agewise.library import KNOWN
from agewise.transformer.oil.heat import transformer_heat
from agewise.transformer.oil.reference import oil_temperature
from agewise.transformer.oil.tank import Tank

CELLS = Path(__file__).parent / "cells" / "samplers"
"""Where cells are kept."""
PLACES = 20
"""Points at which chains are compared with the closed form."""
NOISE = 0.1
"""Noise of Yang's inverse problem."""
LEVELS = {"k": 0.9, "u": 0.95}
"""Level of the interval of the rate, and of the bands of the function."""


TANK = Tank.closed(
    no_load_losses=842.0, load_losses=9800.0, oil_time_constant=9000.0, top_oil_rise=45.0
)
"""A small tank."""


def window(*, obeyed: bool = True) -> AbstractProblem:
    """Two hours of oil, a reading every ten minutes at both ends and in the middle.

    Args:
        obeyed: Whether the oil in the middle does what the equation says; else it follows the ends,
            as no oil of that load would, and a fit cannot be sound.
    """
    rng, seconds, load = np.random.default_rng(4), np.linspace(0.0, 7200.0, 13), np.full(13, 0.7)
    wave = np.sin(2 * np.pi * seconds / 9000.0)
    true = {0.0: 20.0 + wave, 0.5: 31.0 + 2.2 * wave, 1.0: 42.0 + 3.0 * wave}
    if obeyed:
        middle = np.array([TANK.height / 2])
        oil = oil_temperature(TANK, seconds, load, true[0.0], true[1.0], heights=middle)
        true[0.5] = oil.temperature[:, 0]
    read = {height: value + 0.3 * rng.normal(size=13) for height, value in true.items()}
    return transformer_heat(TANK, seconds, load, read, discrepancy=0.1)


LINEAR: dict[str, Callable[[], AbstractProblem]] = {
    "yang-0.01": lambda: KNOWN["poisson"](seed=0, noise=0.01),
    "yang-0.1": lambda: KNOWN["poisson"](seed=0, noise=0.1),
    "window": window,
    "window-contradicted": lambda: window(obeyed=False),
}
"""Linear problems, whose posterior is known in closed form."""


def agreement(name: str, method: str, settings: agewise.EquationSettings) -> dict[str, Any]:
    """How far chains are from the closed form, in its standard deviations, at places."""
    problem = LINEAR[name]()
    low, high = np.array(list(problem.coordinates().values()), dtype=float).T
    points = np.linspace(low, high, PLACES)
    if len(low) > 1:
        points = np.random.default_rng(0).uniform(low, high, (PLACES, len(low)))
    exact = agewise.fit(problem, method="exact", key=0).predict(points)
    found, cost = timed(lambda: agewise.fit(problem, method=method, key=0, settings=settings))
    drawn, std = found.predict(points), np.sqrt(exact.epistemic)
    return cost | {
        "mean_off": float((np.abs(drawn.mean - exact.mean) / std).max()),
        "std_ratio": [float(f(np.sqrt(drawn.epistemic) / std)) for f in (np.min, np.max)],
        "sound": found.check.sound,
        **mixing(found),
    }


def coverage(method: str, seed: int, settings: agewise.EquationSettings) -> dict[str, Any]:
    """Whether intervals of Yang's inverse problem hold the truth, for one draw of the noise."""
    problem = KNOWN["poisson-inverse"](seed=seed, noise=NOISE)
    found, cost = timed(lambda: agewise.fit(problem, method=method, key=seed, settings=settings))
    drawn = found.draw(found.available(1000))
    rates, places = drawn.constants["k"], np.linspace(-0.7, 0.7, 101)
    low, high = np.quantile(rates, [(1 - LEVELS["k"]) / 2, (1 + LEVELS["k"]) / 2])
    truth = problem.reference(places[:, None])["u"]
    band = found.predict(places)
    std = np.sqrt(band.epistemic)
    inside = np.abs(band.mean - truth) <= 1.96 * std
    return cost | {
        "k": [float(rates.mean()), float(rates.std())],
        "holds": bool(low <= 0.7 <= high),
        "covers": float(inside.mean()),
        "relative_l2": float(np.linalg.norm(band.mean - truth) / np.linalg.norm(truth)),
        "sound": found.check.sound,
        **(mixing(found) if "chain" in found.record else {}),
    }


def mixing(found: EquationPosterior) -> dict[str, Any]:
    """The worst R-hat and the fewest effective draws of all functions and constants."""
    parts = found.record.items()
    return {
        "rhat": max(float(v.max()) for n, v in parts if n.startswith("rhat_")),
        "effective": min(float(v.min()) for n, v in parts if n.startswith("effective_")),
        "draws": len(found.record["chain"]),
        "leaps": float(found.record["leaps"].mean()),
        "divergent": float(found.record["divergent"].mean()),
    }


def timed(work: Callable[[], EquationPosterior]) -> tuple[EquationPosterior, dict[str, float]]:
    """What work gives, with its seconds by the clock and of processors, children's included."""
    start, before = time.perf_counter(), _processor()
    found = work()
    return found, {
        "seconds": time.perf_counter() - start,
        "processor_seconds": _processor() - before,
    }


def _processor() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def kept(path: Path, made: Callable[[], dict[str, Any]]) -> None:
    """Write a cell, unless it is there."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    cell = made()
    write_text(path, json.dumps(cell, indent=1) + "\n")
    print(path.relative_to(CELLS), f"{cell['processor_seconds']:.0f} s", file=sys.stderr)


def table() -> str:
    """All cells in Markdown."""
    rows = [
        "| problem | method | mean off [std] | std over exact | R-hat | processor s |",
        "|" + "---|" * 6,
    ]
    for path in sorted(CELLS.glob("agreement/*/*.json")):
        c = json.loads(path.read_text("utf-8"))
        low, high = c["std_ratio"]
        rows.append(
            f"| {path.parent.name} | {path.stem} | {c['mean_off']:.3f} | {low:.2f} to {high:.2f} | "
            f"{c['rhat']:.4f} | {c['processor_seconds']:.0f} |"
        )
    rows += [
        "",
        "| method | draws | 90 % of k holds 0.7 | mean std of k | 95 % of u covers | worst R-hat | "
        "processor s |",
        "|" + "---|" * 7,
    ]
    for folder in sorted(CELLS.glob("coverage/*")):
        cells = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
        rhats = [cell["rhat"] for cell in cells if "rhat" in cell]
        rows.append(
            f"| {folder.name} | {len(cells)} | {sum(c['holds'] for c in cells)} | "
            f"{np.mean([c['k'][1] for c in cells]):.3f} | "
            f"{np.mean([c['covers'] for c in cells]):.2f} | "
            f"{f'{max(rhats):.4f}' if rhats else ''} | "
            f"{np.median([c['processor_seconds'] for c in cells]):.0f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """A table in Markdown; a cell that was kept is not worked out again."""
    parser = argparse.ArgumentParser(description="Chains against closed forms and truths.")
    parser.add_argument("--methods", default="nuts,hmc")
    parser.add_argument("--linear", default=",".join(LINEAR), help="linear problems, by commas")
    parser.add_argument("--seeds", default="0-19", help="noise draws of Yang's inverse problem")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="print kept cells alone")
    asked = parser.parse_args()
    settings = agewise.EquationSettings(jobs=asked.jobs)
    first, _, last = asked.seeds.partition("-")
    for method in () if asked.table else asked.methods.split(","):
        for name in [
            name for name in asked.linear.split(",") if name and method in ("nuts", "hmc")
        ]:
            path = CELLS / "agreement" / name / f"{method}.json"
            kept(path, lambda n=name, m=method: agreement(n, m, settings))
        for seed in range(int(first), int(last or first) + 1) if first else ():
            path = CELLS / "coverage" / method / f"{seed}.json"
            kept(path, lambda s=seed, m=method: coverage(m, s, settings))
    print(table())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
