"""Cells side by side, each in a process on one core; what is finished is not done again."""

from collections.abc import Sequence
from pathlib import Path

from agewise.engine.training import Monitor
from agewise.threads import side_by_side
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
    wanted = {fit.name: scope.cells(fit) for fit in configurations}
    missing = {
        name: [cell for cell in cells if cell.stored(folder) is None]
        for name, cells in wanted.items()
    }
    # A list of cells for each configuration: that is the piece of work of a process.
    todo = [cells for cells in missing.values() if cells]
    total = sum(map(len, wanted.values()))
    # Finished cells are counted too, so that a run that goes on does not begin at zero.
    done = total - sum(map(len, todo))
    work = ((cells, folder) for cells in todo)
    with Monitor(terminal=terminal).bar("cells") as bar:
        bar(done, total, "")
        for count in side_by_side(_run, work, jobs=jobs, ordered=False):
            done += count
            bar(done, total, "")


def _run(cells: list[Cell], folder: Path) -> int:
    """Work out cells; returns how many they were."""
    for cell in cells:
        cell.run(folder)
    return len(cells)
