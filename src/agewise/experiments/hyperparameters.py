"""(n) The d-PINN's hyperparameters, one at a time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agewise.experiments.configuration import Configuration
from agewise.experiments.dropout_rate import at_rate
from agewise.experiments.families import DPINN, changed, network
from agewise.experiments.scope import Scope
from agewise.inference.settings import NetworkSettings


@dataclass(frozen=True)
class Factor:
    """One hyperparameter: its values, the usual one, and how to set it."""

    name: str
    text: str
    values: tuple[Any, ...]
    usual: Any
    applied: Callable[[NetworkSettings, Any], NetworkSettings]


def _network(settings: NetworkSettings, **changes: Any) -> NetworkSettings:
    return replace(settings, network=replace(settings.network, **changes))


def _own(settings: NetworkSettings, **changes: Any) -> NetworkSettings:
    own = settings.training.own
    assert own is not None
    return replace(settings, training=replace(settings.training, own=replace(own, **changes)))


def _batch(settings: NetworkSettings, size: int) -> NetworkSettings:
    return replace(settings, likelihood=replace(settings.likelihood, batch=size))


FACTORS = (
    Factor("layers", "layers", (2, 3, 4), 2, lambda s, n: _network(s, hidden=(50,) * n)),
    Factor("nodes", "nodes", (16, 32, 50, 64), 50, lambda s, n: _network(s, hidden=(n, n))),
    Factor(
        "activation", "activation", ("relu", "tanh"), "tanh", lambda s, n: _network(s, activation=n)
    ),
    Factor("dropout", "dropout", (0.05, 0.1, 0.2, 0.3), 0.05, lambda s, n: replace(s, dropout=n)),
    Factor("rate", "learning rate", (0.001, 0.01, 0.1), 0.01, lambda s, n: _own(s, rate=n)),
    Factor("batch", "batch", (8, 16, 32, 64), 64, _batch),
    Factor("steps", "steps", (5000, 10_000, 15_000), 15_000, lambda s, n: _own(s, steps=n)),
    Factor("draws", "functions drawn", (50, 100, 200), 200, lambda s, n: replace(s, draws=n)),
)


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic d-PINN of the paper with one value changed."""
    if "weighted" not in scope.variants:
        return []
    found = [at_value(factor, value) for factor in FACTORS for value in scope.few(factor.values)]
    return list({one.name: one for one in found}.values())


def at_value(factor: Factor, value: Any) -> Configuration:
    """The d-PINN with one hyperparameter changed."""
    if factor.name == "dropout":
        return at_rate("weighted", value)
    settings = network(DPINN, "weighted")
    if value != factor.usual:
        settings = factor.applied(settings, value)
    return changed(DPINN, "weighted", f"hyperparameters/{factor.name}-{value}", settings)
