"""What settings stand for: a network, a prior, and the family of one function."""

from typing import Any

from agewise.engine.networks.features import Coordinates, Harmonics
from agewise.engine.networks.mlp import MLP, Weights
from agewise.engine.objective.objective import AbstractFamily
from agewise.engine.objective.priors import PRIORS, AbstractPrior
from agewise.engine.objective.settings import NetworkSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.types import Key, Scalar

CYCLES = 4
"""of a window without a natural cycle"""


def network_of(settings: NetworkSettings, problem: AbstractProblem) -> MLP:
    """The network of the settings; its second output only where that is the noise."""
    chosen, period = settings.network, problem.period()
    count = round(chosen.harmonics * (CYCLES if period is None else 1 / period))
    features = Harmonics(count, chosen.fading) if count else Coordinates()
    outputs = 2 if settings.likelihood.noise == "head" else 1
    return MLP(features, chosen.hidden, outputs, chosen.activation)


def prior_of(settings: NetworkSettings) -> AbstractPrior:
    """The prior of every weight."""
    return PRIORS[settings.network.prior](settings.network.prior_scale)


class Point(AbstractFamily):
    """One function: its parameters are its weights."""

    prior: AbstractPrior

    @property
    def certain(self) -> bool:
        """It is the only one."""
        return True

    def sample(self, params: Any, *, key: Key) -> Weights:
        """The weights themselves."""
        return params

    def divergence(self, params: Any) -> Scalar:
        """Minus the log density of the prior."""
        return self.prior.penalty(params)

    def centre(self, params: Any) -> Weights:
        """The weights themselves."""
        return params
