"""`map`: the most probable functions, and nothing about how sure they are."""

from dataclasses import dataclass
from typing import ClassVar

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.reweighted import reweighted
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.weights import CertainWeights
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor
from agewise.types import Key


@dataclass(frozen=True)
class MAP(AbstractMethod):
    """Gauss-Newton to the most probable numbers, and no further; or Adam on a reweighted loss."""

    name: ClassVar[str] = "map"
    summary: ClassVar[str] = "One answer without doubt, as a plain PINN gives; the cheapest."
    weighs_losses: ClassVar[bool] = True

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The most probable functions, or what Adam finds under the weights that were chosen."""
        if self.settings.loss_weights == "none":
            return super().fitted(problem, key=key, monitor=monitor)
        return reweighted(problem, self.settings, key=key, monitor=monitor)

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[CertainWeights, Check]:
        """The most probable numbers."""
        # Without readings a condition too few is seen by the doubt alone, and costs one factoring.
        plain = self.settings.loss_weights == "none" and not fitted.sensors
        check = fitted.checked(fitted.gaussian()) if plain else fitted.check
        return CertainWeights(fitted.numbers), check
