"""The network and the prior that settings stand for."""

from agewise.engine.networks.features import Coordinates, Harmonics
from agewise.engine.networks.mlp import MLP
from agewise.engine.objective.priors import PRIORS, AbstractPrior
from agewise.engine.objective.settings import Network
from agewise.engine.problems.base import AbstractProblem

CYCLES = 4
"""Cycles that a window is taken to have where its problem names no natural one."""


def network_of(chosen: Network, problem: AbstractProblem, *, outputs: int = 1) -> MLP:
    """The network that settings describe, with as many harmonics as the problem has cycles.

    Its first output is the mean; a second one, where there is, gives the variance of the noise.

    Args:
        chosen: Settings of the network.
        problem: Problem whose natural cycle sets the number of harmonics.
        outputs: Number of outputs, 1 or 2.
    """
    period = problem.period()
    # A period is a share of the window, so its inverse is the number of cycles.
    # More cycles need more waves to be seen alike: so many harmonics of the window for each.
    count = round(chosen.harmonics * (CYCLES if period is None else 1 / period))
    features = Harmonics(count, chosen.fading) if count else Coordinates()
    return MLP(features, chosen.hidden, outputs, chosen.activation)


def prior_of(chosen: Network) -> AbstractPrior:
    """The prior of every weight."""
    return PRIORS[chosen.prior](chosen.prior_scale)
