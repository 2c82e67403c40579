"""Cells side by side, each in a process on one core; what is finished is not done again."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from joblib import Parallel, delayed

from agewise.engine.training import Monitor
from agewise.threads import single_threaded_children
from reproduction.cells import Cell
from reproduction.configuration import Configuration
from reproduction.scope import Scope


def run_cells(
    configurations: Sequence[Configuration],
    scope: Scope,
    folder: Path,
    *,
    jobs: int,
    terminal: bool = False,
) -> None:
    """Work out all cells that are not in a folder yet; `terminal` shows a bar with the time left.

    The repeats of a configuration follow each other in one process, which compiles only once.
    """
    wanted = {one.name: scope.cells(one) for one in configurations}
    missing = {
        name: [cell for cell in cells if cell.found(folder) is None]
        for name, cells in wanted.items()
    }
    todo = [cells for cells in missing.values() if cells]
    total = sum(map(len, wanted.values()))
    done = total - sum(map(len, todo))
    with single_threaded_children(), Monitor(terminal=terminal).bar("cells") as bar:
        bar(done, total, "")
        for count in _finished(todo, folder, jobs):
            done += count
            bar(done, total, "")


def _finished(todo: list[list[Cell]], folder: Path, jobs: int) -> Iterator[int]:
    """How many cells each piece of work had, as they end."""
    work = (delayed(_run)(cells, folder) for cells in todo)
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(work)  # pyright: ignore[reportReturnType, reportArgumentType]


def _run(cells: list[Cell], folder: Path) -> int:
    for cell in cells:
        cell.run(folder)
    return len(cells)
