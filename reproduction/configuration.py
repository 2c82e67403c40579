"""What is fitted to what: a method with frozen settings, on twins that differ in their seed."""

from dataclasses import dataclass, replace
from typing import TypeVar

from agewise.assessment.oil.settings import Settings
from agewise.engine.inference.published.settings import PublishedSettings
from agewise.engine.objective.settings import Aleatoric, Network, NetworkSettings
from agewise.engine.presets import SETTINGS, AnySettings, Preset
from agewise.engine.training import Stage
from agewise.twin.twin import TwinSettings

StageOrNone = TypeVar("StageOrNone", Stage, Stage | None)
"""A stage of a training, or what stands for one that is left out."""

TWIN = TwinSettings(seed=0)
"""Four days of the floating plant with a minute between samples, as in the paper."""
TUNING_SEED = 100
"""Seed of the first twin on which settings are chosen; no table reports scores on these."""
TUNING_REPEATS = 2
"""Largest number of twins on which a setting is chosen."""
QUICK_STEPS = 100
"""Factor by which a quick cell makes fewer steps of Adam."""
QUICK_SECOND_ORDER = 3
"""Largest number of steps of Gauss-Newton in a quick cell."""
QUICK_POINTS, QUICK_ROWS, QUICK_DRAWS = 100, 60, 20
"""Points of each kind (the default preset takes every reading), points in a step of Gauss-Newton
and functions of a quick cell, which makes no step of L-BFGS either."""
QUICK_HARMONICS, QUICK_WIDTH, QUICK_BATCH = 1, 8, 8
"""Harmonics, units of each layer and points a step of a quick cell: few shapes, the same for every
twin and every value of a factor, since most of the time goes into compiling."""


@dataclass(frozen=True)
class Configuration:
    """One line of a table; each of its repeats is a cell."""

    name: str
    """Name of the folder of its cells."""
    settings: Settings
    """Settings of the method; each repeat has a seed of its own."""
    twin: TwinSettings = TWIN
    """Settings of the twin; each repeat has a seed of its own."""
    tuning: bool = False
    """Whether it runs on the twins that settings are chosen on."""
    keeps_fields: bool = False
    """Whether the fields and the training of the first repeat are kept, to be drawn."""
    repeats: int | None = None
    """Largest number of repeats; None for as many as are asked for."""
    first: int = 0
    """Seed of the first of its repeats, where these are no tuning twins."""

    @property
    def first_seed(self) -> int:
        """Seed of the first of its repeats."""
        return TUNING_SEED if self.tuning else self.first


def network_configuration(
    name: str,
    method: str,
    network: AnySettings,
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
) -> AnySettings:
    """The settings of a preset, to be changed in one place."""
    return SETTINGS[preset](method, aleatoric)


def quickened(settings: Settings) -> Settings:
    """The same settings made so small that a fit takes less than a second and means nothing."""
    network = settings.network
    # Also for methods without a network: most of a cell's time goes into the life of each draw.
    quick = replace(settings, quick=True)
    if network is None:
        return quick
    published = isinstance(network, PublishedSettings)
    small = _quick_published(network) if published else _quick(network)
    return replace(quick, network=small)


def _quick(network: NetworkSettings) -> NetworkSettings:
    start = network.training.start
    few = min(start.steps, QUICK_SECOND_ORDER)
    training = replace(
        network.training,
        start=replace(start, steps=few, renew=(), settle=0),
        own=_shorter(network.training.own),
        rows=QUICK_ROWS,
    )
    return replace(
        network,
        network=replace(_narrow(network.network), harmonics=QUICK_HARMONICS),
        likelihood=replace(network.likelihood, readings=0),  # 0 stands for all readings
        training=training,
        draws=QUICK_DRAWS,
    )


def _quick_published(network: PublishedSettings) -> PublishedSettings:
    return replace(
        network,
        network=_narrow(network.network),
        # One program for all readings of the recipe.
        residual_noise="shared",
        means=False,
        batch=QUICK_BATCH,
        readings=QUICK_POINTS,
        points=QUICK_POINTS,
        starts=QUICK_POINTS,
        training=replace(network.training, own=_shorter(network.training.own), polish=None),
        draws=QUICK_DRAWS,
    )


def _narrow(network: Network) -> Network:
    return replace(network, hidden=(QUICK_WIDTH,) * len(network.hidden))


def _shorter(stage: StageOrNone) -> StageOrNone:
    if stage is None:
        return stage
    steps = max(2, stage.steps // QUICK_STEPS)
    look = max(1, steps // 10)
    snapshots = min(stage.snapshots, 2)
    # The optimiser of one reading for all, since each would be compiled anew.
    kind = "adam" if stage.optimiser == "constant-adam" else stage.optimiser
    return replace(stage, optimiser=kind, steps=steps, look=look, patience=0, snapshots=snapshots)
