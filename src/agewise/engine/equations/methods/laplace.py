"""`laplace`: functions linear about the most probable ones, all dependencies kept."""

from dataclasses import dataclass
from typing import ClassVar

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.weights import GaussianWeights
from agewise.types import Key


@dataclass(frozen=True)
class Laplace(AbstractMethod):
    """The Gaussian about the most probable numbers."""

    name: ClassVar[str] = "laplace"
    summary: ClassVar[str] = (
        "Bands and constants with all dependencies, for a second more than `map`; wrong where "
        "several solutions are likely, or constants are far from normal."
    )

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[GaussianWeights, Check]:
        """The Gaussian, in closed form."""
        doubt = fitted.gaussian()
        return doubt, fitted.checked(doubt)
