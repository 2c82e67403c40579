"""`map`: one network, the most probable one. The vanilla PINN; it knows no doubt of its own."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agewise.engine.inference.trained import NetworkPosterior
from agewise.engine.objective.chosen import Point, prior_of
from agewise.engine.objective.setup import AbstractNetworkMethod, Setup
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import QUIET, Monitor
from agewise.types import Key


@dataclass(frozen=True)
class MAP(AbstractNetworkMethod):
    """Gauss-Newton, or Adam and then L-BFGS."""

    def fit(
        self, problem: AbstractProblem, *, key: Key, monitor: Monitor = QUIET
    ) -> NetworkPosterior:
        """The most probable network."""
        setup = Setup.of(problem, self.settings, key=key, monitor=monitor)
        family, training = Point(prior_of(self.settings)), self.settings.training
        weight = self.settings.prior_weight
        params, aux = setup.started()
        if training.own is not None:
            some = setup.objective(family, kl_weight=weight)
            params = setup.run("own", training.own, some, params, aux).params
        if training.polish is not None:
            whole = setup.objective(family, kl_weight=weight, full=True)
            params = setup.run("polish", training.polish, whole, params, aux).params
        return NetworkPosterior.of(setup, family, params)

    def restored(
        self, problem: AbstractProblem, arrays: Mapping[str, np.ndarray]
    ) -> NetworkPosterior:
        """The posterior whose `arrays` these are."""
        family = Point(prior_of(self.settings))
        return NetworkPosterior.restored(problem, self.settings, family, arrays)
