"""Networks that are soon trained, by the same stages as whole ones."""

from dataclasses import replace

from agewise.engine.objective.settings import Aleatoric, NetworkSettings
from agewise.engine.presets import default


def soon_trained(method: str, aleatoric: Aleatoric) -> NetworkSettings:
    """The default of a method with fewer units and points."""
    whole = default(method, aleatoric)
    return replace(
        whole,
        network=replace(whole.network, hidden=(12, 12), harmonics=4),
        training=replace(whole.training, rows=150, posterior_rows=150),
    )
