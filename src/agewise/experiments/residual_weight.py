"""The weight on the residual that suits the paper's preset in our units."""

from dataclasses import replace

from agewise.experiments.configuration import Configuration, network_configuration
from agewise.experiments.families import FAMILIES, VANILLA, Family, network, weighted
from agewise.experiments.scope import Scope

WEIGHTS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)


def configurations(scope: Scope) -> list[Configuration]:
    """Every family at every weight, on tuning twins."""
    if "weighted" not in scope.variants:
        return []
    return [at_weight(family, weight) for family in FAMILIES for weight in scope.few(WEIGHTS)]


def at_weight(family: Family, weight: float) -> Configuration:
    """A family of the paper's preset at another weight; the vanilla network by Adam alone, since
    L-BFGS would take a dozen times longer."""
    settings = weighted(network(family, "paper"), weight)
    if family is VANILLA:
        settings = replace(settings, training=replace(settings.training, polish=None))
    return network_configuration(
        f"residual-weight/{family.name}/{weight:g}",
        family.method,
        settings,
        preset="paper",
        aleatoric=family.aleatoric,
        tuning=True,
    )
