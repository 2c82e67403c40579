"""Numbers as they stand in the tables of the page."""

from collections.abc import Sequence

import numpy as np

from reproduction.configuration import Configuration
from reproduction.results import Results

NONE = "–"
"""Stands where there is no number."""


def number(value: float) -> str:
    """A number with three significant digits, or a dash where it is not finite."""
    # The # keeps zeros at the end, since they are significant, but also a point behind 123.
    return f"{value:#.3g}".rstrip(".") if np.isfinite(value) else NONE


def mean_and_std(values: np.ndarray) -> str:
    """Mean and standard deviation as the paper prints them; a single value has no deviation."""
    if not np.isfinite(values).all():
        return NONE
    mean = number(float(values.mean()))
    return f"{mean} ± {float(np.std(values, ddof=1)):.2g}" if values.size > 1 else mean


def over_repeats(results: Results, configuration: Configuration, path: str) -> str:
    """Mean and standard deviation of the number at a path over the repeats."""
    return mean_and_std(results.values(configuration, path))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def change(new: float, old: float) -> str:
    """By how much a new number is lower or higher than an old one, in percent of the old one."""
    if not np.isfinite(new / old):
        return NONE
    return f"{100 * abs(1 - new / old):.1f} % {'lower' if new < old else 'higher'}"
