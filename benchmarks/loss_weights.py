"""Point estimates under reweighted losses, beside Gauss-Newton: cells that are kept, and a table.

    .venv/bin/python benchmarks/loss_weights.py                 # what is missing, then the table
    .venv/bin/python benchmarks/loss_weights.py --table         # the table of kept cells alone

Every rule has the same network, points, start, steps and rate; only the weights of rows differ.
"""

import argparse
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import agewise
from agewise.benchmark.judging.scores import grid
from agewise.files import write_text
from agewise.library import KNOWN

PROBLEMS = ("allen-cahn", "helmholtz", "wave")
RULES = ("equal", "adaptive", "attention", "kernel")
HIDDEN = (32, 32, 32)
"""Units of each hidden layer, of Adam's networks and Gauss-Newton's alike."""
CELLS = Path(__file__).parent / "cells" / "loss_weights"


def main() -> None:
    """Fill in missing cells and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--rules", default=",".join((*RULES, "none")))
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--cells", type=Path, default=CELLS)
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    problems, rules = asked.problems.split(","), asked.rules.split(",")
    if not asked.table:
        for seed in range(asked.seeds):
            for problem in problems:
                for rule in rules:
                    _kept(asked.cells / f"{problem}-{rule}-{seed}.json", problem, rule, seed, asked)
    print(_table(asked.cells))


def _kept(path: Path, name: str, rule: str, seed: int, asked: argparse.Namespace) -> None:
    if path.exists():
        return
    cell = _cell(name, rule, seed, asked.steps)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(cell, indent=1) + "\n")
    print(f"{path.stem}: {cell['relative_l2']:.2g} in {cell['seconds']:.0f} s", file=sys.stderr)


def _cell(name: str, rule: str, seed: int, steps: int) -> dict[str, Any]:
    problem = KNOWN[name](seed=0)
    points = grid(problem)
    settings = agewise.EquationSettings(
        hidden=HIDDEN, loss_weights=rule, adam_steps=steps, attempts=1
    )
    start = time.process_time()
    found = agewise.fit(problem, method="map", key=seed, settings=settings)
    seconds = time.process_time() - start
    error = found.predict(points).mean - problem.reference(points)["u"]
    size = np.linalg.norm(problem.reference(points)["u"])
    return {
        "problem": name,
        "rule": rule,
        "seed": seed,
        "steps": steps if rule != "none" else None,
        "relative_l2": float(np.linalg.norm(error) / size),
        "residuals": found.check.residuals,
        "seconds": seconds,
        "weights": _weights(found.record, rule),
    }


def _weights(record: dict[str, np.ndarray], rule: str) -> dict[str, Any]:
    """Mean, least and largest weight of every group at the snapshots: whether they moved."""
    start = f"snapshots_{rule}_"
    named = {n.removeprefix(start): a for n, a in record.items() if n.startswith(start)}
    named.pop("numbers", None)
    return {
        name: {
            what: np.round(of(array, axis=1), 4).tolist()
            for what, of in {"mean": np.mean, "least": np.min, "largest": np.max}.items()
        }
        for name, array in named.items()
    }


def _table(cells: Path) -> str:
    kept = [json.loads(path.read_text("utf-8")) for path in sorted(cells.glob("*.json"))]
    rows = ["| problem | weights | relative L2 by seed | weights inside, first to last | CPU s |"]
    rows.append("|---|---|---|---|---|")
    for name in PROBLEMS:
        for rule in (*RULES, "none"):
            own = [cell for cell in kept if (cell["problem"], cell["rule"]) == (name, rule)]
            if own:
                rows.append(_row(name, rule, own))
    return "\n".join(rows)


def _row(name: str, rule: str, own: list[dict[str, Any]]) -> str:
    inside = own[0]["weights"].get("interior")
    moved = ""
    if inside:
        first, last = (
            f"{inside['mean'][end]:.3g} ({inside['least'][end]:.3g} to "
            f"{inside['largest'][end]:.3g})"
            for end in (0, -1)
        )
        moved = f"{first}, {last}"
    errors = ", ".join(f"{cell['relative_l2']:.2g}" for cell in own)
    called = "Gauss-Newton" if rule == "none" else rule
    return f"| {name} | {called} | {errors} | {moved} | {own[0]['seconds']:.0f} |"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
