"""Every problem of the library by every method, over seeds: cells that are kept, and their table."""

import argparse
import json
import sys
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from agewise.errors import InputError
from agewise.files import write_text
from agewise.library import KNOWN
from agewise.library.judged import judged


def main() -> None:
    """A table in Markdown; a cell that was kept is not worked out again."""
    parser = argparse.ArgumentParser(description="Known problems by every method.")
    parser.add_argument("--problems", default="", help="names by commas; all if left out")
    parser.add_argument("--methods", default="vi,laplace,map")
    parser.add_argument("--seeds", default="0-4", help="as 0-4")
    parser.add_argument("--noise", type=float, help="instead of a problem's own")
    parser.add_argument("--cells", type=Path, default=Path("build/library"))
    parser.add_argument("--table", action="store_true", help="print kept cells alone")
    asked = parser.parse_args()
    names = [name for name in asked.problems.split(",") if name] or list(KNOWN)
    methods = asked.methods.split(",")
    first, _, last = asked.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    # Seeds outermost: whoever stops it early has the same seeds of all problems.
    for seed in seeds:
        for name in names:
            if not asked.table:
                _kept(name, methods, seed, asked.noise, asked.cells)
    print(_table(names, methods, seeds, asked.cells))


def _kept(name: str, methods: list[str], seed: int, noise: float | None, cells: Path) -> None:
    paths = {method: cells / name / method / f"{seed}.json" for method in methods}
    missing = [method for method, path in paths.items() if not path.exists()]
    if not missing:
        return
    given: dict[str, Any] = {"seed": seed} | ({} if noise is None else {"noise": noise})
    try:
        made = judged(KNOWN[name](**given), missing, seed=seed)
    except (InputError, np.linalg.LinAlgError) as error:
        made = {method: {"refused": str(error)} for method in missing}
    for method, cell in made.items():
        paths[method].parent.mkdir(parents=True, exist_ok=True)
        write_text(paths[method], json.dumps(cell, indent=1))
    print(f"{name} {seed}: {made[missing[0]].get('processor_seconds', 0):.0f} s", file=sys.stderr)


def _table(names: list[str], methods: list[str], seeds: range, cells: Path) -> str:
    rows = [
        "| problem | method | relative L2, worst of seeds | 95 % bands hold | z | noise, stated over "
        "true | constants in 90 % | sound | processor s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name in names:
        for method in methods:
            paths = [cells / name / method / f"{seed}.json" for seed in seeds]
            kept = [json.loads(path.read_text("utf-8")) for path in paths if path.exists()]
            if kept:
                rows.append(_row(name, method, kept))
    return "\n".join(rows)


def _row(name: str, method: str, kept: list[dict[str, Any]]) -> str:
    if all("refused" in cell for cell in kept):
        return f"| {name} | {method} | refused | | | | | | |"
    kept = [cell for cell in kept if "refused" not in cell]
    scores: dict[str, list[float]] = defaultdict(list)
    for cell in kept:
        for of in cell["functions"].values():
            for score, value in of.items():
                scores[score].append(value)
    errors = scores["relative_l2"]
    ratios = [sensor["ratio"] for cell in kept for sensor in cell["noise"].values()]
    held = [c["holds_0.9"] for cell in kept for c in cell["constants"].values()]
    parts = [
        name,
        method,
        f"{np.median(errors):.2g}, {max(errors):.2g}",
        f"{np.mean(scores['coverage_0.95']):.2f}" if scores["coverage_0.95"] else "",
        f"{np.median(scores['z']):.2f}" if scores["z"] else "",
        f"{np.median(ratios):.2f}" if ratios else "",
        f"{sum(held)} of {len(held)}" if held else "",
        f"{sum(not cell['findings'] for cell in kept)} of {len(kept)}",
        f"{np.median([cell['processor_seconds'] for cell in kept]):.0f}",
    ]
    return "| " + " | ".join(parts) + " |"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
