"""How a network is built, weighed and trained: frozen, and part of what a run answers."""

from dataclasses import dataclass
from typing import Literal

from agewise.engine.networks.jet import ActivationName
from agewise.engine.training import Stage

Aleatoric = Literal["heteroscedastic", "homoscedastic"]


@dataclass(frozen=True)
class Network:
    """The function: features, hidden layers, a mean (and a variance)."""

    hidden: tuple[int, ...] = (50, 50)
    harmonics: int = 6
    """of the window for each natural cycle in it (the day), as inputs beside the coordinates: what
    changes within four hours is seen. 0 for the coordinates alone"""
    fading: float = 1.0
    """Power of their number by which harmonics fade."""
    prior: Literal["laplace", "gaussian", "student", "mixture"] = "laplace"
    prior_scale: float = 0.3
    activation: ActivationName = "tanh"
    """of hidden layers; the second derivative of a relu network is that of its features alone"""


@dataclass(frozen=True)
class Likelihood:
    """How readings and residuals are weighed against each other."""

    aleatoric: Aleatoric = "heteroscedastic"
    noise: Literal["law", "head", "fixed"] = "law"
    """A law fitted to the errors of the mean; the network's second output; a fixed 0.01"""
    residual: Literal["own", "shared", "mean"] = "own"
    """The problem's own scales and counts; the noise of the readings (the paper); mean squares"""
    physics: bool = True
    lifted: bool = True
    """Whether what the load alone does is taken out of the unknown beforehand."""
    averaged: bool = True
    """Whether readings are averaged within cells of a quarter of an hour."""
    batch: int = 256
    """Readings a step, and as many points of the equation."""
    readings: int = 0
    """Readings used in all (N_b); 0 for every one"""
    points: int = 0
    """Fixed points of the equation (N_r); 0 for an integral, at new points every step"""
    starts: int = 200
    """Fixed points of every other residual (N_i), with fixed points"""
    interior_weight: float = 1.0
    """on the equation itself, when it shares the noise of the readings"""
    lead: float = 0.0
    """Until their noise is learned as a law, readings count as sharp enough that half the sum of
    their squares over their variance is that; 0 as they are"""


@dataclass(frozen=True)
class Training:
    """Stages in their order; an absent one is left out."""

    start: Stage | None
    """To the most probable weights, from which the method sets out."""
    own: Stage | None
    """The method's own objective."""
    rows: int = 700
    """Points of the equation in a step of Gauss-Newton."""
    polish: Stage | None = None


@dataclass(frozen=True)
class NetworkSettings:
    """All of it, with the number of functions behind a prediction."""

    network: Network
    likelihood: Likelihood
    training: Training
    kl_weight: float | Literal["matched"] = "matched"
    """on the divergence from the prior (1 is the untempered posterior); or such that the mean
    epistemic variance is that of the network's own linearised posterior"""
    dropout: float = 0.05
    draws: int = 200

    @property
    def prior_weight(self) -> float:
        """on the prior of methods that match nothing"""
        return 1.0 if self.kl_weight == "matched" else self.kl_weight
