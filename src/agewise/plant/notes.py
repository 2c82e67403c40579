"""Findings made while a file is read."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Bool

from agewise.plant.record import DataFinding

MOST_NAMES, MOST_LETTERS = 20, 60
"""Most names that a list shows, and most letters of each: what a person still reads."""


def note(
    kind: str,
    column: str,
    labels: pd.Series,
    *,
    done: str,
    text: str,
    concerned: Bool[np.ndarray, " row"] | None = None,
) -> DataFinding:
    """A finding about the rows concerned, or about the whole file.

    Args:
        kind: What sort of finding it is, as `guess`, `unreadable` or `clock`.
        column: Role of the column that it is about.
        labels: The time column as the file writes it, which the finding quotes.
        done: What was done about it, in a word or two.
        text: A sentence for people.
        concerned: Marks the rows that it is about; None for all of them. At least one is marked.
    """
    if concerned is None:
        return DataFinding(
            kind, column, len(labels), str(labels.iloc[0]), str(labels.iloc[-1]), done, text
        )
    rows = np.flatnonzero(concerned)
    first, last = str(labels.iloc[rows[0]]), str(labels.iloc[rows[-1]])
    return DataFinding(kind, column, rows.size, first, last, done, text, stretches(concerned))


def stretches(concerned: Bool[np.ndarray, " row"]) -> tuple[tuple[int, int], ...]:
    """First and last row of every stretch, both included."""
    # Padded with "not concerned" on both sides, so that stretches at the ends have two edges too.
    edges = np.diff(concerned.astype(np.int8), prepend=0, append=0)
    firsts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return tuple((int(first), int(end) - 1) for first, end in zip(firsts, ends, strict=True))


def counted(number: int, noun: str) -> str:
    """A number with its noun in singular or plural: `1 cell`, `2 cells`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Names with commas; of very many the first, and how many more there are."""
    more = len(names) - MOST_NAMES
    shown = ", ".join(name[:MOST_LETTERS] for name in names[:MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown


def and_text(names: Sequence[str]) -> str:
    """Names with commas and an `and` before the last: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
