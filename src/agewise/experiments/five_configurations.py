"""(a) The five configurations at six instants and in total."""

from agewise.assessment.settings import Settings
from agewise.experiments.configuration import Configuration
from agewise.experiments.families import FAMILIES, main
from agewise.experiments.scope import Scope

YARDSTICKS = tuple(
    Configuration(f"main/yardstick/{name}", Settings(method=name), keeps_fields=name == "exact")
    for name in ("line", "solver", "exact")
)
"""What needs no network."""


def configurations(scope: Scope) -> list[Configuration]:
    """Five families under every preset, and the yardsticks."""
    networks = [main(family, variant) for variant in scope.variants for family in FAMILIES]
    return [*networks, *YARDSTICKS]
