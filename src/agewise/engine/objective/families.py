"""Families of distributions over the weights of a network: what `fit` chooses one member of."""

from abc import abstractmethod
from typing import Any

import equinox as eqx

from agewise.engine.networks.mlp import Weights
from agewise.engine.objective.priors import AbstractPrior
from agewise.types import Key, Scalar


class AbstractFamily(eqx.Module):
    """Which distributions over weights are allowed; `params` are those of one of them."""

    @property
    def certain(self) -> bool:
        """Whether every member is a single function, which then has no epistemic variance."""
        return False

    @abstractmethod
    def chance(self, params: Any, *, key: Key) -> Any:
        """What chance decides about one function, whatever the values of the parameters."""

    @abstractmethod
    def drawn(self, params: Any, chance: Any) -> Weights:
        """The weights of the function that `chance` makes of the member with these parameters."""

    def sample(self, params: Any, *, key: Key) -> Weights:
        """The weights of one function, drawn from the member with these parameters."""
        return self.drawn(params, self.chance(params, key=key))

    @abstractmethod
    def divergence(self, params: Any) -> Scalar:
        """The price of leaving the prior [nats]."""

    @abstractmethod
    def centre(self, params: Any) -> Weights:
        """The weights of the expected function."""


class Point(AbstractFamily):
    """One function: its parameters are its weights."""

    prior: AbstractPrior
    """Prior of every weight."""

    @property
    def certain(self) -> bool:
        """There is no other function that it could be."""
        return True

    def chance(self, params: Any, *, key: Key) -> None:
        """Nothing."""

    def drawn(self, params: Any, chance: Any) -> Weights:
        """The weights themselves."""
        return params

    def divergence(self, params: Any) -> Scalar:
        """Minus the log density of the prior [nats]."""
        return self.prior.penalty(params)

    def centre(self, params: Any) -> Weights:
        """The weights themselves."""
        return params
