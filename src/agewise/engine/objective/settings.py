"""How a network is built, weighed and trained: frozen, and part of what a run answers."""

from dataclasses import dataclass
from typing import Literal

from agewise.engine.networks.jet import ActivationName
from agewise.engine.training import Stage

Aleatoric = Literal["heteroscedastic", "homoscedastic"]
"""Whether the noise of a sensor may differ from place to place and from time to time."""


@dataclass(frozen=True)
class Network:
    """The function: its features, its hidden layers and the prior of its weights."""

    hidden: tuple[int, ...] = (50, 50)
    """Units of each hidden layer."""
    harmonics: int = 6
    """Harmonics of the window for each natural cycle in it (the day), as inputs beside the
    coordinates: what changes within four hours is seen. 0 for the coordinates alone."""
    fading: float = 1.0
    """Power of its number by which a harmonic is scaled down [1]."""
    prior: Literal["laplace", "gaussian", "student", "mixture"] = "laplace"
    """Name of the prior distribution of every weight."""
    prior_scale: float = 0.3
    """Scale of the prior distribution [1]."""
    activation: ActivationName = "tanh"
    """What bends the hidden layers. The second derivative of a relu network is that of its
    features alone."""


@dataclass(frozen=True)
class Likelihood:
    """How readings and residuals are weighed: by their noise, and by the problem's own scales."""

    aleatoric: Aleatoric = "heteroscedastic"
    """Which laws the noise of the readings is chosen from: any, or the constant one alone."""
    physics: bool = True
    """Whether the residuals of the problem count."""
    lifted: bool = True
    """Whether the known part of the solution, the lift, is taken out of the unknown function."""
    batch: int = 256
    """Readings in a step of Adam, and as many points of the equation."""
    readings: int = 0
    """Readings used in all, picked at random; 0 for every one."""
    lead: float = 0.0
    """Until their noise is learned, readings count as sharp enough that half the sum of their
    squares over their variance is this [nats]; 0 counts them as noisy as they seem."""


@dataclass(frozen=True)
class Training:
    """Stages in their order."""

    start: Stage
    """Stage that leads to the most probable weights, from which every method sets out."""
    own: Stage | None
    """Stage on the method's own objective; None for methods that end after the first."""
    rows: int = 350
    """Points of the equation in a step of Gauss-Newton; its last steps have `posterior_rows`. With
    700 the fit takes 11 instead of 7 s of a processor; the error of `vi` on four tuning twins was
    0.0340 K with 700 throughout, and 0.0343 K with 350 and such last steps."""
    posterior_rows: int = 1400
    """Points of the equation in the last steps and behind the linearised posterior, in lots of
    `rows`, the last one whole. Between too few the equation binds nothing and the doubt seems
    larger than it is: on four days of real air, at mid-height and beside 2800 points, by 26 % with
    700 and by 1 % with 1400."""

    @property
    def posterior_lots(self) -> int:
        """How often `rows` points are taken behind the linearised posterior."""
        return -(-self.posterior_rows // self.rows)


@dataclass(frozen=True)
class NetworkSettings:
    """How a network is built, weighed and trained, and how many functions are drawn from it."""

    network: Network
    """The function and the prior of its weights."""
    likelihood: Likelihood
    """How readings and residuals are weighed."""
    training: Training
    """Stages of the training."""
    kl_weight: float | Literal["matched"] = "matched"
    """Weight on the divergence from the prior (1 is the untempered posterior); `matched` chooses it
    such that the mean epistemic variance is that of the network's own linearised posterior."""
    dropout: float = 0.05
    """Share of hidden units that `dropout` leaves out [1]."""
    draws: int = 200
    """Functions behind a prediction."""

    @property
    def prior_weight(self) -> float:
        """Weight on the prior for methods that have nothing to match [1]."""
        return 1.0 if self.kl_weight == "matched" else self.kl_weight
