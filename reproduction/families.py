"""The paper's five configurations under four presets."""

from dataclasses import dataclass, replace
from typing import Literal

from agewise.engine.inference.published.settings import PublishedSettings
from agewise.engine.objective.settings import Aleatoric
from agewise.engine.presets import AnySettings, Preset
from reproduction.configuration import (
    Configuration,
    network_configuration,
    preset_network,
)

Variant = Literal["paper", "literal", "weighted", "default"]
"""The paper's recipe as it is read by a rule, as it is printed, the printed one at the best weight
on the residual, and our own."""
VARIANTS: tuple[Variant, ...] = ("literal", "weighted", "default")
"""Variants that most experiments run. That of the chosen reading has a section of its own
(`confirmation`) until all of its cells are there."""
POLISHED: dict[Variant, int] = {"paper": 100, "literal": 1000, "weighted": 1000}
"""Numbers of steps of L-BFGS, of the paper's 10 000, which take 20 minutes a fit."""
WHOLE: tuple[Variant, ...] = ("literal", "weighted")
"""Where all steps of L-BFGS were made once."""
VARIANT_TEXT = {
    "paper": "paper",
    "literal": "paper-literal",
    "weighted": "paper-literal, best weight",
    "default": "default",
}
"""Names of the variants on the page."""


@dataclass(frozen=True)
class Family:
    """A kind of network with its model of the noise."""

    name: str
    """Name in paths and in the published tables."""
    text: str
    """Name on the page."""
    method: str
    """Method of inference, as `agewise assess --method` names it."""
    aleatoric: Aleatoric
    """Whether the noise may vary over height and time."""
    best_weight: float
    """Weight on the residual [1] that is best on tuning twins (`residual-weight`)."""


BPINN = Family("bpinn-het", "B-PINN het", "vi", "heteroscedastic", 1.0)
DPINN = Family("dpinn-het", "d-PINN het", "dropout", "heteroscedastic", 1.0)
BPINN_HOM = Family("bpinn-hom", "B-PINN hom", "vi", "homoscedastic", 0.1)
DPINN_HOM = Family("dpinn-hom", "d-PINN hom", "dropout", "homoscedastic", 0.1)
VANILLA = Family("vanilla", "vanilla PINN", "map", "heteroscedastic", 1.0)
FAMILIES = (BPINN, DPINN, BPINN_HOM, DPINN_HOM, VANILLA)


def preset_of(variant: Variant) -> Preset:
    """The preset behind a variant; the literal one also at its best weight."""
    if variant == "default" or variant == "paper":
        return variant
    return "paper-literal"


def network(family: Family, variant: Variant) -> AnySettings:
    """The settings of a family under a variant."""
    settings = whole_network(family, variant)
    if not isinstance(settings, PublishedSettings):
        return settings
    return shortened(settings, POLISHED[variant])


def published(family: Family, variant: Variant) -> PublishedSettings:
    """The settings of a family under a variant of the paper's preset."""
    settings = network(family, variant)
    assert isinstance(settings, PublishedSettings), "the default preset is ours"
    return settings


def shortened(settings: PublishedSettings, steps: int) -> PublishedSettings:
    """The same with fewer steps of L-BFGS, where there are any."""
    training = settings.training
    if training.polish is None:
        return settings
    short = replace(training.polish, steps=steps)
    return replace(settings, training=replace(training, polish=short))


def whole_network(family: Family, variant: Variant) -> AnySettings:
    """The same with all steps of L-BFGS."""
    settings = preset_network(family.method, preset_of(variant), family.aleatoric)
    if variant != "weighted" or not isinstance(settings, PublishedSettings):
        return settings
    return weighted(settings, family.best_weight)


def weighted(settings: PublishedSettings, weight: float) -> PublishedSettings:
    """The same with another weight on the residual of the equation."""
    return replace(settings, interior_weight=weight)


def main(family: Family, variant: Variant) -> Configuration:
    """A family as it is: the cells that most experiments share."""
    return network_configuration(
        f"main/{variant}/{family.name}",
        family.method,
        network(family, variant),
        preset=preset_of(variant),
        aleatoric=family.aleatoric,
        keeps_fields=True,
    )


def whole(variant: Variant) -> Configuration:
    """The vanilla network with all steps of L-BFGS, once."""
    full = replace(main(VANILLA, variant), name=f"main/{variant}/vanilla-whole", repeats=1)
    settings = replace(full.settings, network=whole_network(VANILLA, variant))
    return replace(full, settings=settings)


def changed(family: Family, variant: Variant, name: str, settings: AnySettings) -> Configuration:
    """A family with other settings, under a name that says which; as it is where none differs."""
    # The unchanged value of a factor is one of the main cells, which need not be fitted twice.
    if settings == network(family, variant):
        return main(family, variant)
    return network_configuration(
        name,
        family.method,
        settings,
        preset=preset_of(variant),
        aleatoric=family.aleatoric,
    )
