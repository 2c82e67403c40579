"""What every method for any equation offers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.most_probable import most_probable
from agewise.engine.equations.functions.unknown import Unknown, perceptrons
from agewise.engine.equations.posterior.assumed import (
    excluded_finding,
    joint_remark,
    unlearned_remark,
)
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.posterior import MANY, EquationPosterior
from agewise.engine.equations.posterior.weights import AbstractWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor
from agewise.engine.training.reweighted import REWEIGHTED
from agewise.errors import InputError
from agewise.types import Key

LOSS_WEIGHTS = ("none", *REWEIGHTED)
"""Rules by which losses may be weighted."""


@dataclass(frozen=True)
class AbstractMethod(ABC):
    """A method with its settings: `fit` makes a posterior of a problem."""

    settings: EquationSettings = field(default_factory=EquationSettings)
    """How functions are represented and fitted."""

    name: ClassVar[str]
    """Name under which users choose the method."""
    summary: ClassVar[str]
    """One honest sentence: when to use it, and what it costs."""

    weighs_losses: ClassVar[bool] = False
    """Whether it may have a reweighted loss: only where nothing is said of how sure it is."""

    def __post_init__(self):
        """Refuse a loss that is no likelihood."""
        rule = self.settings.loss_weights
        if rule not in LOSS_WEIGHTS:
            choices = ", ".join(LOSS_WEIGHTS)
            raise InputError(f"There are no loss weights {rule!r}.", hint=f"choose from {choices}.")
        if rule != "none" and not self.weighs_losses:
            raise InputError(
                f"`{self.name}` says how sure it is, and a loss weighted by {rule!r} is no "
                "likelihood: nothing of that may be read from it.",
                hint='leave `loss_weights` out, or take `method="map"`.',
            )

    def fit(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> EquationPosterior:
        """The posterior of a problem."""
        fitted = self.fitted(problem, key=key, monitor=monitor)
        weights, check = self.weights(fitted, key=key)
        return posterior_of(self, fitted, weights, check)

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The most probable functions, from which most methods set out."""
        return most_probable(problem, self.settings, key=key, monitor=monitor)

    @abstractmethod
    def weights(self, fitted: Fitted, *, key: Key) -> tuple[AbstractWeights, Check]:
        """The distribution over numbers, and the check with what was found on the way."""

    @classmethod
    def unknown(cls, problem: AbstractProblem, settings: EquationSettings, sizes) -> Unknown:
        """The functions that the numbers stand for, as `fitted` makes them."""
        return perceptrons(problem, settings.hidden, settings.stretch, sizes)


def posterior_of(
    method: AbstractMethod, fitted: Fitted, weights: AbstractWeights, check: Check
) -> EquationPosterior:
    """The posterior that a distribution over the numbers of a fit stands for."""
    # Only sensors that read a function itself say how noisy a reading of it is.
    readers = {sensor.of: name for name, sensor in fitted.sensors.items() if sensor.of}
    posterior = EquationPosterior(
        fitted.problem,
        method.name,
        fitted.settings,
        fitted.unknown,
        weights,
        fitted.noises,
        readers,
        check,
        fitted.stages.record(),
    )
    return replace(posterior, check=_with_priors(posterior))


def _with_priors(posterior: EquationPosterior) -> Check:
    """The check, with what became of the priors of constants."""
    numbers = posterior.draw(posterior.available(MANY)).numbers
    drawn = posterior.unknown.standard_constants(numbers)
    check = posterior.check.with_findings(*(excluded_finding(n, d) for n, d in drawn.items()))
    unlearned = (unlearned_remark(n, d) for n, d in drawn.items())
    return check.with_remarks(*unlearned, joint_remark(drawn))
