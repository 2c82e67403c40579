"""Results of the experiments: the stored cells, asked by configuration."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from agewise.assessment.grid import grid_instants
from agewise.engine.uncertainty.scores import Truth
from agewise.errors import InputError
from agewise.twin.truth_file import truth_from
from agewise.twin.twin import Twin
from reproduction.cells import Cell, twin_of
from reproduction.configuration import Configuration
from reproduction.measures import GRID
from reproduction.scope import Scope


@dataclass(frozen=True)
class Results:
    """The cells in a folder."""

    folder: Path
    """Folder of the cells."""
    scope: Scope
    """Which repeats and presets are looked at."""
    _read: dict[tuple[str, int], list[dict[str, Any]]] = field(default_factory=dict)
    """Numbers by configuration, as far as they have been read: many experiments share cells."""

    def complete(self, configurations: Sequence[Configuration]) -> bool:
        """Whether all their cells are there."""
        cells = [cell for fit in configurations for cell in self.scope.cells(fit)]
        return all(cell.stored(self.folder) is not None for cell in cells)

    def numbers(self, configuration: Configuration) -> list[dict[str, Any]]:
        """Everything that was measured, repeat by repeat."""
        cells = self.scope.cells(configuration)
        # By the number of repeats too, since a table may look at the first of them alone.
        key = (configuration.name, len(cells))
        if key not in self._read:
            self._read[key] = [self._stored(cell) for cell in cells]
        return self._read[key]

    def values(self, configuration: Configuration, path: str) -> Float[np.ndarray, " repeat"]:
        """One number of every repeat, such as `scores.truth.rmse`; NaN where it is not finite."""
        return np.array([_at(numbers, path) for numbers in self.numbers(configuration)])

    def mean(self, configuration: Configuration, path: str) -> float:
        """Mean of one number over the repeats; NaN where it is not finite in one of them."""
        return float(np.mean(self.values(configuration, path)))

    def arrays(self, configuration: Configuration) -> dict[str, np.ndarray]:
        """Fields and training of the first repeat."""
        return self.scope.cells(configuration)[0].arrays(self.folder)

    def twin(self, configuration: Configuration) -> Twin:
        """The twin of the first repeat, made anew: cells keep no data that a seed can give."""
        return twin_of(self.scope.cells(configuration)[0].twin)

    def truth(self, configuration: Configuration) -> Truth:
        """The truth of that twin, at the times of the kept fields."""
        twin = self.twin(configuration)
        truth = truth_from(twin.truth)
        # A twin's truth is finer than the grid, and every time of the grid is among its times.
        return truth.at_rows(np.searchsorted(truth.seconds, grid_instants(twin.profile, GRID)))

    def seconds(self, configuration: Configuration) -> float:
        """Time that all repeats took together, each on one core [s]."""
        return float(sum(numbers["seconds"]["all"] for numbers in self.numbers(configuration)))

    def _stored(self, cell: Cell) -> dict[str, Any]:
        numbers = cell.stored(self.folder)
        if numbers is None:
            raise InputError(
                f"The cell {cell.path(self.folder)} is missing.",
                hint="run the experiment again; what is finished is kept.",
            )
        return numbers


def _at(numbers: Any, path: str) -> float:
    """The number at a dotted path; JSON has no NaN, so None stands for it."""
    for name in path.split("."):
        numbers = numbers[int(name)] if isinstance(numbers, list) else numbers[name]
    return float("nan") if numbers is None else float(numbers)
