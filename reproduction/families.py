"""The paper's five configurations under three presets."""

from dataclasses import dataclass, replace
from math import isclose
from typing import Literal

from agewise.engine.inference.published.settings import PublishedSettings
from agewise.engine.objective.settings import Aleatoric
from agewise.engine.presets import AnySettings, Preset
from reproduction.configuration import (
    Configuration,
    network_configuration,
    preset_network,
)

Variant = Literal["paper", "literal", "default"]
"""The paper's recipe as it is read by a rule, as it is printed, and our own."""
VARIANTS: tuple[Variant, ...] = ("paper", "literal", "default")
"""All of them, in the order of the page."""
POLISHED = 1000
"""Number of steps of L-BFGS, of the paper's 10 000, which take 20 minutes a fit."""
WHOLE: tuple[Variant, ...] = ("literal",)
"""Where all steps of L-BFGS were made once."""
ALL_READINGS = 11_520
"""Number of readings of both ends in four days, one a minute."""
VARIANT_TEXT = {"paper": "paper", "literal": "paper-literal", "default": "default"}
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


BPINN = Family("bpinn-het", "B-PINN het", "vi", "heteroscedastic")
DPINN = Family("dpinn-het", "d-PINN het", "dropout", "heteroscedastic")
BPINN_HOM = Family("bpinn-hom", "B-PINN hom", "vi", "homoscedastic")
DPINN_HOM = Family("dpinn-hom", "d-PINN hom", "dropout", "homoscedastic")
VANILLA = Family("vanilla", "vanilla PINN", "map", "heteroscedastic")
FAMILIES = (BPINN, DPINN, BPINN_HOM, DPINN_HOM, VANILLA)


def preset_of(variant: Variant) -> Preset:
    """The preset behind a variant."""
    return "paper-literal" if variant == "literal" else variant


def network(family: Family, variant: Variant) -> AnySettings:
    """The settings of a family under a variant."""
    settings = whole_network(family, variant)
    if not isinstance(settings, PublishedSettings):
        return settings
    return shortened(settings, POLISHED)


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
    return preset_network(family.method, preset_of(variant), family.aleatoric)


def with_readings(settings: PublishedSettings, count: int) -> PublishedSettings:
    """The same with so many readings, 0 for all; a divergence over their number follows it."""
    over_readings = isclose(settings.kl_weight * settings.readings, 1.0)
    weight = 1 / (count or ALL_READINGS) if over_readings else settings.kl_weight
    return replace(settings, readings=count, kl_weight=weight)


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
