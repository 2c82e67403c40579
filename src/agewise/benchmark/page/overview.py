"""Every method in one line: over all problems that it was tried on."""

from collections.abc import Iterable, Sequence

import numpy as np

from agewise.benchmark.page.table import number
from agewise.benchmark.results import Results, Row

HEAD = (
    "method", "problems", "error over the best", "95 % bands hold", "z", "constants in 90 %",
    "readings in 95 %", "far off, yet sound", "CPU s over `map`",
)  # fmt: skip
"""Heads of the columns, one line a method."""


def overview(results: Results) -> str:
    """One line a method, in Markdown."""
    lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    for method in results.methods:
        rows = [row for (_, name), row in results.rows.items() if name == method]
        done = [row for row in rows if row.done]
        if done:
            lines.append("| " + " | ".join(_parts(results, method, rows, done)) + " |")
    return "\n".join(lines)


def _parts(results: Results, method: str, rows: list[Row], done: list[Row]) -> list[str]:
    held = [each for row in done for each in row.held("0.9")]
    return [
        f"`{method}`",
        str(len(done)) + (f", refused or not done {len(rows) - len(done)}" if rows != done else ""),
        _times(_over_best(results, row) for row in done),
        _mean([float(np.mean(shares)) for row in done if (shares := row.coverage("0.95"))]),
        _middle([float(np.median(row.z)) for row in done if row.z]),
        f"{sum(held)} of {len(held)}" if held else "",
        _mean([float(np.mean(shares)) for row in done if (shares := _new_readings(row))]),
        _unsaid(done),
        _times(_over_map(results, row) for row in done),
    ]


def _over_best(results: Results, row: Row) -> float | None:
    """Errors of a row over that of the best method on the same draw; the median of the draws."""
    best: dict[int, float] = {}
    for (problem, _), other in results.rows.items():
        if problem == row.problem:
            for seed, error in other.errors_by_seed.items():
                # Draw by draw, since some draws of noise are harder than others for all methods.
                best[seed] = min(error, best.get(seed, error))
    # An error of exactly zero has no multiples.
    factors = [e / best[seed] for seed, e in row.errors_by_seed.items() if best[seed]]
    return float(np.median(factors)) if factors else None


def _over_map(results: Results, row: Row) -> float | None:
    # On processors, since cells are made side by side and wait for each other.
    own = row.values("processor_seconds")
    plain = results.row(row.problem, "map").values("processor_seconds")
    return float(np.median(own) / np.median(plain)) if own and plain else None


def _new_readings(row: Row) -> list[float]:
    return row.values("readings", "coverage_0.95")


def _unsaid(rows: Sequence[Row]) -> str:
    """Draws that are far off and call themselves sound, of those that state a doubt."""
    draws = sum(len(row.z) for row in rows)
    return f"{sum(row.unsaid for row in rows)} of {draws}" if draws else ""


def _times(factors: Iterable[float | None]) -> str:
    """The median of factors, and the largest."""
    known = [factor for factor in factors if factor is not None]
    return f"{number(float(np.median(known)))}, up to {number(max(known))}" if known else ""


def _middle(values: Sequence[float]) -> str:
    return number(float(np.median(values))) if len(values) else ""


def _mean(values: Sequence[float]) -> str:
    return f"{np.mean(values):.2f}" if len(values) else ""
