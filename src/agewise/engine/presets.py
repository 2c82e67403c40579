"""Frozen settings of the network methods: ours, and the paper's."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

from agewise.engine.inference.published.settings import PublishedSettings, literal, paper
from agewise.engine.objective.settings import (
    Aleatoric,
    Likelihood,
    Network,
    NetworkSettings,
    Training,
)
from agewise.engine.training import Stage

Preset = Literal["default", "untempered", "paper", "paper-literal"]
"""Name of a preset."""
PRESETS: tuple[str, ...] = get_args(Preset)
"""Names of all presets."""
AnySettings = NetworkSettings | PublishedSettings
"""Settings of a network: ours, or those of the published recipe."""

START = Stage("gauss-newton", 24, 1e-3, look=1, renew=(16, 20), settle=4)
"""A score of steps to the most probable weights, more where they are not there yet; the noise is
learned when the mean is near."""
LEAD = 1e7
"""How far readings lead the equation until their noise is learned (`Likelihood.lead`) [nats].

On tuning twins, error with 6 % noise and with 1 % of the readings: 0.71 and 5.8 K without, 0.71
and 1.27 K with 1e5, 0.23 and 0.44 K with 1e6, 0.22 and 0.45 K with this. All of four days."""


def default(method: str, aleatoric: Aleatoric) -> NetworkSettings:
    """What measured best on twins that no table shows."""
    # `map` and `laplace` have no stage of their own: they end at the most probable weights.
    own_stages = {
        "vi": Stage("adam", 500, 3e-4, look=50, snapshots=5),
        "plain": Stage("adam", 1500, 3e-4, look=50, snapshots=5),
        "dropout": Stage("adam", 4000, 1e-3, look=50, snapshots=20),
    }
    return NetworkSettings(
        network=Network(),
        # `plain` is `vi` without the equation: what readings alone can say.
        likelihood=Likelihood(aleatoric=aleatoric, physics=method != "plain", lead=LEAD),
        training=Training(start=START, own=own_stages.get(method)),
        dropout=0.01,
    )


def untempered(method: str, aleatoric: Aleatoric) -> NetworkSettings:
    """The default with the whole divergence from the prior: the textbook's evidence bound."""
    return replace(default(method, aleatoric), kl_weight=1.0)


SETTINGS: dict[str, Callable[[str, Aleatoric], AnySettings]] = {
    "default": default,
    "untempered": untempered,
    "paper": paper,
    "paper-literal": literal,
}
"""Every preset by name: from a method and its kind of noise to settings."""
