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
    """Number of repeats of a configuration, each with a seed of its own."""
    preset: Preset | None = None
    """The only preset that is run; None for all."""
    quick: bool = False
    """Whether there is hardly any training, only to show that everything runs."""
    corners: bool = False
    """Whether only the first and the last value of every factor are run."""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants of the presets: the paper's as read by a rule and as printed, and ours."""
        if self.preset is None:
            return VARIANTS
        if self.preset == "default":
            return ("default",)
        return ("paper", "literal")

    def few(self, values: Sequence[Value]) -> list[Value]:
        """The values of a factor that are run."""
        chosen = [values[0], values[-1]] if self.corners and len(values) > 2 else values
        return list(chosen)

    def cells(self, configuration: Configuration) -> list[Cell]:
        """The repeats of a configuration."""
        count = min(self.repeats, configuration.repeats or self.repeats)
        first = configuration.first_seed
        return [Cell(configuration, seed, self.quick) for seed in range(first, first + count)]
