"""Point estimates under reweighted losses, beside Gauss-Newton: cells that are kept, and a table.

    .venv/bin/python benchmarks/loss_weights.py                 # what is missing, then the table
    .venv/bin/python benchmarks/loss_weights.py --table         # the table of kept cells alone

Every rule has the same network, points, start, steps and rate; only the weights of rows differ.
Rates are those of numbers which are of order one beforehand: published networks train weights that
are a tenth of that (128 units, Xavier's start) at 1e-3, so that 1e-2 here moves them as fast.
"""

import argparse
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from marked import write_between_marks
from seeds import seeds_of

import agewise
from agewise.benchmark.judging.scores import grid
from agewise.files import write_text
from agewise.library import KNOWN

PROBLEMS = ("allen-cahn", "helmholtz", "wave")
RULES = ("equal", "adaptive", "attention", "kernel")
PAGE = Path(__file__).parents[1] / "docs" / "loss_weights.md"
"""Where the table stands."""
RATE = 2e-3
"""Highest rate of Adam [1]."""
CELLS = Path(__file__).parent / "cells" / "loss_weights"


def main() -> None:
    """Fill in missing cells and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--rules", default=",".join((*RULES, "none")))
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--hidden", default="32,32,32", help="units of each hidden layer")
    parser.add_argument("--rate", type=float, default=RATE, help="highest rate of Adam")
    parser.add_argument("--seeds", default="0-1", help="of starts and points, as 0-1")
    parser.add_argument("--cells", type=Path, default=CELLS)
    parser.add_argument("--table", action="store_true", help="print kept cells alone")
    parser.add_argument("--docs", action="store_true", help="write the table into the page too")
    asked = parser.parse_args()
    problems, rules = asked.problems.split(","), asked.rules.split(",")
    if not asked.table:
        for seed in seeds_of(asked.seeds):
            for problem in problems:
                for rule in rules:
                    _kept(asked.cells / f"{problem}-{rule}-{seed}.json", problem, rule, seed, asked)
    text = _table(asked.cells)
    print(text)
    if asked.docs:
        write_between_marks(PAGE, "loss weights", text)


def _kept(path: Path, name: str, rule: str, seed: int, asked: argparse.Namespace) -> None:
    if path.exists():
        return
    cell = _cell(name, rule, seed, asked)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(cell, indent=1) + "\n")
    print(f"{path.stem}: {cell['relative_l2']:.2g} in {cell['seconds']:.0f} s", file=sys.stderr)


def _cell(name: str, rule: str, seed: int, asked: argparse.Namespace) -> dict[str, Any]:
    problem = KNOWN[name](seed=0)
    places = grid(problem)
    settings = agewise.EquationSettings(
        hidden=tuple(map(int, asked.hidden.split(","))),
        loss_weights=rule,
        adam_steps=asked.steps,
        adam_rate=asked.rate,
        attempts=1,
    )
    start = time.process_time()
    found = agewise.fit(problem, method="map", key=seed, settings=settings)
    seconds = time.process_time() - start
    truth = problem.reference(places)["u"]
    error = found.predict(places).mean - truth
    return {
        "problem": name,
        "rule": rule,
        "seed": seed,
        # Gauss-Newton has steps of its own.
        **{
            what: getattr(asked, what) if rule != "none" else None
            for what in ("steps", "rate", "hidden")
        },
        "relative_l2": float(np.linalg.norm(error) / np.linalg.norm(truth)),
        "residuals": found.check.residuals,
        "unseen": found.check.unseen,
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
    rows = [
        "| problem | weights | steps | relative L2 by seed | mean weights, first to last | CPU s |",
        "|" + "---|" * 6,
    ]
    for name in PROBLEMS:
        for rule in (*RULES, "none"):
            own = [cell for cell in kept if (cell["problem"], cell["rule"]) == (name, rule)]
            if own:
                rows.append(_row(name, rule, own))
    return "\n".join(rows)


def _row(name: str, rule: str, own: list[dict[str, Any]]) -> str:
    moved = ", ".join(
        f"{group} {of['mean'][0]:.3g} to {of['mean'][-1]:.3g}"
        + (f" (at most {of['largest'][-1]:.3g})" if of["least"][-1] < of["largest"][-1] else "")
        for group, of in own[0]["weights"].items()
    )
    errors = ", ".join(f"{cell['relative_l2']:.2g}" for cell in own)
    called = "Gauss-Newton" if rule == "none" else rule
    steps = own[0]["steps"] or ""
    return f"| {name} | {called} | {steps} | {errors} | {moved} | {own[0]['seconds']:.0f} |"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
