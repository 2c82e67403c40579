"""What is fitted to what: a method with frozen settings, on twins that differ in their seed."""

from dataclasses import dataclass, replace

from agewise.assessment.oil.settings import Settings
from agewise.engine.objective.presets import SETTINGS, Preset
from agewise.engine.objective.settings import Aleatoric, NetworkSettings
from agewise.engine.training import Stage
from agewise.twin.twin import TwinSettings

TWIN = TwinSettings(seed=0)
"""Four days of the floating plant with a minute between samples, as in the paper."""
TUNING_SEED = 100
"""First twin of those that settings are chosen on; no table reports them."""
TUNING_REPEATS = 2
"""Twins on which a setting is chosen, at the most."""
QUICK_STEPS = 100
"""A quick cell makes so many times fewer steps,"""
QUICK_SECOND_ORDER = 3
"""of Gauss-Newton so many at the most,"""
QUICK_POINTS, QUICK_ROWS, QUICK_HARMONICS, QUICK_DRAWS = 100, 60, 1, 20
"""with so many points of each kind, points in a step of Gauss-Newton, harmonics and functions,
and without L-BFGS: few shapes, the same for every twin, since most of the time goes into compiling
(some of the readings fall into as many quarters of an hour as it happens, so they are not
averaged)."""


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
    repeats: int | None = None
    """At the most; as many as are asked for where None"""

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
    tuning: bool = False,
    keeps_fields: bool = False,
) -> Configuration:
    """A network with settings of its own."""
    settings = Settings(method=method, preset=preset, aleatoric=aleatoric, network=network)
    repeats = TUNING_REPEATS if tuning else None
    return Configuration(name, settings, TWIN, tuning, keeps_fields, repeats)


def preset_network(
    method: str, preset: Preset, aleatoric: Aleatoric = "heteroscedastic"
) -> NetworkSettings:
    """The settings of a preset, to be changed in one place."""
    return SETTINGS[preset](method, aleatoric)


def quickened(settings: Settings) -> Settings:
    """The same in a second: it shows that all works, and nothing else."""
    if settings.network is None:
        return settings
    whole = settings.network
    training = replace(
        whole.training,
        start=_shorter(whole.training.start),
        own=_shorter(whole.training.own),
        polish=None,
        rows=QUICK_ROWS,
    )
    every = whole.likelihood.averaged and not whole.likelihood.readings
    likelihood = replace(
        whole.likelihood,
        readings=0 if every else min(whole.likelihood.readings or QUICK_POINTS, QUICK_POINTS),
        averaged=every,
        points=min(whole.likelihood.points, QUICK_POINTS),
        starts=QUICK_POINTS,
    )
    inputs = replace(whole.network, harmonics=min(whole.network.harmonics, QUICK_HARMONICS))
    small = replace(
        whole, network=inputs, likelihood=likelihood, training=training, draws=QUICK_DRAWS
    )
    return replace(settings, network=small)


def _shorter(stage: Stage | None) -> Stage | None:
    if stage is None:
        return None
    if stage.optimiser == "gauss-newton":
        return replace(stage, steps=min(stage.steps, QUICK_SECOND_ORDER), renew=(), settle=0)
    steps = max(2, stage.steps // QUICK_STEPS)
    look = max(1, steps // 10)
    snapshots = min(stage.snapshots, 2)
    return replace(stage, steps=steps, look=look, patience=0, snapshots=snapshots)
