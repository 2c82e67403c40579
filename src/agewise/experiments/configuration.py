"""What is fitted to what: a method with frozen settings, on twins that differ in their seed."""

from dataclasses import dataclass, replace

from agewise.assessment.settings import Settings
from agewise.data.twin import TwinSettings
from agewise.inference.presets import SETTINGS, Preset
from agewise.inference.settings import Aleatoric, NetworkSettings
from agewise.training import Stage

TWIN = TwinSettings(seed=0)
"""Four days of the floating plant with a minute between samples, as in the paper."""
TUNING_SEED = 100
"""First twin of those that settings are chosen on; no table reports them."""
QUICK_STEPS, QUICK_SECOND_ORDER, QUICK_ROWS, QUICK_DRAWS = 100, 3, 60, 20
"""A quick cell makes so many times fewer steps, of Gauss-Newton so many at the most, on so many
points of the equation, and draws so many functions."""


@dataclass(frozen=True)
class Configuration:
    """One line of a table; each of its repeats is a cell."""

    name: str
    """of the folder of its cells"""
    settings: Settings
    twin: TwinSettings = TWIN
    tuning: bool = False
    """Whether it runs on the twins that settings are chosen on."""
    keeps_fields: bool = False
    """Whether the fields and the training of the first repeat are kept, to be drawn."""

    @property
    def first_seed(self) -> int:
        """of its repeats"""
        return TUNING_SEED if self.tuning else 0


def network_configuration(
    name: str,
    method: str,
    network: NetworkSettings,
    *,
    preset: Preset,
    aleatoric: Aleatoric = "heteroscedastic",
    twin: TwinSettings = TWIN,
    tuning: bool = False,
    keeps_fields: bool = False,
) -> Configuration:
    """A network with settings of its own."""
    settings = Settings(method=method, preset=preset, aleatoric=aleatoric, network=network)
    return Configuration(name, settings, twin, tuning, keeps_fields)


def preset_network(
    method: str, preset: Preset, aleatoric: Aleatoric = "heteroscedastic"
) -> NetworkSettings:
    """The settings of a preset, to be changed in one place."""
    return SETTINGS[preset](method, aleatoric)


def quickened(settings: Settings) -> Settings:
    """The same in a second: it shows that all works, and nothing else."""
    if settings.network is None:
        return settings
    training = settings.network.training
    shorter = replace(
        training,
        start=_shorter(training.start),
        own=_shorter(training.own),
        polish=_shorter(training.polish),
        rows=QUICK_ROWS,
    )
    network = replace(settings.network, training=shorter, draws=QUICK_DRAWS)
    return replace(settings, network=network)


def _shorter(stage: Stage | None) -> Stage | None:
    if stage is None:
        return None
    if stage.optimiser == "gauss-newton":
        return replace(stage, steps=min(stage.steps, QUICK_SECOND_ORDER), renew=())
    steps = max(2, stage.steps // QUICK_STEPS)
    look = max(1, steps // 10)
    snapshots = min(stage.snapshots, 2)
    return replace(stage, steps=steps, look=look, patience=0, snapshots=snapshots)
