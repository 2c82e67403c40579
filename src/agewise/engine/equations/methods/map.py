"""`map`: the most probable functions, and nothing about how sure they are."""

from dataclasses import dataclass
from typing import ClassVar

from agewise.engine.equations.check import Check
from agewise.engine.equations.fitted import Fitted
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.weights import CertainWeights
from agewise.types import Key


@dataclass(frozen=True)
class MAP(AbstractMethod):
    """Gauss-Newton to the most probable numbers, and no further."""

    name: ClassVar[str] = "map"
    summary: ClassVar[str] = "One answer without doubt, as a plain PINN gives; the cheapest."

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[CertainWeights, Check]:
        """The most probable numbers."""
        return CertainWeights(fitted.numbers), fitted.check
