"""How much of the experiments is run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from agewise.engine.presets import Preset
from reproduction.cells import Cell
from reproduction.configuration import Configuration
from reproduction.families import VARIANTS, Variant

Value = TypeVar("Value")


@dataclass(frozen=True)
class Scope:
    """Repeats, presets and effort."""

    repeats: int = 5
    preset: Preset | None = None
    """The only one; all where None"""
    quick: bool = False
    """Hardly any training: it shows that all works."""
    corners: bool = False
    """Only the first and the last value of every factor."""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Presets, the paper's as it is and at its best weight."""
        if self.preset is None:
            return VARIANTS
        return ("default",) if self.preset == "default" else ("paper", "weighted")

    def few(self, values: Sequence[Value]) -> list[Value]:
        """The values of a factor that are run."""
        chosen = [values[0], values[-1]] if self.corners and len(values) > 2 else values
        return list(chosen)

    def cells(self, configuration: Configuration) -> list[Cell]:
        """Its repeats."""
        count = min(self.repeats, configuration.repeats or self.repeats)
        first = configuration.first_seed
        return [Cell(configuration, seed, self.quick) for seed in range(first, first + count)]
