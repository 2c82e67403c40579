"""Both published examples of neural networks by subset simulation, and the size at which it fails.

The examples are pure regression: readings, and no equation (Fernández et al. 2022 and its public
examples). Cells are kept.
"""

import argparse
import json
import sys
import time
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax
import numpy as np

import agewise
from agewise.engine.equations.functions.unknown import drawn_values
from agewise.files import write_text

CELLS = Path(__file__).parent / "cells" / "subset_simulation"
"""Where cells are kept."""
BAND = (0.05, 0.95)
"""Quantiles of the samples between which their band lies."""


@dataclass(frozen=True)
class Example:
    """A published example."""

    reach: float
    """The line goes from minus to plus this [1]."""
    readings: int
    """Evenly spaced readings."""
    noise: float
    """Standard deviation of their noise."""
    height: float
    """Largest value of the truth."""
    waves: float
    """Angular frequency of the truth; a cosine where it is 1."""
    hidden: tuple[int, ...]
    """Hidden layers."""
    samples: int
    """Samples of every level."""
    published_levels: int
    """Levels as published; with the prior kept there are as many as it takes."""
    published: dict[str, float]
    """What the published code reaches when it is run."""

    def truth(self, x: np.ndarray) -> np.ndarray:
        """The function without noise."""
        return np.cos(x) if self.waves == 1 else self.height * np.sin(self.waves * x)

    def problem(self, seed: int) -> tuple[agewise.Problem, np.ndarray, np.ndarray]:
        """Readings as a problem without an equation, where they are, and what they show."""
        x = np.linspace(-self.reach, self.reach, self.readings)
        noise = np.random.default_rng(seed).normal(0, self.noise, self.readings)
        shown = self.truth(x) + noise
        read = agewise.Observations(x[:, None], shown, np.full(self.readings, self.noise))
        box = {"x": (-self.reach, self.reach)}
        problem = agewise.Problem(equations={}, coordinates=box, readings={"y": read})
        return problem, x, shown


EXAMPLES = {
    "cosine": Example(3.0, 200, 0.1, 1.0, 1.0, (2,), 5000, 6, {"rmse": 0.135, "covers": 0.865}),
    "sine": Example(
        0.5, 100, 1.0, 10.0, 2 * np.pi, (15, 15), 20000, 10, {"rmse": 0.80, "covers": 0.99}
    ),
}
"""Both, with what the published code gave us: RMSE 0.13 to 0.14 and 0.85 to 0.88; 0.80 and 0.99."""
SIZES = ((4,), (8,), (8, 8), (15, 15), (30, 30), (60, 60))
"""Hidden layers for which the size is found at which it fails."""


def cell(example: Example, seed: int, *, as_published: bool) -> dict[str, Any]:
    """One search: its error, what its band covers, and what it says of itself."""
    problem, x, shown = example.problem(seed)
    settings = agewise.EquationSettings(
        hidden=example.hidden,
        samples=example.samples,
        levels=example.published_levels if as_published else 40,
        as_published=as_published,
    )
    start = time.process_time()
    found = agewise.fit(problem, method="abc", key=seed, settings=settings)
    spent = time.process_time() - start
    numbers = found.weights.arrays()["members"]
    with jax.enable_x64(True):
        values = np.asarray(drawn_values(found.unknown, numbers, "u", x[:, None]))
    low, high = np.quantile(values, BAND, axis=0)
    middle, truth = np.median(values, axis=0), example.truth(x)
    return {
        "processor_seconds": spent,
        "numbers": found.unknown.size,
        "rmse_truth": float(np.sqrt(np.mean((middle - truth) ** 2))),
        "rmse_readings": float(np.sqrt(np.mean((middle - shown) ** 2))),
        "covers_truth": float(np.mean((low <= truth) & (truth <= high))),
        "covers_readings": float(np.mean((low <= shown) & (shown <= high))),
        "width": float(np.mean(high - low)),
        "spread_of_weights": float(numbers.std()),
        "distinct": len(np.unique(numbers, axis=0)),
        "samples": len(numbers),
        "sound": found.check.sound,
        "words": [*found.check.findings, *found.check.remarks],
    }


def kept(path: Path, example: Example, seed: int, as_published: bool) -> None:
    """Write a cell, unless it is there."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    made = cell(example, seed, as_published=as_published)
    write_text(path, json.dumps(made, indent=1) + "\n")
    print(path.relative_to(CELLS), f"{made['processor_seconds']:.0f} s", file=sys.stderr)


def table() -> str:
    """All cells in Markdown, over the seeds of each."""
    rows = [
        "| what | numbers | seeds | RMSE to readings, to truth | band covers readings, truth | "
        "width | spread of weights | sound | processor s |",
        "|" + "---|" * 9,
    ]
    for folder in sorted(CELLS.glob("*/*")):
        cells = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
        mean = {
            name: float(np.mean([cell[name] for cell in cells]))
            for name, value in cells[0].items()
            if isinstance(value, float)
        }
        rows.append(
            f"| {folder.parent.name}, {folder.name} | {cells[0]['numbers']} | {len(cells)} | "
            f"{mean['rmse_readings']:.3f}, {mean['rmse_truth']:.3f} | "
            f"{mean['covers_readings']:.2f}, {mean['covers_truth']:.2f} | {mean['width']:.2f} | "
            f"{mean['spread_of_weights']:.2f} | {sum(c['sound'] for c in cells)} | "
            f"{mean['processor_seconds']:.0f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """A table in Markdown; a cell that was kept is not worked out again."""
    parser = argparse.ArgumentParser(description="Published examples of subset simulation.")
    parser.add_argument("--examples", default=",".join(EXAMPLES), help="empty for none")
    parser.add_argument("--seeds", default="0-2")
    parser.add_argument("--samples", type=int, help="instead of an example's own")
    parser.add_argument("--sizes", action="store_true", help="also the sine by size of network")
    parser.add_argument("--table", action="store_true", help="print kept cells alone")
    asked = parser.parse_args()
    first, _, last = asked.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    if not asked.table:
        for seed in seeds:
            for name in asked.examples.split(",") if asked.examples else ():
                for kind in ("prior-kept", "as-published"):
                    example = EXAMPLES[name]
                    example = replace(example, samples=asked.samples or example.samples)
                    path = CELLS / name / f"{kind}-{example.samples}" / f"{seed}.json"
                    kept(path, example, seed, kind == "as-published")
        for hidden in SIZES if asked.sizes else ():
            sized = replace(EXAMPLES["sine"], hidden=hidden, samples=2000)
            for seed in seeds:
                path = CELLS / "size" / "-".join(map(str, hidden)) / f"{seed}.json"
                kept(path, sized, seed, False)
    print(table())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
