"""All cells that a folder does not hold yet, side by side in processes."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from agewise.benchmark.cells import Cell, Exercise, worked_out
from agewise.benchmark.processes import within_limit
from agewise.engine.training.monitor import Monitor

SHARED_FIT = "one fit"
"""Stands for all methods that set out from the same fit."""


def all_cells(exercises: Sequence[Exercise], methods: Sequence[str], draws: int) -> list[Cell]:
    """Every method on so many draws of every problem.

    Draws outermost: whoever stops it early has the same draws of all problems.
    """
    return [
        Cell(exercise, method, seed)
        for seed in range(draws)
        for exercise in exercises
        for method in methods
    ]


def run_cells(
    cells: Sequence[Cell], folder: Path, *, jobs: int, limit: float, terminal: bool = False
) -> int:
    """Work out the cells that are not in a folder yet, and return how many those were.

    Args:
        cells: What is wanted.
        folder: Folder of the cells.
        jobs: Processes at a time, each of one thread.
        limit: Time that a fit may take, with its judgement [s].
        terminal: Whether to show a bar with the time left.
    """
    missing = [cell for cell in cells if cell.wanted(folder, limit)]
    calls = [(piece, folder) for piece in pieces(missing)]
    # What is kept counts as done, or a resumed run would begin at zero again.
    done = len(cells) - len(missing)
    with Monitor(terminal=terminal).bar("cells") as bar:
        bar(done, len(cells), "")
        for (piece, _), ending in within_limit(worked_out, calls, jobs=jobs, limit=limit):
            if ending != "done":
                _keep_ending(piece, folder, limit, late=ending == "late")
            done += len(piece)
            bar(done, len(cells), piece[0].exercise.name)
    return len(missing)


def pieces(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Cells that one fit serves together, and all others by themselves."""
    grouped: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        # In the order of the first cell of each piece, so that draws stay outermost.
        grouped.setdefault((cell.seed, cell.exercise, _fit(cell.method)), []).append(cell)
    return list(grouped.values())


def _fit(method: str) -> tuple[str, bool]:
    """The fit that a method needs, and whether readings are kept from it."""
    from agewise.benchmark.judging.fits import SHARING
    from agewise.benchmark.judging.judged import WRAPS

    base, _, added = method.partition("+")
    if added and added not in WRAPS:  # a loss, or many fits, of its own
        return method, False
    # Wrapped ones fit half of the readings, so they share among themselves alone.
    return (SHARED_FIT if base in SHARING else base), bool(added)


def _keep_ending(piece: Sequence[Cell], folder: Path, limit: float, *, late: bool) -> None:
    """Keep that cells did not finish, or that their process died; those it had kept stay."""
    for cell in piece:
        # A piece may have kept some of its cells before its time was up.
        if not cell.wanted(folder, limit):
            continue
        if late:
            sentence = f"Not done within {limit:g} s."
            cell.write(folder, "unfinished", sentence=sentence, limit=limit)
        else:
            sentence = "The process ended by itself, as it does where memory runs out."
            cell.write(folder, "failed", sentence=sentence)
