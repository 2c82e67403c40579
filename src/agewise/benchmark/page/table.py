"""The one table: methods and problems, in Markdown and as CSV."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agewise.benchmark.results import LEVELS, Results, Row

HEAD = (
    "method", "draws", "relative L2", "worst", "CRPS", "50 / 90 / 95 % bands hold", "z",
    "readings in 95 %", "noise", "constants in 90 %", "sound", "s", "CPU s", "MiB",
)  # fmt: skip
"""Heads of the columns on a page."""
NONE = ""
"""Stands where there is no number."""


def number(value: float | None) -> str:
    """A number with two significant digits, three from a hundred on, or nothing."""
    if value is None or not np.isfinite(value):
        return NONE
    # Two digits of a hundred and more would be written as powers of ten.
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.2g}"


def middle(values: Sequence[float]) -> float | None:
    """The median, or None where there is nothing."""
    return float(np.median(values)) if len(values) else None


def mean(values: Sequence[float]) -> float | None:
    """The mean, or None where there is nothing."""
    return float(np.mean(values)) if len(values) else None


COLUMNS: dict[str, Callable[[Row], float | int | None]] = {
    "draws_done": lambda row: len(row.done),
    "draws_asked": lambda row: len(row.cells),
    "relative_l2_median": lambda row: middle(row.errors),
    "relative_l2_worst": lambda row: max(row.errors, default=None),
    "crps_over_size_median": lambda row: middle(row.crps),
    "coverage_50_mean": lambda row: mean(row.coverage("0.5")),
    "coverage_90_mean": lambda row: mean(row.coverage("0.9")),
    "coverage_95_mean": lambda row: mean(row.coverage("0.95")),
    "z_median": lambda row: middle(row.z),
    "new_readings_in_95_mean": lambda row: mean(row.values("readings", "coverage_0.95")),
    "noise_stated_over_true_median": lambda row: middle(row.noise_ratios),
    "constants_in_50_mean": lambda row: mean(row.held("0.5")),
    "constants_in_90_mean": lambda row: mean(row.held("0.9")),
    "constants_in_95_mean": lambda row: mean(row.held("0.95")),
    "constants_judged": lambda row: len(row.held("0.9")),
    "draws_sound": lambda row: row.sound,
    "seconds_median": lambda row: middle(row.values("seconds")),
    "processor_seconds_median": lambda row: middle(row.values("processor_seconds")),
    "peak_mib_largest": lambda row: max(row.values("peak_mib"), default=None),
}
"""Numbers of a row in the CSV file, by the names of their columns."""


def csv_text(results: Results) -> str:
    """Every row with all its numbers; empty where there is none."""
    text = io.StringIO()
    # Unix' line ends, so that a remade table differs by its numbers alone.
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["problem", "method", *COLUMNS, "why_not"])
    for (problem, method), row in results.rows.items():
        numbers = [_plain(column(row)) for column in COLUMNS.values()]
        writer.writerow([problem, method, *numbers, " ".join(row.sentences)])
    return text.getvalue()


def _plain(value: float | int | None) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def markdown_table(results: Results, problem: str) -> str:
    """The rows of one problem; below them why a method has none."""
    rows = [row for (name, _), row in results.rows.items() if name == problem]
    lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    lines += ["| " + " | ".join(_parts(row)) + " |" for row in rows if row.done]
    text = "\n".join(lines) if any(row.done for row in rows) else ""
    reasons = [
        f"- `{row.method}`, {times} of {len(row.cells)}: {sentence}"
        for row in rows
        for sentence, times in row.sentences.items()
    ]
    return "\n\n".join(part for part in (text, "\n".join(reasons)) if part)


def _parts(row: Row) -> list[str]:
    held = row.held("0.9")
    return [
        f"`{row.method}`",
        str(len(row.done)) if len(row.done) == len(row.cells) else _share(row.done, row.cells),
        number(middle(row.errors)),
        number(max(row.errors, default=None)),
        number(middle(row.crps)),
        _shares(row),
        number(middle(row.z)),
        _two(mean(row.values("readings", "coverage_0.95"))),
        _two(middle(row.noise_ratios)),
        f"{sum(held)} of {len(held)}" if held else NONE,
        f"{row.sound} of {len(row.done)}",
        number(middle(row.values("seconds"))),
        number(middle(row.values("processor_seconds"))),
        number(max(row.values("peak_mib"), default=None)),
    ]


def _share(subset: Sequence[Any], full_set: Sequence[Any]) -> str:
    return f"{len(subset)} of {len(full_set)}"


def _shares(row: Row) -> str:
    """Coverage at all levels; a level that some draws were not judged at is left out."""
    # A level counts as judged where as many draws have it as have 95 %.
    draws = len(row.coverage("0.95"))
    coverages = [row.coverage(level) for level in LEVELS]
    cells = [_two(mean(shares)) if len(shares) == draws else "-" for shares in coverages]
    return " / ".join(cells) if draws else NONE


def _two(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"
