"""Numbers as they stand in the tables of the page."""

from collections.abc import Sequence

import numpy as np

from reproduction.configuration import Configuration
from reproduction.results import Results

NONE = "–"


def number(value: float) -> str:
    """Three digits, or a dash where there is none."""
    return f"{value:#.3g}".rstrip(".") if np.isfinite(value) else NONE


def mean_and_std(values: np.ndarray) -> str:
    """Over repeats, as the paper prints them."""
    if not np.isfinite(values).all():
        return NONE
    mean = number(float(values.mean()))
    return f"{mean} ± {float(np.std(values, ddof=1)):.2g}" if values.size > 1 else mean


def told(results: Results, configuration: Configuration, path: str) -> str:
    """Mean and deviation of one number over the repeats."""
    return mean_and_std(results.values(configuration, path))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown."""
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def change(new: float, old: float) -> str:
    """By how much one number is below or above another, in percent of that."""
    if not np.isfinite(new / old):
        return NONE
    return f"{100 * abs(1 - new / old):.1f} % {'lower' if new < old else 'higher'}"
