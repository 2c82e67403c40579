"""What all methods that train a network have in common."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agewise.engine.objective.architecture import network_of
from agewise.engine.objective.families import AbstractFamily
from agewise.engine.objective.settings import NetworkSettings
from agewise.engine.objective.setup import Setup
from agewise.engine.objective.trained import NetworkPosterior
from agewise.engine.posterior import AbstractInference
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import QUIET, Monitor
from agewise.engine.training.objective import Params
from agewise.types import Key


@dataclass(frozen=True)
class AbstractNetworkMethod(AbstractInference):
    """A method that trains a network."""

    settings: NetworkSettings
    """How the network is built, weighed and trained."""

    @property
    def lifted(self) -> bool:
        """Whether the settings take the known part out of the unknown."""
        return self.settings.likelihood.lifted

    @property
    def slow(self) -> bool:
        """A network sees a few harmonics a day; what is faster, the equation must carry."""
        return self.settings.likelihood.lifted and self.settings.likelihood.physics

    def setup(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Setup:
        """A problem made ready for the network of the settings."""
        return Setup.of(problem, self.settings, key=key, monitor=monitor)


@dataclass(frozen=True)
class AbstractFamilyMethod(AbstractNetworkMethod):
    """A method whose posterior is one member of a family of distributions over weights."""

    @abstractmethod
    def family(self, problem: AbstractProblem) -> AbstractFamily:
        """The family that `fitted` chooses from."""

    @abstractmethod
    def fitted(self, setup: Setup, family: AbstractFamily) -> Params:
        """The parameters of the chosen member."""

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> NetworkPosterior:
        """The posterior of a problem."""
        setup, family = self.setup(problem, key=key, monitor=monitor), self.family(problem)
        return setup.posterior(family, self.fitted(setup, family))

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> NetworkPosterior:
        """The posterior whose `arrays` these are."""
        # Network and family follow from settings and problem, so a file need hold numbers alone.
        network = network_of(self.settings.network, problem)
        family, draws = self.family(problem), self.settings.draws
        return NetworkPosterior.restored(problem, network, family, draws, arrays)
