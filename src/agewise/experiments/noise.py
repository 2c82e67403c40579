"""(i) What injected noise does to the two uncertainties."""

from dataclasses import replace

from agewise.assessment.settings import Settings
from agewise.experiments.configuration import TWIN, Configuration
from agewise.experiments.families import BPINN, Variant, main
from agewise.experiments.scope import Scope

LEVELS = (0.0, 0.02, 0.04, 0.06)
"""of each signal's maximum over the window; the load's is about 1 p.u."""
COMPARED: tuple[Variant, ...] = ("weighted", "default")


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN and the closed form at every level."""
    networks = [
        at_level(main(BPINN, variant), variant, level)
        for variant in COMPARED
        if variant in scope.variants
        for level in scope.few(LEVELS)
    ]
    return networks + [exact_at(level) for level in scope.few(LEVELS)]


def exact_at(level: float) -> Configuration:
    """The closed form at a level of noise."""
    exact = Configuration("exact", Settings(method="exact"), keeps_fields=True)
    return at_level(exact, "exact", level)


def at_level(one: Configuration, name: str, level: float) -> Configuration:
    """A configuration on twins with so much noise, the same at all times, on every signal."""
    twin = replace(TWIN, noise_law="share", noise=level, load_noise=level)
    return replace(one, name=f"noise/{name}/{level:g}", twin=twin)
