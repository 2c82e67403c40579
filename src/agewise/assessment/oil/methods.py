"""Methods by name: those of the engine, and the transformer's own solver."""

from collections.abc import Callable

from agewise.engine.inference import registry
from agewise.engine.inference.published.methods import PUBLISHED
from agewise.engine.inference.published.settings import PublishedSettings
from agewise.engine.objective.settings import Aleatoric
from agewise.engine.posterior import AbstractInference
from agewise.engine.presets import SETTINGS, AnySettings, Preset
from agewise.errors import InputError
from agewise.transformer.oil.solver import Solver

NETWORKS = registry.NETWORKS
"""Methods that train a network."""
YARDSTICKS: dict[str, Callable[[], AbstractInference]] = {
    **registry.YARDSTICKS,
    "solver": Solver,
}
"""Methods without a network; they have no presets."""

SUMMARIES = {
    "line": "A straight line between the smoothed ends: instant, and wrong inside the tank.",
    "exact": "The closed form, with physics that may be a little wrong: seconds; the default.",
    "solver": "The equation trusted, between smoothed ends: the quickest with physics.",
    "vi": "The paper's Bayesian network: independent weights, both uncertainties; half a minute.",
    "laplace": "The same network with all dependencies of its weights; half a minute.",
    "dropout": "The paper's d-PINN: units left out at random; its doubt is not calibrated.",
    "map": "One network, no epistemic part: a plain PINN, for comparison.",
    "plain": "`vi` without the physics, for comparison.",
}
"""When to use a method and what it costs, by its name."""

METHODS = (*YARDSTICKS, *NETWORKS)
"""Names of all methods."""


def method(
    name: str, preset: Preset = "default", aleatoric: Aleatoric = "heteroscedastic"
) -> AbstractInference:
    """A method by its name, with the settings of a preset.

    Args:
        name: One of `METHODS`.
        preset: Bundle of a network's settings; methods without a network take the default only.
        aleatoric: Whether the noise that a network learns may differ from place to place.
    """
    if name in YARDSTICKS:
        if (preset, aleatoric) != ("default", "heteroscedastic"):
            raise InputError(
                f"The method {name!r} has neither presets nor a choice of noise.",
                hint=f"leave both out, or choose one of {', '.join(NETWORKS)}.",
            )
        return YARDSTICKS[name]()
    if name not in NETWORKS:
        raise InputError(f"There is no method {name!r}.", hint=f"methods: {', '.join(METHODS)}.")
    if preset not in SETTINGS:
        raise InputError(f"There is no preset {preset!r}.", hint=f"presets: {', '.join(SETTINGS)}.")
    return network_method(name, SETTINGS[preset](name, aleatoric))


def network_method(name: str, settings: AnySettings) -> AbstractInference:
    """A method that trains a network, with settings of ours or of the published recipe."""
    if not isinstance(settings, PublishedSettings):
        return NETWORKS[name](settings)
    if name not in PUBLISHED:
        raise InputError(
            f"The method {name!r} is not in the paper.", hint='leave out `preset="paper"`.'
        )
    return PUBLISHED[name](settings)
