"""All that the file of a method imports: `from agewise.engine.inference.offered import ...`.

A method is a frozen dataclass with `fit`, which makes a posterior of a problem, and `restored`,
which makes the same posterior of its arrays. A posterior offers `draw`, `moments` and `arrays`;
what it draws offers `means` and `variances`. Those are the four `Abstract...` names to derive from.
The others are tools: `Measured` pools the sensors of a problem, `smooth_ends` smooths its two ends,
`decomposition` splits the variance of draws, `generator` makes NumPy's random numbers of a key.

A method that trains a network derives from `AbstractFamilyMethod` instead and chooses a member of
an `AbstractFamily` of distributions over weights; `fit`, `restored` and the posterior are there.
"""

from agewise.engine.networks.mlp import MLP, Weights
from agewise.engine.objective.architecture import network_of, prior_of
from agewise.engine.objective.families import AbstractFamily, Point
from agewise.engine.objective.linearised import Linearised
from agewise.engine.objective.method import AbstractFamilyMethod, AbstractNetworkMethod
from agewise.engine.objective.priors import AbstractPrior
from agewise.engine.objective.settings import NetworkSettings
from agewise.engine.objective.setup import Setup
from agewise.engine.objective.trained import NetworkPosterior
from agewise.engine.posterior import (
    AbstractFields,
    AbstractInference,
    AbstractPosterior,
    Measured,
    Points,
    generator,
)
from agewise.engine.problems import AbstractProblem
from agewise.engine.splines.ends import Ends, smooth_ends
from agewise.engine.splines.noise import NoiseLaw
from agewise.engine.training import QUIET, Monitor, Stage
from agewise.engine.uncertainty.decomposition import Prediction, decomposition
from agewise.types import Key, Scalar

__all__ = [
    "MLP",
    "QUIET",
    "AbstractFamily",
    "AbstractFamilyMethod",
    "AbstractFields",
    "AbstractInference",
    "AbstractNetworkMethod",
    "AbstractPosterior",
    "AbstractPrior",
    "AbstractProblem",
    "Ends",
    "Key",
    "Linearised",
    "Measured",
    "Monitor",
    "NetworkPosterior",
    "NetworkSettings",
    "NoiseLaw",
    "Point",
    "Points",
    "Prediction",
    "Scalar",
    "Setup",
    "Stage",
    "Weights",
    "decomposition",
    "generator",
    "network_of",
    "prior_of",
    "smooth_ends",
]
