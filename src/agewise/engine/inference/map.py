"""`map`: one network, the most probable one. The vanilla PINN; it has no epistemic part."""

from dataclasses import dataclass

from agewise.engine.inference.offered import (
    AbstractFamily,
    AbstractFamilyMethod,
    AbstractProblem,
    Point,
    Setup,
    Weights,
    prior_of,
)


@dataclass(frozen=True)
class MAP(AbstractFamilyMethod):
    """Gauss-Newton to the most probable weights, and no further."""

    def family(self, problem: AbstractProblem) -> Point:
        """One function."""
        return Point(prior_of(self.settings.network))

    def fitted(self, setup: Setup, family: AbstractFamily) -> Weights:
        """The most probable weights."""
        weights, _ = setup.started()
        return weights
