"""Who watches a training: a bar with the time left, and a folder for checkpoints."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

CHECKPOINT_SECONDS = 2.0
"""Least time between checkpoints [s]: what a killed run loses, beside the steps under way."""


class Bar(Protocol):
    """Something that shows how far a training is."""

    def __call__(self, done: int, total: int, text: str) -> None:
        """Show `done` of `total` steps, and a few words."""


@dataclass(frozen=True)
class Monitor:
    """How a training is watched; it never changes the result."""

    folder: Path | None = None
    """Folder of checkpoints; none are written where None."""
    resume: bool = False
    """Whether to go on from the checkpoints there."""
    terminal: bool = False
    """Whether to draw a bar on stderr."""

    @contextmanager
    def bar(self, name: str) -> Iterator[Bar]:
        """A bar for one training."""
        if not self.terminal:
            # A bar that shows nothing, so that no loop need ask whether there is one.
            yield lambda done, total, text: None
            return
        # Imported here, since only a terminal needs it.
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            TextColumn(f"{name:<12}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
        )
        # On stderr and gone at the end: stdout is for answers.
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            # The total comes with the first look.
            task = progress.add_task("", total=None)
            yield lambda done, total, text: progress.update(
                task, completed=done, total=total, description=text
            )


QUIET = Monitor()
"""A monitor that shows nothing and keeps nothing: nobody watches."""
