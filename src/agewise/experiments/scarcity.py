"""(p) Physics against no physics, with less and less data."""

from dataclasses import replace

from agewise.experiments.configuration import Configuration
from agewise.experiments.families import BPINN, Variant, changed, network
from agewise.experiments.scope import Scope

SHARES = (0.01, 0.05, 0.25, 1.0)
"""of the readings of both ends"""
READINGS = 11_520
COMPARED: tuple[Variant, ...] = ("weighted", "default")


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN with and without its equation."""
    variants = [variant for variant in COMPARED if variant in scope.variants]
    return [
        with_share(variant, share, physics=physics)
        for variant in variants
        for physics in (True, False)
        for share in scope.few(SHARES)
    ]


def with_share(variant: Variant, share: float, *, physics: bool) -> Configuration:
    """So many of the readings, with or without the equation (and what the load alone does)."""
    settings = network(BPINN, variant)
    count = round(share * READINGS) if share < 1 else 0
    likelihood = replace(
        settings.likelihood,
        readings=count,
        physics=physics,
        lifted=settings.likelihood.lifted and physics,
    )
    what = "physics" if physics else "none"
    name = f"scarcity/{variant}/{what}-{share:g}"
    return changed(BPINN, variant, name, replace(settings, likelihood=likelihood))
