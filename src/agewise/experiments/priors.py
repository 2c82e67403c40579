"""(o) What is believed of a weight beforehand."""

from dataclasses import replace

from agewise.experiments.configuration import Configuration
from agewise.experiments.families import BPINN, Variant, changed, network
from agewise.experiments.scope import Scope
from agewise.inference.priors import PRIORS

COMPARED: tuple[Variant, ...] = ("weighted", "default")


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN with every prior."""
    variants = [variant for variant in COMPARED if variant in scope.variants]
    return [with_prior(variant, prior) for variant in variants for prior in PRIORS]


def with_prior(variant: Variant, prior: str) -> Configuration:
    """The same scale, another shape."""
    settings = network(BPINN, variant)
    settings = replace(settings, network=replace(settings.network, prior=prior))
    return changed(BPINN, variant, f"priors/{variant}/{prior}", settings)
