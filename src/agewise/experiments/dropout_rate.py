"""(m) The rate of dropout."""

from dataclasses import replace

from agewise.experiments.configuration import Configuration
from agewise.experiments.families import DPINN, Variant, changed, network
from agewise.experiments.scope import Scope

RATES = (0.05, 0.10, 0.15, 0.20, 0.25)
COMPARED: tuple[Variant, ...] = ("weighted", "default")


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic d-PINN at every rate."""
    variants = [variant for variant in COMPARED if variant in scope.variants]
    return [at_rate(variant, rate) for variant in variants for rate in scope.few(RATES)]


def at_rate(variant: Variant, rate: float) -> Configuration:
    """The d-PINN with so many of its units left out."""
    settings = replace(network(DPINN, variant), dropout=rate)
    return changed(DPINN, variant, f"dropout-rate/{variant}/{rate:g}", settings)
